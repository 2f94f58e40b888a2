# Size classes of the pool.  There are 64-byte steps up to 1 KiB, four steps per power of two up to 1 MiB, eight above.
# Finer steps waste less of large blocks, whose pages cost more than a second class to look through.

cdef extern from * nogil:
    """
    #include <stddef.h>
    #include <stdint.h>
    enum { SMALL_BYTES = 64 * 1024, N_SMALL = 41, N_CLASSES = 313 };
    #define MOST_BYTES ((size_t)1 << 52)
    static inline int last_bit(size_t n) { return 63 - __builtin_clzll(n); }
    """
    enum:
        SMALL_BYTES                      # what magazines keep
        N_SMALL                          # classes of at most SMALL_BYTES
        N_CLASSES
    const size_t MOST_BYTES              # no block is larger
    int last_bit(size_t n)


cdef inline int size_class(size_t n_bytes, size_t* rounded) noexcept nogil:
    """The class that serves `n_bytes`, at most MOST_BYTES, and the bytes of its blocks."""
    cdef int power, step, n_steps
    if n_bytes <= 1024:
        n_steps = <int>((n_bytes + 63) >> 6)
        n_steps += not n_steps
        rounded[0] = <size_t>n_steps << 6
        return n_steps
    power = last_bit(n_bytes - 1)
    step = power - 2 if power < 20 else power - 3
    n_steps = <int>((n_bytes - 1 - (<size_t>1 << power)) >> step)
    rounded[0] = (<size_t>1 << power) + (<size_t>(n_steps + 1) << step)
    return 17 + (power - 10) * 4 + n_steps if power < 20 else 57 + (power - 20) * 8 + n_steps


cdef inline size_t class_bytes(int number) noexcept nogil:
    """Bytes of the blocks of one class; the inverse of size_class."""
    cdef size_t base
    if number <= 16:
        return <size_t>number << 6
    if number < 57:
        base = <size_t>1 << (10 + (number - 17) // 4)
        return base + base // 4 * ((number - 17) % 4 + 1)
    base = <size_t>1 << (20 + (number - 57) // 8)
    return base + base // 8 * ((number - 57) % 8 + 1)
