"""A table of the blocks in use whose class is larger than their request's: address -> class.

Open addressing, linear probing.  Called with the pool's lock held.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free


cdef struct Place:
    void* block
    int number

cdef Place* places = NULL
cdef size_t n_places = 0                 # a power of two
cdef size_t n_used = 0


cdef bint note_place(void* block, int number) noexcept nogil:
    """Remember a block's class; false when there is no memory for that."""
    global n_used
    if 2 * (n_used + 1) > n_places and not grow():
        return False
    put(block, number)
    n_used += 1
    return True


cdef int forget_place(void* block) noexcept nogil:
    """The class noted for a block, which is forgotten, or 0."""
    global n_used
    cdef size_t i, j
    cdef int number
    if n_used == 0:
        return 0
    i = place_of(block)
    while places[i].block != block:
        if places[i].block == NULL:
            return 0
        i = (i + 1) & (n_places - 1)
    number = places[i].number
    places[i].block = NULL
    n_used -= 1
    j = (i + 1) & (n_places - 1)
    while places[j].block != NULL:        # those behind it move up to where they are looked for
        moved = places[j]
        places[j].block = NULL
        put(moved.block, moved.number)
        j = (j + 1) & (n_places - 1)
    return number


cdef size_t place_of(void* block) noexcept nogil:
    """Where a block is looked for first: the upper bits of a product by 2**64 over the golden ratio."""
    return <size_t>((<uintptr_t>block >> 6) * <uintptr_t>11400714819323198485UL >> 20) & (n_places - 1)


cdef void put(void* block, int number) noexcept nogil:
    cdef size_t i = place_of(block)
    while places[i].block != NULL:
        i = (i + 1) & (n_places - 1)
    places[i].block = block
    places[i].number = number


cdef bint grow() noexcept nogil:
    global places, n_places
    cdef size_t n_before = n_places, i
    cdef Place* before = places
    cdef Place* made = <Place*>calloc(max(<size_t>64, 2 * n_places), sizeof(Place))
    if made == NULL:
        return False
    places = made
    n_places = max(<size_t>64, 2 * n_places)
    for i in range(n_before):
        if before[i].block != NULL:
            put(before[i].block, before[i].number)
    free(before)
    return True
