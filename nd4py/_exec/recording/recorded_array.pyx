"""RecordedArray: an array inside of a function whose operations are recorded.

Design: `value` is the array of the example, with which the function runs, so that shapes and dtypes are known; `source`
is what stands for it in the recording, and changes when the array is written.  Dispatch takes it for an array of one
more family of devices, so that every operation meets the rules beside this file, whatever it is made of; whoever wants
to see elements finds none.  Rejected: the tape, which knows nothing of integers and bools; observers, which are told
of layouts and not of arrays; graphs, which hold addresses.
"""

import sys
import weakref

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase, recorded_view
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.layout.shape cimport ShapeInfo, intern_contiguous
from nd4py._core.layout.views cimport index_info, names_element
from nd4py._core.upcalls cimport MemoryUpcalls, device_upcalls, upcalls

from ..._core.public_types import extend
from ..._core.devices import asked_function
from ..._core.layout.shape import normalize_axis
from .recordings import Call, LookedAt, NotRecorded, Value

cdef str LOOKED_AT = (
    "the function looks at a value that depends on its inputs, which cannot be exported{}: the file would hold what "
    "was found once; instead of `if`, `while`, float(x) and numpy.asarray(x) use nd.where(condition, a, b) and "
    "functions of arrays"
)


cdef object looked_at(RecordedArray x, bint is_noted=True):
    """The error for a look at values: of the program, with its line; of a function of ours, which is not recorded."""
    frame = sys._getframe()
    if frame.f_globals.get("__name__", "").startswith("nd4py."):
        asked = asked_function("a function")
        return NotRecorded(f"{asked} looks at values, to check them or to choose what it does")
    error = LookedAt(LOOKED_AT.format(f", in {frame.f_code.co_filename}, line {frame.f_lineno}"))
    if is_noted:
        x.recording.looks.append(error)
    return error


cdef ArrayBase fields(object x):
    """An array, deferred or not, as C sees it."""
    return <ArrayBase><PyObject*>x


def recorded(value, recording, source, node=None) -> RecordedArray:
    """The array that stands for an array of the example, which lies without gaps as its layout says, and in no
    workspace."""
    value = value.block()
    if not fields(value).info.is_contiguous:
        value = value.copy()
    value = value.detach()
    cdef ArrayBase example = fields(value)
    cdef RecordedArray x = RecordedArray.__new__(RecordedArray)
    x.value, x.recording, x.source, x.node = value, recording, source, node
    x.info = intern_contiguous(example.info.itemsize, example.info.ndim, example.info.shape)
    x.number = example.number
    x.kin = []
    return x


def with_node(RecordedArray x, node) -> RecordedArray:
    """The same array with a node of the tape, or a constant for every tape."""
    y = recorded(x.value, x.recording, x.source, node)
    related(x, y)
    return y


def inner_node(x) -> Any:
    """The node of an array on the tape, or None."""
    return fields(x).node


cdef int related(RecordedArray x, RecordedArray y) except -1:
    """Note that two arrays share their elements, so that neither can be written while the other is there."""
    x.kin.append(weakref.ref(y))
    y.kin.append(weakref.ref(x))
    return 0


def has_views(RecordedArray x) -> bool:
    """Whether another array shares elements with `x`."""
    x.kin = [other for other in x.kin if other() is not None]
    return len(x.kin) > 0


cdef object view_of(RecordedArray x, object value, str name, object settings):
    """A view, which is recorded."""
    source = Value(value.shape, value.dtype)
    x.recording.note(Call("view", name, (x.source,), settings, (source,)))
    cdef RecordedArray y = recorded(value, x.recording, source)
    related(x, y)
    y.readonly = name == "broadcast_to"
    return y


