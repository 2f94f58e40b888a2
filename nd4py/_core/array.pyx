"""NDArray: typed elements in memory, seen through a ShapeInfo.  It knows where values lie, not what to do with them."""

from cython cimport freelist, no_gc_clear
from cpython.object cimport PyObject
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE,
)
from libc.string cimport memcpy
from nd4py._core.exits cimport leave_tape
from nd4py._core.hooks cimport functions, hooks, methods
from nd4py._core.operators cimport (
    ABS, ADD, AND, EQ, FLOORDIV, GE, GT, INVERT, LE, LSHIFT, LT, MOD, MUL, NE, NEG, OR, POS, POW, RSHIFT, SUB, TRUEDIV,
    XOR,
)
from nd4py._core.shape cimport ShapeInfo, intern_contiguous
from nd4py._core.views cimport index_info, names_element, permute_info, reshape_info
from nd4py._mem.owners cimport forget_array, note_array
from nd4py._mem.pool cimport pool_allocate, pool_release
from nd4py._mem.scopes cimport n_open
from nd4py._mem.tenants cimport end_tenancy, enter_tenancy, new_tenancy
from nd4py._mem.workspace cimport Workspace, give_back, workspace_for_array

import sys

from .._mem.statistics import out_of_memory
from .dtype import ALL_DTYPES, DTYPES

cdef tuple dtypes = ALL_DTYPES
cdef str NATIVE = "<" if sys.byteorder == "little" else ">"
cdef list formats = [row.buffer.encode() for row in DTYPES]
cdef Py_ssize_t itemsizes[32]
for number, row in enumerate(DTYPES):
    itemsizes[number] = row.itemsize


cdef NDArray new_array(int number, int ndim, const Py_ssize_t* shape):
    """An uninitialised C-ordered array.  Raises MemoryError."""
    return new_from_info(number, intern_contiguous(itemsizes[number], ndim, shape))


cdef NDArray new_from_info(int number, ShapeInfo info):
    """An uninitialised array of a contiguous ShapeInfo.  Raises MemoryError."""
    cdef Workspace workspace
    if n_open:
        workspace = workspace_for_array()
        if workspace is not None:
            return new_attached(workspace, number, info)
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info = info
    array.number = number
    take_block(array)
    return array


cdef inline int take_block(NDArray array) except -1:
    """Get memory from the pool for an array that has none."""
    cdef size_t n_bytes = array.info.size * array.info.itemsize
    cdef void* block = pool_allocate(n_bytes)
    if block == NULL:
        raise out_of_memory(n_bytes, f"an array of shape {array.info.shape_tuple}")
    note_array(block, n_bytes)
    array.data = <char*>block
    array.block = block
    array.block_bytes = n_bytes
    return 0


cdef int take_memory(NDArray array) except -1:
    """Get memory for an array that has none: where a new array of this thread would have it."""
    cdef Workspace workspace = workspace_for_array() if n_open else None
    return take_block(array) if workspace is None else attach(array, workspace)


cdef NDArray new_attached(Workspace workspace, int number, ShapeInfo info):
    """As `new_from_info`, in a workspace.  Raises WorkspaceError when it is full and must not spill."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info = info
    array.number = number
    attach(array, workspace)
    return array


cdef int attach(NDArray array, Workspace workspace) except -1:
    """Get memory in a workspace for an array that has none."""
    cdef size_t n_bytes = array.info.size * array.info.itemsize
    array.tenancy = new_tenancy(<PyObject*>array)
    array.data = workspace.allocate(n_bytes, array.tenancy, &array.block)
    if array.block != NULL:
        note_array(array.block, n_bytes)
    array.block_bytes = n_bytes
    array.base = workspace.lease
    enter_tenancy(array.tenancy, &workspace.tenants, <PyObject*>workspace, workspace.generation_id)
    return 0


cdef NDArray new_view(NDArray source, char* data, ShapeInfo info):
    """An array over memory that `source` keeps alive."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.data = data
    array.info = info
    array.number = source.number
    array.readonly = source.readonly
    lean_on(array, source)
    return array


cdef int lean_on(NDArray view, NDArray source) except -1:
    """Let `view` keep the memory of `source` alive, and lose it when `source` does."""
    cdef NDArray owner = owner_of(source)
    view.base = owner
    view.is_view = True
    owner.n_views += 1
    if source.tenancy != NULL:
        view.tenancy = new_tenancy(<PyObject*>view)
        enter_tenancy(view.tenancy, source.tenancy, source.tenancy.workspace, source.tenancy.generation)
    return 0


