"""The pool: it allocates every byte of nd4py, and keeps freed blocks for reuse.

Design: a block's size is rounded up to a size class (`pool_classes`).  Each thread keeps blocks of at most SMALL_BYTES
in a magazine that needs no lock; what overflows goes in batches to lists that all threads share behind one mutex
(`pool_shared`), where large blocks wait alone.  A block carries no header: the call that frees it gives its size.

A magazine is its thread's, yet others must be able to empty it: limits hold for all cached bytes, and memory that an
idle thread keeps must not make another one fail.  So its thread says that it is at work (`busy`) and then looks
whether it was stopped; the stopping thread says so and then looks whether the thread is at work.  One of the two sees
the other if each writes before it reads: the thread's own two steps, taken at every request, are plain instructions,
and the stopping thread has the kernel put a barrier into all threads (membarrier).  A thread that was stopped goes to
the lock.  The kernel must be told beforehand that a process will ask for barriers, which takes milliseconds where there
are
threads: the first thread that stops another tells it.  Threads that are stopped have no part in that, since the barrier
is put into whatever processors run them.  Rejected: an atomic exchange for every request, twice as slow; asking threads
to empty their magazines at their next request, which an idle one never makes.  Rejected as well: glibc's allocator
alone, which returns large blocks to the system and so pays a page fault per 4 KiB of every large result.
"""

from nd4py._mem.pool cimport pool_magazines
from nd4py._mem.pool.pool_classes cimport MOST_BYTES, N_SMALL, SMALL_BYTES, size_class
from nd4py._mem.pool.pool_magazines cimport (
    Magazine, OwnShelf, begin_work, allot_all, dissolve, empty_all_magazines, end_work, ended, enlist, is_at_work,
    keep_on_shelf, live_bytes, take_batch,
)
from nd4py._mem.pool.pool_shared cimport FreeBlock, make_room, release_large, shared, take_fresh, take_large
from nd4py._mem.pool.pool_system cimport discount, system

cdef extern from "sanitizer.h" nogil:
    void sanitizer_hand_out(void* block, size_t n_bytes)
    void sanitizer_take_back(void* block, size_t n_bytes)

cdef extern from * nogil:
    """
    #include <atomic>
    #include "system_threads.h"
    static bool has_barrier = false;
    static ND_OWN_OF_THREAD Magazine* own_magazine;
    static Magazine* magazine_of_thread(void) { return own_magazine; }
    static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_key_t magazine_key;
    static void pool_lock(void) { pthread_mutex_lock(&pool_mutex); }
    static void pool_unlock(void) { pthread_mutex_unlock(&pool_mutex); }
    static void own(Magazine* magazine) {
      own_magazine = magazine;
      if (magazine) {
        magazine->thread = this_thread();
        pthread_setspecific(magazine_key, magazine);
      }
    }
    static void prepare_threads(void (*at_thread_end)(void*), void (*in_child)(void)) {
      has_barrier = knows_barrier();
      pthread_key_create(&magazine_key, at_thread_end);
      at_fork(pool_lock, pool_unlock, in_child);
    }
    """
    bint has_barrier
    Magazine* magazine_of_thread()
    void pool_lock()
    void pool_unlock()
    void own(Magazine* magazine)
    void prepare_threads(void (*at_thread_end)(void*) noexcept nogil, void (*in_child)() noexcept nogil)

cdef Allocate allocate_between = NULL
cdef Release release_between = NULL
cdef Notice notice_of_request = NULL
prepare_threads(end_thread, start_child)


cdef void* pool_allocate(size_t n_bytes) noexcept nogil:
    """A block of at least `n_bytes`, aligned to 64 bytes; NULL when memory is exhausted even after a trim."""
    cdef size_t rounded
    cdef Magazine* magazine = magazine_of_thread()
    cdef OwnShelf* shelf
    cdef FreeBlock* block
    if n_bytes <= SMALL_BYTES and magazine != NULL:
        shelf = &magazine.shelves[size_class(n_bytes, &rounded)]
        if begin_work(magazine):
            block = shelf.first
            if block != NULL:
                shelf.first = block.next
                shelf.depth -= 1
                shelf.allocated += 1
                magazine.cached -= rounded
                magazine.requested += n_bytes
                end_work(magazine)
                sanitizer_hand_out(block, n_bytes)
                return block
        end_work(magazine)
    return allocate_between(n_bytes) if allocate_between != NULL else allocate_shared(n_bytes)


cdef void pool_release(void* block, size_t n_bytes) noexcept nogil:
    """Take back a block of `pool_allocate(n_bytes)`, from any thread."""
    cdef size_t rounded
    cdef Magazine* magazine = magazine_of_thread()
    cdef OwnShelf* shelf
    if n_bytes <= SMALL_BYTES and magazine != NULL:
        shelf = &magazine.shelves[size_class(n_bytes, &rounded)]
        if begin_work(magazine) and magazine.cached + rounded <= magazine.allowance:
            sanitizer_take_back(block, n_bytes)
            (<FreeBlock*>block).next = shelf.first
            shelf.first = <FreeBlock*>block
            shelf.depth += 1
            shelf.released += 1
            magazine.cached += rounded
            magazine.requested -= n_bytes
            end_work(magazine)
            return
        end_work(magazine)
    if release_between != NULL:
        release_between(block, n_bytes)
    else:
        release_shared(block, n_bytes)


