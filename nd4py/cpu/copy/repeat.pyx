"""Repetition of slices along one axis, each its own number of times.

An array is seen as (n_outer, n_slices, slice_bytes).
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport run_tasks

cdef extern from * nogil:
    """
    #include <cstddef>
    #include <cstdint>
    // Slices of one element, as words.  Four copies are written whether wanted or not, as long as there is room before
    // `end`: counts are hard to predict, and the next slice writes over what was too much.
    template <class W>
    static void repeat_words(const char* x, const int64_t* counts, ptrdiff_t n, char* y, char* end) {
      W* to = (W*)y;
      for (ptrdiff_t i = 0; i < n; ++i) {
        const W value = ((const W*)x)[i];
        ptrdiff_t j = 0;
        if ((W*)end - to >= 4) {
          to[0] = to[1] = to[2] = to[3] = value;
          j = 4;
        }
        for (; j < counts[i]; ++j) to[j] = value;
        to += counts[i];
      }
    }
    """
    void repeat_words[W](const char* x, const int64_t* counts, Py_ssize_t n, char* y, char* end)

cdef enum:
    TASK_SLICES = 8192

cdef struct Repeat:
    const char* x
    const int64_t* counts
    const int64_t* ends
    char* y
    Py_ssize_t n_slices, slice_bytes, outer_bytes
    Py_ssize_t per_outer                 # tasks of one outer block


def total_count(NDArray counts) -> int:
    """The sum of the contiguous int64 `counts`.  Raises ValueError for a negative one."""
    cdef const int64_t* count = <const int64_t*>counts.data
    cdef Py_ssize_t i, total = 0
    for i in range(counts.info.size):
        if count[i] < 0:
            raise ValueError(f"repeat: counts must not be negative, given {count[i]}")
        total += count[i]
    return total


def repeat_slices(NDArray x, NDArray counts, NDArray ends, NDArray y, Py_ssize_t n_outer) -> None:
    """Write every slice of `x` as often as `counts` says into `y`; `ends` are the running sums of `counts`.

    All are contiguous, counts and ends int64.
    """
    cdef Py_ssize_t n_slices = counts.info.size
    cdef Py_ssize_t slice_bytes = x.info.size * x.info.itemsize // max(n_outer * n_slices, 1)
    cdef Py_ssize_t outer_bytes = y.info.size * y.info.itemsize // max(n_outer, 1)
    cdef Py_ssize_t per_outer = (n_slices + TASK_SLICES - 1) // TASK_SLICES
    cdef Repeat work = Repeat(x.data, <const int64_t*>counts.data, <const int64_t*>ends.data, y.data, n_slices,
                              slice_bytes, outer_bytes, per_outer)
    cdef Hold hold
    hold.add(holds, x.data, counts.data, ends.data, y.data)
    with nogil:
        run_tasks(repeat_some, &work, n_outer * per_outer, y.info.size)
    raise_if_stopped()


cdef void repeat_some(void* repeat, Py_ssize_t task) noexcept nogil:
    """Some slices of one outer block."""
    cdef const Repeat* work = <const Repeat*>repeat
    cdef Py_ssize_t outer = task // work.per_outer, first = task % work.per_outer * TASK_SLICES
    cdef Py_ssize_t n = min(<Py_ssize_t>TASK_SLICES, work.n_slices - first), slice_bytes = work.slice_bytes, i
    cdef const int64_t* counts = work.counts + first
    cdef const char* x = work.x + (outer * work.n_slices + first) * slice_bytes
    cdef char* y = work.y + outer * work.outer_bytes
    cdef char* end = y + work.ends[first + n - 1] * slice_bytes
    y += (work.ends[first] - counts[0]) * slice_bytes
    if slice_bytes == 1:
        repeat_words[uint8_t](x, counts, n, y, end)
    elif slice_bytes == 2:
        repeat_words[uint16_t](x, counts, n, y, end)
    elif slice_bytes == 4:
        repeat_words[uint32_t](x, counts, n, y, end)
    elif slice_bytes == 8:
        repeat_words[uint64_t](x, counts, n, y, end)
    else:
        for i in range(n):
            for _ in range(counts[i]):
                memcpy(y, x + i * slice_bytes, slice_bytes)
                y += slice_bytes
