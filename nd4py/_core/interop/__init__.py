"""Memory shared with other libraries without copies: DLPack, the buffer protocol, array interfaces.

The files, as the build lists them:

- buffers.pyx: Sharing memory with other libraries: the buffer protocol and DLPack, both ways, without copies.
- dlpack.pyx: DLPack capsules: tensors given to other libraries, and taken from them, whatever device their memory is
  on.
- foreign_memory.pyx: What others say of their memory is checked here, before an array is made over it.
- foreign_types.py: The names that other libraries have for element types, and what `__array_interface__` says of an
  array.
"""
