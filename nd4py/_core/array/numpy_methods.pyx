"""Methods and attributes that NumPy's arrays have beside: fill, sort, view, flat, flags, base, put and others; and the
method by which Arrow's libraries take arrays."""

from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern
from nd4py._core.upcalls cimport upcalls

import io
import math
import os
import pickle

import numpy

from .array_type import ArrayType
from ..dtype import dtype_of
from ..lazy_modules import LazyFunction
from ..whole_numbers import count, items, whole
from ..public_types import extend

cdef object to_arrow = LazyFunction("nd4py._core.interop.arrow", "to_arrow")


def is_array_type(given: Any) -> bool:
    """Whether a class is that of arrays, ours or NumPy's, or derived from ours."""
    return isinstance(given, ArrayType) or (isinstance(given, type) and given is numpy.ndarray)


cdef ArrayBase with_dtype(ArrayBase x, object dtype):
    """The view of the same bytes as another dtype.  Raises ValueError where they do not divide into its elements."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int i, last = x.info.ndim - 1
    cdef Py_ssize_t old = x.info.itemsize, new = dtype.itemsize, n_bytes = 0
    if dtype.number == x.number:
        return x.view(0, x.info)
    leave_tape(x.node)
    if dtype.kind == "b":
        raise ValueError("view: bytes other than 0 and 1 are no bools; use x.astype('bool')")
    for i in range(last + 1):
        shape[i], strides[i] = x.info.shape[i], x.info.strides[i]
    if new != old:
        if last < 0 or (strides[last] != old and shape[last] != 1):
            raise ValueError(f"view: elements of {old} bytes become some of {new} only along a last axis without gaps")
        n_bytes = shape[last] * old
        if n_bytes % new:
            raise ValueError(f"view: {n_bytes} bytes along the last axis are no whole number of elements of {new}")
        shape[last], strides[last] = n_bytes // new, new
    if x.info.size and (x.address % new or any([strides[i] % new for i in range(last + 1) if shape[i] > 1])):
        raise ValueError(f"view: the elements are out of alignment for {dtype}; use a copy of x")
    cdef ArrayBase y = x.view(0, intern(new, last + 1, shape, strides))
    y.number = dtype.number
    return y


cdef object one_number(str name, object x, tuple types):
    """The number of an array that has one, which must be of one of Python's types.  Raises ValueError, TypeError."""
    if x.size != 1:
        raise ValueError(f"{name}: needs one number, given shape {x.shape}; take an element first, x[0].{name}()")
    number = x.item()
    if not isinstance(number, types) or isinstance(number, bool):
        wanted = " or ".join(["integer" if kind is int else "floating" for kind in types])
        raise TypeError(f"{name}: needs a number of {wanted} dtype, given {x.dtype}")
    return number


def strided(ArrayBase x, object shape, object strides, bint is_writable) -> Any:
    """The view of `x` with any shape and strides whose elements lie among those bytes that `x` spans.

    It is read-only where elements may lie over each other.  Raises ValueError where one lies outside, or out of
    alignment, TypeError for an array that is being differentiated.
    """
    leave_tape(x.node)
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    given = [count("as_strided: a size", size) for size in items("as_strided: shape", shape)]
    wanted = [whole("as_strided: a stride", step) for step in items("as_strided: strides", strides)]
    if len(given) != len(wanted) or len(given) > MAX_NDIM:
        raise ValueError(f"as_strided: {len(given)} sizes and {len(wanted)} strides; at most {MAX_NDIM} of each")
    is_empty = 0 in given
    moves = [] if is_empty else [(abs(step), step, size) for size, step in zip(given, wanted) if size > 1]
    first, last = bytes_spanned(x.info)
    low = sum([min(0, (size - 1) * step) for _, step, size in moves])
    high = sum([max(0, (size - 1) * step) for _, step, size in moves]) + x.info.itemsize
    if not is_empty and (low < first or high > last or x.info.size == 0):
        raise ValueError(f"as_strided: bytes {low} to {high} asked for, the array spans {first} to {last}")
    if any([step % x.info.itemsize for _, step, _ in moves]):
        raise ValueError(f"as_strided: strides must be multiples of {x.info.itemsize} bytes, given {tuple(wanted)}")
    end = x.info.itemsize
    is_apart = True
    for distance, _, size in sorted(moves):
        is_apart = is_apart and distance >= end
        end += (size - 1) * distance
    for i in range(len(given)):
        sizes[i], steps[i] = given[i], wanted[i] if not is_empty and given[i] > 1 else x.info.itemsize
    cdef ArrayBase y = x.view(0, intern(x.info.itemsize, len(given), sizes, steps))
    y.readonly = x.readonly or not is_writable or not is_apart
    return y


