"""The memory of an arena: a block of the pool, reserved addresses, or a mapped file."""

from libc.stdint cimport uintptr_t
from posix.unistd cimport close
from nd4py._mem.pool.pool cimport pool_allocate, pool_commit, pool_release, pool_uncommit
from nd4py._mem.arena.free_ranges cimport Ranges

import os

from ..diagnostics.memory_wants import out_of_memory

cdef extern from "system_memory.h":
    char* reserve_addresses(size_t n_bytes) nogil
    void forget_pages(char* start, size_t n_bytes) nogil
    void return_addresses(char* start, size_t n_bytes) nogil

cdef size_t FILE_CHUNK_BYTES = 16 << 20        # bytes of a file that are given blocks on the disk at a time
cdef size_t LEAST_ADDRESSES = 1 << 20    # that are worth reserving where there are few
cdef size_t MEMORY_CHUNK_BYTES = 256 << 10     # bytes of reserved addresses that are counted as taken at a time


cdef size_t whole_chunks(ArenaBlock block, size_t n_bytes, size_t chunk) noexcept:
    return min((n_bytes + chunk - 1) // chunk * chunk, block.size)


cdef size_t chunk_before(size_t offset) noexcept:
    return offset // MEMORY_CHUNK_BYTES * MEMORY_CHUNK_BYTES


cdef class ArenaBlock:
    """Memory that goes when the last lease and array over it are gone."""

    cdef int back(self, size_t start, size_t end) except -1:
        """Have memory for the bytes from `start` to `end`.  Raises MemoryError or OSError where there is none."""
        return 0

    cdef size_t missing(self, size_t start, size_t end) noexcept:
        """How many bytes `back` would take."""
        return 0

    cdef Py_ssize_t release(self, size_t start, size_t end) except -1:
        """Give back memory between `start` and `end`, where that is possible; returns how many bytes."""
        return 0

    cdef void shrink(self, size_t n_bytes) noexcept:
        """Give back memory that is not needed for the first `n_bytes`, where that is possible."""


cdef class PoolBlock(ArenaBlock):

    def __dealloc__(self):
        if self.data != NULL:
            pool_release(self.data, self.size)


cdef class AddressBlock(ArenaBlock):
    """Addresses; a page has memory from its first write on."""

    cdef Ranges holes                    # before the reach, without memory
    cdef bint is_torn                    # holes have cut huge pages up

    def __cinit__(self):
        self.holes = Ranges()

    cdef int back(self, size_t start, size_t end) except -1:
        cdef size_t wanted = self.missing(start, end)
        if wanted == 0:
            return 0
        start, end = chunk_before(start), whole_chunks(self, end, MEMORY_CHUNK_BYTES)
        if not pool_commit(wanted):
            raise out_of_memory(wanted, "the arena of a workspace")
        if start > self.reach:
            self.holes.give(self.reach, start, <size_t>-1)
        self.holes.cut(start, end)
        self.reach = max(self.reach, end)
        self.backed += wanted
        return 0

    cdef size_t missing(self, size_t start, size_t end) noexcept:
        start, end = chunk_before(start), whole_chunks(self, end, MEMORY_CHUNK_BYTES)
        return self.holes.overlap(start, end) + end - min(end, max(start, self.reach))

    cdef Py_ssize_t release(self, size_t start, size_t end) except -1:
        start, end = whole_chunks(self, start, MEMORY_CHUNK_BYTES), chunk_before(min(end, self.reach))
        if start >= end:
            return 0
        cdef size_t released = end - start - self.holes.overlap(start, end)
        if released:
            self.holes.cut(start, end)
            self.holes.give(start, end, <size_t>-1)
            self.forget(start, end, released)
            self.is_torn = True
        return released

    cdef void shrink(self, size_t n_bytes) noexcept:
        cdef size_t kept = 0 if self.is_torn else whole_chunks(self, n_bytes, MEMORY_CHUNK_BYTES)
        self.is_torn = False             # all of it is given back, for huge pages again when it is used next
        if kept < self.reach:
            self.forget(kept, self.reach, self.reach - kept - self.holes.overlap(kept, self.reach))
            self.holes.drop_behind(kept)
            self.reach = kept

    cdef void forget(self, size_t start, size_t end, size_t n_backed) noexcept:
        forget_pages(self.data + start, end - start)
        pool_uncommit(n_backed)
        self.backed -= n_backed

    def __dealloc__(self):
        if self.data != NULL:
            return_addresses(self.data, self.size)
            pool_uncommit(self.backed)


cdef class FileBlock(ArenaBlock):
    """A mapped file: sparse until used."""

    cdef int descriptor
    cdef object mapping

    def __cinit__(self):
        self.descriptor = -1

    cdef int back(self, size_t start, size_t end) except -1:
        """Have the disk hold the bytes: a full disk is an OSError here, not a signal at the first write."""
        cdef size_t wanted = whole_chunks(self, end, FILE_CHUNK_BYTES)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self.descriptor, self.backed, wanted - self.backed)
        else:                            # macOS and Windows: zeros are written where there is nothing yet
            os.lseek(self.descriptor, self.backed, os.SEEK_SET)
            os.write(self.descriptor, bytes(wanted - self.backed))
        self.backed = self.reach = wanted
        return 0

    def __dealloc__(self):
        if self.descriptor >= 0:
            close(self.descriptor)


cdef ArenaBlock block_in_ram(size_t size):
    """A block of the pool.  Raises MemoryError."""
    cdef PoolBlock block = PoolBlock()
    block.data = <char*>pool_allocate(size)
    if block.data == NULL:
        raise out_of_memory(size, "the arena of a workspace")
    block.size = block.reach = block.backed = size
    return block


cdef ArenaBlock block_of_addresses(size_t size):
    """Addresses for `size` bytes.  Raises MemoryError where the process may not have that many."""
    cdef AddressBlock block = AddressBlock()
    block.data = reserve_addresses(size)
    if block.data == NULL:
        raise out_of_memory(size, "the addresses of a workspace's arena")
    block.size = size
    return block


cdef ArenaBlock block_of_most_addresses(size_t size):
    """Addresses for `size` bytes, or for fewer where the process may not have that many (`ulimit -v`).

    Then it takes an eighth of what it could have: others need some too.  Raises MemoryError where there are hardly any.
    """
    cdef size_t found = size
    while found >= LEAST_ADDRESSES:
        try:
            block = block_of_addresses(found)
            if found == size:
                return block
            block = None                 # before the smaller one is made
            return block_of_addresses(max(found // 8, LEAST_ADDRESSES))
        except MemoryError:
            found //= 2
    return block_of_addresses(min(size, LEAST_ADDRESSES))


cdef ArenaBlock block_in_file(object path, size_t size):
    """The file at `path`, made or made longer if need be; a temporary file where `path` is None.

    A `size` of 0 takes the length of the file.  A temporary file has no name any more: it goes with the block, or with
    the process, however that ends.  Raises OSError, ValueError for a file without length.
    """
    import ctypes
    import mmap
    import tempfile

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
