"""Interrupts of long work: Ctrl-C, and every other signal with a handler in Python.

Design: handlers run in the main thread of Python, so only its work is looked after: between tasks, and between pieces
of long ones, it asks `goes_on`, which reads the clock now and then, and after 50 ms takes the GIL and lets Python run
its handlers.  When one raises, the remaining tasks of that thread return at once, also those of regions that begin
later, until its driver has come to its end and calls `raise_if_stopped`.  So drivers clean up as ever.  Rejected: a
status from each task, which every driver would have to pass on past its cleaning up.
"""

from threading import main_thread

cdef extern from "interrupts.h" namespace "nd_interrupts" nogil:
    void note_main_thread(unsigned long ident)
    void watch_forks()
    bint begin()
    bint joins(bint is_for_main)
    void look_now()
    bint goes_on_now "nd_interrupts::goes_on"()
    int raise_now "nd_interrupts::raise_if_stopped"() except -1


cdef bint begin_region() noexcept nogil:
    """Work begins that tasks share: whether it is the main thread's."""
    return begin()


cdef bint joins_region(bint is_for_main) noexcept nogil:
    """Whether a thread that takes a task of such work shall do it."""
    return joins(is_for_main)


cdef bint goes_on() noexcept nogil:
    """Whether to continue; called between pieces of work.  False: the rest shall not be done."""
    return goes_on_now()


cdef void look_for_signals() noexcept nogil:
    """Asked by the main thread while it waits for others that do its work: they end soon if a handler raises."""
    look_now()


cdef int raise_if_stopped() except -1:
    """After work, once its memory is given back: raises what a handler raised meanwhile; results are unfinished."""
    return raise_now()


note_main_thread(main_thread().ident)
watch_forks()
