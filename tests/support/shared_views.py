"""Views over one buffer and programs that write them while they read them, beside what they ought to come to.

Nothing is asked of NumPy's own rule for overlap, which is wrong for lines of different steps (`a[14:27] = a[2:39:3]`):
whatever a step reads is copied first.
"""

import numpy as np
from hypothesis import strategies as st

import nd4py as nd

N_BYTES = 1152  # 144 elements of 8 bytes, or (12, 12) of them
SIDE = 12
INTEGERS = ["int8", "int16", "int32", "int64"]


def lines(draw, size, n):
    """A slice of `n` elements of an axis, forwards or backwards."""
    longest = max((size - 1) // max(n - 1, 1), 1)
    step = draw(st.integers(1, min(longest, 5)))
    start = draw(st.integers(0, size - 1 - step * (n - 1)))
    stop = start + step * (n - 1)
    if draw(st.booleans()):
        return slice(start, stop + 1, step)
    return slice(stop, start - 1 if start else None, -step)


@st.composite
def keys(draw, itemsize, shape):
    """What selects a view of `shape` from a buffer of elements of `itemsize` bytes: (shape of the whole, key, axes)."""
    n = N_BYTES // itemsize
    if len(shape) == 1:
        return (n,), (lines(draw, n, shape[0]),), (0,)
    whole = (SIDE, n // SIDE)
    if draw(st.booleans()):
        return whole, (lines(draw, whole[0], shape[1]), lines(draw, whole[1], shape[0])), (1, 0)
    return whole, (lines(draw, whole[0], shape[0]), lines(draw, whole[1], shape[1])), (0, 1)


def view_of(flat, layout):
    """The view, ours or NumPy's, of a flat array."""
    shape, key, axes = layout
    seen = flat.reshape(shape)[key]
    return seen.permute_dims(axes) if isinstance(seen, type_of_ours(flat)) else seen.transpose(axes)


def type_of_ours(flat):
    return type(None) if isinstance(flat, np.ndarray) else type(flat)


class Buffer:
    """Memory that ours and NumPy's views are taken of, twice: `mirror` never meets nd4py."""

    def __init__(self, dtype, memory, seed, device="cpu"):
        values = np.random.default_rng(seed).integers(-3, 4, N_BYTES // np.dtype(dtype).itemsize)
        if np.dtype(dtype).kind == "c":
            values = values + 1j * values[::-1]
        if np.dtype(dtype).kind == "u":
            values = abs(values)
        self.mirror = values.astype(dtype)
        self.held = self.mirror.copy()
        self.ours = nd.asarray(self.held) if memory == "foreign" else nd.asarray(self.mirror.tolist(), dtype=dtype)
        if memory == "exported":
            self.held = np.asarray(self.ours)
        if memory == "deferred":
            self.ours = self.ours + 0
        if device != "cpu":
            self.ours = self.ours.to_device(device)
        self.memory = memory

    def view(self, dtype, layout):
        """(our view as a dtype, NumPy's view of the mirror)."""
        return view_of(self.typed(dtype), layout), view_of(self.mirror.view(dtype), layout)

    def typed(self, dtype):
        """All of our memory as a dtype; another one than its own reaches it through NumPy."""
        if dtype == self.mirror.dtype.name:
            return self.ours
        return nd.asarray(self.held.view(dtype))

    def check(self):
        got = np.asarray(self.ours.to_device("cpu"))
        np.testing.assert_array_equal(got, self.mirror)
        if self.memory in ("foreign", "exported"):
            np.testing.assert_array_equal(self.held, self.mirror)


# Writers: (name, of our target and sources, of NumPy's target and copies of its sources).


def assign(target, sources):
    target[...] = sources[0]


def assign_row(target, sources):
    target[...] = sources[0][:1]


def assign_parts(target, sources):
    target[1:] = sources[0][:-1]


def add_in_place(target, sources):
    target += sources[0]


def subtract_in_place(target, sources):
    target -= sources[0][-1:]


def multiply_in_place(target, sources):
    target *= sources[0]


def add_out(target, sources):
    add = nd.add if not isinstance(target, np.ndarray) else np.add
    if add is nd.add:
        nd.add(sources[0], sources[1], out=target)
    else:
        target[...] = sources[0] + sources[1]


def multiply_add_out(target, sources):
    if isinstance(target, np.ndarray):
        a, b, c = (source.astype(np.result_type(*sources)) for source in sources)  # the product is one of that dtype
        target[...] = a * b + c
    else:
        nd.multiply_add(sources[0], sources[1], sources[2], out=target)


def where_out(target, sources):
    if isinstance(target, np.ndarray):
        target[...] = np.where(sources[0] != 0, sources[1], sources[2])
    else:
        nd.where(sources[0] != 0, sources[1], sources[2], out=target)


def negative_out(target, sources):
    if isinstance(target, np.ndarray):
        target[...] = -sources[0]
    else:
        nd.negative(sources[0], out=target)


def write_where(target, sources):
    mask = sources[1] != 0
    target[mask] = sources[0].reshape(-1)[: int(mask.sum())]


def write_rows(target, sources):
    order = list(range(target.shape[0]))[::-1]
    target[order] = sources[0]


def write_some(target, sources):
    target[[0, -1, 0], ...] = sources[0][[0]]


def write_along(target, sources):
    n = target.shape[-1]
    order = (np.arange(target.size).reshape(target.shape) * 5 + 1) % n
    if isinstance(target, np.ndarray):
        np.put_along_axis(target, order, sources[0], -1)
    else:
        nd.put_along_axis(target, nd.asarray(order), sources[0])


def write_through_chain(target, sources):
    """Values that may not have been computed when the target is written."""
    target[...] = sources[0] * 2 + sources[1]


def add_chain_in_place(target, sources):
    target += sources[0] * sources[1]


def write_sub_array(target, sources):
    if isinstance(target, np.ndarray):
        target[(0,) * (target.ndim - 1)] = sources[0][(0,) * (target.ndim - 1)]
    else:
        target.tensor_along_dimension(0, target.ndim - 1)[...] = sources[0].tensor_along_dimension(0, target.ndim - 1)


def write_by_numpy(target, sources):
    """A universal function of NumPy into our memory."""
    if isinstance(target, np.ndarray):
        target[...] = sources[0] + sources[1]
    else:
        np.add(sources[0], sources[1], out=target, casting="unsafe", where=True)


WRITERS = [
    assign, assign_row, assign_parts, add_in_place, subtract_in_place, multiply_in_place, add_out, multiply_add_out,
    where_out, negative_out, write_where, write_rows, write_some, write_along, write_through_chain,
    add_chain_in_place, write_sub_array, write_by_numpy,
]  # fmt: skip
ON_HOST_ONLY = {write_by_numpy, write_sub_array}


def run(writer, buffer, target, sources):
    """Let a writer write one view of a buffer while it reads others, and the mirror with copies of what it reads.

    target, sources: (dtype, layout)
    """
    ours, theirs = buffer.view(*target)
    seen = [buffer.view(*source) for source in sources]
    copies = [x.copy() for _, x in seen]
    writer(ours, [x for x, _ in seen])
    writer(theirs, copies)


@st.composite
def programs(draw, dtypes, writers=tuple(WRITERS), max_steps=3):
    """Steps of (writer, target, sources), all over one buffer."""
    steps = []
    for _ in range(draw(st.integers(1, max_steps))):
        shape = draw(st.sampled_from([(2,), (7,), (13,), (24,), (2, 3), (5, 5), (3, 6)]))
        seen = []
        for _ in range(4):
            dtype = draw(st.sampled_from(dtypes))
            seen.append((dtype, draw(keys(np.dtype(dtype).itemsize, shape))))
        steps.append((draw(st.sampled_from(writers)), seen[0], seen[1:]))
    return steps


def run_program(steps, buffer):
    """All steps; arrays that read the buffer before a step, and are looked at after it, keep what they read."""
    readers = []
    for writer, target, sources in steps:
        ours, theirs = buffer.view(*sources[0])
        readers.append((ours + 1, theirs.copy() + theirs.dtype.type(1)))
        run(writer, buffer, target, sources)
        if len(readers) % 2:
            buffer.check()
    buffer.check()
    for reader, expected in readers:
        np.testing.assert_array_equal(np.asarray(reader.to_device("cpu")), expected)
