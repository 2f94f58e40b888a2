"""Free blocks that all threads share.  Everything here is called with the pool's lock held.

Design: small blocks wait in a list for each class.  Large ones also stand in the order in which they were freed, and a
request that finds none of its class takes one of up to twice as much, so that sizes that vary find blocks.  The class
of such a block stands in a hash table by its address, because the call that frees it knows only what was
asked for.  When the large blocks, in use and cached, are more than `spare` times what was lately in use, those go back
that have waited longest.  Where that makes requests miss for long, as in a loop that uses blocks of very different
sizes by turns, `spare` grows until they hit.  Rejected: cutting large blocks up, which needs a neighbour's record for
each block and leaves splinters behind; giving back by the clock, which makes what happens depend on the machine.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from nd4py._mem.pool.pool_classes cimport N_CLASSES, N_SMALL, class_bytes, size_class
from nd4py._mem.pool.pool_system cimport count_taken, fits, give_to_system, limits, system, take_from_system

cdef double SPARE = 1.25                 # footprint over use: asv memory.TrackTraining holds 1.3
cdef double LOOSER = 1.25, TIGHTER = 0.999, MOST_SPARE = 4.0
cdef size_t LITTLE_BYTES = 4 << 20             # bytes in use below which spare ones are not counted
cdef size_t WINDOW = 64                  # large requests between two looks at the misses
cdef size_t THRASH = 6                   # misses in a window that are too many, of blocks given back shortly before
cdef size_t PATIENCE = 3                 # windows of them that are accepted: the first steps of training are such
cdef size_t SPELL = 4096                 # large requests over which use is remembered

# A block in use whose class is larger than its request's.
cdef struct Slot:
    void* block
    int number

cdef Slot* slots = NULL                  # by address: open addressing, linear probing
cdef size_t n_slots = 0                  # a power of two
cdef size_t n_used = 0

cdef double spare = SPARE
cdef size_t n_missed = 0                 # in this window, where a block had been given back shortly before
cdef size_t n_thrashing = 0              # windows with too many misses, one after the other
cdef size_t given_back_at[N_CLASSES]  # the tick when a block of the class was given back last
memset(&shared, 0, sizeof(SharedCache))


cdef void* take_large(size_t n_bytes, size_t* rounded, bint* is_hit) noexcept nogil:
    """A block for `n_bytes`, of `rounded` bytes; NULL when the system refuses one."""
    global n_missed
    cdef int number = size_class(n_bytes, rounded)
    cdef LargeBlock* block = cached_block(number)
    count_request()
    is_hit[0] = block != NULL
    if block == NULL:
        n_missed += was_given_back(number)
        give_back_idle(rounded[0])
        block = <LargeBlock*>take_fresh(rounded[0])
        if block == NULL:
            return NULL
    else:
        if block.number != number:
            rounded[0] = class_bytes(block.number)
            number = block.number
        take_out(block)
    shared.live_large[number] += 1
    shared.large_live += rounded[0]
    shared.recent_live = max(shared.recent_live, shared.large_live)
    return block


cdef int reach(int number) noexcept nogil:
    """The class after those whose blocks may serve a class: of up to twice its size."""
    return min(number + (9 if number >= 57 else 5), <int>N_CLASSES)


cdef bint was_given_back(int number) noexcept nogil:
    """Whether a block that could serve a class was given back lately."""
    cdef int candidate
    for candidate in range(number, reach(number)):
        if given_back_at[candidate] and shared.tick - given_back_at[candidate] < WINDOW:
            return True
    return False


cdef void count_request() noexcept nogil:
    """Every WINDOW large requests fit the spare to their misses; every SPELL forget older use."""
    global spare, n_missed, n_thrashing
    shared.tick += 1
    if shared.tick % WINDOW == 0:
        n_thrashing = n_thrashing + 1 if n_missed > THRASH else 0
        if n_thrashing > PATIENCE:
            spare = min(MOST_SPARE, spare * LOOSER)
        else:
            spare = max(SPARE, spare * TIGHTER)
        n_missed = 0
    if shared.tick % SPELL == 0:
        shared.former_live, shared.recent_live = shared.recent_live, 0


cdef LargeBlock* cached_block(int number) noexcept nogil:
    """A cached block of the class, or of one a little larger; NULL when there is none."""
    cdef int candidate
    for candidate in range(number, reach(number)):
        if shared.large[candidate] != NULL and (
            candidate == number or note_class(shared.large[candidate], candidate)
        ):
            return shared.large[candidate]
    return NULL


cdef void release_large(void* given, size_t n_bytes, size_t* rounded) noexcept nogil:
    """Keep a large block of a request for `n_bytes`, or give it back; `rounded` is what it has."""
    cdef LargeBlock* block = <LargeBlock*>given
    cdef int number = size_class(n_bytes, rounded), kept = forget_class(given)
    if kept:
        number = kept
        rounded[0] = class_bytes(number)
    shared.live_large[number] -= 1
    shared.large_live -= rounded[0]
    if rounded[0] > limits.cacheable_length or rounded[0] > shared.limit:
        give_to_system(block, rounded[0])
        return
    if shared.cached + rounded[0] > shared.limit:
        trim_shared(shared.limit - rounded[0])
    put_in(block, number)
    give_back_idle(0)


cdef void put_in(LargeBlock* block, int number) noexcept nogil:
    """Make a block the newest of its class and of all."""
    block.number = number
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
    shared.large_cached += class_bytes(number)


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
    shared.large_cached -= class_bytes(block.number)


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
    trim_to_fit(rounded)
    block = take_from_system(rounded)
    if block == NULL and shared.cached:
        trim_shared(0)
        block = take_from_system(rounded)
    return block


cdef bint make_room(size_t n_bytes) noexcept nogil:
    """Count bytes that are taken without the pool, at the cost of freed blocks; False when even that does not help."""
    trim_to_fit(n_bytes)
    if count_taken(n_bytes):
        return True
    trim_shared(0)
    return count_taken(n_bytes)


cdef void trim_to_fit(size_t n_bytes) noexcept nogil:
    """Give back as many freed blocks as `maxbytes` asks for before `n_bytes` more are taken."""
    cdef size_t room
    if not fits(n_bytes):
        room = limits.maxbytes - min(limits.maxbytes, system.taken)
        trim_shared(shared.cached - min(shared.cached, n_bytes - room))


cdef void give_back_idle(size_t n_bytes) noexcept nogil:
    """Give back large blocks beyond the spare ones, before `n_bytes` more are taken."""
    cdef LargeBlock* block = shared.oldest
    cdef size_t in_use = shared.large_live + n_bytes
    cdef size_t lately = max(max(shared.recent_live, shared.former_live), max(in_use, LITTLE_BYTES))
    while block != NULL and <double>(in_use + shared.large_cached) > spare * lately:
        given_back_at[block.number] = shared.tick
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


cdef void forget_use() noexcept nogil:
    """What was in use until now no longer counts."""
    global spare, n_thrashing
    spare, n_thrashing = SPARE, 0
    shared.recent_live, shared.former_live = shared.large_live, 0


# Classes by address.


cdef bint note_class(void* block, int number) noexcept nogil:
    """Remember a block's class; false when there is no memory for that."""
    global n_used
    if 2 * (n_used + 1) > n_slots and not grow_slots():
        return False
    put_slot(block, number)
    n_used += 1
    return True


