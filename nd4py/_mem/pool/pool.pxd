# The two functions for everybody else.  A block is aligned to 64 bytes; NULL means that the system or the limits refuse
# another one.  Whoever frees a block says what was asked for.
cdef void* pool_allocate(size_t n_bytes) noexcept nogil
cdef void pool_release(void* block, size_t n_bytes) noexcept nogil

# For memory of the system that somebody takes by himself, the arena of a workspace: it is counted, and limited, as the
# pool's own; False when there is to be none.
cdef bint pool_commit(size_t n_bytes) noexcept nogil
cdef void pool_uncommit(size_t n_bytes) noexcept nogil

# What follows is for the modules of this folder: the pool that stands behind both while something watches every
# request, the debug mode or a recording.
ctypedef void* (*Allocate)(size_t n_bytes) noexcept nogil
ctypedef void (*Release)(void* block, size_t n_bytes) noexcept nogil
ctypedef void (*Notice)(ptrdiff_t n_bytes) noexcept nogil

cdef void* allocate_shared(size_t n_bytes) noexcept nogil
cdef void release_shared(void* block, size_t n_bytes) noexcept nogil
cdef void stand_between(Allocate allocate, Release release) noexcept nogil
cdef void tell_of_requests(Notice notice) noexcept nogil
cdef void lock_pool() noexcept nogil
cdef void unlock_pool() noexcept nogil