cdef tuple bytes_spanned(ShapeInfo info):
    """Where the bytes of an array begin and end, counted from its first element."""
    cdef Py_ssize_t low = 0, high = info.itemsize, move
    cdef int i
    if info.size == 0:
        return 0, 0
    for i in range(info.ndim):
        move = (info.shape[i] - 1) * info.strides[i]
        low, high = low + min(move, 0), high + max(move, 0)
    return low, high


FLAGS = {
    "C": "c_contiguous", "F": "f_contiguous", "O": "owndata", "W": "writeable", "A": "aligned", "B": "behaved",
    "CA": "carray", "FA": "farray", "X": "writebackifcopy", "FORC": "forc", "FNC": "fnc", "CONTIGUOUS": "c_contiguous",
    "FORTRAN": "f_contiguous",
}


cdef bint is_of_others(object array) noexcept:
    """Whether the memory of an array that is no view belongs to another library."""
    if not isinstance(array, ArrayBase):
        return False
    return (<ArrayBase>array).base is not None and (<ArrayBase>array).attachment == NULL


class ArrayFlags:
    """How the elements of an array lie in memory: attributes, and items by NumPy's names.

    Only `writeable` can be set, and only to False: what is read-only may be memory that others rely on.
    """

    def __init__(self, array):
        object.__setattr__(self, "_array", array)

    @property
    def c_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""
        return self._array.is_contiguous

    @property
    def f_contiguous(self) -> bool:
        """Whether the elements lie in Fortran order without gaps."""
        return self._array.permute_dims(tuple(range(self._array.ndim))[::-1]).is_contiguous

    contiguous = c_contiguous
    fortran = f_contiguous

    @property
    def forc(self) -> bool:
        """Whether the elements lie in either order."""
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        """Whether the elements lie in Fortran order and not in C order."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def owndata(self) -> bool:
        """Whether the memory is the array's own: not that of a view, nor another library's."""
        return self._array.base is None and not is_of_others(self._array)

    @property
    def writeable(self) -> bool:
        """Whether the elements may be written."""
        return self._array.is_writable

    aligned = property(lambda self: True, doc="Whether elements lie at multiples of their size: always.")
    writebackifcopy = property(lambda self: False, doc="Whether the array stands for another: never.")
    behaved = property(lambda self: self.writeable, doc="Whether the elements are aligned and may be written.")
    carray = property(lambda self: self.writeable and self.c_contiguous, doc="Whether it is `behaved`, in C order.")
    farray = property(lambda self: self.writeable and self.fnc, doc="Whether it is `behaved`, in Fortran order.")

    def __setattr__(self, name, value):
        if name != "writeable":
            raise AttributeError(f"flags: {name!r} cannot be set")
        self._array.setflags(write=value)

    def __getitem__(self, name):
        attribute = FLAGS.get(name, name.lower() if isinstance(name, str) else "")
        if attribute not in FLAGS.values():
            raise KeyError(f"flags: no flag {name!r}")
        return getattr(self, attribute)

    def __setitem__(self, name, value):
        setattr(self, FLAGS.get(name, str(name).lower()), value)

    def __eq__(self, other):
        return type(other) is type(self) and str(self) == str(other)

    __hash__ = None

    def __repr__(self):
        names = ("c_contiguous", "f_contiguous", "owndata", "writeable", "aligned", "writebackifcopy")
        return "\n".join([f"  {name.upper()} : {getattr(self, name)}" for name in names])


class NumpyMethods:
    def argpartition(self, *args, **keywords):
        """`nd4py.argpartition` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([3, 1, 2]).argpartition(0)[0].item()
        1
        """
        return upcalls.functions["argpartition"](self, *args, **keywords)

    def as_integer_ratio(self) -> tuple[int, int]:
        """The one number of the array as a fraction: numerator and denominator, in lowest terms.

        Raises ValueError for several numbers and for NaN, OverflowError for an infinity, TypeError for complex numbers.

        >>> nd.float64(0.75).as_integer_ratio()
        (3, 4)
        """
        return one_number("as_integer_ratio", self, (int, float)).as_integer_ratio()

    @property
    def base(ArrayBase self) -> Any:
        """The array that owns the memory of a view; None for memory of the array's own, or of another library.

        Raises TypeError where the array is being differentiated: the owner's elements have no gradient.
        """
        leave_tape(self.node)
        return self.base if self.is_view else None

    def bit_count(self) -> int:
        """How many bits of the magnitude of the one integer of the array are 1.

        Raises ValueError for several numbers, TypeError for other dtypes than integers.

        >>> nd.int64(7).bit_count()
        3
        """
        return one_number("bit_count", self, (int,)).bit_count()

    def choose(self, *args, **keywords):
        """`nd4py.choose` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([0, 1, 0]).choose([[1, 2, 3], [7, 8, 9]]).tolist()
        [1, 8, 3]
        """
        return upcalls.functions["choose"](self, *args, **keywords)

    def compress(self, condition, *args, **keywords):
        """`nd4py.compress` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 2, 3]).compress([True, False, True]).tolist()
        [1, 3]
        """
        return upcalls.functions["compress"](condition, self, *args, **keywords)

    def conjugate(self):
        """`nd4py.conj` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1 + 2j]).conjugate().tolist()
        [(1-2j)]
        """
        return upcalls.functions["conj"](self)

    def dump(self, file: Any) -> None:
        """Write a pickle of the array.  Raises OSError as `open` does, TypeError for what is no file.

        >>> import io
        >>> file = io.BytesIO()
        >>> nd.arange(3).dump(file)
        >>> import pickle
        >>> pickle.loads(file.getvalue()).tolist()
        [0, 1, 2]
        """
        if isinstance(file, (str, os.PathLike)):
            with open(file, "wb") as target:
                target.write(self.dumps())
        elif hasattr(file, "write"):
            file.write(self.dumps())
        else:
            raise TypeError(f"dump: file must be a path or an open binary file, given {type(file).__name__}")

    def dumps(self) -> bytes:
        """A pickle of the array.  Raises TypeError for an array that is being differentiated.

        >>> import pickle
        >>> pickle.loads(nd.arange(3).dumps()).tolist()
        [0, 1, 2]
        """
        return pickle.dumps(self)

    def fill(self, value: Operand) -> None:
        """Write one value to every element.

        Raises TypeError for a complex value among real elements, ValueError for a read-only array or several values.

        >>> x = nd.zeros(2)
        >>> x.fill(7)
        >>> x.tolist()
        [7.0, 7.0]
        """
        if getattr(value, "size", 1) != 1 or isinstance(value, (list, tuple)):
            raise ValueError("fill: needs one value; to write several, x[...] = values")
        self[...] = value if not hasattr(value, "reshape") else value.reshape(())

    @property
    def flags(self) -> ArrayFlags:
        """How the elements lie in memory: `x.flags.c_contiguous`, `x.flags["WRITEABLE"]`."""
        return ArrayFlags(self)

    @property
    def flat(self) -> Any:
        """The elements in C order, to loop over, read and write: `x.flat[3] = 0`."""
        return upcalls.functions["flatiter"](self)

    @flat.setter
    def flat(self, values):
        upcalls.functions["flatiter"](self)[:] = values

    def hex(self) -> str:
        """The one floating number of the array with its mantissa in hexadecimal, exactly.

        Raises ValueError for several numbers, TypeError for other dtypes.

        >>> nd.float64(0.5).hex()
        '0x1.0000000000000p-1'
        """
        return one_number("hex", self, (float,)).hex()

    def is_integer(self) -> bool:
        """Whether the one number of the array is whole.  Raises ValueError for several, TypeError for complex numbers.

        >>> nd.float64(3.0).is_integer()
        True
        """
        number = one_number("is_integer", self, (int, float))
        return isinstance(number, int) or number.is_integer()

    def partition(self, kth: int, axis: int = -1, kind: str = "introselect", order: None = None) -> None:
        """Write the elements in the order of `nd4py.partition` to the array.  Raises as that does, ValueError for a
        read-only array.

        >>> x = nd.asarray([3, 1, 2])
        >>> x.partition(0)
        >>> x[0].item()
        1
        """
        self[...] = upcalls.functions["partition"](self, kth, axis, kind, order)

    def put(self, *args, **keywords) -> None:
        """`nd4py.put` of the array, with the same arguments.  Raises as that does.

        >>> x = nd.zeros(3)
        >>> x.put([0, 2], 5.0)
        >>> x.tolist()
        [5.0, 0.0, 5.0]
        """
        upcalls.functions["put"](self, *args, **keywords)

    def resize(self, *shape: int, refcheck: bool = True) -> None:
        """Raises TypeError: the shape of an array never changes, `nd4py.resize` gives another one.

        >>> nd.resize(nd.asarray([1, 2]), 3).tolist()
        [1, 2, 1]
        """
        raise TypeError("resize: the shape of an array never changes; use x = nd4py.resize(x, shape)")

    def searchsorted(self, *args, **keywords):
        """`nd4py.searchsorted` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([1, 3, 5]).searchsorted([0, 4]).tolist()
        [0, 2]
        """
        return upcalls.functions["searchsorted"](self, *args, **keywords)

    def setflags(ArrayBase self, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
        """Make this array read-only with write=False; views and the memory's owner stay as they are.

        Raises ValueError where a read-only array should become writable: take a copy.

        >>> x = nd.zeros(2)
        >>> x.setflags(write=False)
        >>> x.is_writable
        False
        """
        if align is False or uic:
            raise ValueError("setflags: elements are always aligned, and nothing is written back")
        if write is None or bool(write) is not bool(self.readonly):
            return
        if write:
            raise ValueError("setflags: this array is read-only for good, as others may rely on it; use x.copy()")
        self.readonly = True

    def sort(
        self, axis: int = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None,
        descending: bool = False,
    ) -> None:
        """Sort the array in place along an axis.  Raises as `nd4py.sort` does, ValueError for a read-only array.

        >>> x = nd.asarray([3, 1, 2])
        >>> x.sort()
        >>> x.tolist()
        [1, 2, 3]
        """
        self[...] = upcalls.functions["sort"](self, axis, kind, order, stable=stable, descending=descending)

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Write the elements in C order to a file: their bytes, or as text with `sep` between them.

        fid: a path or an open file.  Raises OSError as `open` does, TypeError for what is no file.

        >>> import io
        >>> file = io.StringIO()
        >>> nd.asarray([1, 2]).tofile(file, sep=",")
        >>> file.getvalue()
        '1,2'
        """
        if not isinstance(sep, str) or not isinstance(format, str):
            raise TypeError("tofile: sep and format must be texts")
        if isinstance(fid, (str, os.PathLike)):
            with open(fid, "wb") as target:
                self.tofile(target, sep, format)
            return
        if not hasattr(fid, "write"):
            raise TypeError(f"tofile: fid must be a path or an open file, given {type(fid).__name__}")
        try:
            text = sep.join([format % value for value in self.reshape(-1).tolist()]) if sep else ""
        except TypeError:
            raise TypeError(f"tofile: no number can be written as {format!r}") from None
        content = text.encode() if sep else self.tobytes()
        fid.write(content.decode() if isinstance(fid, io.TextIOBase) else content)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """The capsules by which Arrow's libraries share the memory of an array with one axis; bools are copied.

        requested_schema: a capsule with the type that is wanted, such as Arrow's int32.
        Raises TypeError for complex numbers, bfloat16 and arrays on devices, ValueError for other than one axis and
        for numbers that the wanted type cannot hold.
        """
        return to_arrow(self, requested_schema)

    def __trunc__(self) -> int:
        return math.trunc(self.item())

    def trace(self, *args, **keywords):
        """`nd4py.trace` of the array, with the same arguments.  Raises as that does.

        >>> nd.asarray([[1, 2], [3, 4]]).trace().item()
        5
        """
        return upcalls.functions["trace"](self, *args, **keywords)

    def view(ArrayBase self, dtype: DTypeLike | None = None, type: Any = None) -> Any:
        """The same bytes as another dtype: a view, whose last axis changes its size where the item sizes differ.

        type: NDArray or NumPy's ndarray, for a view that is an NDArray, or a class derived from NDArray, for one of
        that class; it may also stand in place of the dtype.
        Raises ValueError where the bytes do not divide into elements or lie out of alignment, and for bools, TypeError
        for an array that is being differentiated.

        >>> nd.asarray([1.0, -2.0], dtype="float32").view("int32").tolist()
        [1065353216, -1073741824]
        """
        if is_array_type(dtype):
            dtype, type = None, dtype
        if type is not None and not is_array_type(type):
            raise TypeError(f"view: type must be NDArray or a class derived from it, given {type!r}")
        view = self[...] if dtype is None else with_dtype(self, dtype_of(dtype))
        return view if not hasattr(type, "_of") else type._of(view, self)


extend(NumpyMethods)
