"""BatchedArray: the same array of every example of a batch, as a function of one example sees it.

Design: shape, dtype and the tape's node are those of one example; `value` holds all of them along its first axis, and
is any array: of the host, of a device, or of a batch around this one.  Dispatch takes it for an array of one more
family of devices, whose rules (the files beside this one) call the same operation on the values.  Rejected: a wrapper
in Python that every public function would have to know; a trace of the function, which hides where it fails.
"""

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase, recorded_view
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern, intern_contiguous, normalize_axis, parse_shape
from nd4py._core.layout.views cimport broadcast_info, index_info, names_element, permute_info, reshape_info
from nd4py._core.upcalls cimport MemoryUpcalls, device_upcalls, upcalls

from ..._core.public_types import extend
from ..autodiff.nodes import constant
from .open_batches import NoBatchRule

import sys

cdef str LOOKED_AT = (
    "nd.vmap computes all examples at once, so that the values of one cannot be looked at: instead of `if`, `while` "
    "and float(x) use nd.where(condition, a, b), or loop over the examples"
)


cdef object looked_at():
    """The error for a look at values: of the program, in words; of a function of ours, which has no rule then."""
    if sys._getframe().f_globals.get("__name__", "").startswith("nd4py."):
        return NoBatchRule("a function that looks at values has no rule for a batch")
    return TypeError(LOOKED_AT)


cdef ArrayBase fields(object x):
    """An array, deferred or not, as C sees it."""
    return <ArrayBase><PyObject*>x


def batched(value, batch, node=None) -> BatchedArray:
    """The array whose examples lie along the first axis of `value`."""
    cdef ArrayBase source = fields(value)
    cdef BatchedArray x = BatchedArray.__new__(BatchedArray)
    cdef int ndim = source.info.ndim - 1
    x.values, x.batch, x.node = value, batch, node
    x.info = intern(source.info.itemsize, ndim, source.info.shape + 1, source.info.strides + 1)
    x.number, x.readonly = source.number, source.readonly
    return x


def same_for_all(source, batch, node=None) -> BatchedArray:
    """An array from outside as one of the batch, the same for all examples."""
    cdef BatchedArray x = BatchedArray.__new__(BatchedArray)
    x.source, x.batch, x.node = source, batch, node
    x.info, x.number, x.readonly = fields(source).info, fields(source).number, True
    return x


def with_node(BatchedArray x, node) -> BatchedArray:
    """The same array with a node of the tape inside of the batch, or a constant for that tape."""
    return batched(x.value, x.batch, node) if x.source is None else same_for_all(x.source, x.batch, node)


def constant_array(BatchedArray x) -> BatchedArray:
    """The same array as a constant for every tape."""
    return batched(constant(x.value), x.batch)


def inner_node(x) -> Any:
    """The node of an array on the tape inside of its batch, or None."""
    return fields(x).node


