"""The parser of index keys: a view, and the index arrays of some of its axes.

The keys of arrays on devices are read here too; index arrays of the host are copied to the device of the array first.

Ints, slices, None and an Ellipsis make the view; it has an axis for each integer array.  A mask stands for the
positions of its True elements, one array for each of its axes; one without dimensions takes no axis.  Where the common
shape of the arrays goes is NumPy's rule: in their place when arrays and ints stand side by side in the key, else first.
"""

import operator

from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.upcalls cimport upcalls
from nd4py._core.layout.views cimport is_index
from nd4py._exec.device.device_operations cimport is_elsewhere, rules_for

from ..._core.array.released import type_name
from ..._core.lazy_modules import LazyModule
from ..._mem.sizes import shortened
from ..._spec.dtypes import DTYPES, NUMBER
from ..device.placement import to_device

cdef int BOOL = NUMBER["bool"], INT64 = NUMBER["int64"]
cdef list integers = ["integer" in row.kind for row in DTYPES]
index_drivers = LazyModule("nd4py._exec.drivers.index_drivers", globals())


cdef class Layout:
    """How index arrays read an array.

    view: the key of the view that they index, () for the array itself
    arrays: integer arrays
    axes: the axis of the view that each array indexes, -1 for none
    names: those axes as the array itself counts them
    where: the axis of the result at which the arrays' common shape stands
    is_unique: whether no element can be named twice
    """

    cdef readonly tuple view
    cdef readonly tuple arrays
    cdef readonly tuple axes
    cdef readonly tuple names
    cdef readonly int where
    cdef readonly bint is_unique

    def __init__(
        self,
        tuple view,
        tuple arrays: tuple[NDArray, ...],
        tuple axes: tuple[int, ...],
        tuple names: tuple[int, ...],
        int where,
        bint is_unique=False,
    ):
        self.view, self.arrays, self.axes, self.names = view, arrays, axes, names
        self.where, self.is_unique = where, is_unique

    def of(self, x: NDArray) -> NDArray:
        """The view of `x` that the arrays index."""
        return x[(*self.view, ...)] if self.view else x      # without the dots, one element would be a copy


def parse(given: NDArray, key) -> Layout:
    """The layout that a key stands for.

    Raises IndexError for items that cannot be indices, too many of them, or a mask of the wrong shape.
    """
    cdef list items, view = [], arrays = [], axes = [], names = []
    cdef int view_axis = 0, axis = 0     # of the view, of the array
    cdef ArrayBase x = given
    if type(key) is type(x) and integers[(<ArrayBase>key).number] and (<ArrayBase>key).info.ndim and x.info.ndim:
        return Layout((), (key,), (0,), (0,), 0)
    items = [resolved(x, item) for item in (<tuple>key if type(key) is tuple else (key,))]
    for item in spread(x, items):
        if type(item) is tuple:          # a mask without dimensions
            arrays.append((<tuple>item)[0])
            axes.append(-1)
            names.append(-1)
            continue
        if is_array(item):
            arrays.append(item)
            axes.append(view_axis)
            names.append(axis)
            item = slice(None)
        view.append(item)
        view_axis += type(item) is not int
        axis += item is not None
    is_unique = len(items) == 1 and is_mask(items[0])
    return Layout(tuple(view), tuple(arrays), tuple(axes), tuple(names), axis_of_arrays(items, x.info.ndim), is_unique)


def is_whole_mask(given: NDArray, key) -> bool:
    """Whether a key is one mask of the shape of an array beside it, whose elements then need no positions."""
    cdef int i
    cdef ArrayBase x = given
    if type(key) is not type(x) or not is_mask(key) or (<ArrayBase>key).info.ndim != x.info.ndim:
        return False
    for i in range(x.info.ndim):
        if (<ArrayBase>key).info.shape[i] != x.info.shape[i]:
            return False
    return True


cdef object resolved(ArrayBase x, object item):
    """An item of a key as a slice, None, Ellipsis, int, or an array where `x` is."""
    if item is None or item is Ellipsis or type(item) is slice or type(item) is int:
        return item
    if is_index(item):
        return operator.index(item)
    index = as_index(item)
    if type(index) is NDArray:
        return index if type(x) is NDArray else to_device(index, x.device, None)
    if type(x) is NDArray and rules_for((index,)) is None:
        return upcalls.asarray(index)        # which says that it computes on the host
    return index


