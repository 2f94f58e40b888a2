"""Magazines: small caches of free blocks, one per thread.  Everything here is called with the pool's lock held."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset
from nd4py._mem.pool.pool_classes cimport SMALL_BYTES, class_bytes
from nd4py._mem.pool.pool_shared cimport keep_small, shared, trim_shared
from nd4py._mem.pool.pool_system cimport limits, system

cdef extern from "system_threads.h" nogil:
    long this_thread()
    void bar_all_threads()

cdef size_t allotted = 0                 # sum of the allowances: what the shared lists may not hold
all_magazines = NULL
are_allowed = True
memset(<void*>&ended, 0, sizeof(Magazine))


cdef void* take_batch(Magazine* magazine, int number, size_t rounded) noexcept nogil:
    """A small block from the shared lists, or NULL; more of them move to the magazine."""
    cdef FreeBlock* taken = shared.small[number].first
    cdef FreeBlock* block
    cdef size_t n = 0, most = min(<size_t>BATCH, BATCH_BYTES // rounded)
    if taken == NULL:
        return magazine_block(magazine, number, rounded)
    shared.small[number].first = taken.next
    shared.small[number].depth -= 1
    shared.cached -= rounded
    while n < most and shared.small[number].first != NULL and magazine.cached + rounded <= magazine.allowance:
        block = shared.small[number].first
        shared.small[number].first = block.next
        shared.small[number].depth -= 1
        shared.cached -= rounded
        put_on_shelf(magazine, block, number, rounded)
        n += 1
    return taken


cdef FreeBlock* magazine_block(Magazine* magazine, int number, size_t rounded) noexcept nogil:
    """A block of the magazine itself, which was stopped for a moment, or NULL."""
    cdef FreeBlock* block = magazine.shelves[number].first
    if block != NULL:
        take_from_shelf(magazine, number, rounded)
    return block


cdef void keep_on_shelf(Magazine* magazine, FreeBlock* block, int number, size_t rounded) noexcept nogil:
    """Keep a small block in the magazine, or where it has no room on the shared lists."""
    if magazine.cached + rounded > magazine.allowance:
        make_room(magazine, number)
    if magazine.cached + rounded <= magazine.allowance:
        put_on_shelf(magazine, block, number, rounded)
    else:
        keep_small(block, number)


cdef void make_room(Magazine* magazine, int number) noexcept nogil:
    """Move a batch of a class to the shared lists, or of every class if there are few."""
    cdef size_t rounded = class_bytes(number)
    cdef size_t n = min(magazine.shelves[number].depth, max(<size_t>1, min(<size_t>BATCH, BATCH_BYTES // rounded)))
    cdef int other
    if n * rounded < min(<size_t>BATCH_BYTES, magazine.allowance // 2):
        for other in range(1, N_SMALL):
            move_to_shared(magazine, other, (magazine.shelves[other].depth + 1) // 2)
    else:
        move_to_shared(magazine, number, n)


cdef void move_to_shared(Magazine* magazine, int number, size_t n_blocks) noexcept nogil:
    """Move blocks of a class to the shared lists."""
    cdef FreeBlock* block
    for _ in range(n_blocks):
        block = magazine.shelves[number].first
        take_from_shelf(magazine, number, class_bytes(number))
        keep_small(block, number)


cdef void put_on_shelf(Magazine* magazine, FreeBlock* block, int number, size_t rounded) noexcept nogil:
    block.next = magazine.shelves[number].first
    magazine.shelves[number].first = block
    magazine.shelves[number].depth += 1
    magazine.cached += rounded


cdef void take_from_shelf(Magazine* magazine, int number, size_t rounded) noexcept nogil:
    magazine.shelves[number].first = magazine.shelves[number].first.next
    magazine.shelves[number].depth -= 1
    magazine.cached -= rounded


cdef Magazine* enlist() noexcept nogil:
    """A new magazine, or NULL."""
    global all_magazines
    cdef Magazine* magazine = <Magazine*>calloc(1, sizeof(Magazine))
    if magazine == NULL:
        return NULL
    magazine.next = all_magazines
    if all_magazines != NULL:
        all_magazines.previous = magazine
    all_magazines = magazine
    allot(magazine)
    return magazine


cdef void allot(Magazine* magazine) noexcept nogil:
    """Allow a magazine an eighth of what the cache has left, at most 1 MiB."""
    global allotted
    magazine.allowance = 0
    if are_allowed and limits.cacheable_length >= SMALL_BYTES:
        magazine.allowance = min(<size_t>MOST_ALLOWANCE, (limits.cache_bytes - allotted) // 8)
    allotted += magazine.allowance
    shared.limit = limits.cache_bytes - allotted
    if shared.cached > shared.limit:
        trim_shared(shared.limit)


cdef void dissolve(Magazine* magazine) noexcept nogil:
    """Empty a magazine, add its counters to those of ended threads, and forget it."""
    global all_magazines, allotted
    cdef int number
    allotted -= magazine.allowance
    shared.limit += magazine.allowance
    empty_magazine(magazine)
    ended.requested += magazine.requested
    ended.misses += magazine.misses
    ended.large_requests += magazine.large_requests
    ended.large_allocated += magazine.large_allocated
    ended.large_released += magazine.large_released
    for number in range(N_SMALL):
        ended.shelves[number].allocated += magazine.shelves[number].allocated
        ended.shelves[number].released += magazine.shelves[number].released
    if magazine.previous != NULL:
        magazine.previous.next = magazine.next
    else:
        all_magazines = magazine.next
    if magazine.next != NULL:
        magazine.next.previous = magazine.previous
    free(magazine)


cdef void empty_magazine(Magazine* magazine) noexcept nogil:
    """Move a magazine's blocks to the shared lists.  The magazine is stopped or the thread's."""
    cdef int number
    for number in range(1, N_SMALL):
        move_to_shared(magazine, number, magazine.shelves[number].depth)


cdef bint others_have_magazines() noexcept nogil:
    """Whether a thread besides this one has a magazine."""
    return all_magazines != NULL and (all_magazines.next != NULL or all_magazines.thread != this_thread())


cdef void stop_all_magazines() noexcept nogil:
    """Keep every other thread off its magazine until `let_all_go_on`."""
    cdef Magazine* magazine = all_magazines
    if not others_have_magazines():
        return
    while magazine != NULL:
        stop(magazine)
        magazine = magazine.next
    bar_all_threads()
    magazine = all_magazines
    while magazine != NULL:
        await_stop(magazine)
        magazine = magazine.next


cdef void let_all_go_on() noexcept nogil:
    cdef Magazine* magazine = all_magazines
    while magazine != NULL:
        go_on(magazine)
        magazine = magazine.next


cdef void empty_all_magazines() noexcept nogil:
    """Move what all threads keep for themselves to the shared lists."""
    cdef Magazine* magazine = all_magazines
    stop_all_magazines()
    while magazine != NULL:
        empty_magazine(magazine)
        magazine = magazine.next
    let_all_go_on()


cdef void allot_all() noexcept nogil:
    """Empty all magazines and divide the cache anew."""
    global allotted
    cdef Magazine* magazine = all_magazines
    stop_all_magazines()
    allotted = 0
    shared.limit = limits.cache_bytes
    while magazine != NULL:
        empty_magazine(magazine)
        allot(magazine)
        magazine = magazine.next
    trim_shared(shared.limit)
    let_all_go_on()


cdef size_t live_bytes() noexcept nogil:
    """Bytes in use, rounded to classes."""
    cdef size_t n_bytes = system.taken - shared.cached
    cdef Magazine* magazine = all_magazines
    while magazine != NULL:
        n_bytes -= magazine.cached
        magazine = magazine.next
    return n_bytes
