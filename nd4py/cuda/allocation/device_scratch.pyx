"""Scratch memory on devices, for kernels and for CuPy."""

from nd4py.cuda.allocation.allocator cimport PINNED, cache_of, give
from nd4py.cuda.launch.current_stream cimport bind, current_stream
from nd4py.cuda.allocation.stream_uses cimport note_use


cdef class Scratch:
    """`n_bytes` of a device, or of pinned host memory (device -1), which go back when this does.

    They belong to `stream`, or to this thread's stream on the device.  Raises DeviceOutOfMemory.
    """

    def __cinit__(self, int device, size_t n_bytes, stream: int | None = None):
        cdef size_t owner = <size_t>-1
        if device != PINNED:
            bind(device)
            owner = current_stream(device) if stream is None else stream
        self.device = device
        self.block = cache_of(device).take(n_bytes, owner)

    def __dealloc__(self):
        if self.block != NULL:
            give(self.block)

    @property
    def address(self) -> int:
        """Where the bytes begin."""
        return self.block.address

    @property
    def nbytes(self) -> int:
        """How many there are: as many as asked for, or more."""
        return self.block.n_bytes

    def used_on(self, int device, size_t stream) -> None:
        """Say that work given to another stream needs the bytes."""
        note_use(self.block, device, stream)
