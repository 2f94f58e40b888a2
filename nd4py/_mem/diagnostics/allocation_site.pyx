"""Allocation sites: the line of the program that made an array, for tracemalloc and the debug mode."""

import sys
from pathlib import Path

from libc.stdint cimport uintptr_t
from nd4py._mem.pool.pool_guard cimport set_site

cdef extern from "<string.h>":
    char* strdup(const char* text)

cdef str package = ""                    # the folder of nd4py, once it is needed
cdef dict sites = {}                     # "file:line" -> where it stands in memory, for good: blocks outlive Python
TRACE_DOMAIN: int = DOMAIN
was_traced = False


cdef int note_site(void* block) except -1:
    """Name the line that called into nd4py."""
    global package
    package = package or str(Path(__file__).parents[2])
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame = frame.f_back
    site = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    if site not in sites:
        sites[site] = <uintptr_t>strdup(site.encode(errors="replace"))
    set_site(block, <const char*><uintptr_t>sites[site])
    return 0
