"""Debug mode (ND4PY_DEBUG_MEMORY=1): finds overruns, writes to freed blocks, and leaks.

Design: it stands between the pool and every request.  A block gets a Header and a red zone before it and a red zone
behind it; a freed one is filled with POISON and waits like any other.  Zones are looked at when a block is freed and by
`check`; poison when a block is used again or given back to the system, and so by `check`, which gives all back.
A fault is told on stderr when it is found and never stops the program: `check` raises.

    | links of the free lists, 64 bytes | Header and red zone, 64 bytes | what was asked for | red zone, 64 bytes |
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset
from nd4py._mem.pool cimport pool_system
from nd4py._mem.pool.pool cimport allocate_shared, lock_pool, release_shared, stand_between, unlock_pool
from nd4py._mem.pool.pool_classes cimport MOST_BYTES

import os

from ..errors import MemoryFaultError
from .pool_counters import trim

cdef extern from * nogil:
    """
    #include <stdbool.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    enum { FRONT = 128, BACK = 64, HEADER_AT = 64, RED = 0xFD, POISON = 0xDB };
    static const size_t LIVE = 0x6E643470794C4956, DEAD = 0x6E64347079444541;
    typedef struct Header {
      size_t state, n_bytes, number;
      const char* site;
      struct Header *next, *previous;
      unsigned char zone[16];
    } Header;
    static char last_fault[512];
    static void report_damage(const char* what, const Header* h) {
      snprintf(last_fault, sizeof last_fault, "%s: block %zu of %zu bytes, made at %s", what, h->number, h->n_bytes,
               h->site ? h->site : "native code");
      fprintf(stderr, "nd4py memory fault: %s\\n", last_fault);
    }
    static void tell_address(void* block) {
      snprintf(last_fault, sizeof last_fault, "%p was freed twice, or was never a block", block);
      fprintf(stderr, "nd4py memory fault: %s\\n", last_fault);
    }
    static void tell_leak(const Header* h) {
      fprintf(stderr, "  block %zu of %zu bytes, made at %s\\n", h->number, h->n_bytes,
              h->site ? h->site : "native code");
    }
    static void tell_leaks(size_t n, size_t n_bytes) {
      fprintf(stderr, "nd4py memory: %zu blocks of %zu bytes together were never freed\\n", n, n_bytes);
    }
    static void tell_of_more(size_t n) { if (n) fprintf(stderr, "  and %zu more\\n", n); }
    static void at_exit_call(void (*function)(void)) { atexit(function); }
    static bool is_filled(const void* start, unsigned char with, size_t n) {
      const unsigned char* bytes = (const unsigned char*)start;
      for (size_t i = 0; i < n; i++)
        if (bytes[i] != with) return false;
      return true;
    }
    """
    enum:
        FRONT
        BACK
        HEADER_AT
        RED
        POISON
    const size_t LIVE
    const size_t DEAD

    cdef struct Header:
        size_t state
        size_t n_bytes
        size_t number
        const char* site
        Header* next
        Header* previous
        unsigned char* zone

    const char* last_fault
    void report_damage(const char* what, const Header* header)
    void tell_address(void* block)
    void tell_leak(const Header* header)
    void tell_leaks(size_t n, size_t n_bytes)
    void tell_of_more(size_t n)
    void at_exit_call(void (*function)() noexcept nogil)
    bint is_filled(const void* start, unsigned char filling, size_t n)

cdef enum:
    LEAKS_TOLD = 20                      # one by one; of the others only how many

cdef Header live                         # head of the list of blocks in use
cdef size_t n_made = 0, n_faults = 0, n_raised = 0
is_debugging = os.environ.get("ND4PY_DEBUG_MEMORY", "0") not in ("", "0")


cdef void* allocate_guarded(size_t n_bytes) noexcept nogil:
    """A block between red zones."""
    cdef char* start
    cdef Header* header
    global n_made
    if n_bytes > MOST_BYTES - FRONT - BACK:
        return NULL
    start = <char*>allocate_shared(n_bytes + FRONT + BACK)
    if start == NULL:
        return NULL
    header = <Header*>(start + HEADER_AT)
    lock_pool()
    check_dead(header)
    n_made += 1
    header.state = LIVE
    header.n_bytes = n_bytes
    header.number = n_made
    header.site = NULL
    header.next = live.next
    header.previous = &live
    if header.next != NULL:
        header.next.previous = header
    live.next = header
    unlock_pool()
    memset(header.zone, RED, 16)
    memset(start + FRONT + n_bytes, RED, BACK)
    return start + FRONT


cdef void release_guarded(void* block, size_t n_bytes) noexcept nogil:
    """Look at the red zones, poison, and pass on."""
    global n_faults
    cdef Header* header = header_of(block)
    cdef size_t size
    lock_pool()
    if header.state != LIVE:
        n_faults += 1
        tell_address(block)
        unlock_pool()
        return
    size = header.n_bytes
    if n_bytes != size:
        n_faults += 1
        report_damage("freed with another size than it was asked for", header)
    check_zones(header)
    header.state = DEAD
    header.previous.next = header.next
    if header.next != NULL:
        header.next.previous = header.previous
    unlock_pool()
    memset(block, POISON, size)
    release_shared(<char*>block - FRONT, size + FRONT + BACK)


cdef Header* header_of(void* block) noexcept nogil:
    return <Header*>(<char*>block - FRONT + HEADER_AT)


cdef void check_zones(Header* header) noexcept nogil:
    """Tell of writing beyond a block, once.  Call with the pool's lock held."""
    global n_faults
    cdef char* block = <char*>header + FRONT - HEADER_AT
    if not is_filled(header.zone, RED, 16):
        n_faults += 1
        report_damage("written before its start", header)
        memset(header.zone, RED, 16)
    if not is_filled(block + header.n_bytes, RED, BACK):
        n_faults += 1
        report_damage("written behind its end", header)
        memset(block + header.n_bytes, RED, BACK)