cdef class RecordedArray(ArrayBase):
    """An array inside of a function that is exported: one of the example, whose operations are recorded.

    Made by `nd4py.onnx.export` alone; raises TypeError when it is called.
    """

    cdef public object value             # of the example
    cdef public object source            # in the recording
    cdef readonly object recording
    cdef list kin                        # weak references to arrays that share elements with it

    __array_ufunc__ = None

    cdef int materialize(self) except -1:
        return fields(self.value).materialize()

    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info):
        raise NotRecorded("a view by strides")

    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info):
        raise NotRecorded("a view by strides")

    cdef ArrayBase on_host(self):
        raise looked_at(self)

    cdef MemoryUpcalls own_upcalls(self):
        return device_upcalls

    def __init__(self):
        raise TypeError("recorded arrays are those that a function gets when nd4py.onnx.export runs it")

    @property
    def device(self) -> str:
        """Where the elements lie."""
        return self.value.device

    @property
    def address(self) -> int:
        """Raises TypeError: it would be that of the example."""
        raise looked_at(self)

    def block(self) -> Self:
        """The array itself."""
        return self

    # Views.

    def permute_dims(self, axes):
        """The view with the axes in the order `axes`.  Raises ValueError unless each axis is named once."""
        value = self.value.permute_dims(axes)
        order = tuple([normalize_axis(axis, self.info.ndim) for axis in axes])
        return recorded_view(self, view_of(self, value, "permute_dims", {"axes": order}), "permute_dims", axes)

    @property
    def T(self) -> ArrayBase:
        """The array with its axes in reverse: a matrix transposed, a vector as it is."""
        return self.permute_dims(tuple(range(self.info.ndim))[::-1])

    @property
    def mT(self) -> ArrayBase:
        """The array with its last two axes swapped.  Raises ValueError below two axes."""
        n = self.info.ndim
        if n < 2:
            return self.value.mT
        return self.permute_dims((*range(n - 2), n - 1, n - 2))

    def reshape(self, *shape: Sizes, order: str = "C", copy: bool | None = None):
        """The same elements in another shape (one size may be -1).  Raises ValueError."""
        wanted = shape[0] if len(shape) == 1 else shape
        if order != "C":
            return upcalls.functions["reshape"](self, wanted, order, copy=copy)
        value = self.value.reshape(wanted)
        sizes = tuple(wanted) if isinstance(wanted, (tuple, list)) else (wanted,)
        sizes = sizes if -1 in sizes and self.info.size else value.shape
        return recorded_view(self, view_of(self, value, "reshape", {"shape": sizes}), "reshape", None)

    def broadcast_to(self, shape):
        """The read-only view repeated to a larger shape.  Raises ValueError where it does not broadcast to it."""
        value = self.value.broadcast_to(shape)
        return recorded_view(self, view_of(self, value, "broadcast_to", {"shape": value.shape}), "broadcast_to", None)

    def __getitem__(self, key: Index) -> ArrayBase:
        cdef Py_ssize_t offset
        cdef ShapeInfo info = index_info(self.info, key, &offset)
        if info is None:
            return device_upcalls.getitem(self, key)
        y = view_of(self, self.value[key], "getitem", {"key": key if type(key) is tuple else (key,)})
        if info.ndim == 0 and names_element(key):
            y = recorded(y.value, self.recording, y.source)      # a copy, not a view
        return recorded_view(self, y, "getitem", key)

    def __setitem__(self, key: Index, value: Any) -> None:
        device_upcalls.setitem(self, key, value)

    def __iter__(self):
        if self.info.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return iter([self[i] for i in range(self.info.shape[0])])

    @property
    def real(self) -> ArrayBase:
        """The real parts: a view."""
        return self if self.dtype.kind != "c" else upcalls.functions["real"](self)

    @property
    def imag(self) -> ArrayBase:
        """The imaginary parts: a view."""
        return upcalls.functions["imag"](self)

    # What looks at values.

    def __bool__(self):
        if self.info.size != 1:
            return bool(self.value)
        raise looked_at(self)

    def __index__(self):
        error = looked_at(self, False)            # which is no index, for those who ask
        raise TypeError(str(error)) if isinstance(error, NotRecorded) else error

    def __format__(self, str specification not None):
        return repr(self)

    def __repr__(self):
        return f"<{self.dtype} array of shape {self.shape}, recorded; of the example:\n{self.value!r}>"

    def __str__(self):
        return repr(self)

    def __reduce_ex__(self, protocol):
        raise looked_at(self)

    def __array__(self, dtype=None, copy: bool | None = None) -> Any:
        raise looked_at(self)


class ViewMethods:
    def view(self, dtype: DTypeLike | None = None) -> Any:
        """The same bytes as another dtype.  Raises as arrays outside do."""
        leave_tape(self.node)
        return self[...] if dtype is None else view_of(self, self.value.view(dtype), "view", {"dtype": dtype})


extend(ViewMethods, RecordedArray)       # `view` is a C method of another meaning


def public_function(str name) -> Callable[..., Any]:
    """A function of the namespace, which the tape knows, for code of this layer."""
    return upcalls.functions[name]
