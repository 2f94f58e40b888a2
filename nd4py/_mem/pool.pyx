"""The pool: every byte nd4py holds comes from here, and freed blocks are kept for reuse.

Design: a block's size is rounded up to a size class, 64-byte steps up to 1 KiB and four steps per power of two above.
Each thread keeps a few small blocks of each class in a magazine that needs no lock; what overflows, and every block
above MAGAZINE_BYTES, goes to a list shared by all threads behind one mutex.  A block carries no header: whoever frees
it knows its size.  Rejected: glibc's malloc alone, which returns large blocks to the system and so pays a page fault
per 4 KiB of every large result.
"""

from libc.stdlib cimport free
from libc.string cimport memset

cdef extern from * nogil:
    """
    #include <pthread.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <unistd.h>
    static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
    static void pool_lock(void) { pthread_mutex_lock(&pool_mutex); }
    static void pool_unlock(void) { pthread_mutex_unlock(&pool_mutex); }
    static void pool_survive_fork(void) { pthread_atfork(pool_lock, pool_unlock, pool_unlock); }

    /* Large blocks start on a huge page and ask for them: touching 40 MB then costs 20 faults, not 10,000. */
    static void* system_allocate(size_t n_bytes, size_t alignment) {
      void* block = NULL;
      if (posix_memalign(&block, alignment, n_bytes) != 0) return NULL;
    #ifdef MADV_HUGEPAGE
      if (alignment > 4096) madvise(block, n_bytes, MADV_HUGEPAGE);
    #endif
      return block;
    }
    static size_t physical_bytes(void) { return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE); }
    """
    void pool_lock()
    void pool_unlock()
    void pool_survive_fork()
    void* system_allocate(size_t n_bytes, size_t alignment)
    size_t physical_bytes()

cdef enum:
    ALIGNMENT = 64
    HUGE_PAGE = 2 * 1024 * 1024
    MAGAZINE_BYTES = 64 * 1024
    MAGAZINE_DEPTH = 16

cdef extern from * nogil:
    """
    enum { N_CLASSES = 192 };
    struct FreeBlock { FreeBlock* next; };
    struct Magazine {
      FreeBlock* blocks[N_CLASSES];
      int depth[N_CLASSES];
      size_t allocated, released;        /* bytes this thread has handed out and taken back, ever */
      size_t cached, hits, misses;
      Magazine *next, *previous;         /* all live threads' magazines */
      bool registered;
    };
    static __thread Magazine own_magazine;
    static pthread_key_t magazine_key;
    static Magazine* magazine_of_thread(void) { return &own_magazine; }
    static void watch_thread_end(Magazine* magazine) { pthread_setspecific(magazine_key, magazine); }
    static void make_thread_key(void (*at_end)(void*)) { pthread_key_create(&magazine_key, at_end); }
    """
    enum:
        N_CLASSES

    cdef struct FreeBlock:
        FreeBlock* next

    cdef struct Magazine:
        FreeBlock** blocks
        int* depth
        size_t allocated
        size_t released
        size_t cached
        size_t hits
        size_t misses
        Magazine* next
        Magazine* previous
        bint registered

    Magazine* magazine_of_thread()
    void watch_thread_end(Magazine* magazine)
    void make_thread_key(void (*at_end)(void*) noexcept nogil)

cdef FreeBlock* shared_blocks[192]
cdef size_t shared_bytes = 0             # cached in shared_blocks
cdef size_t reserved_bytes = 0           # taken from the system: live and cached
cdef size_t peak_bytes = 0
cdef size_t cache_limit = physical_bytes() // 4
cdef Magazine* all_magazines = NULL
cdef Magazine ended                      # counters of threads that are gone
memset(&ended, 0, sizeof(Magazine))
memset(shared_blocks, 0, sizeof(shared_blocks))
make_thread_key(end_thread)
pool_survive_fork()


