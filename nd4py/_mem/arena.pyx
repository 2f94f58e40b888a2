"""The memory of an arena: a block of the pool, or a file mapped into the process."""

from libc.stdint cimport uintptr_t
from posix.unistd cimport close
from nd4py._mem.pool cimport pool_allocate, pool_release

import ctypes
import mmap
import os
import tempfile

from .statistics import out_of_memory

cdef size_t CHUNK = 16 << 20             # bytes of a file that are given blocks on the disk at a time


cdef class ArenaBlock:
    """Memory that goes when the last lease and array over it are gone."""


cdef class PoolBlock(ArenaBlock):

    def __dealloc__(self):
        if self.data != NULL:
            pool_release(self.data, self.size)


cdef class FileBlock(ArenaBlock):
    """A mapped file: sparse until used."""

    cdef int descriptor
    cdef object mapping

    def __cinit__(self):
        self.descriptor = -1

    def __dealloc__(self):
        if self.descriptor >= 0:
            close(self.descriptor)


cdef ArenaBlock block_in_ram(size_t size):
    """A block of the pool.  Raises MemoryError."""
    cdef PoolBlock block = PoolBlock()
    block.data = <char*>pool_allocate(size)
    if block.data == NULL:
        raise out_of_memory(size, "the arena of a workspace")
    block.size = block.backed = size
    return block


cdef ArenaBlock block_in_file(object path, size_t size):
    """The file at `path`, made or made longer if need be; a temporary file where `path` is None.

    A `size` of 0 takes the length of the file.  A temporary file has no name any more: it goes with the block, or with
    the process, however that ends.  Raises OSError, ValueError for a file without length.
    """
    cdef FileBlock block = FileBlock()
    if not size and not (path and os.path.exists(path) and os.path.getsize(path)):
        raise ValueError(f"a workspace in the new file {path or ''} needs an initial_size")
    if path is None:
        block.descriptor, path = tempfile.mkstemp(prefix="nd4py-workspace-")
        os.unlink(path)
    else:
        block.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    length = os.fstat(block.descriptor).st_size
    block.size = size or length
    if length < block.size:
        os.ftruncate(block.descriptor, block.size)
    block.mapping = mmap.mmap(block.descriptor, block.size)
    block.data = <char*><uintptr_t>ctypes.addressof(ctypes.c_char.from_buffer(block.mapping))
    return block


cdef int back(ArenaBlock block, size_t n_bytes) except -1:
    """Have the disk hold the first `n_bytes`: a full disk is an OSError here, not a signal at the first write."""
    cdef FileBlock file = <FileBlock?>block
    cdef size_t wanted = min((n_bytes + CHUNK - 1) // CHUNK * CHUNK, block.size)
    os.posix_fallocate(file.descriptor, block.backed, wanted - block.backed)
    block.backed = wanted
    return 0
