"""Gather and scatter of slices along one axis.

An array is seen as (n_outer, n_slices, slice_bytes): an index names one slice in each of the outer blocks.
"""

from cython.parallel cimport prange
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from nd4py._core.array cimport NDArray, new_array
from nd4py._core.threads cimport WORTH_WAKING, acquire_threads, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport MapLoop, loops

from .._spec.dtypes import NUMBER
from .._spec.ops import ALL

cdef int INDEX = NUMBER["int64"]
cdef int ADD = [op.name for op in ALL].index("add")

cdef enum:
    TASK_BYTES = 131072


def check_indices(NDArray indices, Py_ssize_t size):
    """Raises IndexError unless all of the contiguous int64 `indices` lie in [-size, size)."""
    cdef const int64_t* index = <const int64_t*>indices.data
    cdef Py_ssize_t i
    for i in range(indices.info.size):
        if not -size <= index[i] < size:
            raise IndexError(f"index {index[i]} is out of range for an axis of size {size}")


def gather(NDArray x, NDArray indices, NDArray y, Py_ssize_t n_outer, Py_ssize_t n_slices):
    """Copy the slices of `x` that checked `indices` name into `y`; all contiguous."""
    cdef Py_ssize_t n_indices = indices.info.size
    cdef Py_ssize_t slice_bytes = y.info.size * y.info.itemsize // max(n_outer * n_indices, 1)
    cdef Py_ssize_t n_total = n_outer * n_indices
    cdef Py_ssize_t per_task = max(TASK_BYTES // max(slice_bytes, 1), 1)
    cdef Py_ssize_t n_tasks = (n_total + per_task - 1) // per_task
    cdef Py_ssize_t task
    cdef int n_threads, home
    with nogil:
        n_threads = acquire_threads(n_tasks if y.info.size >= WORTH_WAKING else 1)
        home = current_core()
        for task in prange(n_tasks, num_threads=n_threads, schedule="static"):
            leave_core(home)
            gather_some(x.data, <const int64_t*>indices.data, y.data, n_slices, n_indices, slice_bytes,
                        task * per_task, min((task + 1) * per_task, n_total))
        release_threads(n_threads)


cdef void gather_some(const char* x, const int64_t* index, char* y, Py_ssize_t n_slices, Py_ssize_t n_indices,
                      Py_ssize_t slice_bytes, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Slices first to last, block by block."""
    cdef Py_ssize_t outer, start, end
    while first < last:
        outer = first // n_indices
        start = first - outer * n_indices
        end = min(n_indices, start + last - first)
        gather_block(x + outer * n_slices * slice_bytes, index + start, y + first * slice_bytes, n_slices, end - start,
                     slice_bytes)
        first += end - start


cdef void gather_block(const char* x, const int64_t* index, char* y, Py_ssize_t n_slices, Py_ssize_t n,
                       Py_ssize_t slice_bytes) noexcept nogil:
    """Slices of one element are copied as numbers; a call of memcpy for each would cost more than the copy."""
    cdef Py_ssize_t i
    if slice_bytes == 4:
        for i in range(n):
            (<int32_t*>y)[i] = (<const int32_t*>x)[index[i] + (n_slices if index[i] < 0 else 0)]
    elif slice_bytes == 8:
        for i in range(n):
            (<int64_t*>y)[i] = (<const int64_t*>x)[index[i] + (n_slices if index[i] < 0 else 0)]
    else:
        for i in range(n):
            memcpy(y + i * slice_bytes, x + (index[i] + (n_slices if index[i] < 0 else 0)) * slice_bytes, slice_bytes)


def scatter(NDArray x, NDArray indices, NDArray values, Py_ssize_t n_outer, Py_ssize_t n_slices, bint is_added):
    """Write, or add, `values` to the slices of `x` that checked `indices` name, in order, so that repeats add up."""
    cdef Py_ssize_t n_indices = indices.info.size
    cdef Py_ssize_t slice_size = values.info.size // max(n_outer * n_indices, 1)
    cdef Py_ssize_t slice_bytes = slice_size * x.info.itemsize
    cdef const int64_t* index = <const int64_t*>indices.data
    cdef MapLoop add = <MapLoop>loops().rows[ADD][x.number]
    cdef Py_ssize_t strides[3]
    cdef char* p[3]
    cdef Py_ssize_t i, outer, which
    strides[0] = strides[1] = strides[2] = x.info.itemsize
    with nogil:
        for i in range(n_outer * n_indices):
            outer = i // n_indices
            which = index[i - outer * n_indices]
            which += n_slices if which < 0 else 0
            p[0] = p[2] = x.data + (outer * n_slices + which) * slice_bytes
            p[1] = values.data + i * slice_bytes
            if is_added:
                add(p, strides, slice_size, NULL)
            else:
                memcpy(p[0], p[1], slice_bytes)


def positions(NDArray mask):
    """The positions, in C order, of the True elements of a contiguous bool array, as int64."""
    cdef const char* flag = mask.data
    cdef Py_ssize_t n = mask.info.size, count = 0, i
    cdef NDArray found
    cdef int64_t* out
    with nogil:
        for i in range(n):
            count += flag[i] != 0
    found = new_array(INDEX, 1, &count)
    out = <int64_t*>found.data
    with nogil:
        n = count
        count = i = 0
        while count < n:                 # written whether found or not: no branch to mispredict
            out[count] = i
            count += flag[i] != 0
            i += 1
    return found
