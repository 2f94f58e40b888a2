"""Variance, log-sum-exp, softmax and standardizing as one kernel each, over untracked arrays of real floats."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._exec.copying cimport convert, gathered
from nd4py._exec.dispatch.row_table cimport compute
from nd4py._exec.dispatch.promotion cimport adopt
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.reduce.normalize cimport LOG_SOFTMAX, SOFTMAX, STANDARDIZE, Normal, run_normalize
from nd4py.cpu.reduce.reduce cimport run_reduce

from ..._spec.dtypes import DTYPES

cdef int is_wide[16]
for number, dtype in enumerate(DTYPES):
    is_wide[number] = dtype.itemsize == 8


def variance(x: NDArray, tuple axes: tuple[int, ...]) -> NDArray:
    """The mean of squared distances from the mean along `axes`, in the dtype that `x` is computed in."""
    cdef NDArray array = adopt(x)
    return measured(loops.measures.variance[is_wide[array.number]], array, axes)


def log_sum_exp(x: NDArray, tuple axes: tuple[int, ...]) -> NDArray:
    """log(sum(exp(x))) along `axes`, in the dtype that `x` is computed in."""
    cdef NDArray array = adopt(x)
    return measured(loops.measures.log_sum_exp[is_wide[array.number]], array, axes)


cdef NDArray measured(const ReduceLoops* measure, NDArray x, tuple axes):
    cdef bint is_reduced[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = 0, i
    for i in range(x.info.ndim):
        is_reduced[i] = i in axes
        if not is_reduced[i]:
            shape[ndim] = x.info.shape[i]
            ndim += 1
    cdef NDArray y = new_array(compute[x.number], ndim, shape)
    run_reduce(measure, gathered(x), compute[x.number], is_reduced, y)
    return y


def softmax(x: NDArray, int axis) -> NDArray | None:
    """exp(x) / sum(exp(x)) along `axis`, or None where it takes the separate operations."""
    return normalized(SOFTMAX, adopt(x), axis, 0.0, None, None)


def log_softmax(x: NDArray, int axis) -> NDArray | None:
    """The logarithm of the softmax along `axis`, or None where it takes the separate operations."""
    return normalized(LOG_SOFTMAX, adopt(x), axis, 0.0, None, None)


def standardize(x: NDArray, int axis, double epsilon, scale: NDArray | None, bias: NDArray | None) -> NDArray | None:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias along `axis`, or None where it takes the separate
    operations.  scale, bias: contiguous, of the dtype of x, as long as the axis; or None."""
    return normalized(STANDARDIZE, adopt(x), axis, epsilon, adopt(scale), adopt(bias))


cdef NDArray normalized(Normal kind, NDArray x, int axis, double epsilon, NDArray scale, NDArray bias):
    cdef int number = compute[x.number]
    cdef NDArray source = x if number == x.number else convert(x, number)
    cdef NDArray y = new_array(number, source.info.ndim, source.info.shape)
    if not run_normalize(kind, source, axis, y, epsilon, scale, bias):
        return None
    return y if number == x.number else convert(y, x.number)
