"""ArrayBase: the base class of arrays on the host and on devices, with all that does not depend on their memory.

Design: `NDArray` and `DeviceArray` add where the elements are and which object owns that memory, in five C methods;
all public methods are written once.  No operation asks for an ArrayBase to find elements: code for the host asks for
exactly NDArray, so that it never follows an address of a device.
"""

from cpython.object cimport PyObject, PyTypeObject
from cython cimport auto_pickle, no_gc_clear
from nd4py._core.array.exits cimport leave_as_number, leave_tape
from nd4py._core.array.operators cimport (
    ABS, ADD, AND, EQ, FLOORDIV, GE, GT, INVERT, LE, LSHIFT, LT, MOD, MUL, NE, NEG, OR, POS, POW, RSHIFT, SUB, TRUEDIV,
    XOR,
)
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern, parse_shape
from nd4py._core.upcalls cimport MemoryUpcalls, upcalls
from nd4py._mem.free_threads cimport add, count
from nd4py._mem.workspace.scopes cimport n_captures
from nd4py._core.layout.views cimport (
    NO_ELEMENT, broadcast_info, element_offset, index_info, names_element, permute_info, reshape_info, transpose_info,
)

from ..dtype import ALL_DTYPES
from ..layout.shape import AxesError

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)

cdef tuple dtypes = ALL_DTYPES


cdef ArrayBase recorded_view(ArrayBase source, ArrayBase view, str kind, object detail):
    """The view, told to the tape when its source is being differentiated."""
    return view if source.node is None else upcalls.record_view(source, view, kind, detail)


cdef ArrayBase transposed(ArrayBase x):
    """The view with the last two axes swapped."""
    cdef int n = x.info.ndim
    cdef ArrayBase y = x.view(0, transpose_info(x.info))
    return y if x.node is None else recorded_view(x, y, "permute_dims", (*range(n - 2), n - 1, n - 2))


# Readers and writers of memory are counted on the array that owns it.


cdef int prepare_write(ArrayBase x) except -1:
    """Run the deferred operations that read this memory, before it is written."""
    if n_captures:
        upcalls.note_write(<PyObject*>x)
    return finish_readers(x)


cdef int finish_readers(ArrayBase x) except -1:
    """Let deferred operations read an array's memory, which somebody is about to write, or may."""
    if x.is_deferred:
        x.materialize()
    cdef ArrayBase owner = owner_of(x)
    return upcalls.finish_readers(<PyObject*>owner) if owner.n_readers else 0


cdef int share(ArrayBase x) except -1:
    """Note that other code may read and write an array's memory: from now on operations on it are not deferred."""
    leave_tape(x.node)
    if n_captures:
        upcalls.note_look(<PyObject*>x)
    finish_readers(x)
    cdef ArrayBase owner = owner_of(x)
    count(&owner.n_shares, 1)
    count(&owner.n_shared, 1)
    return 0


cdef void end_share(ArrayBase x) noexcept:
    """Undo one `note` of that kind: this other code is done with the memory."""
    cdef ArrayBase owner = owner_of(x)
    count(&owner.n_shares, -1)


cpdef void mark_written(object array: ArrayBase) noexcept:
    """Count an in-place write, so that the tape can tell that a value it kept has changed.

    array: an array; it may have been released since the write began, if another thread left its scope
    """
    cdef ArrayBase owner = owner_of(<ArrayBase>array)
    if n_captures:
        upcalls.note_written(<PyObject*>array)
    add(&owner.version, 1)


cdef int check_casting(int number, object dtype, object casting) except -1:
    """Raises TypeError for a conversion that `casting` forbids."""
    if casting != "unsafe" and not upcalls.functions["can_cast"](dtypes[number], dtype, casting):
        raise TypeError(f"astype: {dtypes[number]} to {dtype} is no {casting} cast")
    return 0