cdef void check_dead(Header* header) noexcept nogil:
    """Tell of writing into a freed block, which is about to be used again.  Call with the pool's lock held."""
    global n_faults
    if header.state == DEAD and not is_filled(<char*>header + FRONT - HEADER_AT, POISON, header.n_bytes):
        n_faults += 1
        report_damage("written after it was freed", header)
    header.state = 0


cdef void part_with(void* start) noexcept nogil:
    """A block leaves the pool.  Called with the pool's lock held."""
    check_dead(<Header*>(<char*>start + HEADER_AT))


cdef void set_site(void* block, const char* site) noexcept nogil:
    """Note where in the program a block in use was asked for."""
    header_of(block).site = site


cdef void check_at_exit() noexcept nogil:
    """Look at all blocks a last time; those in use are leaks, for the interpreter is gone."""
    cdef Header* header
    cdef size_t n = 0, n_bytes = 0
    lock_pool()
    header = live.next
    while header != NULL:
        check_zones(header)
        n += 1
        n_bytes += header.n_bytes
        header = header.next
    if n:
        tell_leaks(n, n_bytes)
    header = live.next
    for _ in range(min(n, <size_t>LEAKS_TOLD)):
        tell_leak(header)
        header = header.next
    tell_of_more(n - min(n, <size_t>LEAKS_TOLD))
    unlock_pool()


def is_checking() -> bool:
    """Whether the debug mode is on."""
    return is_debugging


def check() -> int:
    """Look at all blocks now.

    Works when nd4py was imported with ND4PY_DEBUG_MEMORY=1; cached blocks go back to the system.
    Returns how many blocks are in use.  Raises MemoryFaultError for faults found since the last call, wherever that
    was; each was told on stderr.  Raises RuntimeError without the debug mode.
    """
    global n_raised
    cdef Header* header
    cdef size_t n = 0
    if not is_debugging:
        raise RuntimeError("memory is not being checked; set ND4PY_DEBUG_MEMORY=1 before nd4py is imported")
    trim()
    with nogil:
        lock_pool()
        header = live.next
        while header != NULL:
            check_zones(header)
            n += 1
            header = header.next
        unlock_pool()
    found = n_faults - n_raised
    n_raised = n_faults
    if found:
        last = last_fault.decode(errors="replace")
        raise MemoryFaultError(f"{found} memory faults, see stderr; the last: {last}")
    return n


def allocation_sites() -> list[tuple[int, str]]:
    """[(bytes, "file:line")] of the blocks in use, newest first; "" where it is not known."""
    cdef Header* header
    cdef size_t n = 0, i = 0
    cdef Header* copies
    lock_pool()                         # nothing of Python until it is free again: a collection would free arrays
    header = live.next
    while header != NULL:
        n += 1
        header = header.next
    copies = <Header*>calloc(n + 1, sizeof(Header))
    header = live.next
    while header != NULL and copies != NULL:
        copies[i].n_bytes, copies[i].site = header.n_bytes, header.site
        i += 1
        header = header.next
    unlock_pool()
    if copies == NULL:
        return []
    found = [(copies[i].n_bytes, copies[i].site.decode() if copies[i].site != NULL else "") for i in range(n)]
    free(copies)
    return found


def start() -> None:
    """Stand between the pool and every request from now on."""
    memset(&live, 0, sizeof(live))
    at_exit_call(check_at_exit)
    pool_system.farewell = part_with
    stand_between(allocate_guarded, release_guarded)


if is_debugging:
    start()
