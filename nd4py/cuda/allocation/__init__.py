"""Device memory: the caching allocator, arenas, and the use of blocks by streams.

The files, as the build lists them:

- allocator.pyx: Caching allocator of device memory and pinned host memory.
- blocks.pxd: Structs of the allocator: memory blocks, the blocks of each stream, and uses by other streams.
- device_arena.pyx: Workspaces on devices.
- device_scratch.pyx: Scratch memory on devices, for kernels and for CuPy.
- graph_memory.pyx: Memory of CUDA graphs.
- lent_memory.pyx: Memory that other libraries lend.
- ownership.pyx: Ownership of device arrays' memory: sharing, overlap, waiting, and the tape.
- stream_uses.pyx: Records of the streams that worked on a block, and whether they have passed.
"""
