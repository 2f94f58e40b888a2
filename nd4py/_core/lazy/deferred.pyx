"""DeferredArray: an array whose values have not been computed yet.

Design: a deferred array knows its shape and dtype, has no memory, and is no NDArray: it has another type with the same
layout, and becomes an NDArray when its values are there.  So no operation need ask whether its operand is deferred:
a function that does not know deferred arrays finds an operand of another type, and `adopt`s it.  An attribute that is
not about shape or dtype computes the values first.  `isinstance(x, NDArray)` is true nevertheless.  Rejected: a flag
in NDArray, which a function could forget to check.

A deferred array with a node of the tape belongs to no chain.  Its `base` is a deferred array that does, and it becomes
a view of that.  So chains know nothing of the tape, and a node may keep its operands without keeping itself.
"""

from cpython.object cimport PyObject, PyTypeObject
from nd4py._core.array.array cimport (
    NDArray, PyBufferProcs, Type, become, end_as_array, graft, lean_on, new_view, take_over,
)
from nd4py._core.array.array_base cimport check_casting
from nd4py._core.lazy cimport deferring
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport Section, enter, method_shares, publish

from ..._spec.ops import ALL
from ..dtype import ALL_DTYPES
from ..array.methods import chosen
from ..array.released import type_name

cdef extern from "Python.h":
    void PyType_Modified(type changed)

cdef PyTypeObject* deferred_type
cdef dict row_numbers = {op.name: number for number, op in enumerate(ALL) if op.family == "reduce"}

# What can be said of an array, or done with it, without its values.
cdef frozenset WITHOUT_VALUES = frozenset((
    "shape", "ndim", "size", "dtype", "itemsize", "nbytes", "device", "block", "astype", "conj", "clip", "round",
    "sum", "mean", "prod", "max", "min", "any", "all", "__array_namespace__", "__array_priority__",
))


cdef void become_deferred(NDArray array) noexcept:
    """Make an array without memory a deferred one."""
    become(<PyObject*>array, DeferredArray)


cdef void fulfil(NDArray array, NDArray memory) noexcept:
    """Give a deferred array its values: the memory of another array, which loses it.  It is an ordinary array then."""
    take_over(array, memory)
    array.base = memory.base
    array.chain = None
    array.is_deferred = False
    array.attachment = memory.attachment
    if array.attachment != NULL:
        array.attachment.array = <PyObject*>array
    memory.attachment = NULL
    publish()
    become(<PyObject*>array, NDArray)


