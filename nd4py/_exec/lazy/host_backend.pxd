from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferring cimport is_combining, smallest
from nd4py._core.lazy.lazy_backend cimport Backend

cdef enum:
    HOST = -1                            # instead of the number of a device

cdef Backend host
cdef Py_ssize_t fewest_bytes             # of a result that is deferred, as its loop writes it

cdef NDArray with_memory_of(NDArray owner)
cdef object materialize_all(tuple operands)
cdef bint is_any_deferred(tuple operands) noexcept
cdef object defer(int op, tuple operands, const double* params, int n_params, int number, int ndim,
                  const Py_ssize_t* shape)
cdef object defer_in_place(int op, tuple operands, object target, int number, int ndim, const Py_ssize_t* shape)
cdef object defer_conversion(object x, int number)