cdef NDArray owner_of(NDArray array):
    """The array that owns the memory `array` looks at, or itself over foreign memory."""
    return <NDArray>array.base if isinstance(array.base, NDArray) else array


cdef int prepare_write(NDArray array) except -1:
    """To be called before memory is written, or handed to somebody who may: pending operations read it now."""
    cdef NDArray owner = owner_of(array)
    return hooks.finish_readers(<PyObject*>owner) if owner.n_readers else 0


cdef int share(NDArray array) except -1:
    """Note that somebody else may read and write an array's memory: from now on operations on it are not put off."""
    cdef NDArray owner = owner_of(array)
    leave_tape(array.node)
    prepare_write(array)
    owner.n_shares += 1
    return 0


cdef void end_share(NDArray array) noexcept:
    """One of those who may write an array's memory is done with it."""
    cdef NDArray owner = owner_of(array)
    owner.n_shares -= 1


def freeze(NDArray x):
    """`x`, which nobody may write from now on."""
    x.readonly = True
    return x


cdef NDArray element_at(NDArray source, Py_ssize_t offset, ShapeInfo info):
    """A copy of the element so many bytes behind the first: it keeps its value when the array is written."""
    cdef NDArray element = new_from_info(source.number, info)
    memcpy(element.data, source.data + offset, info.itemsize)
    return element


cdef NDArray recorded_view(NDArray source, NDArray view, str kind, object detail):
    """The view, told to the tape when its source is being differentiated."""
    return view if source.node is None else methods["record_view"](source, view, kind, detail)


