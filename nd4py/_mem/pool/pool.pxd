# The two functions for all other modules.  A block is aligned to 64 bytes; NULL means that the system or the limits
# refuse another one.  A call that frees a block gives the size that was asked for.
cdef void* pool_allocate(size_t n_bytes) noexcept nogil
cdef void pool_release(void* block, size_t n_bytes) noexcept nogil

# For memory that is taken from the system without the pool, such as the arena of a workspace: it is counted and limited
# as the pool's own.  False when the limits refuse it.
cdef bint pool_commit(size_t n_bytes) noexcept nogil
cdef void pool_uncommit(size_t n_bytes) noexcept nogil

# What follows is for the modules of this folder: the pool behind both functions while every request is
# watched, by the debug mode or a recording.
ctypedef void* (*Allocate)(size_t n_bytes) noexcept nogil
ctypedef void (*Release)(void* block, size_t n_bytes) noexcept nogil
ctypedef void (*Notice)(ptrdiff_t n_bytes) noexcept nogil

cdef void* allocate_shared(size_t n_bytes) noexcept nogil
cdef void release_shared(void* block, size_t n_bytes) noexcept nogil
cdef void stand_between(Allocate allocate, Release release) noexcept nogil
cdef void tell_of_requests(Notice notice) noexcept nogil
cdef void lock_pool() noexcept nogil
cdef void unlock_pool() noexcept nogil
