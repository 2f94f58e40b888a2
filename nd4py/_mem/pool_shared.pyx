"""The blocks that wait for any thread.  Everything here is called with the pool's lock held.

Design: small blocks wait in a list for each class.  Large ones also stand in the order in which they were freed, and a
request that finds none of its class takes one of up to half as much again, so that sizes that vary find blocks.  What
such a block really is stands in a table beside the pool (`pool_places`), because whoever frees it knows only what was
asked for.  When more is taken from the system than SPARE times what was lately in use, the blocks go back that have
waited longest, if none of the last IDLE requests wanted them.  Rejected: cutting large blocks up, which needs a
neighbour's record for each block and leaves splinters behind.
"""

from libc.string cimport memset
from nd4py._mem.pool_classes cimport N_SMALL, class_bytes, size_class
from nd4py._mem.pool_places cimport forget_place, note_place
from nd4py._mem.pool_system cimport fits, give_to_system, limits, system, take_from_system

cdef double SPARE = 1.15                 # footprint over use: asv memory.TrackTraining holds 1.3
cdef size_t IDLE = 256                   # large requests: about four training steps of LeNet
cdef size_t SPELL = 4096                 # large requests over which use is remembered

memset(&shared, 0, sizeof(SharedCache))


cdef void* take_large(size_t n_bytes, size_t* rounded, bint* is_hit) noexcept nogil:
    """A block for `n_bytes`, of `rounded` bytes; NULL when the system refuses one."""
    cdef int number = size_class(n_bytes, rounded)
    cdef LargeBlock* block = cached_block(number)
    shared.tick += 1
    if shared.tick % SPELL == 0:
        shared.former_live, shared.recent_live = shared.recent_live, 0
    is_hit[0] = block != NULL
    if block == NULL:
        block = <LargeBlock*>take_fresh(rounded[0])
        if block == NULL:
            return NULL
    else:
        if block.number != number:
            rounded[0] = class_bytes(block.number)
            number = block.number
        take_out(block)
    shared.live_large[number] += 1
    return block


cdef LargeBlock* cached_block(int number) noexcept nogil:
    """A cached block of the class, or of one a little larger; NULL when there is none."""
    cdef int reach = 4 if number >= 57 else 2, candidate
    for candidate in range(number, min(number + reach + 1, <int>N_CLASSES)):
        if shared.large[candidate] != NULL and (
            candidate == number or note_place(shared.large[candidate], candidate)
        ):
            return shared.large[candidate]
    return NULL


cdef void release_large(void* given, size_t n_bytes, size_t* rounded) noexcept nogil:
    """Keep a large block of a request for `n_bytes`, or give it back; `rounded` is what it has."""
    cdef LargeBlock* block = <LargeBlock*>given
    cdef int number = size_class(n_bytes, rounded), kept = forget_place(given)
    if kept:
        number = kept
        rounded[0] = class_bytes(number)
    shared.live_large[number] -= 1
    if rounded[0] > limits.cacheable_length or rounded[0] > shared.limit:
        give_to_system(block, rounded[0])
        return
    if shared.cached + rounded[0] > shared.limit:
        trim_shared(shared.limit - rounded[0])
    put_in(block, number)
    give_back_idle()


cdef void put_in(LargeBlock* block, int number) noexcept nogil:
    """Make a block the newest of its class and of all."""
    block.number = number
    block.freed_at = shared.tick
    block.previous = NULL
    block.next = shared.large[number]
    if block.next != NULL:
        block.next.previous = block
    shared.large[number] = block
    block.newer = NULL
    block.older = shared.newest
    if block.older != NULL:
        block.older.newer = block
    else:
        shared.oldest = block
    shared.newest = block
    shared.n_large[number] += 1
    shared.cached += class_bytes(number)


cdef void take_out(LargeBlock* block) noexcept nogil:
    if block.previous != NULL:
        block.previous.next = block.next
    else:
        shared.large[block.number] = block.next
    if block.next != NULL:
        block.next.previous = block.previous
    if block.older != NULL:
        block.older.newer = block.newer
    else:
        shared.oldest = block.newer
    if block.newer != NULL:
        block.newer.older = block.older
    else:
        shared.newest = block.older
    shared.n_large[block.number] -= 1
    shared.cached -= class_bytes(block.number)


cdef void keep_small(FreeBlock* block, int number) noexcept nogil:
    """Keep a small block, or give it back when the cache is full."""
    cdef size_t rounded = class_bytes(number)
    if rounded > limits.cacheable_length or shared.cached + rounded > shared.limit:
        give_to_system(block, rounded)
        return
    block.next = shared.small[number].first
    shared.small[number].first = block
    shared.small[number].depth += 1
    shared.cached += rounded


cdef void* take_fresh(size_t rounded) noexcept nogil:
    """A block from the system, for which cached ones go back if need be."""
    cdef void* block
    if not fits(rounded):
        trim_shared(shared.cached - min(shared.cached, rounded - (limits.maxbytes - min(limits.maxbytes,
                                                                                         system.taken))))
    block = take_from_system(rounded)
    if block == NULL and shared.cached:
        trim_shared(0)
        block = take_from_system(rounded)
    if block != NULL:
        give_back_idle()
    return block


cdef void give_back_idle() noexcept nogil:
    """Give back large blocks that wait for nothing."""
    cdef LargeBlock* block = shared.oldest
    cdef double most = SPARE * max(shared.recent_live, shared.former_live)
    while block != NULL and <double>system.taken > most and shared.tick - block.freed_at > IDLE:
        take_out(block)
        give_to_system(block, class_bytes(block.number))
        block = shared.oldest


cdef void trim_shared(size_t keep) noexcept nogil:
    """Give back cached blocks until at most `keep` bytes stay: large ones, oldest first, then small ones."""
    cdef LargeBlock* block
    cdef int number
    while shared.oldest != NULL and shared.cached > keep:
        block = shared.oldest
        take_out(block)
        give_to_system(block, class_bytes(block.number))
    for number in range(N_SMALL - 1, 0, -1):
        while shared.small[number].first != NULL and shared.cached > keep:
            drop_small(number)


cdef void drop_longer_than(size_t n_bytes) noexcept nogil:
    """Give back the cached blocks that are longer."""
    cdef int number
    cdef LargeBlock* block
    for number in range(1, N_CLASSES):
        if class_bytes(number) <= n_bytes:
            continue
        while shared.large[number] != NULL:
            block = shared.large[number]
            take_out(block)
            give_to_system(block, class_bytes(number))
        while number < N_SMALL and shared.small[number].first != NULL:
            drop_small(number)


cdef void drop_small(int number) noexcept nogil:
    """Give the first small block of a class back."""
    cdef FreeBlock* block = shared.small[number].first
    shared.small[number].first = block.next
    shared.small[number].depth -= 1
    shared.cached -= class_bytes(number)
    give_to_system(block, class_bytes(number))


cdef void note_live(size_t live) noexcept nogil:
    """`live` bytes are in use."""
    shared.peak_live = max(shared.peak_live, live)
    shared.recent_live = max(shared.recent_live, live)