cdef inline int size_class(size_t n_bytes, size_t* rounded) noexcept nogil:
    """The class that serves `n_bytes`, and the bytes of its blocks."""
    cdef int power = 10
    cdef size_t step, steps
    if n_bytes <= 1024:
        steps = (n_bytes + ALIGNMENT - 1) // ALIGNMENT
        if steps == 0:
            steps = 1
        rounded[0] = steps * ALIGNMENT
        return <int>steps
    while power < 52 and n_bytes > (<size_t>2 << power):
        power += 1
    step = (<size_t>1 << power) // 4
    steps = (n_bytes - (<size_t>1 << power) + step - 1) // step
    rounded[0] = (<size_t>1 << power) + steps * step
    return 17 + (power - 10) * 4 + <int>steps - 1


cdef void* pool_allocate(size_t n_bytes) noexcept nogil:
    """A block of at least `n_bytes`, aligned to 64 bytes; NULL when memory is exhausted even after a trim."""
    cdef size_t rounded = 0
    if n_bytes > (<size_t>1 << 52):
        return NULL
    cdef int number = size_class(n_bytes, &rounded)
    cdef Magazine* magazine = magazine_of_thread()
    cdef FreeBlock* block = magazine.blocks[number]
    if block != NULL:
        magazine.blocks[number] = block.next
        magazine.depth[number] -= 1
        magazine.cached -= rounded
        magazine.hits += 1
        magazine.allocated += rounded
        return block
    return allocate_shared(magazine, number, rounded)


cdef void* allocate_shared(Magazine* magazine, int number, size_t rounded) noexcept nogil:
    global shared_bytes
    cdef FreeBlock* block
    cdef bint hit
    register(magazine)
    pool_lock()
    block = shared_blocks[number]
    hit = block != NULL
    if hit:
        shared_blocks[number] = block.next
        shared_bytes -= rounded
    else:
        block = <FreeBlock*>reserve(rounded)
        if block == NULL:
            trim_shared(0)
            block = <FreeBlock*>reserve(rounded)
    pool_unlock()
    magazine.hits += hit
    magazine.misses += not hit
    if block != NULL:
        magazine.allocated += rounded
    return block


cdef bint pool_commit(size_t n_bytes) noexcept nogil:
    """Count memory that a caller is about to take from the system by itself; False when there is to be none."""
    global reserved_bytes, peak_bytes
    cdef Magazine* magazine = magazine_of_thread()
    register(magazine)
    pool_lock()
    reserved_bytes += n_bytes
    peak_bytes = max(peak_bytes, reserved_bytes)
    pool_unlock()
    magazine.allocated += n_bytes
    return True


cdef void pool_uncommit(size_t n_bytes) noexcept nogil:
    """The counterpart of `pool_commit`: the memory is the system's again."""
    global reserved_bytes
    cdef Magazine* magazine = magazine_of_thread()
    register(magazine)
    pool_lock()
    reserved_bytes -= n_bytes
    pool_unlock()
    magazine.released += n_bytes


cdef void* reserve(size_t rounded) noexcept nogil:
    """A fresh block from the system.  Call with the lock held."""
    global reserved_bytes, peak_bytes
    cdef void* block = system_allocate(rounded, HUGE_PAGE if rounded >= 2 * HUGE_PAGE else ALIGNMENT)
    if block != NULL:
        reserved_bytes += rounded
        peak_bytes = max(peak_bytes, reserved_bytes)
    return block


cdef void pool_release(void* block, size_t n_bytes) noexcept nogil:
    """Take back a block of `pool_allocate(n_bytes)`, from any thread."""
    cdef size_t rounded = 0
    cdef int number = size_class(n_bytes, &rounded)
    cdef Magazine* magazine = magazine_of_thread()
    cdef FreeBlock* freed = <FreeBlock*>block
    magazine.released += rounded
    if rounded <= MAGAZINE_BYTES and magazine.depth[number] < MAGAZINE_DEPTH:
        if not magazine.registered:
            register(magazine)
        freed.next = magazine.blocks[number]
        magazine.blocks[number] = freed
        magazine.depth[number] += 1
        magazine.cached += rounded
        return
    pool_lock()
    release_shared(freed, number, rounded)
    pool_unlock()


