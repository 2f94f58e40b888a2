"""Memory from the operating system, and limits on it.  Everything here is called with the pool's lock held.

Design: blocks from MAPPED_BYTES on are mappings of their own, so that giving one back gives its pages back; what is
below comes from the C library.  Bytes are counted before they are asked for and nothing else takes memory for arrays,
so that `maxbytes` is exact.
"""

cdef extern from "sanitizer.h" nogil:
    void sanitizer_take_back(void* block, size_t n_bytes)
    void sanitizer_forget(void* block, size_t n_bytes)

cdef extern from "system_memory.h" nogil:
    void* map_block(size_t n_bytes)
    void* aligned_block(size_t n_bytes)
    void free_block(void* block)
    void unmap_block(void* block, size_t n_bytes)
    size_t resident_bytes()

cdef enum:
    MAPPED_BYTES = 1 << 20
    CHECKED_BYTES = 1 << 20              # taken between two looks at the resident size, which cost 3 us each

cdef size_t unchecked = 0                # bytes taken since the last look
cdef size_t last_resident = 0
farewell = NULL


cdef bint fits(size_t rounded) noexcept nogil:
    """Whether `rounded` more bytes are within `maxbytes`."""
    return limits.maxbytes == 0 or (system.taken <= limits.maxbytes and rounded <= limits.maxbytes - system.taken)


cdef bint fits_physically(size_t rounded) noexcept nogil:
    """Whether `rounded` more bytes, once touched, are within `maxphysicalbytes`."""
    global unchecked, last_resident
    if limits.maxphysicalbytes == 0:
        return True
    if unchecked + rounded >= CHECKED_BYTES or last_resident + unchecked + rounded > limits.maxphysicalbytes:
        last_resident = resident_bytes()
        unchecked = 0
    return last_resident + unchecked + rounded <= limits.maxphysicalbytes


cdef void* take_from_system(size_t rounded) noexcept nogil:
    """A fresh block; NULL when the limits or the system refuse it."""
    cdef void* block
    if not count_taken(rounded):
        return NULL
    block = map_block(rounded) if rounded >= MAPPED_BYTES else aligned_block(rounded)
    if block == NULL:
        discount(rounded)
    sanitizer_take_back(block, rounded)
    return block


cdef bint count_taken(size_t n_bytes) noexcept nogil:
    """Count bytes as taken from the system, unless the limits refuse them."""
    global unchecked
    if not fits(n_bytes) or not fits_physically(n_bytes):
        return False
    system.calls += 1
    system.taken += n_bytes
    system.peak = max(system.peak, system.taken)
    unchecked += n_bytes
    return True


cdef void discount(size_t n_bytes) noexcept nogil:
    system.taken -= n_bytes


cdef void give_to_system(void* block, size_t rounded) noexcept nogil:
    if farewell != NULL:
        farewell(block)
    sanitizer_forget(block, rounded)
    system.taken -= rounded
    if rounded >= MAPPED_BYTES:
        unmap_block(block, rounded)
    else:
        free_block(block)


def resident() -> int:
    """Bytes of this process in physical memory."""
    return resident_bytes()
