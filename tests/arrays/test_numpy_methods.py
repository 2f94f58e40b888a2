"""Methods and attributes that NumPy's arrays have: the same results, on arrays of every layout, deferred or not."""

import io
import pickle

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd


def numbers(np, *shape, dtype="float64"):
    n = int(numpy.prod(shape))
    return np.asarray((numpy.arange(n) * 7 % 5 - 1).astype(dtype).reshape(shape))


METHODS = {
    "reductions": [
        lambda np, x: x.sum(0), lambda np, x: x.sum(axis=-1, dtype="float32", keepdims=True),
        lambda np, x: x.sum(initial=5),
        lambda np, x: x.sum(0, where=x > 0), lambda np, x: x.mean(where=x > 0),
        lambda np, x: x.max(initial=9, where=x > 0),
        lambda np, x: x.min(0, None, True), lambda np, x: x.prod(initial=2), lambda np, x: x.all(where=x > 0),
        lambda np, x: x.any(0),
        lambda np, x: x.std(0, ddof=1), lambda np, x: x.var(where=x > 0), lambda np, x: x.cumsum(),
        lambda np, x: x.cumprod(0),
        lambda np, x: x.argmax(0), lambda np, x: x.argmin(axis=1, keepdims=True), lambda np, x: x.trace(),
        lambda np, x: x.trace(1),
        lambda np, x: x.sum(0, None, np.zeros(x.shape[1])), lambda np, x: x.max(where=x > 0),
    ],
    "shapes": [
        lambda np, x: x.reshape(4, 3), lambda np, x: x.reshape((4, 3), order="F"),
        lambda np, x: x.reshape(-1, order="A"), lambda np, x: x.ravel("F"),
        lambda np, x: x.flatten("F"), lambda np, x: x.flatten(), lambda np, x: x.swapaxes(0, 1),
        lambda np, x: x.transpose(1, 0),
        lambda np, x: x.squeeze(), lambda np, x: x.repeat(2, axis=0), lambda np, x: x.repeat(repeats=2),
        lambda np, x: x.diagonal(1), lambda np, x: x.reshape(4, 3, order="x"),
    ],
    "elements": [
        lambda np, x: x.item(3), lambda np, x: x.item(1, 2), lambda np, x: x.item((1, -1)), lambda np, x: x.item(-1),
        lambda np, x: x.item(99), lambda np, x: x.item(0, 0, 0), lambda np, x: x.item(),
        lambda np, x: x.take([4]), lambda np, x: x.compress([True, False, True], axis=0), lambda np, x: x.conjugate(),
        lambda np, x: x.dot(x.T), lambda np, x: x.clip(0, 2),
        lambda np, x: x.astype("int32", casting="unsafe"), lambda np, x: x.astype("int32", casting="safe"),
        lambda np, x: x.astype("float64", copy=False),
        lambda np, x: x.tobytes(), lambda np, x: x.tobytes("F"), lambda np, x: x.tolist(), lambda np, x: x.nonzero(),
        lambda np, x: x.argsort(0, "stable"),
        lambda np, x: (x.nbytes, x.itemsize, x.ndim, x.size, x.shape), lambda np, x: x.view("int64"),
        lambda np, x: x.view(np.ndarray), lambda np, x: x.view(type=np.ndarray),
        lambda np, x: x.copy("F"), lambda np, x: x.view().tolist(),
    ],
    "flat": [
        lambda np, x: [float(v) for v in x.flat], lambda np, x: x.flat[3], lambda np, x: x.flat[2:5],
        lambda np, x: x.flat[[0, -1]], lambda np, x: len(x.flat),
        lambda np, x: np.asarray(x.flat), lambda np, x: x.flat.copy(), lambda np, x: x.flat[99],
        lambda np, x: (lambda f: (next(f), f.coords)[1])(x.flat),
    ],
    "flags": [
        lambda np, x: x.flags.c_contiguous, lambda np, x: x.flags["F_CONTIGUOUS"], lambda np, x: x.flags["C"],
        lambda np, x: x.flags.forc, lambda np, x: x.flags.writeable,
        lambda np, x: x.T.flags.f_contiguous, lambda np, x: x[:, ::2].flags.contiguous, lambda np, x: x.flags.aligned,
        lambda np, x: x.flags.carray,
        lambda np, x: x[1:].base is not None, lambda np, x: x.flags.fnc,
    ],
}  # fmt: skip
LAYOUTS = {
    "in C order": lambda np, x: x,
    "transposed": lambda np, x: x.reshape(4, 3).T,
    "every other": lambda np, x: np.concatenate([x, x], axis=1)[:, ::2],
    "reversed": lambda np, x: x[::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("program", parameters(METHODS))
def test_methods_give_what_numpy_gives(program, layout):
    check(lambda np: program(np, LAYOUTS[layout](np, numbers(np, 3, 4))))


# What becomes of a deferred array when a method is called; each of them computes the same as on one with its values.
DEFERRED = {
    "flat": lambda x: x.flat[5].item(),
    "item": lambda x: x.item(7),
    "flags": lambda x: x.flags.c_contiguous,
    "base": lambda x: x.base is None,
    "view": lambda x: x.view("int64")[3].item(),
    "fill": lambda x: (x.fill(3), x[0].item())[1],
    "sort": lambda x: (x.sort(), x[-1].item())[1],
    "put": lambda x: (x.put([0], 5), x[0].item())[1],
    "sum where": lambda x: x.sum(where=x > 3).item(),
    "max initial": lambda x: x.max(initial=1e9).item(),
    "astype": lambda x: x.astype("float32", order="C")[2].item(),
    "round": lambda x: x.round()[2].item(),
}


@pytest.mark.parametrize("name", DEFERRED)
def test_deferred_arrays_have_the_methods(name):
    x = nd.arange(1_000_000.0)
    deferred = x * 2 + 1
    assert nd.explain(deferred) is not None
    assert DEFERRED[name](deferred) == DEFERRED[name]((x * 2 + 1).block())


VIEWS = [
    ("float64", "uint8"),
    ("uint8", "float32"),
    ("float32", "int32"),
    ("int16", "uint16"),
    ("complex128", "float64"),
]


@pytest.mark.parametrize(("dtype", "other"), VIEWS)
@pytest.mark.parametrize("shape", [(8,), (2, 8), (0,), (3, 0)], ids=str)
def test_views_of_the_same_bytes(shape, dtype, other):
    check(lambda np: np.asarray(numbers(numpy, *shape, dtype=dtype)).view(other))
    if shape == (2, 8):
        check(lambda np: np.asarray(numbers(numpy, *shape, dtype=dtype))[:, ::2].view(other))
        check(lambda np: np.asarray(numbers(numpy, *shape, dtype=dtype))[::-1].view(other))


def test_views_share_memory_and_say_what_they_cannot():
    x = nd.zeros(3)
    x.view("int64")[1] = 1
    assert x[1].item() == 5e-324
    assert not nd.broadcast_to(x, (2, 3)).view("int64").is_writable
    assert nd.asarray(3.0).view("int64").shape == ()
    for view, words in (
        (lambda: nd.ones((), dtype="float64").view("uint8"), "last axis"),
        (lambda: nd.ones(3, dtype="uint8").view("uint16"), "whole number"),
        (lambda: nd.ones(9, dtype="uint8")[1:].view("uint16"), "alignment"),
        (lambda: nd.ones(3, dtype="uint8").view("bool"), "no bools"),
    ):
        with pytest.raises(ValueError, match=words):
            view()
    with pytest.raises(TypeError, match="differentiated"):
        nd.grad(lambda x: x.view("int64").sum())(nd.ones(3))


def test_memory_of_views_and_of_others_is_not_owned():
    x, foreign = nd.ones(3), numpy.ones(3)
    assert x.flags.owndata
    assert (x + 1).flags["OWNDATA"]
    with nd.workspace("owned"):
        assert nd.ones(3).flags.owndata
    for y in (x[1:], x.T, nd.asarray(foreign, copy=False), nd.asarray(foreign, copy=False)[1:]):
        assert not y.flags.owndata


def test_flags_can_forbid_writes_and_nothing_else():
    x = nd.ones(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="copy"):
        x.setflags(write=True)
    x.setflags(write=False)
    with pytest.raises(AttributeError, match="cannot be set"):
        x.flags.owndata = True
    assert "WRITEABLE : False" in repr(x.flags)
    assert x.flags == x.flags
    with pytest.raises(KeyError, match="no flag 'x'"):
        x.flags["x"]
    y = nd.ones(3)
    y.flags["WRITEABLE"] = False
    assert not y.is_writable


def test_base_is_the_array_that_owns_the_memory():
    x = nd.ones((4, 4))
    assert x.base is None
    assert x[1:].base is x
    assert x[1:][:, 2:].T.base is x
    assert x.copy().base is None


def test_files_and_pickles_of_arrays(tmp_path):
    x = nd.arange(6.0).reshape(2, 3)
    x.T.tofile(tmp_path / "raw")
    assert nd.fromfile(tmp_path / "raw").tolist() == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
    x.tofile(tmp_path / "text", sep=",", format="%.1f")
    assert (tmp_path / "text").read_text() == "0.0,1.0,2.0,3.0,4.0,5.0"
    assert nd.fromfile(tmp_path / "text", sep=",").tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    file = io.BytesIO()
    x.tofile(file)
    assert nd.frombuffer(file.getvalue()).tolist() == x.reshape(-1).tolist()
    assert pickle.loads(x.dumps()).tolist() == x.tolist()
    x.dump(tmp_path / "pickle")
    assert pickle.loads((tmp_path / "pickle").read_bytes()).tolist() == x.tolist()


def test_arrays_never_change_their_shape():
    with pytest.raises(TypeError, match=r"nd4py\.resize"):
        nd.ones(3).resize(5)


def test_parts_are_written_by_their_names():
    z = nd.asarray([1 + 2j, 3 + 4j])
    z.real = 5
    z.imag = [1, 2]
    assert z.tolist() == [5 + 1j, 5 + 2j]
    x = nd.ones(2)
    x.real = [7, 8]
    assert x.tolist() == [7, 8]
    with pytest.raises(TypeError, match="imag: float64 has no imaginary parts to write to"):
        x.imag = 1
    with pytest.raises(ValueError, match="read-only"):
        nd.broadcast_to(z, (2, 2)).real = 1


def test_the_shape_is_not_written():
    with pytest.raises(AttributeError, match=r"use x = x.reshape\(shape\)"):
        nd.ones(4).shape = (2, 2)
