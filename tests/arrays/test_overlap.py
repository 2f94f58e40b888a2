"""Arrays that are written while other views of their memory are read: every writer, memory of every kind."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shared_views import INTEGERS, N_BYTES, WRITERS, Buffer, assign, programs, run_program

import nd4py as nd

OWN = ["own", "deferred"]
NUMBERS = st.integers(0, 2**32)


def line(start, stop, step, dtype="int64"):
    """A view of one axis."""
    return dtype, ((N_BYTES // np.dtype(dtype).itemsize,), (slice(start, stop, step),), (0,))


@settings(max_examples=200, deadline=None)
@given(programs(["int64"]), st.sampled_from([*OWN, "foreign", "exported"]), NUMBERS)
@example([(assign, line(14, 27, 1), [line(2, 39, 3)])], "own", 1)
@example([(assign, line(50, None, -2), [line(61, 9, -2)])], "foreign", 1)
@example([(assign, line(0, 5, 2), [line(0, 3, 1)])], "own", 1)
def test_views_of_one_dtype(steps, memory, seed):
    run_program(steps, Buffer("int64", memory, seed))


@settings(max_examples=200, deadline=None)
@given(programs(INTEGERS), st.sampled_from(["foreign", "exported"]), st.sampled_from(INTEGERS), NUMBERS)
def test_views_of_elements_of_other_sizes(steps, memory, dtype, seed):
    run_program(steps, Buffer(dtype, memory, seed))


@settings(max_examples=100, deadline=None)
@given(programs(["float64"]), NUMBERS)
def test_views_in_a_workspace(steps, seed):
    with nd.workspace("overlapping views"):
        run_program(steps, Buffer("float64", "own", seed))


@settings(max_examples=100, deadline=None)
@given(programs(["float32"]), st.sampled_from([*OWN, "foreign"]), NUMBERS)
def test_views_without_deferral(steps, memory, seed):
    with nd.combine(False):
        run_program(steps, Buffer("float32", memory, seed))


PARTS = [None, "real", "imag"]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([writer for writer in WRITERS if writer.__name__ != "write_by_numpy"]),
    programs(["complex64"], (assign,), 1),
    st.lists(st.sampled_from(PARTS), min_size=4, max_size=4),
    NUMBERS,
)
def test_parts_of_complex_numbers(writer, steps, parts, seed):
    buffer = Buffer("complex64", "own", seed)
    [(_, target, sources)] = steps
    if parts[0] is not None:
        parts = [part or "imag" for part in parts]  # complex values do not fit real elements
    elif writer.__name__.endswith("_out"):
        parts = [None, None, None, parts[3]]  # the result is as complex as where it goes
    views = [buffer.view(*layout) for layout in (target, *sources)]
    views = [tuple(getattr(x, part) if part else x for x in pair) for pair, part in zip(views, parts, strict=True)]
    copies = [theirs.copy() for _, theirs in views[1:]]
    writer(views[0][0], [ours for ours, _ in views[1:]])
    writer(views[0][1], copies)
    buffer.check()


@pytest.mark.parametrize("n", [5_000, 70_000, 1_200_000])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16"])
def test_long_lines(n, dtype):
    """Work that is shared by threads, and past the caches."""
    random = np.random.default_rng(n)
    for _ in range(20):
        x = np.arange(n).astype(dtype)
        ours = nd.asarray(x.copy()) * 1
        steps = random.integers(1, 4, 2) * random.choice([-1, 1], 2)
        size = int(random.integers(n // 8, n // 4))
        keys = []
        for step in steps:
            start = int(random.integers(0, n - abs(step) * (size - 1)))
            stop = start + int(abs(step)) * (size - 1)
            ends = (start, stop + 1) if step > 0 else (stop, start - 1 if start else None)
            keys.append(slice(*ends, int(step)))
        which = random.integers(3)
        values = x[keys[1]].copy()
        if which == 0:
            ours[keys[0]] = ours[keys[1]]
            x[keys[0]] = values
        elif which == 1:
            ours[keys[0]] += ours[keys[1]]
            x[keys[0]] = x[keys[0]].copy() + values
        else:
            nd.subtract(ours[keys[1]], 1, out=ours[keys[0]])
            x[keys[0]] = values - values.dtype.type(1)
        np.testing.assert_array_equal(np.asarray(ours), x)


@settings(max_examples=150, deadline=None)
@given(st.data(), NUMBERS)
def test_indices_and_masks_in_the_memory_that_is_written(data, seed):
    """x[x[a:b]] = x[c:d] and its like: what names the elements lies among them."""
    n, k = 40, 9
    values = np.random.default_rng(seed).integers(0, n - 22, n)
    ours, theirs = nd.asarray(values.tolist(), dtype="int64"), values.copy()
    start, first, last = (data.draw(st.integers(0, 20)) for _ in range(3))
    index, source = slice(first, first + k), slice(last, last + k)
    which = data.draw(st.sampled_from(["integers", "along", "mask", "numpy", "added"]))
    target, seen = ours[start : start + 18], theirs[start : start + 18]
    positions, given_values = theirs[index].copy(), theirs[source].copy()
    if which == "integers":
        target[ours[index]] = ours[source]
        seen[positions] = given_values
    elif which == "along":
        nd.put_along_axis(target, ours[index], ours[source])
        seen[positions] = given_values
    elif which == "added":
        np.add.at(target, ours[index], ours[source])
        np.add.at(seen, positions, given_values)
    elif which == "numpy":
        target[np.asarray(ours)[index]] = ours[source]
        seen[positions] = given_values
    else:
        mask = theirs[first : first + 18] > 9
        target[ours[first : first + 18] > 9] = ours[last : last + int(mask.sum())]
        seen[mask] = theirs[last : last + int(mask.sum())].copy()
    assert ours.tolist() == theirs.tolist()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), NUMBERS)
def test_bools_that_select_among_themselves(start, first, last, seed):
    theirs = np.random.default_rng(seed).integers(0, 2, 30).astype(bool)
    ours = nd.asarray(theirs.tolist())
    mask = theirs[first : first + 17].copy()
    values = theirs[last : last + int(mask.sum())].copy()
    ours[start : start + 17][ours[first : first + 17]] = ours[last : last + int(mask.sum())]
    theirs[start : start + 17][mask] = values
    assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("operation", ["assign", "add", "out"])
def test_sliding_windows_of_foreign_memory(operation):
    """Elements that share bytes with each other are read before any is written."""
    values = np.arange(30_000.0)
    windows = np.lib.stride_tricks.sliding_window_view(values, 3, writeable=True)
    before = windows.copy()
    ours = nd.asarray(windows)
    if operation == "assign":
        ours[...] = ours
        want = before
    elif operation == "add":
        ours += 1
        ours -= ours * 0
        want = before + 1
    else:
        nd.multiply(ours, 2, out=ours)
        want = before * 2
    np.testing.assert_array_equal(np.asarray(ours), want)


@pytest.mark.parametrize("shift", [0, 1, 3])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_outputs_that_share_memory_are_written_in_turn(shift, is_reversed):
    g, m, v = (nd.asarray([1.0, 2.0, 3.0, 4.0]) * i for i in (1, 2, 3))
    settings = {"lr": 0.1, "b1": 0.9, "b2": 0.99, "eps": 1e-8, "c1": 0.1, "c2": 0.01}
    results = nd.adam_step(g, m, v, **settings)
    room = nd.zeros(12)
    outs = [room[i * shift : i * shift + 4] for i in range(3)]
    if is_reversed:
        outs[1] = outs[1][::-1]
    nd.adam_step(g, m, v, **settings, out=tuple(outs))
    want = np.zeros(12)
    for i, result in enumerate(results):
        seen = want[i * shift : i * shift + 4]
        (seen[::-1] if is_reversed and i == 1 else seen)[...] = np.asarray(result)
    np.testing.assert_array_equal(np.asarray(room), want)


@pytest.mark.parametrize("which", ["apart", "even and odd", "parts", "the same"])
def test_nothing_is_copied_where_nothing_is_shared(which):
    n = 1_000_000
    x = nd.zeros(n, dtype="complex64").block()
    target, source = {
        "apart": (x[: n // 2], x[n // 2 :]),
        "even and odd": (x[::2], x[1::2]),
        "parts": (x.real, x.imag),
        "the same": (x[::-2], x[::-2]),
    }[which]
    nd.memory.reset_peak()
    before = nd.memory.stats().peak_live_bytes
    target[...] = source
    nd.negative(source, out=target)
    assert nd.memory.stats().peak_live_bytes - before < target.nbytes // 2
