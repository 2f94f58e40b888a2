# Memory of a device, or pinned memory of the host, in blocks that are kept for reuse.
from nd4py._mem.pool.pool_classes cimport N_CLASSES
from nd4py.cuda.allocation.blocks cimport Block, Lane, Use


cdef class Cache:
    cdef readonly int device_number      # or PINNED
    cdef Lane* lane                      # the one used last
    cdef dict lanes                      # addresses of Lanes, by stream
    cdef Block* parked                   # given back, but other streams may still work on them
    cdef Block* last_parked
    cdef size_t max_bytes, max_cache, cacheable_length
    cdef int n_ahead
    cdef size_t live, requested, cached, waiting, peak
    cdef Py_ssize_t n_unknown            # parked blocks that streams of others worked on
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
    cdef void retain(self, Block* block, Lane* lane) noexcept
    cdef void drop(self, Block* block) noexcept
    cdef Lane* lane_of(self, size_t stream) except NULL
    cdef int park(self, Block* block) except -1
    cdef void set_aside(self, Block* block) noexcept
    cdef int unpark(self, bint waits) except -1
    cdef int trim(self, size_t keep, bint waits) except -1
    cdef object out_of_memory(self, size_t n_bytes, object error)


cdef enum:
    PINNED = -1

cdef Cache cache_of(int device)
cdef void give(Block* block) noexcept
