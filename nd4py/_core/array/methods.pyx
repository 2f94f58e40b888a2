"""Methods of arrays that are also functions of the namespace, as in NumPy."""

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.layout.shape cimport ShapeInfo, intern
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport method_shares

from ..._spec.dtypes import DTYPES, NUMBER
from ..._spec.ops import ALL
from ..dtype import ALL_DTYPES
from ..public_types import extend

cdef list real_parts = [NUMBER[row.real] for row in DTYPES]


cdef object part_of(ArrayBase source, int part):
    """The view of the real (0) or imaginary (1) parts of an array; a copy where it is being differentiated, as nobody
    may write to it then."""
    cdef int number = real_parts[source.number]
    if source.node is not None and number != source.number:
        return upcalls.functions["imag" if part else "real"](source)
    if number == source.number:
        if not part:
            return source
        return upcalls.functions["zeros"]((), ALL_DTYPES[number], device=source.device).broadcast_to(source.shape)
    cdef Py_ssize_t itemsize = DTYPES[number].itemsize
    cdef ShapeInfo info = intern(itemsize, source.info.ndim, source.info.shape, source.info.strides)
    cdef ArrayBase view = source.view(part * itemsize, info)
    view.number = number
    return view


cdef dict row_numbers = {op.name: number for number, op in enumerate(ALL) if op.family in ("reduce", "argreduce")}


cdef object reduced(
    str name, ArrayBase x, object axis, object dtype, object out, object keepdims, object initial, object where
):
    """A reduction row, without the way through the function of its name; of a deferred `x` in the pass that computes
    it, unless there are other references to it."""
    if out is not None or initial is not None or where is not True:
        return upcalls.functions[name](x, axis, **chosen(name, dtype, out, keepdims, initial, where))
    cdef bint is_held = method_shares(<PyObject*>x)
    return upcalls.reduce(row_numbers[name], x, axis, dtype, keepdims, is_held)


