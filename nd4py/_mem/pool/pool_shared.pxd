from nd4py._mem.pool.pool_classes cimport N_CLASSES


cdef extern from * nogil:
    """
    #ifndef ND_POOL_BLOCKS
    #define ND_POOL_BLOCKS
    typedef struct FreeBlock { struct FreeBlock* next; } FreeBlock;
    typedef struct LargeBlock { struct LargeBlock *next, *previous, *older, *newer; int number; } LargeBlock;
    typedef struct Shelf { FreeBlock* first; size_t depth; } Shelf;
    typedef struct SharedCache {
      Shelf small[N_SMALL];
      LargeBlock* large[N_CLASSES];
      size_t n_large[N_CLASSES];         /* cached */
      size_t live_large[N_CLASSES];      /* in use */
      LargeBlock *oldest, *newest;
      size_t cached, limit, peak_live;
      size_t large_cached, large_live, recent_live, former_live;
      size_t tick;                       /* large requests so far */
    } SharedCache;
    #endif
    """
    cdef struct FreeBlock:
        FreeBlock* next

    cdef struct Shelf:
        FreeBlock* first
        size_t depth

    cdef struct LargeBlock:
        LargeBlock* next                 # of the same class
        LargeBlock* previous
        LargeBlock* older                # of all classes
        LargeBlock* newer
        int number

    cdef struct SharedCache:
        Shelf* small
        LargeBlock** large
        size_t* n_large
        size_t* live_large
        LargeBlock* oldest
        LargeBlock* newest
        size_t cached
        size_t limit                     # most bytes cached here
        size_t peak_live                 # most bytes ever in use
        size_t large_cached              # bytes of large blocks
        size_t large_live
        size_t recent_live               # the most of these in this spell of requests
        size_t former_live               # and in the one before
        size_t tick

cdef SharedCache shared

cdef void* take_large(size_t n_bytes, size_t* rounded, bint* is_hit) noexcept nogil
cdef void release_large(void* block, size_t n_bytes, size_t* rounded) noexcept nogil
cdef void keep_small(FreeBlock* block, int number) noexcept nogil
cdef void* take_fresh(size_t rounded) noexcept nogil
cdef void trim_shared(size_t keep) noexcept nogil
cdef bint make_room(size_t n_bytes) noexcept nogil
cdef void trim_to_fit(size_t n_bytes) noexcept nogil
cdef void drop_longer_than(size_t n_bytes) noexcept nogil
cdef void forget_use() noexcept nogil
