"""Benchmark and stress loops for the pool, in native code.

Nothing else uses this.  A Python call costs more than a request, so the pool cannot be timed from Python.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from nd4py._mem.pool.pool cimport pool_allocate, pool_release

import threading

cdef extern from * nogil:
    """
    #include <atomic>
    #include <time.h>
    static double seconds_now(void) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    /* The compiler may not see that nobody uses a block: it would leave malloc and free out. */
    static void keep(void* block) { __asm__ volatile("" : : "r"(block) : "memory"); }
    static void* exchange(void** slot, void* block) {
      return reinterpret_cast<std::atomic<void*>*>(slot)->exchange(block, std::memory_order_acq_rel);
    }
    """
    double seconds_now()
    void keep(void* block)
    void* exchange(void** slot, void* block)

cdef enum:
    PAGE = 4096
    N_OWN = 64                           # slots of a thread that no other one uses


cdef struct Note:
    # What stands at the start of each block of the stress test; every further byte is `guard`.
    size_t n_bytes
    unsigned char guard


def time_pool(size_t n_bytes, Py_ssize_t n, bint touches=False) -> float:
    """Seconds for one block of `n_bytes` from the pool and back, the mean of `n`; touching writes to every page."""
    cdef double start
    cdef char* block
    with nogil:
        start = seconds_now()
        for _ in range(n):
            block = <char*>pool_allocate(n_bytes)
            if touches:
                touch(block, n_bytes)
            keep(block)
            pool_release(block, n_bytes)
        start = seconds_now() - start
    return start / n


def time_system(size_t n_bytes, Py_ssize_t n, bint touches=False) -> float:
    """As `time_pool`, of the C library's malloc and free."""
    cdef double start
    cdef char* block
    with nogil:
        start = seconds_now()
        for _ in range(n):
            block = <char*>malloc(n_bytes)
            if touches:
                touch(block, n_bytes)
            keep(block)
            free(block)
        start = seconds_now() - start
    return start / n


cdef void touch(char* block, size_t n_bytes) noexcept nogil:
    cdef size_t i = 0
    while i < n_bytes:
        block[i] = 1
        i += PAGE


cdef class Exchange:
    """Slots that threads exchange blocks through: what one allocated another frees.

    n_slots: blocks at a time    most_bytes: of a block
    """

    cdef void** slots
    cdef size_t n_slots, most_bytes
    cdef readonly size_t n_faults

    def __cinit__(self, size_t n_slots, size_t most_bytes):
        self.slots = <void**>pool_allocate(n_slots * sizeof(void*))
        if self.slots == NULL:
            raise MemoryError("no memory for the slots of a test")
        memset(self.slots, 0, n_slots * sizeof(void*))
        self.n_slots, self.most_bytes = n_slots, most_bytes

    def __dealloc__(self):
        if self.slots != NULL:
            pool_release(self.slots, self.n_slots * sizeof(void*))

    def run(
        self, n_threads: int, Py_ssize_t n, bint is_guarded=True, Py_ssize_t planted=-1, Py_ssize_t one_in=1
    ) -> float:
        """Let `n_threads` threads put `n` random blocks each into random slots and free what lies there.

        one_in: of so many blocks one goes through a slot of all threads, the others through slots of their thread
        is_guarded: fill every block, and look whether it is unchanged when it is freed
        planted: the number of a block after which the first thread writes one byte: a fault, to be found
        Returns seconds; `n_faults` counts the blocks that were changed, or not there.
        """
        threads = [
            threading.Thread(target=self.work, args=(seed + 1, n, is_guarded, -1 if seed else planted, one_in))
            for seed in range(n_threads)
        ]
        start = seconds_now()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        taken = seconds_now() - start
        self.clear(is_guarded)
        return taken

    def work(self, uint64_t seed, Py_ssize_t n, bint is_guarded, Py_ssize_t planted, Py_ssize_t one_in) -> None:
        """One thread's share."""
        cdef void* own[N_OWN]
        cdef void** slot
        cdef Py_ssize_t i
        cdef size_t n_bytes, faults = 0
        cdef uint64_t random = seed * <uint64_t>0x9E3779B97F4A7C15
        cdef char* block
        memset(own, 0, sizeof(own))
        with nogil:
            for i in range(n):
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                n_bytes = sizeof(Note) + (random >> 20) % (self.most_bytes >> ((random >> 8) % 8))
                block = <char*>pool_allocate(n_bytes)
                if block == NULL:
                    faults += 1
                    continue
                (<Note*>block).n_bytes = n_bytes
                (<Note*>block).guard = <unsigned char>(random >> 50)
                if is_guarded:
                    memset(block + sizeof(Note), <unsigned char>(random >> 50), n_bytes - sizeof(Note))
                if i == planted:
                    block[n_bytes - 1] += 1
                if i % one_in == 0:
                    slot = &self.slots[(random >> 33) % self.n_slots]
                else:
                    slot = &own[(random >> 33) % N_OWN]
                faults += give_back(exchange(slot, block), is_guarded)
            for i in range(N_OWN):
                faults += give_back(own[i], is_guarded)
        self.n_faults += faults

    def clear(self, bint is_guarded) -> None:
        """Free what lies in the slots."""
        cdef size_t i
        for i in range(self.n_slots):
            self.n_faults += give_back(exchange(&self.slots[i], NULL), is_guarded)


cdef bint give_back(void* given, bint is_guarded) noexcept nogil:
    """Free a block of the test; whether it was changed."""
    cdef unsigned char* block = <unsigned char*>given
    cdef size_t i, n_bytes
    cdef bint is_changed = False
    if block == NULL:
        return False
    n_bytes = (<Note*>block).n_bytes
    if is_guarded:
        for i in range(sizeof(Note), n_bytes):
            is_changed |= block[i] != (<Note*>block).guard
    pool_release(block, n_bytes)
    return is_changed


def free_twice(size_t n_bytes) -> None:
    """Give a block back two times: a bug, for the debug mode to find."""
    cdef void* block = pool_allocate(n_bytes)
    pool_release(block, n_bytes)
    pool_release(block, n_bytes)
