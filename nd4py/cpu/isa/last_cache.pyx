"""Size of the last cache, beyond which results are written past the caches.

Linux says what one core shares.  sysconf is asked where it does not: on AMD processors glibc counts the caches of the
whole socket, twelve times as much on an EPYC of Zen 5.

A virtual machine of a few cores is told the cache of a whole socket, which others use as well: 480 MiB for two cores of
a Xeon, where chains over 120 to 200 MB took 1.2 to 2 times as long in the caches as past them, a layer norm of 64 MB
twice (peers.py: chains, rows).  So a process counts on what its cores would have of a cache that all share.
"""

import os

from ..._core.threads.threads import available_cores

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
LEAST_BYTES = 8 << 20
# That a few cores have together: with 32 MiB, operations on 12 to 32 MB took 1.2 to 1.4 of the time one after another.
SHARED_BYTES = 96 << 20
CORE_BYTES = 8 << 20  # that one of many has


def size_of(name: str) -> str:
    """What Linux says of one cache, such as "32K"."""
    with open(f"{SHARED_CACHES}/{name}/size") as file:
        return file.read().strip()


def told_bytes() -> int:
    """What Linux tells, or sysconf; 0 on other systems."""
    try:
        sizes = [size_of(name) for name in os.listdir(SHARED_CACHES) if name.startswith("index")]
        return max(int(size.rstrip("KM")) * UNITS[size.lstrip("0123456789")] for size in sizes)
    except (OSError, ValueError, KeyError):
        return last_cache_of_socket()


def usable_bytes(n_bytes: int, n_cores: int) -> int:
    """What a process on some cores counts on of a last cache of `n_bytes`."""
    return min(n_bytes, max(SHARED_BYTES, n_cores * CORE_BYTES))


def last_cache_bytes() -> int:
    """What this process counts on."""
    return usable_bytes(told_bytes(), available_cores())


cdef Py_ssize_t LAST_CACHE_BYTES = max(last_cache_bytes(), LEAST_BYTES)
