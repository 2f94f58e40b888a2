"""TAD packs, the sub-arrays of an array along some of its dimensions as ND4J's tensors along dimension; and diagonals,
the elements whose index is the same along several axes."""

from nd4py._core.array.array cimport NDArray, new_view
from nd4py._core.array.array_base cimport recorded_view
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern, normalize_axis
from nd4py._core.layout.views cimport diagonal_info

from ..bounded_caches import BoundedCache
from ..public_types import extend
from ..whole_numbers import whole

cache = BoundedCache("tad", 1024)


cdef class TADPack:
    """The ShapeInfo of the sub-arrays, and where each begins; counted in C order of the other axes."""

    cdef Py_ssize_t offset(self, Py_ssize_t index) except? -1:
        """Bytes from the array's first element to that of sub-array number `index`."""
        cdef Py_ssize_t rest = index, result = 0
        cdef int i
        for i in range(self.n_outer - 1, -1, -1):
            result += rest % self.sizes[i] * self.steps[i]
            rest //= self.sizes[i]
        return result


cdef TADPack tad_pack(ShapeInfo info, tuple dimensions):
    """The pack of arrays of `info` over `dimensions`.  Raises ValueError for none of them, or an empty array."""
    if not dimensions:
        raise ValueError("tensor_along_dimension: name at least one dimension")
    if info.size == 0:
        raise ValueError(f"tensor_along_dimension: an array of shape {info.shape_tuple} has no elements")
    kept = frozenset([normalize_axis(dimension, info.ndim) for dimension in dimensions])
    return cache.find((info, kept), lambda: new_pack(info, kept))


cdef TADPack new_pack(ShapeInfo info, object kept):
    """A pack over the axes `kept`."""
    cdef TADPack pack = TADPack.__new__(TADPack)
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int ndim = 0, axis
    pack.count = 1
    for axis in range(info.ndim):
        if axis in kept:
            shape[ndim], strides[ndim] = info.shape[axis], info.strides[axis]
            ndim += 1
        else:
            pack.sizes[pack.n_outer], pack.steps[pack.n_outer] = info.shape[axis], info.strides[axis]
            pack.n_outer += 1
            pack.count *= info.shape[axis]
    pack.info = intern(info.itemsize, ndim, shape, strides)
    return pack


cdef Py_ssize_t checked_index(object given, Py_ssize_t count) except -1:
    """The number of a sub-array.  Raises ValueError where there is none of it, TypeError for anything but a number."""
    index = whole("tensor_along_dimension: index", given)
    if 0 <= index < count:
        return index
    has = "is 1 sub-array" if count == 1 else f"are {count} sub-arrays"
    raise ValueError(f"tensor_along_dimension: index {index} is out of range, there {has}")


cdef bint is_whole(NDArray x, tuple dimensions) except -1:
    """Whether the only sub-array is the array itself."""
    return len({normalize_axis(dimension, x.info.ndim) for dimension in dimensions}) >= max(x.info.ndim, 1)


class Methods:
    # NDArray's methods about sub-arrays.

    def tensor_along_dimension(NDArray self, index, *dimensions: int):
        """Sub-array number `index` over `dimensions`, a view; sub-arrays are counted in C order of the other axes.

        Raises ValueError for an index or dimension out of range, no dimensions, or an empty array.
        Returns an array over the same memory.

        >>> nd.arange(6).reshape(2, 3).tensor_along_dimension(1, 1).tolist()
        [3, 4, 5]
        """
        if is_whole(self, dimensions):
            checked_index(index, 1)
            return self
        cdef TADPack pack = tad_pack(self.info, dimensions)
        index = checked_index(index, pack.count)
        cdef NDArray view = new_view(self, self.data + pack.offset(index), pack.info)
        return recorded_view(self, view, "tensor_along_dimension", (index, dimensions))

    def tensors_along_dimension(NDArray self, *dimensions: int):
        """How many sub-arrays `tensor_along_dimension` counts over `dimensions`; raises what it raises.

        >>> nd.ones((2, 3, 4)).tensors_along_dimension(0, 2)
        3
        """
        return 1 if is_whole(self, dimensions) else tad_pack(self.info, dimensions).count


extend(Methods, NDArray)


def diagonal_view(NDArray x, int axis1, int axis2, Py_ssize_t offset=0) -> NDArray:
    """The view of x[..., i, ..., i + offset, ...]: without the two axes, with one for i at the end.

    Raises ValueError for an axis out of range or given twice.  The view is unknown to the tape.
    """
    cdef Py_ssize_t start = 0
    cdef ShapeInfo info = diagonal_info(x.info, axis1, axis2, offset, &start)
    return new_view(x, x.data + start, info)
