"""Event log of the pool: every request, for plots of memory over time."""

from libc.stdlib cimport calloc, free
from nd4py._mem.pool.pool cimport lock_pool, tell_of_requests, unlock_pool
from nd4py._mem.pool.pool_magazines cimport live_bytes
from nd4py._mem.pool.pool_system cimport system

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


cdef struct Event:
    double seconds
    ptrdiff_t n_bytes
    size_t live
    size_t taken

cdef Event* events = NULL
cdef size_t n_events = 0, n_happened = 0, most_events = 0
cdef double started = 0


cdef void note(ptrdiff_t n_bytes) noexcept nogil:
    """Keep an event.  Called with the pool's lock held."""
    global n_events, n_happened
    n_happened += 1
    if n_events < most_events:
        events[n_events] = Event(seconds_now() - started, n_bytes, live_bytes(), system.taken)
        n_events += 1


def start(size_t most) -> None:
    """Record from now on, at most `most` requests.  Raises RuntimeError while a recording is on."""
    global events, n_events, n_happened, most_events, started
    cdef Event* room
    if events != NULL:
        raise RuntimeError("memory is being recorded already; call stop_recording() first")
    room = <Event*>calloc(most, sizeof(Event))
    if room == NULL:
        raise MemoryError(f"no memory to record {most} events")
    lock_pool()
    events, n_events, n_happened, most_events, started = room, 0, 0, most, seconds_now()
    unlock_pool()
    tell_of_requests(note)


def stop() -> tuple[list[tuple[float, int, int, int]], int]:
    """End recording.  Returns ([(seconds, bytes, live bytes, taken bytes)], how many requests were too many).

    Raises RuntimeError when nothing is being recorded.
    """
    global events
    cdef Event* kept = events
    if events == NULL:
        raise RuntimeError("no recording is on; call start_recording() first")
    tell_of_requests(NULL)
    found = [(kept[i].seconds, kept[i].n_bytes, kept[i].live, kept[i].taken) for i in range(n_events)]
    events = NULL
    free(kept)
    return found, n_happened - n_events
