"""What benchmarks need in native code: requests to the allocator in a loop.  Nothing else uses this."""

from nd4py.cuda.allocator cimport Cache, cache_of, give
from nd4py.cuda.current cimport current_stream

cdef extern from * nogil:
    """
    #include <time.h>
    static double seconds_now(void) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    """
    double seconds_now()


def time_hits(int device, size_t n_bytes, Py_ssize_t n):
    """Seconds for one block of `n_bytes` from the cache of a device and back, the mean of `n`."""
    cdef Cache cache = cache_of(device)
    cdef double start
    give(cache.take(n_bytes, current_stream(device)))
    start = seconds_now()
    for _ in range(n):
        give(cache.take(n_bytes, current_stream(device)))
    return (seconds_now() - start) / n
