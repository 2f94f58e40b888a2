"""nditer: a loop over the elements of one array or of several that broadcast together, which may write to them."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from typing import Any, Self

from ..._core.annotations import DTypeLike, Shape
from ..._core.array.array import NDArray
from ..._core.whole_numbers import items, named, named_order, whole
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..creation.data_types import can_cast, result_type
from ..manipulation.manipulation import broadcast_shapes
from .iterating import coordinates

__all__ = ["nditer"]

FLAGS = (
    *("multi_index", "c_index", "f_index", "external_loop", "buffered", "delay_bufalloc", "grow_inner"),
    *("common_dtype", "copy_if_overlap", "reduce_ok", "refs_ok", "zerosize_ok"),
)
MODES = ("readonly", "readwrite", "writeonly")
OPERAND_FLAGS = (
    *(*MODES, "allocate", "no_broadcast", "copy", "updateifcopy", "contig", "aligned", "nbo", "no_subtype"),
    "overlap_assume_elementwise",
)
BUFFERED = 8192  # elements of a piece where pieces are buffered, as in NumPy


class Operand:
    """One array of the loop: what the caller gave, what the loop reads and writes, and how."""

    def __init__(self, array: NDArray, flags: Sequence[str], axes: Sequence[int] | None = None) -> None:
        self.shown = array
        self.array = self.working = array if axes is None else along(array, axes)
        self.is_written = "readonly" not in flags
        self.may_copy = "copy" in flags or "updateifcopy" in flags
        self.is_broadcast = "no_broadcast" not in flags
        self.target: NDArray | None = None  # where a buffer goes back to

    def convert(self, i: int, dtype: Any, casting: str, is_buffered: bool) -> None:
        """Work in another dtype.  Raises TypeError where the rule of casting, or the flags, do not allow it."""
        if dtype is None or self.array.dtype == dtype:
            return
        pairs = [(self.array.dtype, dtype)] + [(dtype, self.array.dtype)] * self.is_written
        for given, wanted in pairs:
            if not can_cast(given, wanted, casting):
                raise TypeError(f"nditer: operand {i} cannot be cast from {given} to {wanted} by the rule {casting!r}")
        if not (self.may_copy or is_buffered):
            raise TypeError(f"nditer: operand {i} of {self.array.dtype} as {dtype} needs the flag 'buffered' or 'copy'")
        self.working = self.array.astype(dtype)

    def check(self, i: int, shape: Shape, may_reduce: bool) -> None:
        """Raises ValueError for an array that cannot be written, or that a loop of `shape` may not repeat."""
        if self.array.shape == shape:
            may_repeat = True
        else:
            may_repeat = self.is_broadcast and (may_reduce or not self.is_written)
        if not may_repeat:
            raise ValueError(
                f"nditer: operand {i} of shape {self.array.shape} would be repeated to {shape}; what is written to may "
                "be with the flag 'reduce_ok', and nothing that has 'no_broadcast'"
            )
        if self.is_written and not self.array.is_writable:
            raise ValueError(f"nditer: operand {i} is read-only; copy it first")

    def lay(self, order: Sequence[int], flipped: Sequence[bool], shape: Shape) -> None:
        """The view whose axes lie as the loop takes them: from the outermost one to that which runs fastest."""
        view = self.working[(None,) * (len(shape) - self.working.ndim) + (...,)]
        view = view if self.is_written else view.broadcast_to(shape)
        view = view.permute_dims(tuple(order))
        self.view: NDArray = view[tuple(slice(None, None, -1 if is_flipped else None) for is_flipped in flipped)]

    def buffer(self) -> None:
        """Have the elements lie in the order of the loop: in a copy, unless they do so."""
        if not is_one_line(self.view, 0):
            self.target, self.view = self.view, self.view.copy()

    def __getitem__(self, index: Shape) -> NDArray:
        if self.is_written:
            index = tuple(0 if n == 1 else i for i, n in zip(index, self.view.shape, strict=False))
        return self.view[(*index, ...)]

    def finish(self) -> None:
        """Write what the loop has written in another place."""
        if self.is_written and self.target is not None:
            self.target[...] = self.view.reshape(self.target.shape)
        if self.is_written and self.working is not self.array:
            self.array[...] = self.working.astype(self.array.dtype)


def axes_of_operands(n: int, op_axes: Any) -> list[list[int] | None]:
    """For each of `n` operands which of its axes each axis of the loop runs along, -1 for none.

    Raises ValueError for lists of another number or of several lengths.
    """
    listed = items("nditer: op_axes", op_axes)
    lengths = {len(items("nditer: op_axes", axes)) for axes in listed if axes is not None}
    if len(listed) != n or len(lengths) != 1:
        raise ValueError(f"nditer: op_axes are one list of one length for each of {n} operands, or None for some")
    return [
        None if axes is None else [-1 if axis is None else whole("nditer: op_axes", axis) for axis in axes]
        for axes in listed
    ]


def along(x: NDArray, axes: Sequence[int]) -> NDArray:
    """The view of `x` with its axes as they are listed, -1 for a new one; others stay at their start."""
    chosen = [axis for axis in axes if axis != -1]
    if len(set(chosen)) < len(chosen) or not all(0 <= axis < x.ndim for axis in chosen):
        raise ValueError(f"nditer: op_axes name each axis of an operand of shape {x.shape} once, given {list(axes)}")
    view = x[(*(slice(None) if axis in chosen else 0 for axis in range(x.ndim)), ...)]
    view = view.permute_dims(tuple(sorted(chosen).index(axis) for axis in chosen))
    return view[tuple(None if axis == -1 else slice(None) for axis in axes)]


def loop_shape(arrays: Sequence[NDArray], itershape: Sequence[int] | None) -> Shape:
    """The shape that operands broadcast to.  Raises ValueError where it is not the one asked for."""
    given = () if itershape is None else items("nditer: itershape", itershape)
    asked = tuple(whole("nditer: itershape", n) for n in given)
    shape = broadcast_shapes(*(x.shape for x in arrays), tuple(1 if n == -1 else n for n in asked))
    if asked and (len(shape) != len(asked) or any(n not in (-1, size) for n, size in zip(asked, shape, strict=True))):
        raise ValueError(f"nditer: operands are repeated to {shape}, itershape is {asked}")
    return shape


def modes_of(given: Any, op_flags: Any) -> list[Sequence[str]]:
    """The flags of every operand.  Raises ValueError for unknown ones, or another number of them."""
    if op_flags is None:
        return [["writeonly", "allocate"] if x is None else ["readonly"] for x in given]
    listed = list(items("nditer: op_flags", op_flags))
    if all(isinstance(flag, str) for flag in listed):
        listed = [listed] * len(given)
    if len(listed) != len(given):
        raise ValueError(f"nditer: op_flags are for {len(listed)} operands, given {len(given)}")
    for flags in listed:
        for flag in items("nditer: op_flags", flags):
            named("nditer: an operand's flag", flag, OPERAND_FLAGS)
        if sum(mode in flags for mode in MODES) != 1:
            raise ValueError(f"nditer: an operand's flags name one of {', '.join(MODES)}; given {list(flags)}")
    return listed


def order_of_axes(arrays: Sequence[NDArray], shape: Shape, order: str) -> tuple[list[int], list[bool]]:
    """The axes from the outermost to the one that runs fastest, and which of them run backwards.

    By "K" elements come as they lie in memory; where arrays disagree, in C order: NumPy's
    npyiter_find_best_axis_ordering.
    """
    ndim = len(shape)
    steps = [(0,) * (ndim - x.ndim) + tuple(s if n > 1 else 0 for s, n in zip(x.strides, x.shape, strict=True))
             for x in arrays]  # fmt: skip
    forward = [False] * ndim
    is_fortran = all(x.flags.f_contiguous for x in arrays)
    if order == "C" or (order == "A" and not is_fortran):
        return list(range(ndim)), forward
    if order in ("F", "A"):
        return list(range(ndim))[::-1], forward
    inner: list[int] = []  # the axis that runs fastest comes first
    for axis in range(ndim)[::-1]:
        at = len(inner)
        for i in range(len(inner))[::-1]:
            pairs = [(abs(s[inner[i]]), abs(s[axis])) for s in steps if s[inner[i]] and s[axis]]
            if pairs and not all(inside > outside for inside, outside in pairs):
                break
            at = i if pairs else at
        inner.insert(at, axis)
    axes = inner[::-1]
    return axes, [min(s[axis] for s in steps) < 0 >= max(s[axis] for s in steps) for axis in axes]


class nditer:  # noqa: N801 - NumPy's name
    """The elements of an array, or of several that broadcast together: `for element in nd.nditer(x)`.

    op: an array, or a sequence of arrays; None among them is made, as an array of the loop's shape.
    flags: "multi_index" for the attribute `multi_index`, "c_index" or "f_index" for `index`, "external_loop" for lines
    of elements in place of single ones, "buffered" for lines that are copied where they do not lie in memory as one,
    "reduce_ok" to write to an operand that is repeated, "zerosize_ok" for loops without elements, "common_dtype" for
    operands of the dtype that all promote to; others of NumPy's are accepted where they change nothing.
    op_flags: "readonly" (the default), "readwrite" or "writeonly", for all operands or a list of flags for each; with
    "allocate" an operand may be None, with "no_broadcast" it is not repeated, with "copy" it may be converted.
    op_dtypes: the dtypes that elements are converted to, by the rule `casting`; what is written goes back at the end of
    the loop, or of the `with` block.
    order: "K" as they lie in memory, "C", "F", or "A": "F" where all operands lie so, else "C".
    op_axes: for each operand None, or which of its axes each axis of the loop runs along, -1 for none; those that are
    left out stay at their start.    itershape: the sizes of the loop's axes, -1 where operands tell.
    buffersize: elements of a buffered line at most, 8192 by default.
    Raises ValueError for flags that do not go together, shapes that do not broadcast, axes that do not fit, and
    read-only operands that are to be written, TypeError for a conversion that is not allowed.

    Elements are arrays without dimensions; `x[...] = value` writes them.

    >>> x = nd.asarray([[1, 2], [3, 4]])
    >>> for element in nd.nditer(x, op_flags=["readwrite"]):
    ...     element[...] = element * 2
    >>> x.tolist()
    [[2, 4], [6, 8]]
    """

    def __init__(
        self,
        op: Any,
        flags: Sequence[str] | None = None,
        op_flags: Any = None,
        op_dtypes: Any = None,
        order: str = "K",
        casting: str = "safe",
        op_axes: Sequence[Sequence[int | None] | None] | None = None,
        itershape: Sequence[int] | None = None,
        buffersize: int = 0,
    ) -> None:
        self._flags = [named("nditer: a flag", flag, FLAGS) for flag in items("nditer: flags", flags or ())]
        order = named_order("nditer: order", order, ("C", "F", "A", "K"))
        is_external = "external_loop" in self._flags
        if is_external and {"multi_index", "c_index", "f_index"} & set(self._flags):
            raise ValueError("nditer: lines of an external loop have no index; leave out one of the flags")
        given = list(op) if isinstance(op, list | tuple) else [op]
        modes = modes_of(given, op_flags)
        arrays = [None if x is None else as_array(x) for x in given]
        axes = [None] * len(given) if op_axes is None else axes_of_operands(len(given), op_axes)
        known = [x if mine is None else along(x, mine) for x, mine in zip(arrays, axes, strict=True) if x is not None]
        if not known:
            raise ValueError("nditer: needs one array at least that is not None")
        self.shape = loop_shape(known, itershape)
        self.ndim, self.nop, self.itersize = len(self.shape), len(given), math.prod(self.shape)
        if self.itersize == 0 and "zerosize_ok" not in self._flags:
            raise ValueError(f"nditer: a loop of shape {self.shape} has no elements; pass the flag 'zerosize_ok'")
        self._axes, self._flipped = order_of_axes(known, self.shape, order)
        dtypes = self._dtypes(known, op_dtypes)
        self._operands = [
            Operand(self._made(i, known, dtypes[i], modes[i], axes[i]) if x is None else x, modes[i], axes[i])
            for i, x in enumerate(arrays)
        ]
        for i, operand in enumerate(self._operands):
            operand.check(i, self.shape, "reduce_ok" in self._flags)
            operand.convert(i, dtypes[i], casting, "buffered" in self._flags)
            operand.lay(self._axes, self._flipped, self.shape)
        self._sizes = tuple(self.shape[axis] for axis in self._axes)
        self._line = self._piece = 1  # elements of a line, and of what a step gives of it
        if is_external:
            self._join_lines(buffersize or BUFFERED)
        self._per_line = -(-self._line // max(self._piece, 1))
        self._n_steps = math.prod(self._sizes) * self._per_line
        is_flat = all(operand.view.shape == self._sizes and is_one_line(operand.view, 0) for operand in self._operands)
        self._flat = [operand.view.reshape(-1) for operand in self._operands] if is_flat else []
        self.reset()

    def _dtypes(self, known: Sequence[NDArray], op_dtypes: Any) -> list[Any]:
        """What the operands are converted to; None where they stay what they are."""
        if "common_dtype" in self._flags:
            return [result_type(*known)] * self.nop
        if not isinstance(op_dtypes, list | tuple):
            return [op_dtypes] * self.nop
        if len(op_dtypes) not in (1, self.nop):
            raise ValueError(f"nditer: op_dtypes are for {len(op_dtypes)} operands, given {self.nop}")
        return list(op_dtypes) * (self.nop if len(op_dtypes) == 1 else 1)

    def _made(
        self, i: int, known: Sequence[NDArray], dtype: DTypeLike | None, flags: Sequence[str], axes: list[int] | None
    ) -> NDArray:
        """An operand that was None: without `axes` its elements lie in memory in the order of the loop."""
        if "allocate" not in flags:
            raise ValueError(f"nditer: operand {i} is None; give it the flag 'allocate'")
        dtype = result_type(*known) if dtype is None else dtype
        if axes is not None:
            sizes = {axis: n for axis, n in zip(axes, self.shape, strict=True) if axis != -1}
            if sorted(axis for axis in axes if axis != -1) != list(range(len(sizes))):
                raise ValueError(f"nditer: op_axes of operand {i}, which is made, name each of its axes once: {axes}")
            return filled_beside(known[0], tuple(sizes[axis] for axis in range(len(sizes))), dtype, 0)
        shape = tuple(self.shape[axis] for axis in self._axes)
        made = filled_beside(known[0], shape, dtype, 0)
        return made.permute_dims(tuple(sorted(range(self.ndim), key=self._axes.__getitem__)))

    def _join_lines(self, most: int) -> None:
        """Have the loop give lines: the last axis of the operands, in pieces of as many elements where it is
        buffered."""
        is_buffered = "buffered" in self._flags
        n_outer = self.ndim
        while n_outer and all(is_one_line(operand.view, n_outer - 1) for operand in self._operands):
            n_outer -= 1
        if is_buffered and n_outer:
            n_outer = 0
            for operand in self._operands:
                operand.buffer()
        self._line = math.prod(self._sizes[n_outer:])
        for operand in self._operands:
            shape = operand.view.shape
            if operand.is_written and shape[n_outer:] != self._sizes[n_outer:]:
                raise NotImplementedError("nditer: lines are not added up in one element; leave out 'external_loop'")
            operand.view = operand.view.reshape((*shape[:n_outer], self._line))
        self._sizes = self._sizes[:n_outer]
        self._piece = min(most, self._line) if is_buffered and "grow_inner" not in self._flags else self._line

    def reset(self) -> None:
        """Begin the loop again.  Raises nothing."""
        self._step, self._is_started = 0, False

    @property
    def operands(self) -> tuple[NDArray, ...]:
        """The arrays of the loop, those that it made too."""
        return tuple(operand.shown for operand in self._operands)

    @property
    def dtypes(self) -> tuple[Any, ...]:
        """The dtypes of the elements that the loop gives."""
        return tuple(operand.working.dtype for operand in self._operands)

    @property
    def iterindex(self) -> int:
        """How many elements the loop has passed."""
        line, piece = divmod(self._step, max(self._per_line, 1))
        return line * self._line + piece * self._piece

    @property
    def multi_index(self) -> Shape:
        """The index of the element.  Raises ValueError at the end of the loop."""
        at = self._index()
        found = dict(zip(self._axes, zip(at, self._flipped, strict=True), strict=True))
        return tuple(n - 1 - found[axis][0] if found[axis][1] else found[axis][0] for axis, n in enumerate(self.shape))

    @multi_index.setter
    def multi_index(self, index: Sequence[int]) -> None:
        """Go to the element of an index.  Raises IndexError for one outside the loop, ValueError without the flag."""
        if "multi_index" not in self._flags:
            raise ValueError("nditer: to go to an index the loop needs the flag 'multi_index'")
        at = tuple(whole("nditer: multi_index", i) for i in items("nditer: multi_index", index))
        if len(at) != self.ndim or not all(0 <= i < n for i, n in zip(at, self.shape, strict=False)):
            raise IndexError(f"nditer: a loop of shape {self.shape} has no index {at}")
        step = 0
        for axis, is_flipped in zip(self._axes, self._flipped, strict=True):
            n = self.shape[axis]
            step = step * n + (n - 1 - at[axis] if is_flipped else at[axis])
        self._step, self._is_started = step, False

    @property
    def index(self) -> int:
        """The position of the element, counted in C order, or in Fortran's with the flag "f_index"."""
        at, sizes = self.multi_index, self.shape
        if "f_index" in self._flags:
            at, sizes = at[::-1], sizes[::-1]
        position = 0
        for i, n in zip(at, sizes, strict=True):
            position = position * n + i
        return position

    @property
    def finished(self) -> bool:
        """Whether the loop is at its end."""
        return self._step >= self._n_steps

    @property
    def value(self) -> Any:
        """The element or line, or a tuple of those of several arrays.  Raises ValueError at the end of the loop."""
        values = tuple(self[i] for i in range(self.nop))
        return values[0] if len(values) == 1 else values

    def _index(self) -> Shape:
        """Where in the views the element or line is.  Raises ValueError at the end of the loop."""
        if self.finished:
            raise ValueError("nditer: the loop is at its end")
        return coordinates(self._step // self._per_line, self._sizes)

    def __getitem__(self, i: int) -> NDArray:
        found = self._operands[i][self._index()]
        if self._piece == self._line:
            return found
        start = self._step % self._per_line * self._piece
        return found[start : start + self._piece]

    def __setitem__(self, i: int, value: Any) -> None:
        self[i][...] = value

    def __len__(self) -> int:
        return self.nop

    def copy(self) -> Self:
        """Returns another loop over the same operands, which goes on from the element of this one.  Raises nothing."""
        return copy.copy(self)

    def iternext(self) -> bool:
        """Go on to the next element.  Returns whether there is one.  Raises nothing."""
        self._step += 1
        return not self.finished

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self._step += self._is_started
        self._is_started = True
        if self._step >= self._n_steps:
            self.close()
            raise StopIteration
        if not self._flat:
            return self.value
        i = self._step
        return self._flat[0][i, ...] if self.nop == 1 else tuple([line[i, ...] for line in self._flat])

    def close(self) -> None:
        """Write to the operands what the loop has written in buffers and in other dtypes.  Raises nothing."""
        for operand in self._operands:
            operand.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def is_one_line(view: NDArray, axis: int) -> bool:
    """Whether an axis and those behind it can be walked with one stride."""
    inner = [(n, step) for n, step in zip(view.shape[axis:], view.strides[axis:], strict=True) if n != 1]
    return all(step == n * within for (_, step), (n, within) in zip(inner, inner[1:], strict=False))
