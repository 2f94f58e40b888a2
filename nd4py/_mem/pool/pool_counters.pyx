"""Counters of the pool, as Python reads them.  They are read with the pool's lock held."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset
from nd4py._mem.pool cimport pool_magazines
from nd4py._mem.pool.pool cimport lock_pool, unlock_pool
from nd4py._mem.pool.pool_classes cimport N_CLASSES, N_SMALL, class_bytes, size_class
from nd4py._mem.pool.pool_magazines cimport Magazine, allot_all, ended, empty_all_magazines, live_bytes
from nd4py._mem.pool.pool_shared cimport drop_longer_than, forget_use, shared, trim_shared
from nd4py._mem.pool.pool_system cimport PoolLimits, limits, system


cdef struct ThreadCounts:
    long thread
    size_t requests
    size_t misses
    size_t allocated
    size_t released
    size_t cached


def totals() -> tuple[int, int, int, int, int, int, int]:
    """(live, cached, requested, taken, peak taken, peak live, calls of the system): all bytes but the last.

    requested: of what is live, as it was asked for
    """
    cdef size_t live, requested, taken, peak, peak_live, calls
    cdef Magazine* magazine
    lock_pool()
    live = live_bytes()
    requested = ended.requested
    magazine = pool_magazines.all_magazines
    while magazine != NULL:
        requested += magazine.requested
        magazine = magazine.next
    taken, peak, calls, peak_live = system.taken, system.peak, system.calls, max(shared.peak_live, live)
    unlock_pool()
    return live, taken - live, requested, taken, peak, peak_live, calls


def of_threads() -> list[tuple[int, int, int, int, int, int]]:
    """[(thread, hits, misses, allocated, released, cached)]: the first, 0, is all threads that ended."""
    cdef ThreadCounts* found
    cdef Magazine* magazine
    cdef size_t n = 1, i = 0
    lock_pool()                          # nothing of Python until it is free again: a collection would free arrays
    magazine = pool_magazines.all_magazines
    while magazine != NULL:
        n += 1
        magazine = magazine.next
    found = <ThreadCounts*>calloc(n, sizeof(ThreadCounts))
    if found != NULL:
        count(&ended, &found[0])
        magazine = pool_magazines.all_magazines
        while magazine != NULL:
            i += 1
            count(magazine, &found[i])
            magazine = magazine.next
    unlock_pool()
    if found == NULL:
        raise MemoryError("no memory for the statistics of the pool")
    result = [(found[i].thread, found[i].requests - found[i].misses, found[i].misses, found[i].allocated,
               found[i].released, found[i].cached) for i in range(n)]
    free(found)
    return result


cdef void count(Magazine* magazine, ThreadCounts* counts) noexcept nogil:
    """Add a magazine's counters up."""
    cdef int number
    counts.thread, counts.misses, counts.cached = magazine.thread, magazine.misses, magazine.cached
    counts.requests = magazine.large_requests
    counts.allocated, counts.released = magazine.large_allocated, magazine.large_released
    for number in range(1, N_SMALL):
        counts.requests += magazine.shelves[number].allocated
        counts.allocated += magazine.shelves[number].allocated * class_bytes(number)
        counts.released += magazine.shelves[number].released * class_bytes(number)


def of_classes() -> list[tuple[int, int, int]]:
    """[(bytes of a block, blocks in use, blocks cached)] for the size classes that have any."""
    cdef size_t live[N_CLASSES]
    cdef size_t cached[N_CLASSES]
    cdef int number
    cdef Magazine* magazine
    memset(live, 0, sizeof(live))
    memset(cached, 0, sizeof(cached))
    lock_pool()
    for number in range(1, N_CLASSES):
        if number < N_SMALL:
            live[number] = ended.shelves[number].allocated - ended.shelves[number].released
            cached[number] = shared.small[number].depth
        else:
            live[number], cached[number] = shared.live_large[number], shared.n_large[number]
    magazine = pool_magazines.all_magazines
    while magazine != NULL:
        for number in range(1, N_SMALL):
            live[number] += magazine.shelves[number].allocated - magazine.shelves[number].released
            cached[number] += magazine.shelves[number].depth
        magazine = magazine.next
    unlock_pool()
    return [(class_bytes(n), live[n], cached[n]) for n in range(1, N_CLASSES) if live[n] or cached[n]]


def rounded_bytes(size_t n_bytes) -> int:
    """What a block for `n_bytes` takes."""
    cdef size_t rounded = 0
    size_class(n_bytes, &rounded)
    return rounded


def trim() -> None:
    """Give all cached blocks, of every thread, back to the system, and forget what was in use before.

    Raises nothing.
    """
    with nogil:
        lock_pool()
        empty_all_magazines()
        trim_shared(0)
        forget_use()
        unlock_pool()


def reset_peak() -> None:
    """Begin anew with the most bytes taken and in use.  Raises nothing."""
    lock_pool()
    system.peak = system.taken
    shared.peak_live = live_bytes()
    unlock_pool()


def get_limits() -> tuple[int, int, int, int]:
    """(maxbytes, maxphysicalbytes, cache_bytes, cacheable_length)."""
    return limits.maxbytes, limits.maxphysicalbytes, limits.cache_bytes, limits.cacheable_length


def put_limits(size_t maxbytes, size_t maxphysicalbytes, size_t cache_bytes, size_t cacheable_length) -> int:
    """Replace the limits; cached blocks go back as far as need be.

    Returns 0, or, leaving the limits as they are, the bytes in use when these exceed `maxbytes`.
    """
    cdef PoolLimits before = limits
    cdef size_t excess = 0
    lock_pool()
    limits.maxbytes, limits.maxphysicalbytes = maxbytes, maxphysicalbytes
    limits.cache_bytes, limits.cacheable_length = cache_bytes, cacheable_length
    allot_all()
    drop_longer_than(cacheable_length)
    if maxbytes and system.taken > maxbytes:
        empty_all_magazines()
        trim_shared(shared.cached - min(shared.cached, system.taken - maxbytes))
        if system.taken > maxbytes:
            excess = system.taken
            limits.maxbytes, limits.maxphysicalbytes = before.maxbytes, before.maxphysicalbytes
            limits.cache_bytes, limits.cacheable_length = before.cache_bytes, before.cacheable_length
            allot_all()
    unlock_pool()
    return excess
