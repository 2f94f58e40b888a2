"""Memory of devices: the caching allocator, arenas, and who may use a block when.

The files, as the build lists them:

- allocator.pyx: Memory of devices, and pinned memory of the host: blocks are taken from the driver once and kept for
  reuse.
- blocks.pxd: Blocks of memory, the shelves they lie on, and the streams that work on them.
- device_arena.pyx: Workspaces on devices: each has an arena of its own on every device whose arrays are made in its
  scope.
- device_scratch.pyx: Bytes of a device that are no array: what kernels need besides their operands, and what CuPy asks
  for.
- graph_memory.pyx: The memory of graphs: what their steps were given, and copy from the host, stays theirs as long as
  they live.
- lent_memory.pyx: Memory that other libraries lend: it goes back to them when all streams that used it here have
  passed.
- ownership.pyx: Whose the memory of an array on a device is, who else reads or writes it, and its record on the tape.
- stream_uses.pyx: Which streams worked on a block, and when they have passed.
"""