cdef void* allocate_shared(size_t n_bytes) noexcept nogil:
    """`pool_allocate` where the magazine has nothing."""
    cdef Magazine* magazine
    cdef void* block
    if n_bytes > MOST_BYTES:
        return NULL
    pool_lock()
    magazine = registered()
    block = try_to_allocate(magazine, n_bytes)
    if block == NULL:
        empty_all_magazines()
        block = try_to_allocate(magazine, n_bytes)
    if block != NULL:
        magazine.requested += n_bytes
        if system.taken - shared.cached > shared.peak_live:
            shared.peak_live = max(shared.peak_live, live_bytes())
        if notice_of_request != NULL:
            notice_of_request(<ptrdiff_t>n_bytes)
        sanitizer_hand_out(block, n_bytes)
    pool_unlock()
    return block


cdef void* try_to_allocate(Magazine* magazine, size_t n_bytes) noexcept nogil:
    """A block from the shared lists or the system, counted.  Call with the lock held."""
    cdef size_t rounded = 0
    cdef bint is_hit = False
    cdef void* block
    cdef int number
    if n_bytes > SMALL_BYTES:
        block = take_large(n_bytes, &rounded, &is_hit)
        if block != NULL:
            magazine.large_requests += 1
            magazine.large_allocated += rounded
    else:
        number = size_class(n_bytes, &rounded)
        block = take_batch(magazine, number, rounded)
        is_hit = block != NULL
        if not is_hit:
            block = take_fresh(rounded)
        if block != NULL:
            magazine.shelves[number].allocated += 1
    magazine.misses += block != NULL and not is_hit
    return block


cdef void release_shared(void* block, size_t n_bytes) noexcept nogil:
    """`pool_release` where the magazine is full, or the block large."""
    cdef size_t rounded = 0
    cdef int number
    cdef Magazine* magazine
    pool_lock()
    magazine = registered()
    magazine.requested -= n_bytes
    if release_between == NULL:          # who stands between looks at blocks that wait
        sanitizer_take_back(block, n_bytes)
    if n_bytes > SMALL_BYTES:
        release_large(block, n_bytes, &rounded)
        magazine.large_released += rounded
    else:
        number = size_class(n_bytes, &rounded)
        magazine.shelves[number].released += 1
        keep_on_shelf(magazine, <FreeBlock*>block, number, rounded)
    if notice_of_request != NULL:
        notice_of_request(-<ptrdiff_t>n_bytes)
    pool_unlock()


cdef bint pool_commit(size_t n_bytes) noexcept nogil:
    """Count bytes that the caller is about to take from the system; freed blocks go back first where that helps."""
    cdef bint is_granted
    pool_lock()
    is_granted = make_room(n_bytes)
    if not is_granted:
        empty_all_magazines()
        is_granted = make_room(n_bytes)
    if is_granted:
        shared.peak_live = max(shared.peak_live, live_bytes())
    pool_unlock()
    return is_granted


cdef void pool_uncommit(size_t n_bytes) noexcept nogil:
    """The bytes are the system's again."""
    pool_lock()
    discount(n_bytes)
    pool_unlock()


cdef Magazine* registered() noexcept nogil:
    """The thread's magazine, made if there is none: emptied when the thread ends.  Call with the lock held.

    Where there is no memory even for that, the one without an allowance that counts for ended threads.
    """
    cdef Magazine* magazine = magazine_of_thread()
    if magazine == NULL:
        magazine = enlist()
        if magazine == NULL:
            return &ended
        magazine.needs_fence = not has_barrier
        own(magazine)
    return magazine


cdef void end_thread(void* ending) noexcept nogil:
    """Hand a finished thread's blocks to the others and keep its counters."""
    pool_lock()
    dissolve(<Magazine*>ending)
    own(NULL)
    pool_unlock()


cdef void start_child() noexcept nogil:
    """After a fork: the other threads are gone.  A magazine that its thread was at work on is lost with its blocks."""
    cdef Magazine* magazine = pool_magazines.all_magazines
    cdef Magazine* following
    while magazine != NULL:
        following = magazine.next
        if magazine != magazine_of_thread():
            if is_at_work(magazine):
                for number in range(N_SMALL):
                    magazine.shelves[number].depth = 0
            dissolve(magazine)
        magazine = following
    if magazine_of_thread() != NULL:
        own(magazine_of_thread())
    pool_unlock()


cdef void stand_between(Allocate allocate, Release release) noexcept nogil:
    """Have these two answer every request; they call `allocate_shared` and `release_shared`."""
    global allocate_between, release_between
    pool_lock()
    allocate_between, release_between = allocate, release
    pool_magazines.are_allowed = allocate_between == NULL and notice_of_request == NULL
    allot_all()
    pool_unlock()


cdef void tell_of_requests(Notice notice) noexcept nogil:
    """Have `notice` called with the lock held for every request, with its bytes, negative when freed; NULL ends it."""
    global notice_of_request
    pool_lock()
    notice_of_request = notice
    pool_magazines.are_allowed = allocate_between == NULL and notice_of_request == NULL
    allot_all()
    pool_unlock()


cdef void lock_pool() noexcept nogil:
    pool_lock()


cdef void unlock_pool() noexcept nogil:
    pool_unlock()