cdef void release_shared(FreeBlock* block, int number, size_t rounded) noexcept nogil:
    """Keep a block on the shared list, or return it when the cache is full.  Call with the lock held."""
    global shared_bytes, reserved_bytes
    if shared_bytes + rounded > cache_limit:
        reserved_bytes -= rounded
        free(block)
        return
    block.next = shared_blocks[number]
    shared_blocks[number] = block
    shared_bytes += rounded


cdef size_t class_bytes(int number) noexcept nogil:
    """Bytes of the blocks of one class; the inverse of size_class."""
    if number <= 16:
        return number * ALIGNMENT
    cdef size_t base = <size_t>1024 << ((number - 17) // 4)
    return base + base // 4 * ((number - 17) % 4 + 1)


cdef void trim_shared(size_t keep) noexcept nogil:
    """Return shared blocks to the system, largest first, until at most `keep` bytes stay.  Call with the lock held."""
    global shared_bytes, reserved_bytes
    cdef int number
    cdef FreeBlock* block
    for number in range(N_CLASSES - 1, 0, -1):
        while shared_blocks[number] != NULL and shared_bytes > keep:
            block = shared_blocks[number]
            shared_blocks[number] = block.next
            shared_bytes -= class_bytes(number)
            reserved_bytes -= class_bytes(number)
            free(block)


cdef void register(Magazine* magazine) noexcept nogil:
    """Put a thread's magazine on the list that statistics read, and have it emptied when the thread ends."""
    global all_magazines
    if magazine.registered:
        return
    magazine.registered = True
    pool_lock()
    magazine.previous = NULL
    magazine.next = all_magazines
    if all_magazines != NULL:
        all_magazines.previous = magazine
    all_magazines = magazine
    pool_unlock()
    watch_thread_end(magazine)


cdef void end_thread(void* ending) noexcept nogil:
    """Hand a finished thread's blocks to the others and keep its counters."""
    global all_magazines
    cdef Magazine* magazine = <Magazine*>ending
    pool_lock()
    empty_magazine(magazine)
    ended.allocated += magazine.allocated
    ended.released += magazine.released
    ended.hits += magazine.hits
    ended.misses += magazine.misses
    if magazine.previous != NULL:
        magazine.previous.next = magazine.next
    else:
        all_magazines = magazine.next
    if magazine.next != NULL:
        magazine.next.previous = magazine.previous
    memset(magazine, 0, sizeof(Magazine))
    pool_unlock()


cdef void empty_magazine(Magazine* magazine) noexcept nogil:
    """Move a magazine's blocks to the shared list.  Call with the lock held, from the magazine's thread."""
    cdef int number
    cdef FreeBlock* block
    for number in range(1, N_CLASSES):
        while magazine.blocks[number] != NULL:
            block = magazine.blocks[number]
            magazine.blocks[number] = block.next
            release_shared(block, number, class_bytes(number))
        magazine.depth[number] = 0
    magazine.cached = 0


def counters():
    """(live, cached, peak, hits, misses): bytes handed out, bytes kept for reuse, most bytes ever taken from the
    system, and the two kinds of request."""
    cdef size_t allocated, released, cached, hits, misses
    cdef Magazine* magazine
    pool_lock()
    allocated, released, hits, misses = ended.allocated, ended.released, ended.hits, ended.misses
    cached = shared_bytes
    magazine = all_magazines
    while magazine != NULL:
        allocated += magazine.allocated
        released += magazine.released
        cached += magazine.cached
        hits += magazine.hits
        misses += magazine.misses
        magazine = magazine.next
    pool_unlock()
    return allocated - released, cached, peak_bytes, hits, misses


def trim():
    """Return this thread's and the shared cached blocks to the system."""
    cdef Magazine* magazine = magazine_of_thread()
    with nogil:
        register(magazine)
        pool_lock()
        empty_magazine(magazine)
        trim_shared(0)
        pool_unlock()
