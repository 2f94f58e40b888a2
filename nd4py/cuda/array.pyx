"""DeviceArray: typed elements in the memory of a device, seen through the same ShapeInfo as arrays on the host.

Design: a type of its own, not a kind of NDArray.  Code written for the host follows an NDArray's pointer; a device's
address in its place would be read, and crash.  So the host's fast paths ask for NDArray alone and pay nothing for
devices, and whatever meets a DeviceArray unprepared says so in a TypeError.
Memory goes back when the last array over it goes, in the order of its stream: work that was launched before is done
first, and nobody waits.

An array that waits for a chain of operations has no memory: `waits` says so, and whoever reads `place` calls `settle`
first.  Rejected: a type of its own, as pending arrays of the host have, which keeps functions that know nothing of
them from an array without memory; here few files read `place`, and all others ask for `address`.
"""

from cpython.object cimport PyObject
from cython cimport freelist, no_gc_clear
from nd4py._core.exits cimport leave_tape
from nd4py._core.hooks cimport functions, methods
from nd4py._core.operators cimport (
    ABS, ADD, AND, EQ, FLOORDIV, GE, GT, INVERT, LE, LSHIFT, LT, MOD, MUL, NE, NEG, OR, POS, POW, RSHIFT, SUB, TRUEDIV,
    XOR,
)
from nd4py._core.shape cimport MAX_NDIM, ShapeInfo, intern, intern_contiguous, parse_shape
from nd4py._core.views cimport broadcast_info, index_info, names_element, permute_info, reshape_info
from nd4py._mem.scopes cimport n_open
from nd4py.cuda.current cimport current_stream
from nd4py.cuda.lent_memory cimport cache_of, foreign_block, give

from .._core.dtype import ALL_DTYPES
from .._core.layouts import AxesError
from .._spec.dtypes import DTYPES, NUMBER
from .._spec.ops import ALL

cdef extern from *:
    Py_ssize_t references "Py_REFCNT"(PyObject* item)

cdef enum:
    HELD_BY_METHOD = 1                   # references that the call of a method has of its array

cdef dict row_numbers = {op.name: number for number, op in enumerate(ALL) if op.family == "reduce"}
cdef tuple dtypes = ALL_DTYPES
cdef Py_ssize_t itemsizes[32]
for position, row in enumerate(DTYPES):
    itemsizes[position] = row.itemsize
cdef list real_parts = [NUMBER[row.real] for row in DTYPES]
cdef DeviceHooks device_hooks


cdef DeviceArray new_device_array(int number, ShapeInfo info, int device):
    """An uninitialised array of a contiguous ShapeInfo.  Raises DeviceOutOfMemory."""
    cdef DeviceArray array = DeviceArray.__new__(DeviceArray)
    array.info = info
    array.number = number
    array.device_number = device
    if n_open == 0 or not device_hooks.attach(array):
        array.owned = cache_of(device).take(info.size * info.itemsize, current_stream(device))
        array.place = array.owned.address
    return array


cdef DeviceArray new_device_view(DeviceArray source, size_t address, ShapeInfo info):
    """An array over memory that `source` keeps alive."""
    cdef DeviceArray array = DeviceArray.__new__(DeviceArray)
    array.place = address
    array.info = info
    array.number = source.number
    array.device_number = source.device_number
    array.readonly = source.readonly
    array.base = owner_of(source)
    if source.tenancy != NULL:
        device_hooks.share(array, source)
    return array


cdef DeviceArray foreign_device_array(size_t address, int number, ShapeInfo info, int device, bint readonly,
                                      object owner):
    """An array over memory of a device that `owner` keeps alive."""
    cdef DeviceArray array = DeviceArray.__new__(DeviceArray)
    array.place = address
    array.info = info
    array.number = number
    array.device_number = device
    array.readonly = readonly
    array.base = owner
    array.is_shared = True               # others may write it at any time
    array.owned = foreign_block(address, info.size * info.itemsize, owner)
    return array


cdef DeviceArray shifted_view(DeviceArray source, size_t offset, ShapeInfo info):
    """An array over the memory of `source`, from so many bytes behind its first element."""
    settle(source)
    return new_device_view(source, source.place + offset, info)


cdef DeviceArray recorded_view(DeviceArray source, DeviceArray view, str kind, object detail):
    """The view, told to the tape when its source is being differentiated."""
    return view if source.node is None else methods["record_view"](source, view, kind, detail)


