"""Memory shared with other libraries without copies: DLPack, the buffer protocol, array interfaces.

The files, as the build lists them:

- arrow.pyx: Apache Arrow's C data interface: arrays of one axis given to Arrow's libraries, and taken from them,
  without copies.
- buffers.pyx: Sharing memory with other libraries: the buffer protocol and DLPack, both ways, without copies.
- dlpack.pyx: DLPack capsules: tensors given to other libraries, and taken from them, whatever device their memory is
  on.
- exported.pyx: Buffers of other objects, and whether somebody other than this library can write them.
- foreign_memory.pyx: Checks of the shape, strides and address that another library gives, before an array is made over
  its memory.
- foreign_types.py: Element types of other libraries by their names, and `__array_interface__`.
- system_libraries.h: Libraries of the operating system, opened while a program runs.
- system_windows.h: Windows' own header, without what it brings besides, such as macros called min and max.
"""
