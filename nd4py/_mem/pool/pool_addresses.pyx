"""Hash table from a block's address to its size class.

It has the blocks in use whose class is larger than their request's.  Open addressing, linear probing.  Called with the
pool's lock held.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free


cdef struct Slot:
    void* block
    int number

cdef Slot* slots = NULL
cdef size_t n_slots = 0                 # a power of two
cdef size_t n_used = 0


cdef bint note_class(void* block, int number) noexcept nogil:
    """Remember a block's class; false when there is no memory for that."""
    global n_used
    if 2 * (n_used + 1) > n_slots and not grow():
        return False
    put(block, number)
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
        put(moved.block, moved.number)
        j = (j + 1) & (n_slots - 1)
    return number


cdef size_t first_slot(void* block) noexcept nogil:
    """Where a block is looked for first: the upper bits of a product by 2**64 over the golden ratio."""
    return <size_t>((<uintptr_t>block >> 6) * <uintptr_t>11400714819323198485UL >> 20) & (n_slots - 1)


cdef void put(void* block, int number) noexcept nogil:
    cdef size_t i = first_slot(block)
    while slots[i].block != NULL:
        i = (i + 1) & (n_slots - 1)
    slots[i].block = block
    slots[i].number = number


cdef bint grow() noexcept nogil:
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
            put(before[i].block, before[i].number)
    free(before)
    return True