cdef class BatchedArray(ArrayBase):
    """An array inside `nd.vmap`: that of one example, and all others beside it.

    Made by `nd4py.vmap` alone; raises TypeError when it is called.
    """

    cdef object values                   # made when they are asked for where examples are the same
    cdef readonly object source          # the array that all examples are, or None
    cdef readonly object batch

    __array_ufunc__ = None

    cdef int materialize(self) except -1:
        return fields(self.value).materialize()

    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info):
        raise NoBatchRule("a view by strides has no rule for a batch")

    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info):
        raise NoBatchRule("a view by strides has no rule for a batch")

    cdef ArrayBase on_host(self):
        raise looked_at()

    cdef MemoryUpcalls own_upcalls(self):
        return device_upcalls

    @property
    def value(self) -> Any:
        """All examples along the first axis."""
        if self.values is None:
            self.values = self.source.broadcast_to((self.batch.size, *self.source.shape))
        return self.values

    def __init__(self):
        raise TypeError("arrays of a batch are those that a function gets inside nd4py.vmap")

    @property
    def device(self) -> str:
        """Where the elements lie."""
        return self.value.device

    @property
    def address(self) -> int:
        """Raises TypeError: examples have no address of their own."""
        raise looked_at()

    def block(self) -> Self:
        """The array itself, once its values are there.  Raises MemoryError."""
        self.value.block()
        return self

    def detach(self) -> ArrayBase:
        """The array outside any workspace: a copy, or itself where it is there already.  Raises MemoryError."""
        value = self.value.detach()
        return self if value is self.value else batched(value, self.batch, self.node)

    # Views.

    def permute_dims(self, axes):
        """The view with the axes in the order `axes`.  Raises ValueError unless each axis is named once."""
        permute_info(self.info, axes)
        if self.source is not None:
            y = same_for_all(self.source.permute_dims(axes), self.batch)
            return recorded_view(self, y, "permute_dims", axes)
        order = (0, *[normalize_axis(axis, self.info.ndim) + 1 for axis in axes])
        return recorded_view(self, of_batch(self, self.value.permute_dims(order)), "permute_dims", axes)

    @property
    def T(self) -> ArrayBase:
        """The array with its axes in reverse: a matrix transposed, a vector as it is."""
        return self.permute_dims(tuple(range(self.info.ndim))[::-1])

    @property
    def mT(self) -> ArrayBase:
        """The array with its last two axes swapped.  Raises ValueError below two axes."""
        n = self.info.ndim
        return self.permute_dims((*range(n - 2), n - 1, n - 2))

    def reshape(self, *shape: Sizes, order: str = "C", copy: bool | None = None):
        """The same elements of each example in another shape (one size may be -1).  Raises ValueError."""
        wanted = shape[0] if len(shape) == 1 else shape
        if order != "C":
            return upcalls.functions["reshape"](self, wanted, order, copy=copy)
        cdef ShapeInfo info = intern_contiguous(self.info.itemsize, self.info.ndim, self.info.shape)
        sizes = reshape_info(info, wanted).shape_tuple
        y = of_batch(self, self.value.reshape((self.batch.size, *sizes), copy=copy))
        return recorded_view(self, y, "reshape", None)

    def broadcast_to(self, shape):
        """The read-only view repeated to a larger shape.  Raises ValueError where it does not broadcast to it."""
        cdef Py_ssize_t sizes[MAX_NDIM]
        cdef int ndim = parse_shape(shape, sizes)
        wanted = broadcast_info(self.info, ndim, sizes).shape_tuple
        n = self.batch.size
        value = self.value.reshape((n, *(1,) * (ndim - self.info.ndim), *self.shape)).broadcast_to((n, *wanted))
        return recorded_view(self, of_batch(self, value), "broadcast_to", None)

    def __getitem__(self, key: Index) -> ArrayBase:
        cdef Py_ssize_t offset
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            return device_upcalls.getitem(self, key)
        y = self.value[(slice(None), *(key if type(key) is tuple else (key,)))]
        if info.ndim == 0 and names_element(key):
            y = y.copy()
        return recorded_view(self, of_batch(self, y), "getitem", key)

    def __setitem__(self, key: Index, value: Any) -> None:
        device_upcalls.setitem(self, key, value)

    def __iter__(self):
        if self.info.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return iter([self[i] for i in range(self.info.shape[0])])

    @property
    def real(self) -> ArrayBase:
        """The real parts: a view."""
        return self if self.dtype.kind != "c" else of_batch(self, self.value.real)

    @property
    def imag(self) -> ArrayBase:
        """The imaginary parts: a view."""
        return of_batch(self, self.value.imag)

    # What looks at values.

    def __index__(self):
        error = looked_at()              # which is no index, for those who ask
        raise TypeError(f"BatchedArray: {error}" if isinstance(error, NoBatchRule) else LOOKED_AT)

    def __format__(self, str specification not None):
        return repr(self)

    def __repr__(self):
        what = f"{self.dtype} array of shape {self.shape}, one for each of {self.batch.size} examples"
        return f"<{what}:\n{self.value!r}>"

    def __str__(self):
        return repr(self)

    def __reduce_ex__(self, protocol):
        raise looked_at()

    def __array__(self, dtype=None, copy: bool | None = None) -> Any:
        raise looked_at()


class BatchMethods:
    @property
    def node(self) -> Any:
        """The record on any tape, inside of the batch or outside; None for a constant."""
        return self.value.node if fields(self).node is None else fields(self).node

    def view(self, dtype: DTypeLike | None = None) -> Any:
        """The same bytes as another dtype.  Raises as arrays outside do."""
        leave_tape(self.node)
        return self[...] if dtype is None else of_batch(self, self.value.view(dtype))


extend(BatchMethods, BatchedArray)       # `view` is a C method of another meaning, `node` a member of C


cdef ArrayBase of_batch(BatchedArray x, object value):
    """Another array of the batch of `x`."""
    return batched(value, x.batch)


def public_function(str name) -> Callable[..., Any]:
    """A function of the namespace, which the tape knows, for code of this layer."""
    return upcalls.functions[name]