def as_index(item) -> NDArray:
    """`item` as an array of integers or bools.  Raises IndexError for what can be none."""
    cdef ArrayBase index
    if type(item) is list and len(<list>item) and all_ints(<list>item):
        return index_of_ints(<list>item)
    try:
        index = item if type(item) is NDArray or is_elsewhere(item) else upcalls.asarray(item)
    except (TypeError, ValueError):
        raise IndexError(
            f"an index is made of ints, slices, ..., None, and arrays of ints or bools; given {type_name(item)}"
        ) from None
    if isinstance(item, (list, tuple)) and index.info.size == 0:
        return index.astype(DTYPES[INT64].name).block()
    if index.number != BOOL and not integers[index.number]:
        raise IndexError(f"indices must be integers or bools, given {index.dtype}; convert first, x.astype(int)")
    return index


cdef bint all_ints(list items) noexcept:
    for item in items:
        if type(item) is not int:
            return False
    return True


cdef NDArray index_of_ints(list items):
    """An int64 array of Python ints.  Raises IndexError for one that does not fit."""
    cdef Py_ssize_t n = len(items), i
    cdef int overflow
    cdef NDArray index = new_array(INT64, 1, &n)
    for i in range(n):
        (<int64_t*>index.data)[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow)
        if overflow:
            raise IndexError(f"index {shortened(items[i])} is out of range for every axis")
    return index


cdef inline bint is_array(object item) noexcept:
    """Whether an item, which is one of `resolved`, is an array."""
    return not (type(item) is slice or type(item) is int or item is None or item is Ellipsis)


cdef inline bint is_mask(object item) noexcept:
    return is_array(item) and (<ArrayBase>item).number == BOOL


cdef int axes_taken(object item) noexcept:
    """How many axes an item of a key stands for."""
    if is_mask(item):
        return (<ArrayBase>item).info.ndim
    return 0 if item is None or item is Ellipsis else 1


cdef list spread(ArrayBase x, list items):
    """The items with one for each axis: full slices for an Ellipsis, a mask as its positions along each axis.

    A mask without dimensions becomes a tuple of one array: it has positions but no axis.
    Raises IndexError for too many items, a second Ellipsis, or a mask of the wrong shape.
    """
    cdef int n_rest = x.info.ndim, n_taken, axis = 0
    cdef list result = []
    for item in items:
        n_rest -= axes_taken(item)
    if n_rest < 0:
        raise IndexError(f"too many indices: {x.ndim - n_rest} for an array of shape {x.shape}")
    for item in items:
        n_taken = axes_taken(item)
        if item is Ellipsis:
            n_taken = n_rest
            result += [slice(None)] * n_rest
        elif is_mask(item):
            check_mask(x, item, axis)
            positions = index_drivers.nonzero(item)
            result += positions if n_taken else [positions]
        else:
            result.append(item)
        axis += n_taken
    return result


cdef int check_mask(ArrayBase x, ArrayBase mask, int axis) except -1:
    """Raises IndexError unless the mask has the sizes of the axes of `x` from `axis` on, or 0."""
    cdef int i
    for i in range(mask.info.ndim):
        if mask.info.shape[i] != x.info.shape[axis + i] and mask.info.shape[i] != 0:
            raise IndexError(
                f"the mask has shape {mask.shape}, not that of the axes it stands for: "
                f"{x.shape[axis:axis + mask.ndim]} of {x.shape}"
            )
    return 0


cdef int axis_of_arrays(list items, int ndim) except -1:
    """The axis of the result at which the common shape of the arrays stands."""
    cdef int axis = 0, n_runs = 0, n_rest = ndim
    cdef bint is_in_run = False, is_indexed
    for item in items:
        n_rest -= axes_taken(item)
    for item in items:
        is_indexed = is_array(item) or type(item) is int
        n_runs += is_indexed and not is_in_run
        is_in_run = is_indexed
        if n_runs == 0:
            axis += n_rest if item is Ellipsis else 1
    return axis if n_runs == 1 else 0
