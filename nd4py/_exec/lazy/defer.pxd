from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.lazy_backend cimport is_combining, smallest

cdef Py_ssize_t fewest_bytes             # of a result that is deferred, as its loop writes it

cdef object materialize_all(tuple operands)
cdef bint is_any_deferred(tuple operands) noexcept
cdef object defer(int op, tuple operands, const double* params, int n_params, int number, int ndim,
                  const Py_ssize_t* shape)
cdef object defer_in_place(int op, tuple operands, object target, int number, int ndim, const Py_ssize_t* shape)
cdef object defer_conversion(object x, int number)
cdef object defer_reduction(object x, int op, int number, int first, int end, const bint* is_reduced, int wanted,
                            bint keepdims)
cdef object reduce_deferred(object x, int op, int number, const bint* is_reduced, bint is_held)
cdef NDArray new_result(int number, NDArray x, const bint* is_reduced)