cdef int forget_class(void* block) noexcept nogil:
    """The class noted for a block, which is forgotten, or 0."""
    global n_used
    cdef size_t i, j
    cdef int number
    if n_used == 0:
        return 0
    i = first_slot(block)
    while slots[i].block != block:
        if slots[i].block == NULL:
            return 0
        i = (i + 1) & (n_slots - 1)
    number = slots[i].number
    slots[i].block = NULL
    n_used -= 1
    j = (i + 1) & (n_slots - 1)
    while slots[j].block != NULL:        # those behind it move up to where they are looked for
        moved = slots[j]
        slots[j].block = NULL
        put_slot(moved.block, moved.number)
        j = (j + 1) & (n_slots - 1)
    return number


cdef size_t first_slot(void* block) noexcept nogil:
    """Where a block is looked for first: the upper bits of a product by 2**64 over the golden ratio."""
    return <size_t>((<uintptr_t>block >> 6) * <uintptr_t>11400714819323198485UL >> 20) & (n_slots - 1)


cdef void put_slot(void* block, int number) noexcept nogil:
    cdef size_t i = first_slot(block)
    while slots[i].block != NULL:
        i = (i + 1) & (n_slots - 1)
    slots[i].block = block
    slots[i].number = number


cdef bint grow_slots() noexcept nogil:
    global slots, n_slots
    cdef size_t n_before = n_slots, i
    cdef Slot* before = slots
    cdef Slot* made = <Slot*>calloc(max(<size_t>64, 2 * n_slots), sizeof(Slot))
    if made == NULL:
        return False
    slots = made
    n_slots = max(<size_t>64, 2 * n_slots)
    for i in range(n_before):
        if before[i].block != NULL:
            put_slot(before[i].block, before[i].number)
    free(before)
    return True