cdef object arg_reduced(str name, ArrayBase x, object axis, object out, object keepdims):
    """The same of a row that gives positions."""
    if out is not None:
        return upcalls.functions[name](x, axis, out, keepdims)
    return upcalls.argreduce(row_numbers[name], x, axis, keepdims)


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
    def all(self, axis=None, out=None, keepdims=False, where=True):
        """`nd4py.all` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 0], [1, 1]]).all(axis=0).tolist()
        [True, False]
        """
        return reduced("all", self, axis, None, out, keepdims, None, where)

    def any(self, axis=None, out=None, keepdims=False, where=True):
        """`nd4py.any` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 0], [0, 0]]).any(axis=1).tolist()
        [True, False]
        """
        return reduced("any", self, axis, None, out, keepdims, None, where)

    def argmax(self, axis=None, out=None, keepdims=False):
        """`nd4py.argmax` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([3, 9, 2]).argmax().item()
        1
        """
        return arg_reduced("argmax", self, axis, out, keepdims)

    def argmin(self, axis=None, out=None, keepdims=False):
        """`nd4py.argmin` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([3, 9, 2]).argmin().item()
        2
        """
        return arg_reduced("argmin", self, axis, out, keepdims)

    def argsort(self, *args, **keywords):
        """`nd4py.argsort` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([3, 9, 2]).argsort().tolist()
        [2, 0, 1]
        """
        return upcalls.functions["argsort"](self, *args, **keywords)

    def clip(self, *args, **keywords):
        """`nd4py.clip` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 5, 9]).clip(2, 6).tolist()
        [2, 5, 6]
        """
        return upcalls.functions["clip"](self, *args, **keywords)

    def conj(self):
        """`nd4py.conj` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1 + 2j]).conj().tolist()
        [(1-2j)]
        """
        return upcalls.functions["conj"](self)

    def cumprod(self, *args, **keywords) -> NDArray:
        """`nd4py.cumprod` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2, 3]).cumprod().tolist()
        [1, 2, 6]
        """
        return upcalls.functions["cumprod"](self, *args, **keywords)

    def cumsum(self, *args, **keywords) -> NDArray:
        """`nd4py.cumsum` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2, 3]).cumsum().tolist()
        [1, 3, 6]
        """
        return upcalls.functions["cumsum"](self, *args, **keywords)

    def diagonal(self, *args, **keywords):
        """`nd4py.diagonal` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 2], [3, 4]]).diagonal().tolist()
        [1, 4]
        """
        return upcalls.functions["diagonal"](self, *args, **keywords)

    def dot(self, b, out=None):
        """`nd4py.dot` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2]).dot([3, 4]).item()
        11
        """
        return upcalls.functions["dot"](self, b, out)

    def flatten(ArrayBase self, order: str = "C") -> ArrayBase:
        """The elements as a new array of one axis, in C order or in Fortran's ("F").  Raises MemoryError.

        >>> nd.asarray([[1, 2], [3, 4]]).flatten().tolist()
        [1, 2, 3, 4]
        """
        if order != "C":
            return upcalls.functions["ravel"](self.own_upcalls().copy(self), order)
        return self.own_upcalls().copy(self).reshape(-1)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        """`nd4py.max` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 5], [3, 2]]).max(axis=0).tolist()
        [3, 5]
        """
        return reduced("max", self, axis, None, out, keepdims, initial, where)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, where=True):
        """`nd4py.mean` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2, 4, 5]).mean().item()
        3.0
        """
        return reduced("mean", self, axis, dtype, out, keepdims, None, where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        """`nd4py.min` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 5], [3, 2]]).min(axis=1).tolist()
        [1, 2]
        """
        return reduced("min", self, axis, None, out, keepdims, initial, where)

    def nonzero(self):
        """`nd4py.nonzero` of the array, with the same arguments.  Raises as that does.

        >>> [x.tolist() for x in nd.asarray([0, 7, 8]).nonzero()]
        [[1, 2]]
        """
        return upcalls.functions["nonzero"](self)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        """`nd4py.prod` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([2, 3, 4]).prod().item()
        24
        """
        return reduced("prod", self, axis, dtype, out, keepdims, initial, where)

    def ravel(self, order="C"):
        """`nd4py.ravel` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 2], [3, 4]]).ravel("F").tolist()
        [1, 3, 2, 4]
        """
        return self.reshape(-1) if order == "C" else upcalls.functions["ravel"](self, order)

    @property
    def real(ArrayBase self) -> ArrayBase:
        """The view of the real parts; the array itself where the dtype is not complex."""
        return part_of(self, 0)

    @real.setter
    def real(ArrayBase self, values: Any):
        part_of(self, 0)[...] = values

    @property
    def imag(ArrayBase self) -> ArrayBase:
        """The view of the imaginary parts; read-only zeros where the dtype is not complex."""
        return part_of(self, 1)

    @imag.setter
    def imag(ArrayBase self, values: Any):
        if self.dtype.kind != "c":
            raise TypeError(f"imag: {self.dtype} has no imaginary parts to write to; convert first, x + 0j")
        part_of(self, 1)[...] = values

    def repeat(self, *args, **keywords):
        """`nd4py.repeat` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2]).repeat(2).tolist()
        [1, 1, 2, 2]
        """
        return upcalls.functions["repeat"](self, *args, **keywords)

    def round(self, decimals=0, out=None):
        """`nd4py.round` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1.25, 2.5]).round().tolist()
        [1.0, 2.0]
        """
        return upcalls.functions["round"](self, decimals, out)

    def squeeze(self, *args, **keywords):
        """`nd4py.squeeze` of the array, with the same arguments.  Raises as that does.

        >>> nd.ones((1, 3, 1)).squeeze().shape
        (3,)
        """
        return upcalls.functions["squeeze"](self, *args, **keywords)

    def std(self, *args, **keywords):
        """`nd4py.std` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1.0, 3.0]).std().item()
        1.0
        """
        return upcalls.functions["std"](self, *args, **keywords)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        """`nd4py.sum` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 2], [3, 4]]).sum(axis=0).tolist()
        [4, 6]
        """
        return reduced("sum", self, axis, dtype, out, keepdims, initial, where)

    def swapaxes(self, axis1: int, axis2: int):
        """`nd4py.swapaxes` of the array, with the same arguments.  Raises as that does.

        >>> nd.ones((2, 3, 4)).swapaxes(0, 2).shape
        (4, 3, 2)
        """
        return upcalls.functions["swapaxes"](self, axis1, axis2)

    def take(self, *args, **keywords):
        """`nd4py.take` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([5, 6, 7]).take([2, 0]).tolist()
        [7, 5]
        """
        return upcalls.functions["take"](self, *args, **keywords)

    def transpose(self, *axes):
        """`nd4py.transpose` of the array, with the same arguments.  Raises as that does.

        >>> nd.ones((2, 3, 4)).transpose(1, 0, 2).shape
        (3, 2, 4)
        """
        return upcalls.functions["transpose"](self, axes_given(axes))

    def var(self, *args, **keywords):
        """`nd4py.var` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1.0, 3.0]).var(correction=1).item()
        2.0
        """
        return upcalls.functions["var"](self, *args, **keywords)


extend(Methods)