def empty_on_device(shape, int number, int device):
    """An array of uninitialised elements on a device.  Raises DeviceOutOfMemory, ValueError for a bad shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_device_array(number, intern_contiguous(itemsizes[number], ndim, sizes), device)


def reinterpreted(DeviceArray x, int number):
    """The view of the same bytes as another dtype of the same item size."""
    cdef DeviceArray view = shifted_view(x, 0, x.info)
    view.number = number
    return view


@freelist(64)
@no_gc_clear                             # `base` is needed to the end
cdef class DeviceArray:
    """An n-dimensional array of one dtype in the memory of a device.

    Made by `x.to_device("cuda:0")` and by the functions of the namespace with `device="cuda:0"`.
    """

    __hash__ = None
    __array_priority__ = 100.0
    __array_ufunc__ = None               # NumPy's functions are not for devices: x.to_device("cpu") first

    def __init__(self):
        raise TypeError("make arrays on a device with nd4py.asarray(..., device='cuda:0') and its like")

    def __dealloc__(self):
        if self.tenancy != NULL:
            device_hooks.end(self)
        if self.owned != NULL:
            give(self.owned)             # memory of others goes back when streams have passed: at once, or when we look
        elif self.waits > HAS_MEMORY:
            device_hooks.forget(<PyObject*>self)

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
        """Where the elements lie, such as "cuda:0"."""
        return f"cuda:{self.device_number}"

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
        """The address of the first element in the memory of the device."""
        settle(self)
        return self.place

    def to_device(self, device, /, *, stream=None):
        """The array on another device, "cpu" for the host; itself where it is there already.

        stream: a `nd4py.cuda.Stream` that the copy is given to; None for this thread's.
        """
        return methods["to_device"](self, device, stream)

    def __array_namespace__(self, *, api_version=None):
        """The array API namespace of this array, the package `nd4py`."""
        return methods["namespace"](api_version)

    # Views.

    @property
    def T(self):
        """The transposed matrix.  Raises AxesError unless the array has two axes."""
        if self.info.ndim != 2:
            raise AxesError(f"T needs 2 dimensions, given shape {self.shape}; use nd4py.permute_dims")
        return self.permute_dims((1, 0))

    @property
    def mT(self):
        """The array with its last two axes swapped.  Raises AxesError below two axes."""
        cdef int n = self.info.ndim
        if n < 2:
            raise AxesError(f"mT needs at least 2 dimensions, given shape {self.shape}")
        return self.permute_dims((*range(n - 2), n - 1, n - 2))

    def permute_dims(self, axes):
        """The view with the axes in the order `axes`."""
        cdef DeviceArray view = shifted_view(self, 0, permute_info(self.info, axes))
        return recorded_view(self, view, "permute_dims", axes)

    def reshape(self, *shape, copy=None):
        """The same elements in another shape (one size may be -1); a view where the layout allows, else a copy.

        copy: True always copies; False raises ValueError instead of copying.
        """
        wanted = shape[0] if len(shape) == 1 else shape
        cdef ShapeInfo info = reshape_info(self.info, wanted)
        cdef DeviceArray source = self
        if info is None or copy:
            if copy is False:
                raise ValueError(f"reshape: {self.shape} with strides {self.strides} needs a copy; pass copy=None")
            source = methods["copy_on_device"](self)
            info = reshape_info(source.info, wanted)
        return recorded_view(source, shifted_view(source, 0, info), "reshape", None)

    def broadcast_to(self, shape):
        """The read-only view repeated to a larger shape."""
        cdef Py_ssize_t sizes[MAX_NDIM]
        cdef int ndim = parse_shape(shape, sizes)
        cdef DeviceArray view = shifted_view(self, 0, broadcast_info(self.info, ndim, sizes))
        view.readonly = True
        return recorded_view(self, view, "broadcast_to", None)

    def __getitem__(self, key):
        cdef Py_ssize_t offset = 0
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            return methods["getitem_on_device"](self, key)
        cdef DeviceArray view = shifted_view(self, offset, info)
        if info.ndim == 0 and names_element(key):
            view = methods["copy_on_device"](view)
        return recorded_view(self, view, "getitem", key)

    def __setitem__(self, key, value):
        cdef Py_ssize_t offset = 0
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if self.readonly:
            raise ValueError("assignment: this array is read-only; write to a copy, x.copy()")
        if info is None:
            methods["setitem_on_device"](self, key, value)
        else:
            methods["assign_on_device"](self, shifted_view(self, offset, info), value)

    def __len__(self):
        if self.info.ndim == 0:
            raise TypeError("len() of an array without dimensions")
        return self.info.shape[0]

    def __iter__(self):
        if self.info.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return (self[i] for i in range(self.info.shape[0]))

    @property
    def real(self):
        """The view of the real parts; the array itself where the dtype is not complex."""
        return part_of(self, 0)

    @property
    def imag(self):
        """The view of the imaginary parts; read-only zeros where the dtype is not complex."""
        return part_of(self, 1)

    # The namespace's functions that are methods too.

    def all(self, axis=None, *, keepdims=False): return reduced("all", self, axis, None, keepdims)
    def any(self, axis=None, *, keepdims=False): return reduced("any", self, axis, None, keepdims)
    def argmax(self, *args, **keywords): return functions["argmax"](self, *args, **keywords)
    def argmin(self, *args, **keywords): return functions["argmin"](self, *args, **keywords)
    def argsort(self, *args, **keywords): return functions["argsort"](self, *args, **keywords)
    def clip(self, *args, **keywords): return functions["clip"](self, *args, **keywords)
    def conj(self): return functions["conj"](self)
    def cumprod(self, *args, **keywords): return functions["cumulative_prod"](self, *args, **keywords)
    def cumsum(self, *args, **keywords): return functions["cumulative_sum"](self, *args, **keywords)
    def dot(self, other): return functions["dot"](self, other)
    def flatten(self): return methods["copy_on_device"](self).reshape(-1)
    def max(self, axis=None, *, keepdims=False): return reduced("max", self, axis, None, keepdims)
    def mean(self, axis=None, *, dtype=None, keepdims=False): return reduced("mean", self, axis, dtype, keepdims)
    def min(self, axis=None, *, keepdims=False): return reduced("min", self, axis, None, keepdims)
    def prod(self, axis=None, *, dtype=None, keepdims=False): return reduced("prod", self, axis, dtype, keepdims)
    def ravel(self): return self.reshape(-1)
    def repeat(self, *args, **keywords): return functions["repeat"](self, *args, **keywords)
    def round(self): return functions["round"](self)
    def squeeze(self, *args, **keywords): return functions["squeeze"](self, *args, **keywords)
    def std(self, *args, **keywords): return functions["std"](self, *args, **keywords)
    def sum(self, axis=None, *, dtype=None, keepdims=False): return reduced("sum", self, axis, dtype, keepdims)
    def swapaxes(self, first, second): return functions["swapaxes"](self, first, second)
    def take(self, indices, axis=None): return methods["take_on_device"](self, indices, axis)
    def var(self, *args, **keywords): return functions["var"](self, *args, **keywords)

    # Conversions.

    def astype(self, dtype, *, copy=True):
        """The array with its elements converted; copy=False returns the array itself when the dtype is the same."""
        return methods["astype_on_device"](self, dtype, copy)

    def block(self):
        """The array itself, once the device has computed it.  Raises DeviceOutOfMemory, and errors of the device."""
        settle(self)
        methods["wait_on_device"](self)
        return self

    def copy(self):
        """A C-ordered copy on the same device."""
        return methods["copy_on_device"](self)

    def item(self):
        """The single element as a Python scalar, once the device has computed it.  Raises ValueError when there are
        more or none."""
        leave_tape(self.node)
        return methods["item"](methods["to_host"](self))

    def tolist(self):
        """Nested lists of Python scalars, once the device has computed them."""
        leave_tape(self.node)
        return methods["tolist"](methods["to_host"](self))

    def tobytes(self):
        """The elements in C order as bytes, once the device has computed them."""
        leave_tape(self.node)
        return methods["to_bytes"](methods["to_host"](self))

    def __complex__(self):
        return complex(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __bool__(self):
        return bool(methods["item"](methods["to_host"](self)))

    def __index__(self):
        if dtypes[self.number].kind not in "iu" or self.info.ndim:
            raise TypeError(f"only an integer array without dimensions is an index, given {self.dtype} {self.shape}")
        return self.item()

    def __repr__(self):
        shown = methods["repr"](methods["to_host"](self))
        return f"{shown.removesuffix(')')}, device={self.device!r})"

    def __str__(self):
        return methods["str"](methods["to_host"](self))

    def __format__(self, specification):
        return format(methods["to_host"](self), specification)

    def __round__(self, n_digits=None):
        return round(self.item(), n_digits)

    def __contains__(self, value):
        return bool(functions["any"](self == value))

    def __copy__(self):
        return methods["copy_on_device"](self)

    def __deepcopy__(self, memo):
        return methods["copy_on_device"](self)

    def __reduce_ex__(self, protocol):
        leave_tape(self.node)
        return revive, (methods["to_host"](self), self.device)

    # Interchange.

    def __array__(self, dtype=None, copy=None):
        raise TypeError(
            f"this array is on {self.device}, and NumPy's are on the host; copy it there first, x.to_device('cpu')"
        )

    @property
    def __cuda_array_interface__(self):
        """Version 3 of the description that CuPy, Numba and PyTorch read.  Raises AttributeError for bfloat16."""
        return methods["cuda_array_interface"](self)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A DLPack capsule over this array's memory.  Raises BufferError for a device or layout it cannot offer."""
        return methods["device_to_dlpack"](self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self):
        """(2, number): DLPack's name for the memory of a CUDA device."""
        return (2, self.device_number)

    # Operators: one line each, the row says the rest.

    def __add__(self, other): return device_hooks.binary(ADD, self, other)
    def __radd__(self, other): return device_hooks.binary(ADD, other, self)
    def __iadd__(self, other): return device_hooks.inplace(ADD, self, other)
    def __sub__(self, other): return device_hooks.binary(SUB, self, other)
    def __rsub__(self, other): return device_hooks.binary(SUB, other, self)
    def __isub__(self, other): return device_hooks.inplace(SUB, self, other)
    def __mul__(self, other): return device_hooks.binary(MUL, self, other)
    def __rmul__(self, other): return device_hooks.binary(MUL, other, self)
    def __imul__(self, other): return device_hooks.inplace(MUL, self, other)
    def __truediv__(self, other): return device_hooks.binary(TRUEDIV, self, other)
    def __rtruediv__(self, other): return device_hooks.binary(TRUEDIV, other, self)
    def __itruediv__(self, other): return device_hooks.inplace(TRUEDIV, self, other)
    def __floordiv__(self, other): return device_hooks.binary(FLOORDIV, self, other)
    def __rfloordiv__(self, other): return device_hooks.binary(FLOORDIV, other, self)
    def __ifloordiv__(self, other): return device_hooks.inplace(FLOORDIV, self, other)
    def __mod__(self, other): return device_hooks.binary(MOD, self, other)
    def __rmod__(self, other): return device_hooks.binary(MOD, other, self)
    def __imod__(self, other): return device_hooks.inplace(MOD, self, other)
    def __pow__(self, other, modulo): return device_hooks.binary(POW, self, other)
    def __rpow__(self, other, modulo): return device_hooks.binary(POW, other, self)
    def __ipow__(self, other): return device_hooks.inplace(POW, self, other)
    def __and__(self, other): return device_hooks.binary(AND, self, other)
    def __rand__(self, other): return device_hooks.binary(AND, other, self)
    def __iand__(self, other): return device_hooks.inplace(AND, self, other)
    def __or__(self, other): return device_hooks.binary(OR, self, other)
    def __ror__(self, other): return device_hooks.binary(OR, other, self)
    def __ior__(self, other): return device_hooks.inplace(OR, self, other)
    def __xor__(self, other): return device_hooks.binary(XOR, self, other)
    def __rxor__(self, other): return device_hooks.binary(XOR, other, self)
    def __ixor__(self, other): return device_hooks.inplace(XOR, self, other)
    def __lshift__(self, other): return device_hooks.binary(LSHIFT, self, other)
    def __rlshift__(self, other): return device_hooks.binary(LSHIFT, other, self)
    def __ilshift__(self, other): return device_hooks.inplace(LSHIFT, self, other)
    def __rshift__(self, other): return device_hooks.binary(RSHIFT, self, other)
    def __rrshift__(self, other): return device_hooks.binary(RSHIFT, other, self)
    def __irshift__(self, other): return device_hooks.inplace(RSHIFT, self, other)
    def __eq__(self, other): return device_hooks.binary(EQ, self, other)
    def __ne__(self, other): return device_hooks.binary(NE, self, other)
    def __lt__(self, other): return device_hooks.binary(LT, self, other)
    def __le__(self, other): return device_hooks.binary(LE, self, other)
    def __gt__(self, other): return device_hooks.binary(GT, self, other)
    def __ge__(self, other): return device_hooks.binary(GE, self, other)
    def __neg__(self): return device_hooks.unary(NEG, self)
    def __pos__(self): return device_hooks.unary(POS, self)
    def __abs__(self): return device_hooks.unary(ABS, self)
    def __invert__(self): return device_hooks.unary(INVERT, self)
    def __matmul__(self, other): return functions["matmul"](self, other)
    def __rmatmul__(self, other): return functions["matmul"](other, self)


cdef object part_of(DeviceArray source, int part):
    """The view of the real (0) or imaginary (1) parts of an array."""
    cdef int number = real_parts[source.number]
    if number == source.number:
        if not part:
            return source
        return functions["zeros"]((), dtypes[number], device=source.device).broadcast_to(source.shape)
    cdef Py_ssize_t itemsize = itemsizes[number]
    cdef ShapeInfo info = intern(itemsize, source.info.ndim, source.info.shape, source.info.strides)
    cdef DeviceArray view = shifted_view(source, part * itemsize, info)
    view.number = number
    return view


cdef object reduced(str name, DeviceArray x, object axis, object dtype, object keepdims):
    """A reduction, of a pending `x` in the launch that computes it, unless somebody else holds it."""
    is_held = references(<PyObject*>x) > HELD_BY_METHOD
    return methods["reduce"](row_numbers[name], x, axis, dtype, keepdims, is_held)


def revive(x, device):
    """An unpickled array, back on its device."""
    return methods["to_device"](x, device, None)