@auto_pickle(False)
cdef class ArrayIterator:
    """The elements or subarrays along the first axis of an array, one after the other."""

    cdef ArrayBase array
    cdef ShapeInfo info                  # of each of them
    cdef Py_ssize_t next, n
    cdef PyTypeObject* kind

    def __iter__(self) -> ArrayIterator:
        return self

    def __length_hint__(self) -> int:
        return self.n - self.next

    def __next__(self) -> ArrayBase:
        cdef ArrayBase x = self.array
        cdef Py_ssize_t i = self.next
        if i >= self.n:
            raise StopIteration
        self.next = i + 1
        if Py_TYPE(x) != self.kind or x.node is not None:        # it was released, or the tape watches
            return x[i]
        i *= x.info.strides[0]
        return x.element(i, self.info) if self.info.ndim == 0 else x.view(i, self.info)


cdef ArrayIterator iterator_over(ArrayBase x):
    cdef ArrayIterator iterator = ArrayIterator.__new__(ArrayIterator)
    iterator.array, iterator.n, iterator.kind = x, x.info.shape[0], Py_TYPE(x)
    iterator.info = intern(x.info.itemsize, x.info.ndim - 1, x.info.shape + 1, x.info.strides + 1)
    return iterator


@auto_pickle(False)
@no_gc_clear                             # the collector breaks cycles elsewhere; `base` is needed to the end
cdef class ArrayBase:
    """An n-dimensional array of one dtype, wherever its elements are."""

    __array_priority__ = 100.0           # beside NumPy's arrays, results are ours

    def __init__(self):
        raise TypeError("make arrays with nd4py.asarray, nd4py.zeros and their like")

    def __hash__(self) -> int:
        if self.info.ndim:               # one number has the hash of Python's; arrays of several change
            raise TypeError("unhashable type: 'nd4py.NDArray' with axes; take x.tobytes() or tuple(x.tolist())")
        return hash(self.item())

    cdef int materialize(self) except -1:
        """Materialize the array.  To be called before its address is read."""
        raise NotImplementedError

    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info):
        """An array over the same memory, from so many bytes behind the first element."""
        raise NotImplementedError

    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info):
        """A copy of the element so many bytes behind the first: it keeps its value when the array is written."""
        raise NotImplementedError

    cdef bint store(self, Py_ssize_t offset, object value) except -1:
        """Write a scalar to the element so many bytes behind the first; false where `assign` has to."""
        return False

    cdef ArrayBase on_host(self):
        """The array with its values, or a copy on the host."""
        raise NotImplementedError

    cdef MemoryUpcalls own_upcalls(self):
        """The function that a method calls for this kind of memory."""
        raise NotImplementedError

    # What it is.

    @property
    def shape(self) -> Shape:
        """The sizes of the axes."""
        return self.info.shape_tuple

    @shape.setter
    def shape(self, sizes) -> NoReturn:
        raise AttributeError("the shape of an array never changes; use x = x.reshape(shape)")

    @property
    def strides(self) -> Shape:
        """Bytes from one element to the next along each axis."""
        return self.info.strides_tuple

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.info.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.info.size

    @property
    def dtype(self) -> DType:
        """The element type, an `nd4py.DType`."""
        return dtypes[self.number]

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.info.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.info.size * self.info.itemsize

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""
        return self.info.is_contiguous

    @property
    def is_writable(self) -> bool:
        """Whether the elements may be written."""
        return not self.readonly

    def to_device(self, device: str, /, *, stream=None) -> Any:
        """The array on another device, "cpu" for the host; itself where it is there already.

        stream: a `nd4py.cuda.Stream` that the copy is given to; None for this thread's.
        Raises ValueError for a device this build cannot reach.

        >>> nd.ones(2).to_device("cpu").device
        'cpu'
        """
        return upcalls.to_device(self, device, stream)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The array API namespace of this array, the package `nd4py`."""
        return upcalls.namespace(api_version)

    # Views.

    def permute_dims(self, axes):
        """The view with the axes in the order `axes`.

        Raises ValueError unless each axis is named once, TypeError for anything but a sequence.

        >>> nd.ones((2, 3, 4)).permute_dims((2, 0, 1)).shape
        (4, 2, 3)
        """
        cdef ShapeInfo info = permute_info(self.info, axes)
        return recorded_view(self, self.view(0, info), "permute_dims", axes)

    @property
    def T(self) -> ArrayBase:
        """The array with its axes in reverse: a matrix transposed, a vector as it is."""
        return transposed(self) if self.info.ndim == 2 else self.permute_dims(tuple(range(self.info.ndim))[::-1])

    @property
    def mT(self) -> ArrayBase:
        """The array with its last two axes swapped.  Raises AxesError below two axes."""
        if self.info.ndim < 2:
            raise AxesError(f"mT needs at least 2 dimensions, given shape {self.shape}")
        return transposed(self)

    def reshape(self, *shape: Sizes, order: str = "C", copy: bool | None = None):
        """The same elements in another shape (one size may be -1); a view where the layout allows, else a copy.

        order: "F" reads and writes them with the first axis running fastest.
        copy: True always copies; False raises ValueError instead of copying.

        >>> nd.arange(6).reshape(2, -1).tolist()
        [[0, 1, 2], [3, 4, 5]]
        """
        if order != "C":
            return upcalls.functions["reshape"](self, shape[0] if len(shape) == 1 else shape, order, copy=copy)
        cdef ShapeInfo info = reshape_info(self.info, shape[0] if len(shape) == 1 else shape)
        cdef ArrayBase source = self
        if info is None or copy:
            if copy is False:
                raise ValueError(f"reshape: {self.shape} with strides {self.strides} needs a copy; pass copy=None")
            source = self.own_upcalls().copy(self)
            info = reshape_info(source.info, shape[0] if len(shape) == 1 else shape)
        return recorded_view(source, source.view(0, info), "reshape", None)

    def broadcast_to(self, shape):
        """The read-only view repeated to a larger shape.  Raises ValueError where it does not broadcast to it.

        >>> nd.asarray([1, 2]).broadcast_to((2, 2)).tolist()
        [[1, 2], [1, 2]]
        """
        cdef Py_ssize_t sizes[MAX_NDIM]
        cdef int ndim = parse_shape(shape, sizes)
        cdef ArrayBase view = self.view(0, broadcast_info(self.info, ndim, sizes))
        view.readonly = True
        return recorded_view(self, view, "broadcast_to", None)

    def __getitem__(self, key: Index) -> ArrayBase:
        cdef Py_ssize_t offset = element_offset(self.info, key)
        if offset != NO_ELEMENT:
            y = self.element(offset, intern(self.info.itemsize, 0, NULL, NULL))
            return y if self.node is None else recorded_view(self, y, "getitem", key)
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            return self.own_upcalls().getitem(self, key)
        if info.ndim == 0 and names_element(key):
            return recorded_view(self, self.element(offset, info), "getitem", key)
        return recorded_view(self, self.view(offset, info), "getitem", key)

    def __setitem__(self, key: Index, value: Any) -> None:
        cdef Py_ssize_t offset = element_offset(self.info, key)
        if offset != NO_ELEMENT and self.store(offset, value):
            return
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            self.own_upcalls().setitem(self, key, value)
        else:
            self.own_upcalls().assign(self, self.view(offset, info), value)

    def __len__(self):
        if self.info.ndim == 0:
            raise TypeError("len() of an array without dimensions")
        return self.info.shape[0]

    def __iter__(self):
        if self.info.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return iterator_over(self)

    # Conversions.

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        """The array with its elements converted, its axes in memory in the same order; copy=False returns the array
        itself when the dtype is the same.

        order: "C" or "F" for that order in memory; casting: which conversions are allowed, as `nd4py.can_cast` has it;
        subok changes nothing.
        Raises TypeError for an unknown dtype, for complex to real, and for what `casting` forbids.

        >>> nd.asarray([1.7, -1.7]).astype("int64").tolist()
        [1, -1]
        """
        check_casting(self.number, dtype, casting)
        x = self.own_upcalls().astype(self, dtype, copy)
        return x if order == "K" else upcalls.functions["asarray"](x, None, order)

    def copy(self, order: str = "C") -> ArrayBase:
        """A copy on the same device, in C order, Fortran's ("F"), or that of the array ("K").  Raises MemoryError.

        >>> x = nd.zeros(2)
        >>> y = x.copy()
        >>> y[0] = 1
        >>> x.tolist()
        [0.0, 0.0]
        """
        return self.own_upcalls().copy(self) if order == "C" else upcalls.functions["copy"](self, order)

    def item(self, *index: int) -> Any:
        """The single element as a Python scalar, or that at an index: a position in C order, or one for each axis.

        Raises ValueError when there are more elements or none, IndexError for an index that is out of range.

        >>> nd.asarray([[1, 2], [3, 4]]).item(1, 0)
        3
        """
        leave_tape(self.node)
        if index:
            key = index[0] if len(index) == 1 else index
            if element_offset(self.info, key) != NO_ELEMENT:
                return self[key].item()
            return upcalls.functions["flatiter"](self).element(index)
        return upcalls.item(self.on_host())

    def tolist(self) -> Any:
        """Nested lists of Python scalars.  Raises MemoryError.

        >>> nd.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        leave_tape(self.node)
        return upcalls.tolist(self.on_host())

    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """The array as NumPy's, over the same memory; of one on a device the elements are copied.

        Raises TypeError where it is being differentiated.

        >>> type(nd.ones(2).to_numpy())
        <class 'numpy.ndarray'>
        """
        leave_tape(self.node)
        return upcalls.to_numpy(self.on_host())

    def tobytes(self, order: str = "C") -> bytes:
        """The elements as bytes, in C order or in Fortran's ("F").  Raises MemoryError.

        >>> nd.asarray([1, 2], dtype="uint8").tobytes()
        b'\\x01\\x02'
        """
        leave_tape(self.node)
        if order != "C":
            return upcalls.functions["ravel"](self, order).tobytes()
        cdef ArrayBase x = self.on_host()
        return upcalls.to_bytes(x if x.info.is_contiguous else upcalls.copy(x))

    def __complex__(self):
        leave_as_number(self, self.node, self.info.size, "complex")
        return complex(upcalls.item(self.on_host()))

    def __float__(self):
        leave_as_number(self, self.node, self.info.size, "float")
        return float(upcalls.item(self.on_host()))

    def __int__(self):
        leave_as_number(self, self.node, self.info.size, "int")
        return int(upcalls.item(self.on_host()))

    def __bool__(self):
        if self.info.size != 1:
            raise ValueError(f"an array of shape {self.shape} is neither true nor false; take x.any() or x.all()")
        return bool(upcalls.item(self.on_host()))

    def __index__(self):
        if dtypes[self.number].kind not in "iu" or self.info.ndim:
            raise TypeError(f"only an integer array without dimensions is an index, given {self.dtype} {self.shape}")
        leave_tape(self.node)
        return upcalls.item(self.on_host())

    def __repr__(self):
        return upcalls.represent(self.on_host())

    def __str__(self):
        return upcalls.text(self.on_host())

    def __format__(self, str specification not None):
        if self.info.ndim == 0:
            return format(upcalls.item(self.on_host()), specification)
        if specification:
            raise TypeError(f"format {specification!r} needs an array without dimensions, given shape {self.shape}")
        return str(self.on_host())

    def __round__(self, n_digits=None):
        return round(self.item(), n_digits)

    def __contains__(self, value):
        found = self == value
        return type(found) is not bool and bool(upcalls.functions["any"](found))

    def __copy__(self): return self.own_upcalls().astype(self, self.dtype, True)
    def __deepcopy__(self, memo): return self.own_upcalls().astype(self, self.dtype, True)

    # Operators: one line each, the row says the rest.

    def __add__(self, other): return upcalls.binary(ADD, self, other)
    def __radd__(self, other): return upcalls.binary(ADD, other, self)
    def __iadd__(self, other): return upcalls.inplace(ADD, self, other)
    def __sub__(self, other): return upcalls.binary(SUB, self, other)
    def __rsub__(self, other): return upcalls.binary(SUB, other, self)
    def __isub__(self, other): return upcalls.inplace(SUB, self, other)
    def __mul__(self, other): return upcalls.binary(MUL, self, other)
    def __rmul__(self, other): return upcalls.binary(MUL, other, self)
    def __imul__(self, other): return upcalls.inplace(MUL, self, other)
    def __truediv__(self, other): return upcalls.binary(TRUEDIV, self, other)
    def __rtruediv__(self, other): return upcalls.binary(TRUEDIV, other, self)
    def __itruediv__(self, other): return upcalls.inplace(TRUEDIV, self, other)
    def __floordiv__(self, other): return upcalls.binary(FLOORDIV, self, other)
    def __rfloordiv__(self, other): return upcalls.binary(FLOORDIV, other, self)
    def __ifloordiv__(self, other): return upcalls.inplace(FLOORDIV, self, other)
    def __mod__(self, other): return upcalls.binary(MOD, self, other)
    def __rmod__(self, other): return upcalls.binary(MOD, other, self)
    def __imod__(self, other): return upcalls.inplace(MOD, self, other)
    def __divmod__(self, other) -> tuple[NDArray, NDArray]: return upcalls.functions["divmod"](self, other)
    def __rdivmod__(self, other) -> tuple[NDArray, NDArray]: return upcalls.functions["divmod"](other, self)
    def __pow__(self, other, modulo): return upcalls.binary(POW, self, other) if modulo is None else NotImplemented
    def __rpow__(self, other, modulo): return upcalls.binary(POW, other, self) if modulo is None else NotImplemented
    def __ipow__(self, other): return upcalls.inplace(POW, self, other)
    def __and__(self, other): return upcalls.binary(AND, self, other)
    def __rand__(self, other): return upcalls.binary(AND, other, self)
    def __iand__(self, other): return upcalls.inplace(AND, self, other)
    def __or__(self, other): return upcalls.binary(OR, self, other)
    def __ror__(self, other): return upcalls.binary(OR, other, self)
    def __ior__(self, other): return upcalls.inplace(OR, self, other)
    def __xor__(self, other): return upcalls.binary(XOR, self, other)
    def __rxor__(self, other): return upcalls.binary(XOR, other, self)
    def __ixor__(self, other): return upcalls.inplace(XOR, self, other)
    def __lshift__(self, other): return upcalls.binary(LSHIFT, self, other)
    def __rlshift__(self, other): return upcalls.binary(LSHIFT, other, self)
    def __ilshift__(self, other): return upcalls.inplace(LSHIFT, self, other)
    def __rshift__(self, other): return upcalls.binary(RSHIFT, self, other)
    def __rrshift__(self, other): return upcalls.binary(RSHIFT, other, self)
    def __irshift__(self, other): return upcalls.inplace(RSHIFT, self, other)
    def __eq__(self, other): return upcalls.binary(EQ, self, other)
    def __ne__(self, other): return upcalls.binary(NE, self, other)
    def __lt__(self, other): return upcalls.binary(LT, self, other)
    def __le__(self, other): return upcalls.binary(LE, self, other)
    def __gt__(self, other): return upcalls.binary(GT, self, other)
    def __ge__(self, other): return upcalls.binary(GE, self, other)
    def __neg__(self): return upcalls.unary(NEG, self)
    def __pos__(self): return upcalls.unary(POS, self)
    def __abs__(self): return upcalls.unary(ABS, self)
    def __invert__(self): return upcalls.unary(INVERT, self)
    def __matmul__(self, other): return upcalls.matmul(self, other)
    def __rmatmul__(self, other): return upcalls.matmul(other, self)