@freelist(64)
@no_gc_clear                             # the collector breaks cycles elsewhere; `base` is needed to the end
cdef class NDArray:
    """An n-dimensional array of one dtype.

    Made by the functions of the namespace, such as `nd4py.asarray`, `nd4py.zeros` and `nd4py.arange`.
    """

    __hash__ = None
    __array_priority__ = 100.0           # beside NumPy's arrays, results are ours

    def __init__(self):
        raise TypeError("make arrays with nd4py.asarray, nd4py.zeros and their like")

    def __dealloc__(self):
        if self.tenancy != NULL:
            if self.tenancy.size:
                give_back(self.tenancy)
            end_tenancy(self.tenancy)
        if self.block != NULL:
            forget_array(self.block)
            pool_release(self.block, self.block_bytes)
        elif self.is_view:
            (<NDArray><PyObject*>self.base).n_views -= 1     # in layout; it may have been released

    # What it is.

    @property
    def shape(self):
        """The sizes of the axes."""
        return self.info.shape_tuple

    @property
    def strides(self):
        """Bytes from one element to the next along each axis."""
        return self.info.strides_tuple

    @property
    def ndim(self):
        """The number of axes."""
        return self.info.ndim

    @property
    def size(self):
        """The number of elements."""
        return self.info.size

    @property
    def dtype(self):
        """The element type, an `nd4py.DType`."""
        return dtypes[self.number]

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self.info.itemsize

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return self.info.size * self.info.itemsize

    @property
    def device(self):
        """Where the elements lie."""
        return "cpu"

    def to_device(self, device, /, *, stream=None):
        """The array on another device.  Raises ValueError for one this build cannot reach."""
        return methods["to_device"](self, device, stream)

    @property
    def is_contiguous(self):
        """Whether the elements lie in C order without gaps."""
        return self.info.is_contiguous

    @property
    def is_writable(self):
        """Whether the elements may be written."""
        return not self.readonly

    @property
    def address(self):
        """The memory address of the first element."""
        share(self)
        return <size_t>self.data

    def __array_namespace__(self, *, api_version=None):
        """The array API namespace of this array, the package `nd4py`."""
        return methods["namespace"](api_version)

    # Views.

    def permute_dims(self, axes):
        """The view with the axes in the order `axes`."""
        cdef ShapeInfo info = permute_info(self.info, axes)
        return recorded_view(self, new_view(self, self.data, info), "permute_dims", axes)

    def reshape(self, *shape, copy=None):
        """The same elements in another shape (one size may be -1); a view where the layout allows, else a copy.

        copy: True always copies; False raises ValueError instead of copying.
        """
        cdef ShapeInfo info = reshape_info(self.info, shape[0] if len(shape) == 1 else shape)
        cdef NDArray source = self
        if info is None or copy:
            if copy is False:
                raise ValueError(f"reshape: {self.shape} with strides {self.strides} needs a copy; pass copy=None")
            source = methods["copy"](self)
            info = reshape_info(source.info, shape[0] if len(shape) == 1 else shape)
        return recorded_view(source, new_view(source, source.data, info), "reshape", None)

    def broadcast_to(self, shape):
        """The read-only view repeated to a larger shape."""
        cdef NDArray view = methods["broadcast_to"](self, shape)
        return recorded_view(self, view, "broadcast_to", None)

    def __getitem__(self, key):
        cdef Py_ssize_t offset = 0
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            return methods["getitem"](self, key)
        if info.ndim == 0 and names_element(key):
            return recorded_view(self, element_at(self, offset, info), "getitem", key)
        return recorded_view(self, new_view(self, self.data + offset, info), "getitem", key)

    def __setitem__(self, key, value):
        cdef Py_ssize_t offset = 0
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            methods["setitem"](self, key, value)
        else:
            methods["assign"](self, new_view(self, self.data + offset, info), value)

    def __len__(self):
        if self.info.ndim == 0:
            raise TypeError("len() of an array without dimensions")
        return self.info.shape[0]

    def __iter__(self):
        if self.info.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return (self[i] for i in range(self.info.shape[0]))

    # Conversions.
    def astype(self, dtype, *, copy=True):
        """The array with its elements converted; copy=False returns the array itself when the dtype is the same."""
        return methods["astype"](self, dtype, copy)

    def copy(self):
        """A C-ordered copy."""
        return methods["copy"](self)

    def item(self):
        """The single element as a Python scalar.  Raises ValueError when there are more or none."""
        leave_tape(self.node)
        return methods["item"](self)

    def tolist(self):
        """Nested lists of Python scalars."""
        leave_tape(self.node)
        return methods["tolist"](self)

    def __complex__(self):
        return complex(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __bool__(self):
        return bool(methods["item"]((<object>self).block()))     # pending arrays come here too

    def __index__(self):
        if dtypes[self.number].kind not in "iu" or self.info.ndim:
            raise TypeError(f"only an integer array without dimensions is an index, given {self.dtype} {self.shape}")
        return self.item()

    def __repr__(self):
        return methods["repr"](self)

    def __str__(self):
        return methods["str"](self)

    def __format__(self, str specification not None):
        if self.info.ndim == 0:
            return format(methods["item"](self), specification)
        if specification:
            raise TypeError(f"format {specification!r} needs an array without dimensions, given shape {self.shape}")
        return str(self)

    def __round__(self, n_digits=None):
        return round(self.item(), n_digits)

    def __contains__(self, value):
        found = self == value
        return type(found) is not bool and bool(functions["any"](found))

    def __copy__(self): return methods["copy"](self)
    def __deepcopy__(self, memo): return methods["copy"](self)
    def __reduce_ex__(self, protocol): return methods["reduce_ex"](self, protocol)

    def tobytes(self):
        """The elements in C order as bytes."""
        return methods["to_bytes"](self if self.info.is_contiguous else methods["copy"](self))

    # Interchange.

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        """NEP 13: NumPy's universal functions give our arrays."""
        return methods["array_ufunc"](ufunc, method, inputs, keywords)

    def __array_function__(self, function, types, args, keywords):
        """NEP 18: NumPy's functions give our arrays."""
        return methods["array_function"](function, types, args, keywords)

    @property
    def __array_interface__(self):
        """NumPy's description of this memory.  Raises AttributeError for bfloat16, which it has no name for."""
        share(self)
        self.n_exports += self.tenancy != NULL     # who reads the address never says that it is done
        cdef str letter = dtypes[self.number].kind
        if not formats[self.number]:
            raise AttributeError(f"__array_interface__ has no {self.dtype}")
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": f"{'|' if self.info.itemsize == 1 else NATIVE}{letter}{self.info.itemsize}",
            "data": (<size_t>self.data, self.readonly),
            "strides": None if self.info.is_contiguous else self.strides,
        }

    def __array__(self, dtype=None, copy=None):
        """This array as a NumPy array, without a copy unless `dtype` or `copy` asks for one."""
        return methods["to_numpy"](self, dtype, copy)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A DLPack capsule over this array's memory.  Raises BufferError for a stream, device or layout it cannot."""
        return methods["to_dlpack"](self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self):
        """(1, 0): DLPack's name for host memory."""
        return (1, 0)

    def __getbuffer__(self, Py_buffer* view, int flags):
        cdef ShapeInfo info = self.info
        cdef bytes format = formats[self.number]
        if not format:
            raise BufferError(f"the buffer protocol has no {self.dtype}; convert first, x.astype('float32')")
        if flags & PyBUF_WRITABLE and self.readonly:
            raise BufferError("this array is read-only")
        if not info.is_contiguous and (flags & PyBUF_STRIDES) != PyBUF_STRIDES:
            raise BufferError("this array has gaps between its elements; ask for a strided buffer, or copy it first")
        if (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS and not info.is_contiguous:
            raise BufferError("this array is not C-contiguous; copy it first")
        if (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS and info.ndim > 1:
            raise BufferError("this array is not Fortran-contiguous; copy its transpose")
        share(self)
        view.buf = self.data
        view.obj = self
        view.len = info.size * info.itemsize
        view.itemsize = info.itemsize
        view.readonly = self.readonly
        view.ndim = info.ndim
        view.format = <char*>format if flags & PyBUF_FORMAT else NULL
        view.shape = info.shape if flags & PyBUF_ND else NULL
        view.strides = info.strides if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
        view.suboffsets = NULL
        view.internal = NULL
        self.n_exports += 1

    def __releasebuffer__(self, Py_buffer* view):
        self.n_exports -= 1
        end_share(self)

    # Operators: one line each, the row says the rest.

    def __add__(self, other): return hooks.binary(ADD, self, other)
    def __radd__(self, other): return hooks.binary(ADD, other, self)
    def __iadd__(self, other): return hooks.inplace(ADD, self, other)
    def __sub__(self, other): return hooks.binary(SUB, self, other)
    def __rsub__(self, other): return hooks.binary(SUB, other, self)
    def __isub__(self, other): return hooks.inplace(SUB, self, other)
    def __mul__(self, other): return hooks.binary(MUL, self, other)
    def __rmul__(self, other): return hooks.binary(MUL, other, self)
    def __imul__(self, other): return hooks.inplace(MUL, self, other)
    def __truediv__(self, other): return hooks.binary(TRUEDIV, self, other)
    def __rtruediv__(self, other): return hooks.binary(TRUEDIV, other, self)
    def __itruediv__(self, other): return hooks.inplace(TRUEDIV, self, other)
    def __floordiv__(self, other): return hooks.binary(FLOORDIV, self, other)
    def __rfloordiv__(self, other): return hooks.binary(FLOORDIV, other, self)
    def __ifloordiv__(self, other): return hooks.inplace(FLOORDIV, self, other)
    def __mod__(self, other): return hooks.binary(MOD, self, other)
    def __rmod__(self, other): return hooks.binary(MOD, other, self)
    def __imod__(self, other): return hooks.inplace(MOD, self, other)
    def __pow__(self, other, modulo): return hooks.binary(POW, self, other)
    def __rpow__(self, other, modulo): return hooks.binary(POW, other, self)
    def __ipow__(self, other): return hooks.inplace(POW, self, other)
    def __and__(self, other): return hooks.binary(AND, self, other)
    def __rand__(self, other): return hooks.binary(AND, other, self)
    def __iand__(self, other): return hooks.inplace(AND, self, other)
    def __or__(self, other): return hooks.binary(OR, self, other)
    def __ror__(self, other): return hooks.binary(OR, other, self)
    def __ior__(self, other): return hooks.inplace(OR, self, other)
    def __xor__(self, other): return hooks.binary(XOR, self, other)
    def __rxor__(self, other): return hooks.binary(XOR, other, self)
    def __ixor__(self, other): return hooks.inplace(XOR, self, other)
    def __lshift__(self, other): return hooks.binary(LSHIFT, self, other)
    def __rlshift__(self, other): return hooks.binary(LSHIFT, other, self)
    def __ilshift__(self, other): return hooks.inplace(LSHIFT, self, other)
    def __rshift__(self, other): return hooks.binary(RSHIFT, self, other)
    def __rrshift__(self, other): return hooks.binary(RSHIFT, other, self)
    def __irshift__(self, other): return hooks.inplace(RSHIFT, self, other)
    def __eq__(self, other): return hooks.binary(EQ, self, other)
    def __ne__(self, other): return hooks.binary(NE, self, other)
    def __lt__(self, other): return hooks.binary(LT, self, other)
    def __le__(self, other): return hooks.binary(LE, self, other)
    def __gt__(self, other): return hooks.binary(GT, self, other)
    def __ge__(self, other): return hooks.binary(GE, self, other)
    def __neg__(self): return hooks.unary(NEG, self)
    def __pos__(self): return hooks.unary(POS, self)
    def __abs__(self): return hooks.unary(ABS, self)
    def __invert__(self): return hooks.unary(INVERT, self)
    def __matmul__(self, other): return methods["matmul"](self, other)
    def __rmatmul__(self, other): return methods["matmul"](other, self)
    def __imatmul__(self, other): return methods["imatmul"](self, other)
