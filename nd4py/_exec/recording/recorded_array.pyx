"""RecordedArray: an array inside of a function whose operations are recorded.

Design: `value` is the array of the example, with which the function runs, so that shapes and dtypes are known; `source`
is what stands for it in the recording, and changes when the array is written.  A view knows the array that it is a view
of: where that one was written, the view is taken again when it is next read, and where a view is written, the array
gets its elements.  Dispatch takes recorded arrays for one more family of devices, so that every operation meets the
rules beside this file, whatever it is made of; whoever wants to see elements finds none.  Rejected: the tape, which
knows nothing of integers and bools; observers, which are told of layouts and not of arrays; graphs, which hold
addresses.
"""

import sys

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase, recorded_view
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.layout.shape cimport ShapeInfo, intern_contiguous
from nd4py._core.layout.views cimport index_info, names_element
from nd4py._core.upcalls cimport MemoryUpcalls, device_upcalls, upcalls

from ..._core.public_types import extend
from ..._core.devices import asked_function
from ..._core.layout.shape import normalize_axis
from .recordings import Call, LookedAt, NotRecorded, Value, seen_by

cdef str LOOKED_AT = (
    "the function looks at a value that depends on its inputs, which cannot be exported{}: the file would hold what "
    "was found once; instead of `if`, `while`, float(x) and numpy.asarray(x) use nd.where(condition, a, b) and "
    "functions of arrays"
)


cdef object looked_at(RecordedArray x, bint is_noted=True):
    """The error for a look at values: of the program, with its line; of a function of ours, which is not recorded."""
    frame = sys._getframe()
    if frame.f_globals.get("__name__", "").startswith("nd4py."):
        return seen_by(asked_function("a function"))
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
    cdef RecordedArray x = RecordedArray.__new__(RecordedArray)
    x.recording, x.node = recording, node
    hold(x, value, source)
    cdef ArrayBase example = fields(x.held)
    x.info = intern_contiguous(example.info.itemsize, example.info.ndim, example.info.shape)
    x.number = example.number
    return x


cdef int hold(RecordedArray x, object value, object source) except -1:
    """The array of the example, and what stands for it, from now on."""
    value = value.block()
    if not fields(value).info.is_contiguous:
        value = value.copy()
    x.held, x.held_source = value.detach(), source
    return 0


def with_node(RecordedArray x, node) -> RecordedArray:
    """The same array with a node of the tape, or a constant for every tape."""
    cdef RecordedArray y = recorded(x.value, x.recording, x.source, node)
    y.origin, y.seen = x, first_of(x).n_written
    return y


def inner_node(x) -> Any:
    """The node of an array on the tape, or None."""
    return fields(x).node


# Arrays that share elements.


cdef RecordedArray first_of(RecordedArray x):
    """The array that all of a family are views of."""
    while x.origin is not None:
        x = x.origin
    return x


def n_written(RecordedArray x) -> int:
    """How often the elements that an array shares with others have been written."""
    return first_of(x).n_written


cpdef int refresh(RecordedArray x) except -1:
    """Take a view again, if the array that it is a view of was written since."""
    cdef Py_ssize_t n = first_of(x).n_written
    if x.seen == n:
        return 0
    value, source = x.origin.value, x.origin.source
    if x.kind is not None:
        value, source = noted_view(x.recording, source, taken(value, x.kind, x.detail), x.kind, x.detail)
    hold(x, value, source)
    x.seen = n
    return 0


def replace(RecordedArray x, y, spread: Callable[[RecordedArray, str, Any, Any], Any]) -> None:
    """The elements of `y`, an array of the recording of the same shape and dtype, in the place of all of `x`.

    spread(array, kind, detail, y) gives the array, a view of which has the elements of `y`.
    """
    cdef RecordedArray first = x
    value, source = y.value, y.source
    while first.origin is not None:
        if first.kind is not None:
            y = spread(first.origin, first.kind, first.detail, y)
        first = first.origin
    hold(first, y.value, y.source)
    first.n_written += 1
    first.seen = first.n_written
    hold(x, value, source)
    x.seen = first.n_written


def is_view_at(view, RecordedArray x, key) -> bool:
    """Whether an array is the view of `x` that a key of ints and slices names, and holds what that one does."""
    if type(view) is not RecordedArray:
        return False
    cdef RecordedArray y = view
    same = y.origin is x and y.kind == "getitem" and y.seen == first_of(x).n_written
    return same and all([type(item) is int or type(item) is slice for item in key]) and y.detail["key"] == tuple(key)


cdef object taken(object x, str kind, object detail):
    """The same view of another array."""
    if kind == "permute_dims":
        return x.permute_dims(detail["axes"])
    if kind == "reshape":
        return x.reshape(detail["shape"])
    if kind == "broadcast_to":
        return x.broadcast_to(detail["shape"])
    return x[detail["key"]] if kind == "getitem" else x.view(detail["dtype"])


cdef tuple noted_view(object recording, object origin, object value, str name, object settings):
    """(the array of the example, what stands for it) of a view, which is recorded."""
    source = Value(value.shape, value.dtype)
    recording.note(Call("view", name, (origin,), settings, (source,)))
    return value, source


cdef object view_of(RecordedArray x, object value, str name, object settings):
    """A view, which is recorded."""
    value, source = noted_view(x.recording, x.source, value, name, settings)
    cdef RecordedArray y = recorded(value, x.recording, source)
    y.origin, y.kind, y.detail, y.seen = x, name, settings, first_of(x).n_written
    y.readonly = name == "broadcast_to" or x.readonly
    return y


cdef class RecordedArray(ArrayBase):
    """An array inside of a function that is exported: one of the example, whose operations are recorded.

    Made by `nd4py.onnx.export` alone; raises TypeError when it is called.
    """

    cdef object held                     # the array of the example, and what stands for it in the recording: as `seen`
    cdef object held_source
    cdef readonly object recording
    cdef RecordedArray origin            # what it is a view of, or the same elements with another node
    cdef str kind                        # of view; None for the same elements
    cdef object detail
    cdef Py_ssize_t n_written            # how often, of an array that is no view
    cdef Py_ssize_t seen                 # that number when its elements were last read

    __array_ufunc__ = None

    @property
    def value(self) -> NDArray:
        """The array of the example."""
        refresh(self)
        return self.held

    @property
    def source(self) -> Any:
        """What stands for the array in the recording."""
        refresh(self)
        return self.held_source

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
