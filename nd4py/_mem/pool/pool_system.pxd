cdef extern from * nogil:
    """
    #ifndef ND_POOL_LIMITS
    #define ND_POOL_LIMITS
    #include <stddef.h>
    struct PoolLimits { size_t maxbytes, maxphysicalbytes, cache_bytes, cacheable_length; };
    struct SystemCounts { size_t taken, peak, calls; };
    #endif
    """
    cdef struct PoolLimits:
        size_t maxbytes                  # most bytes taken from the system; 0 is no limit
        size_t maxphysicalbytes          # most bytes of the process in physical memory; 0 is no limit
        size_t cache_bytes               # most freed bytes that are kept
        size_t cacheable_length          # longer blocks are not kept

    cdef struct SystemCounts:
        size_t taken                     # bytes taken from the system: live and cached
        size_t peak                      # the most that was
        size_t calls                     # blocks ever taken

cdef PoolLimits limits
cdef SystemCounts system
cdef void (*farewell)(void* block) noexcept nogil    # told of blocks that are given back, unless NULL

cdef bint fits(size_t rounded) noexcept nogil
cdef bint fits_physically(size_t rounded) noexcept nogil
cdef bint count_taken(size_t n_bytes) noexcept nogil
cdef void discount(size_t n_bytes) noexcept nogil
cdef void* take_from_system(size_t rounded) noexcept nogil
cdef void give_to_system(void* block, size_t rounded) noexcept nogil
