"""Methods of arrays that are also functions of the namespace, as in NumPy."""

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.layout.shape cimport ShapeInfo, intern
from nd4py._core.upcalls cimport upcalls

from ..._spec.dtypes import DTYPES, NUMBER
from ..._spec.ops import ALL
from ..dtype import ALL_DTYPES
from .extending import extend

cdef extern from *:
    Py_ssize_t references "Py_REFCNT"(PyObject* item)

cdef enum:
    HELD_BY_METHOD = 1                   # references that the call of a method has of its array

cdef list real_parts = [NUMBER[row.real] for row in DTYPES]


cdef object part_of(ArrayBase source, int part):
    """The view of the real (0) or imaginary (1) parts of an array."""
    cdef int number = real_parts[source.number]
    if number == source.number:
        if not part:
            return source
        return upcalls.functions["zeros"]((), ALL_DTYPES[number], device=source.device).broadcast_to(source.shape)
    cdef Py_ssize_t itemsize = DTYPES[number].itemsize
    cdef ShapeInfo info = intern(itemsize, source.info.ndim, source.info.shape, source.info.strides)
    cdef ArrayBase view = source.view(part * itemsize, info)
    view.number = number
    return view


cdef dict row_numbers = {op.name: number for number, op in enumerate(ALL) if op.family == "reduce"}


cdef object reduced(
    str name, ArrayBase x, object axis, object dtype, object out, object keepdims, object initial, object where
):
    """A reduction row, without the way through the function of its name; of a deferred `x` in the pass that computes
    it, unless there are other references to it."""
    if out is not None or initial is not None or where is not True:
        return upcalls.functions[name](x, axis, **chosen(name, dtype, out, keepdims, initial, where))
    is_held = references(<PyObject*>x) > HELD_BY_METHOD
    return upcalls.reduce(row_numbers[name], x, axis, dtype, keepdims, is_held)


def chosen(
    name: str, dtype: DTypeLike | None, out: Any, keepdims: bool, initial: Any, where: Any
) -> dict[str, Any]:
    """The keywords of a reduction that were given: not all functions have each of them."""
    given = {"dtype": dtype, "out": out, "keepdims": keepdims, "initial": initial, "where": where}
    return {name: value for name, value in given.items() if value is not (True if name == "where" else None)}


cdef object axes_given(tuple axes):
    """Axes given as one argument or one by one; None where there are none."""
    return axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None


class Methods:
    # One line each where there is a function, which says the rest.

    def all(self, axis=None, out=None, keepdims=False, where=True):
        return reduced("all", self, axis, None, out, keepdims, None, where)

    def any(self, axis=None, out=None, keepdims=False, where=True):
        return reduced("any", self, axis, None, out, keepdims, None, where)

    def argmax(self, *args, **keywords): return upcalls.functions["argmax"](self, *args, **keywords)
    def argmin(self, *args, **keywords): return upcalls.functions["argmin"](self, *args, **keywords)
    def argsort(self, *args, **keywords): return upcalls.functions["argsort"](self, *args, **keywords)
    def clip(self, *args, **keywords): return upcalls.functions["clip"](self, *args, **keywords)

    def conj(self): return upcalls.functions["conj"](self)

    def cumprod(self, *args, **keywords) -> NDArray: return upcalls.functions["cumprod"](self, *args, **keywords)
    def cumsum(self, *args, **keywords) -> NDArray: return upcalls.functions["cumsum"](self, *args, **keywords)

    def diagonal(self, *args, **keywords): return upcalls.functions["diagonal"](self, *args, **keywords)
    def dot(self, b, out=None): return upcalls.functions["dot"](self, b, out)

    def flatten(ArrayBase self, order: str = "C") -> ArrayBase:
        """The elements as a new array of one axis, in C order or in Fortran's ("F").  Raises MemoryError."""
        if order != "C":
            return upcalls.functions["ravel"](self.own_upcalls().copy(self), order)
        return self.own_upcalls().copy(self).reshape(-1)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("max", self, axis, None, out, keepdims, initial, where)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, where=True):
        return reduced("mean", self, axis, dtype, out, keepdims, None, where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("min", self, axis, None, out, keepdims, initial, where)

    def nonzero(self): return upcalls.functions["nonzero"](self)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("prod", self, axis, dtype, out, keepdims, initial, where)

    def ravel(self, order="C"): return self.reshape(-1) if order == "C" else upcalls.functions["ravel"](self, order)

    @property
    def real(ArrayBase self) -> ArrayBase:
        """The view of the real parts; the array itself where the dtype is not complex."""
        return part_of(self, 0)

    @property
    def imag(ArrayBase self) -> ArrayBase:
        """The view of the imaginary parts; read-only zeros where the dtype is not complex."""
        return part_of(self, 1)

    def repeat(self, *args, **keywords): return upcalls.functions["repeat"](self, *args, **keywords)
    def round(self, decimals=0, out=None): return upcalls.functions["round"](self, decimals, out)
    def squeeze(self, *args, **keywords): return upcalls.functions["squeeze"](self, *args, **keywords)
    def std(self, *args, **keywords): return upcalls.functions["std"](self, *args, **keywords)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        return reduced("sum", self, axis, dtype, out, keepdims, initial, where)

    def swapaxes(self, axis1: int, axis2: int): return upcalls.functions["swapaxes"](self, axis1, axis2)
    def take(self, *args, **keywords): return upcalls.functions["take"](self, *args, **keywords)
    def transpose(self, *axes): return upcalls.functions["transpose"](self, axes_given(axes))
    def var(self, *args, **keywords): return upcalls.functions["var"](self, *args, **keywords)


extend(Methods)
