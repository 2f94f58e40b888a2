from cpython.object cimport PyObject, PyTypeObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport Backend
from nd4py._core.lazy.chain cimport Chain
from nd4py._core.layout.shape cimport ShapeInfo

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)

# A row of the table, and how it is run.
cdef struct Row:
    int op
    int n_in
    int n_out
    int condition                        # the operand that is a bool, or -1
    int number                           # dtype of its other operands
    int loop_number                      # dtype that it computes in
    int made                             # dtype of what it computes
    int wanted                           # dtype of what callers expect
    const double* params
    int n_params
    bint is_streamed                     # by itself it is faster as a chain, even one that runs at once

cdef Py_ssize_t smallest                 # elements from which on operations are deferred

cdef bint is_combining() noexcept
cdef int run(ArrayBase x) except -1
cdef void forget(PyObject* array) noexcept
cdef object defer(Backend backend, const Row* row, tuple operands, int ndim, const Py_ssize_t* shape, int device)
cdef object defer_in_place(Backend backend, const Row* row, tuple operands, object target, int ndim,
                           const Py_ssize_t* shape, int device)
cdef object defer_conversion(Backend backend, object x, int number, int device)
cdef bint can_wait(Backend backend, tuple operands) except -1
cdef bint is_of_row(object item) noexcept
cdef Chain chain_for(Backend backend, tuple operands, int n_in, int n_out, int n_params, ShapeInfo layout, int device)
cdef bint begin_link(Backend backend, Chain chain, tuple operands, int n_in, int n_out, int n_params,
                     bint* was_collecting) noexcept
cdef void end_link(bint was_collecting) noexcept
cdef int value_of(Backend backend, Chain chain, object item, int number) except -1
cdef ArrayBase stand_for(Backend backend, Chain chain, int value, int number, ShapeInfo layout)


cdef inline ArrayBase fields(object x):
    """The fields of an array, deferred or not: the layout is the same."""
    return <ArrayBase><PyObject*>x


cdef inline bint is_array(Backend backend, object item) noexcept:
    """Whether an operand is an array of a backend."""
    return Py_TYPE(item) == backend.kind or Py_TYPE(item) == backend.deferred_kind


cdef inline bint is_deferred(Backend backend, object item) noexcept:
    """Whether an operand is an array of a backend that has no values yet."""
    return is_array(backend, item) and fields(item).is_deferred
