"""Observers, which are told of every operation that runs on the host: what it reads and writes, and when.

Design: an operation asks whether `n_observers` is 0, a number in memory, and is as fast as before where it is.  Else it
makes an Operation when it begins, and finishes that with its arrays.  The shortest paths tell nothing: they are for
when nobody looks, as they are for when nobody captures (`n_captures`).  An operation that raises is dropped with the
object, so that no function need catch its errors.  Rejected: to tell from the loops, which know neither what an
operation is called nor what belongs to it; a type of arrays that watches itself, which is slower and not always there.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.ref cimport Py_XDECREF
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._mem.diagnostics.call_site cimport call_site_of, calling_code
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._core.lazy.deferred cimport is_array
from nd4py._core.threads.threads cimport count_lent, most_lent
from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.workspace.scopes cimport begin_watch, end_watch

from threading import Lock
from time import perf_counter_ns

from ..._spec.dtypes import DTYPES

cdef extern from *:
    """
    static __thread PyObject* operation_of_thread;   /* borrowed: whoever runs it holds it */
    static __thread int is_thread_suspended;
    static PyObject* get_operation(void) { return operation_of_thread; }
    static void set_operation(PyObject* operation) { operation_of_thread = operation; }
    static int get_suspended(void) { return is_thread_suspended; }
    static void set_suspended(int is_suspended) { is_thread_suspended = is_suspended; }
    """
    PyObject* get_operation()
    void set_operation(PyObject* operation)
    int get_suspended()
    void set_suspended(int is_suspended)

cdef int n_observers = 0
cdef tuple observers = ()
cdef object changing = Lock()

SORTS = ("elementwise", "combined", "reduction", "scan", "product", "driver", "conversion", "copy", "graph")


cdef class Operation:
    """One operation that runs, or has run."""

    cdef int finish(self, tuple read, tuple written) except -1:
        """It has read and written these arrays; other operands are passed over."""
        cdef Observer observer
        self.end_ns = perf_counter_ns()
        close(self)
        self.read, self.written = described(read), described(written)
        if self.outer != NULL:
            (<Operation>self.outer).inner_ns += self.end_ns - self.start_ns
            self.outer = NULL
        for observer in all_observers():
            observer.accept(self, read, written)
        return 0

    @property
    def kind(self) -> str:
        """What it does with values, in a word."""
        return SORTS[self.sort]

    @property
    def line(self) -> str:
        """" in <file>, line <number>" of the program that called it, or ""."""
        return call_site_of(self.code, self.instruction)

    def __dealloc__(self):
        close(self)
        Py_XDECREF(self.code)


cdef void close(Operation operation) noexcept:
    """An operation runs no longer: the one that it is a part of goes on."""
    if operation.is_open:
        operation.is_open = False
        operation.n_threads = most_lent()
        count_lent(max(operation.n_threads, operation.n_threads_before))
        set_operation(operation.outer)


cdef class Observer:
    """Who is told of operations."""

    cdef int accept(self, Operation operation, tuple read, tuple written) except -1:
        """An operation has run.  Raises what its caller shall get in place of results."""
        return 0


cdef Operation begun(Sort sort, str name):
    """An operation of this thread that begins now, to be finished; None where nobody shall be told."""
    cdef Operation operation
    if get_suspended():
        return None
    operation = Operation.__new__(Operation)
    operation.sort, operation.name, operation.parts = sort, name, ()
    operation.thread = PyThread_get_thread_ident()
    operation.code = calling_code(&operation.instruction)
    operation.outer = get_operation()
    operation.depth = 0 if operation.outer == NULL else (<Operation>operation.outer).depth + 1
    operation.is_open = True
    operation.n_threads_before = most_lent()
    set_operation(<PyObject*>operation)
    count_lent(1)
    operation.start_ns = perf_counter_ns()
    return operation


cdef tuple described(tuple operands):
    """(number of the dtype, ShapeInfo) of each array among operands."""
    cdef list found = []
    cdef ArrayBase array
    for item in operands:
        if is_array(item) or isinstance(item, ArrayBase):
            array = <ArrayBase><PyObject*>item
            found.append((array.number, array.info))
    return tuple(found)


def layout_of(int number, ShapeInfo info) -> tuple[str, Shape, tuple[int, ...], int]:
    """The dtype, shape and strides in bytes of what an operation read or wrote, and the bytes of its elements, each
    counted once."""
    cdef Py_ssize_t n_bytes = info.itemsize
    cdef int i
    for i in range(info.ndim):
        if info.strides[i] != 0 or info.shape[i] == 0:
            n_bytes *= info.shape[i]
    return DTYPES[number].name, info.shape_tuple, tuple([info.strides[i] for i in range(info.ndim)]), n_bytes


cdef int suspend() noexcept:
    """Let nobody be told of what this thread does from now on.  Returns what `resume` takes."""
    cdef int before = get_suspended()
    set_suspended(True)
    return before


cdef void resume(int before) noexcept:
    set_suspended(before)


cdef tuple all_observers():
    """Who is told of operations; another thread may be about to change that."""
    cdef Section section
    enter(&section)
    return observers


cdef int change_observers(tuple changed) except -1:
    cdef Section section
    enter(&section)
    global n_observers, observers
    observers = changed
    n_observers = <int>len(changed)
    return 0


cpdef object begin_observing(Observer observer):
    """Tell somebody of the operations of all threads that begin from now on."""
    with changing:
        change_observers((*observers, observer))
        begin_watch()


cpdef object end_observing(Observer observer):
    """Tell somebody no longer.  Raises ValueError where nobody told them."""
    with changing:
        left = list(observers)
        left.remove(observer)
        change_observers(tuple(left))
        end_watch()


cdef class Recording(Observer):
    """The operations that have run, in the order in which they ended."""

    cdef readonly list operations

    def __init__(self):
        self.operations = []

    cdef int accept(self, Operation operation, tuple read, tuple written) except -1:
        self.operations.append(operation)
        return 0
