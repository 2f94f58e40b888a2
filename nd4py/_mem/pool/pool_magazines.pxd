from nd4py._mem.pool.pool_classes cimport N_SMALL
from nd4py._mem.pool.pool_shared cimport FreeBlock

# What a thread keeps for itself.  Its own functions are `begin_work` and `end_work`; others stop it first, see `pool`.

cdef extern from * nogil:
    """
    #ifndef ND_POOL_MAGAZINES
    #define ND_POOL_MAGAZINES
    #include <atomic>
    #include <sched.h>
    /* `first` parts `depth` from the counters: added to as one vector, they would wait for the last two stores. */
    struct OwnShelf { size_t depth; FreeBlock* first; size_t allocated, released; };
    struct Magazine {
      std::atomic<int> busy, stopped;
      bool needs_fence;                  /* the kernel has no barrier for all threads */
      size_t cached, allowance, requested;
      size_t misses, large_requests, large_allocated, large_released;
      OwnShelf shelves[N_SMALL];
      Magazine *next, *previous;         /* all threads' magazines */
      long thread;
    };
    static inline bool begin_work(Magazine* magazine) {
      magazine->busy.store(1, std::memory_order_relaxed);
      if (!magazine->needs_fence) std::atomic_signal_fence(std::memory_order_seq_cst);
      else std::atomic_thread_fence(std::memory_order_seq_cst);
      return !magazine->stopped.load(std::memory_order_acquire);
    }
    static inline void end_work(Magazine* magazine) { magazine->busy.store(0, std::memory_order_release); }
    static inline void stop(Magazine* magazine) { magazine->stopped.store(1, std::memory_order_relaxed); }
    static inline void go_on(Magazine* magazine) { magazine->stopped.store(0, std::memory_order_release); }
    static inline bool is_at_work(Magazine* magazine) { return magazine->busy.load(std::memory_order_acquire); }
    static inline void await_stop(Magazine* magazine) { while (is_at_work(magazine)) sched_yield(); }
    #endif
    """
    cdef struct OwnShelf:
        size_t depth
        FreeBlock* first
        size_t allocated                 # blocks handed out and taken back, ever
        size_t released

    cdef struct Magazine:
        size_t cached                    # bytes on the shelves
        size_t allowance                 # most bytes on them
        size_t requested                 # bytes asked for less those freed; wraps round where others free
        size_t misses
        size_t large_requests
        size_t large_allocated           # bytes
        size_t large_released
        OwnShelf* shelves
        Magazine* next
        Magazine* previous
        long thread                      # as the system numbers it
        bint needs_fence

    bint begin_work(Magazine* magazine)
    void end_work(Magazine* magazine)
    void stop(Magazine* magazine)
    void go_on(Magazine* magazine)
    bint is_at_work(Magazine* magazine)
    void await_stop(Magazine* magazine)

cdef enum:
    MOST_ALLOWANCE = 1 << 20             # bytes of a magazine
    BATCH_BYTES = 64 * 1024              # moved to or from a magazine under one lock
    BATCH = 32                           # blocks of them at most

cdef Magazine* all_magazines
cdef Magazine ended                      # the counters of threads that are gone, and of those without a magazine
cdef bint are_allowed                    # whether magazines hold anything: not while something watches every request

cdef void* take_batch(Magazine* magazine, int number, size_t rounded) noexcept nogil
cdef void keep_on_shelf(Magazine* magazine, FreeBlock* block, int number, size_t rounded) noexcept nogil
cdef Magazine* enlist() noexcept nogil
cdef void dissolve(Magazine* magazine) noexcept nogil
cdef void empty_all_magazines() noexcept nogil
cdef void allot_all() noexcept nogil
cdef size_t live_bytes() noexcept nogil
