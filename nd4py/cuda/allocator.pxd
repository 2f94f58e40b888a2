# Memory of a device, or pinned memory of the host, in blocks that are kept for reuse.
from nd4py._mem.pool_classes cimport N_CLASSES

cdef struct Use:                         # a stream, other than its own, that works on a block
    int place                            # the number of its device
    size_t stream
    size_t event                         # recorded on that stream when the block was given back
    Use* next

cdef struct Lane:                        # the blocks of one stream
    size_t stream
    bint is_held                         # by a graph, which names the addresses of its blocks
    Lane* heir                           # where its blocks go, once the stream is gone
    Block* shelves[N_CLASSES]            # free blocks by size class, the last one given back first

cdef struct Block:
    size_t address
    size_t n_bytes
    size_t requested
    int number                           # of the size class
    Lane* lane
    void* cache                          # the Cache, which is never freed
    Use* uses
    Block* next


cdef class Cache:
    cdef readonly int place              # the number of the device, or PINNED
    cdef Lane* lane                      # the one used last
    cdef dict lanes                      # addresses of Lanes, by stream
    cdef Block* parked                   # given back, but other streams may still work on them
    cdef Block* last_parked
    cdef size_t max_bytes, max_cache, cacheable_length
    cdef int n_ahead
    cdef size_t live, requested, cached, waiting, peak
    cdef Py_ssize_t n_live, n_hits, n_misses, n_evicted, n_trims, n_driver_calls, n_failed

    cdef Block* take(self, size_t n_bytes, size_t stream) except NULL
    cdef Block* hand_out(self, Block* block, size_t n_bytes) noexcept
    cdef Block* take_elsewhere(self, Lane* lane, int number, size_t rounded, size_t n_bytes) except NULL
    cdef Block* from_driver(self, Lane* lane, int number, size_t rounded, size_t n_bytes) except NULL
    cdef bint is_over(self, size_t n_bytes) noexcept
    cdef object ask_driver(self, size_t n_bytes)
    cdef object tell_driver(self, size_t address)
    cdef int take_ahead(self, Lane* lane, int number, size_t rounded) except -1
    cdef void keep(self, Block* block) noexcept
    cdef void drop(self, Block* block) noexcept
    cdef Lane* lane_of(self, size_t stream) except NULL
    cdef int park(self, Block* block) except -1
    cdef int unpark(self, bint waits) except -1
    cdef int trim(self, size_t keep, bint waits) except -1
    cdef object out_of_memory(self, size_t n_bytes, object error)


cdef enum:
    PINNED = -1

cdef Cache cache_of(int device)
cdef void give(Block* block) noexcept
cdef int note_use(Block* block, int device, size_t stream) except -1
