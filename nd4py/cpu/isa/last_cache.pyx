"""Size of the last cache, beyond which results are written past the caches.

Linux says what one core shares.  sysconf is asked where it does not: on AMD processors glibc counts the caches of the
whole socket, twelve times as much on an EPYC of Zen 5.
"""

import os

cdef extern from * nogil:
    """
    #ifdef __linux__
    #include <unistd.h>
    static long last_cache_of_socket(void) { return sysconf(_SC_LEVEL3_CACHE_SIZE); }
    #else
    static long last_cache_of_socket(void) { return 0; }
    #endif
    """
    long last_cache_of_socket()

SHARED_CACHES = "/sys/devices/system/cpu/cpu0/cache"
UNITS = {"K": 1 << 10, "M": 1 << 20}


def size_of(name: str) -> str:
    """What Linux says of one cache, such as "32K"."""
    with open(f"{SHARED_CACHES}/{name}/size") as file:
        return file.read().strip()


def last_cache_bytes() -> int:
    """What Linux tells, or sysconf; 0 on other systems."""
    try:
        sizes = [size_of(name) for name in os.listdir(SHARED_CACHES) if name.startswith("index")]
        return max(int(size.rstrip("KM")) * UNITS[size.lstrip("0123456789")] for size in sizes)
    except (OSError, ValueError, KeyError):
        return last_cache_of_socket()


cdef Py_ssize_t LAST_CACHE_BYTES = max(last_cache_bytes(), 8 << 20)