cdef NDArray new_tracked(object source, object node):
    """A deferred array with a node of the tape, over a deferred array without one."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info = fields(source).info
    array.number = fields(source).number
    array.base = source
    array.node = node
    array.is_deferred = True
    become(<PyObject*>array, DeferredArray)
    return array


cdef object unrecorded(object x):
    """An array without its record on the tape; a deferred one stays deferred if its `base` is."""
    return x if fields(x).node is None else without_record(x)


cdef object without_record(object x):
    cdef Section section
    enter(&section)
    cdef NDArray array = fields(x)
    return array.base if is_deferred(x) else new_view(array, array.data, array.info)


cdef object materialized(object x):
    """`x`, a deferred array, with its values.  Raises MemoryError."""
    materialize(<PyObject*>x)
    return x


cdef void forget(PyObject* array) noexcept:
    if (<NDArray>array).node is None and (<NDArray>array).chain is not None:
        deferring.forget(array)


cdef int run(object x) except -1:
    return deferring.run(fields(x)) if fields(x).is_deferred else 0


cdef int materialize(PyObject* array) except -1:
    cdef Section section
    enter(&section)
    cdef object item = <object>array
    if fields(item).node is None:
        return run(item)
    source = unrecorded(item)
    if is_deferred(source):
        run(source)
    if type(source) is not NDArray:
        type_name(source)
    if is_deferred(item):                # another thread may have run it meanwhile
        fields(item).data, fields(item).readonly = fields(source).data, fields(source).readonly
        lean_on(fields(item), fields(source))
        fields(item).is_deferred = False
        publish()
        become(array, NDArray)
    return 0


cdef void end_deferred(PyObject* array) noexcept:
    forget(array)
    end_as_array(array)


cdef int materialized_buffer(PyObject* array, Py_buffer* view, int flags) except -1:
    materialize(array)
    return (<Type*>NDArray).tp_as_buffer.bf_getbuffer(array, view, flags)


cdef PyBufferProcs buffer


cdef int graft_deferred() except -1:
    """Let deferred arrays have the arithmetic and comparisons of arrays, which begin in dispatch: it knows deferred
    operands."""
    cdef Type* array = <Type*>NDArray
    cdef Type* deferred = <Type*>DeferredArray
    graft(NDArray, DeferredArray, end_deferred)
    buffer.bf_getbuffer = <int (*)(PyObject*, Py_buffer*, int) noexcept>materialized_buffer
    deferred.tp_as_buffer = &buffer
    deferred.tp_as_number, deferred.tp_richcompare = array.tp_as_number, array.tp_richcompare
    deferred.tp_hash = array.tp_hash     # none
    PyType_Modified(DeferredArray)
    return 0


cdef object reduced(
    str name, object x, object axis, object dtype, object out, object keepdims, object initial, object where
):
    """A reduction in the pass that computes `x`, which is written only if there are other references to it."""
    if out is not None or initial is not None or where is not True:
        return upcalls.functions[name](x, axis, **chosen(name, dtype, out, keepdims, initial, where))
    cdef bint is_held = method_shares(<PyObject*>x)
    return upcalls.reduce(row_numbers[name], x, axis, dtype, keepdims, is_held)


cdef class DeferredArray:
    """An array whose values have not been computed yet.  Reading a value, or `block()`, computes them.

    Its type is NDArray from then on.  `with nd4py.combine(False):` makes no deferred arrays.
    """

    __hash__ = None
    __array_priority__ = 100.0

    def __init__(self):
        raise TypeError("deferred arrays are not made, results of operations are deferred")

    def __getattribute__(self, name):
        if name == "__class__":
            return NDArray
        if name in WITHOUT_VALUES:
            return object.__getattribute__(self, name)
        return getattr(materialized(self), name)

    @property
    def shape(self) -> Shape:
        """The sizes of the axes."""
        return fields(self).info.shape_tuple

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return fields(self).info.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return fields(self).info.size

    @property
    def dtype(self) -> DType:
        """The element type, an `nd4py.DType`."""
        return ALL_DTYPES[fields(self).number]

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return fields(self).info.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return fields(self).info.size * fields(self).info.itemsize

    @property
    def device(self) -> str:
        """Where the elements will lie."""
        return "cpu"

    def __array_namespace__(self, *, api_version=None):
        return upcalls.namespace(api_version)

    def block(self) -> NDArray:
        """The array itself, with its values.  Raises MemoryError."""
        return materialized(self)

    # Operations that chains may hold.

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        check_casting(fields(self).number, dtype, casting)
        x = upcalls.astype(self, dtype, copy)
        return x if order == "K" else upcalls.functions["asarray"](x, None, order)

    def clip(self, *args, **keywords): return upcalls.functions["clip"](self, *args, **keywords)
    def conj(self): return upcalls.functions["conj"](self)
    def round(self, decimals=0, out=None): return upcalls.functions["round"](self, decimals, out)

    def all(self, axis=None, out=None, keepdims=False, where=True):
        return reduced("all", self, axis, None, out, keepdims, None, where)

    def any(self, axis=None, out=None, keepdims=False, where=True):
        return reduced("any", self, axis, None, out, keepdims, None, where)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("max", self, axis, None, out, keepdims, initial, where)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, where=True):
        return reduced("mean", self, axis, dtype, out, keepdims, None, where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("min", self, axis, None, out, keepdims, initial, where)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("prod", self, axis, dtype, out, keepdims, initial, where)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("sum", self, axis, dtype, out, keepdims, initial, where)

    # What Python looks up in the type: with the values.

    def __len__(self): return len(materialized(self))
    def __iter__(self): return iter(materialized(self))
    def __contains__(self, value): return value in materialized(self)
    def __getitem__(self, key): return materialized(self)[key]
    def __setitem__(self, key, value): materialized(self)[key] = value
    def __repr__(self): return repr(materialized(self))
    def __str__(self): return str(materialized(self))
    def __format__(self, specification): return format(materialized(self), specification)
    def __round__(self, n_digits=None): return round(materialized(self), n_digits)
    def __complex__(self): return complex(materialized(self))
    def __copy__(self): return materialized(self).__copy__()
    def __deepcopy__(self, memo): return materialized(self).__deepcopy__(memo)
    def __setattr__(self, name, value): setattr(materialized(self), name, value)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return upcalls.array_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function, types, args, keywords):
        kinds = [NDArray if kind is DeferredArray else kind for kind in types]
        return upcalls.array_function(function, kinds, args, keywords)


deferred_type = <PyTypeObject*>DeferredArray
graft_deferred()
