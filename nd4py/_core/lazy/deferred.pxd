from cpython.object cimport PyObject, PyTypeObject

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)

from nd4py._core.array.array cimport NDArray

cdef PyTypeObject* deferred_type         # DeferredArray; its size is not what its declaration says

cdef void become_deferred(NDArray array) noexcept
cdef NDArray new_tracked(object source, object node)
cdef object unrecorded(object x)
cdef void fulfil(NDArray array, NDArray memory) noexcept
cdef object materialized(object x)


cdef inline NDArray fields(object x):
    """The fields of an array, deferred or not: the layout is the same."""
    return <NDArray><PyObject*>x


cdef inline bint is_deferred(object x) noexcept:
    """Whether `x` is an array whose values have not been computed yet."""
    return Py_TYPE(x) == deferred_type


cdef inline bint is_array(object x) noexcept:
    """Whether `x` is an array, with or without its values."""
    return type(x) is NDArray or is_deferred(x)


cdef inline bint is_tracked(object x) noexcept:
    """Whether `x` is an array, with or without its values, that is being differentiated."""
    return is_array(x) and fields(x).node is not None
