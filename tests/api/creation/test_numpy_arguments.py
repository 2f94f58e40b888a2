"""Arguments that NumPy's functions take beside the usual ones: what programs written for NumPy pass."""

import numpy as np
import numpy.testing as npt
import pytest

import nd4py as nd


def both(call):
    """What a call gives here and in NumPy: values and dtypes are equal."""
    ours, theirs = call(nd), np.asarray(call(np))
    npt.assert_array_equal(np.asarray(ours), theirs)
    assert np.asarray(ours).dtype == theirs.dtype
    return ours


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.zeros(m.asarray([2, 3])),
        lambda m: m.zeros(np.array([2, 3])),
        lambda m: m.ones(m.asarray([], dtype="int64")),
        lambda m: m.full(m.asarray(3), 1.0),
        lambda m: m.arange(6).reshape(m.asarray([2, 3])),
        lambda m: m.broadcast_to(m.asarray(1.0), m.asarray([2, 2])),
    ],
)
def test_shapes_are_arrays_too(call):
    both(call)


def test_shapes_of_floats_are_refused():
    for make in (nd.zeros, nd.arange(6).reshape):
        with pytest.raises(TypeError, match="must be an int"):
            make(nd.asarray([2.0, 3.0]))


@pytest.mark.parametrize("name", ["partition", "argpartition"])
def test_nothing_has_a_position_0(name):
    both(lambda m: getattr(m, name)(m.asarray([], dtype="float64"), 0))
    both(lambda m: getattr(m, name)(m.zeros((0, 3)), 1, axis=1))
    for kth in (1, -1):
        with pytest.raises(ValueError, match=f"{name}: kth must lie in"):
            getattr(nd, name)(nd.zeros(0), kth)


def test_scalars_do_not_widen_what_choose_gives():
    both(lambda m: m.choose([0, 1], [5, m.asarray([1, 2], dtype="uint8")]))
    both(lambda m: m.choose([1, 0], (1.5, m.asarray([3, 4], dtype="float32"))))
    both(lambda m: m.choose([1, 0], (m.asarray([1, 2], dtype="int8"), m.asarray([3, 4], dtype="int16"))))


@pytest.mark.parametrize("name", ["matmul", "vecdot", "dot"])
def test_products_write_into_out(name):
    given = ([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0])
    out = nd.zeros(2)
    assert getattr(nd, name)(*given, out=out) is out
    npt.assert_array_equal(np.asarray(out), getattr(np, name)(*map(np.asarray, given)))
    with pytest.raises(ValueError, match=rf"{name}: the result has shape \(2,\), out has \(3,\)"):
        getattr(nd, name)(*given, out=nd.zeros(3))


def test_matmul_converts_to_a_dtype_first():
    both(lambda m: m.matmul(m.asarray([[1, 2]]), m.asarray([[3], [4]]), dtype="float32"))


def test_a_correction_has_one_name():
    for name in ("std", "var"):
        with pytest.raises(ValueError, match=f"{name}: give ddof or correction"):
            getattr(nd, name)([1.0, 2.0, 4.0], ddof=1, correction=1)


def test_clip_converts():
    both(lambda m: m.clip(m.asarray([0.25, 5.0]), 1, 3, dtype="float32"))
    ours, theirs = nd.zeros(5, dtype="int64"), np.zeros(5, dtype="int64")
    np.clip(np.arange(5), 1.5, 3.5, out=theirs, casting="unsafe")
    assert nd.clip(nd.arange(5), 1.5, 3.5, out=ours, casting="unsafe") is ours
    npt.assert_array_equal(np.asarray(ours), theirs)
    with pytest.raises(TypeError, match="clip: a result of float64 cannot become int64 with casting='same_kind'"):
        nd.clip(nd.arange(5), 1.5, 3.5, out=ours, casting="same_kind")


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "divide", "hypot"])
def test_reductions_over_no_axes(name):
    both(lambda m: getattr(m, name).reduce(m.asarray(5.0)))
    both(lambda m: getattr(m, name).reduce(m.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=()))


def test_lists_of_0_and_1_are_written_to_bools():
    ours, theirs = nd.zeros((2, 3), dtype="bool"), np.zeros((2, 3), dtype="bool")
    for x in (ours, theirs):
        x[:] = [[0, 1, 1], [1, 0, True]]
        x[0, [0, 2]] = [1, 0]
    npt.assert_array_equal(np.asarray(ours), theirs)


ROW = [1.5, -2.0, 3.0]


@pytest.mark.parametrize(
    "items",
    [
        lambda x: [x[0], x[1], x[2]],
        lambda x: [x[0], 2.5],
        lambda x: [2.5, x[0]],
        lambda x: [x[0], 2],
        lambda x: [[x[0], x[1]], [x[2], x[0]]],
        lambda x: (x, x[::-1]),
        lambda x: [x, ROW],
        lambda x: [ROW, x],
        lambda x: [[x > 0], [x < 0]],
        lambda x: [x[:0], x[:0]],
        lambda x: [x.astype("float32"), x],
        lambda x: [x.astype("int8"), x.astype("int8")],
    ],
)
def test_lists_of_arrays_are_one_array(items):
    for dtype in (None, "float32"):
        ours = nd.asarray(items(nd.asarray(ROW)), dtype=dtype)
        theirs = np.asarray(items(np.asarray(ROW)), dtype=dtype)
        npt.assert_array_equal(np.asarray(ours), theirs)
        assert np.asarray(ours).dtype == theirs.dtype


def test_lists_of_arrays_are_copied_and_differentiated():
    x = nd.asarray(ROW)
    y = nd.asarray([x, x])
    y[0, 0] = 9.0
    assert x.tolist() == ROW
    assert nd.grad(lambda x: nd.sum(nd.asarray([x[0] * 2, x[1]])))(x).tolist() == [2.0, 1.0, 0.0]
    for ragged in ([x, x[:2]], [x, 1.0], [x[0], x], [[x[0]], [x[1], x[2]]]):
        with pytest.raises(ValueError, match="ragged"):
            nd.asarray(ragged)


def test_archives_have_what_numpys_have(tmp_path):
    nd.savez(tmp_path / "x.npz", a=nd.arange(2), b=nd.ones(1))
    with nd.load(tmp_path / "x.npz") as archive:
        assert archive.files == ["a", "b"]
        assert archive["a"].tolist() == [0, 1]


@pytest.mark.parametrize(
    "items",
    [
        lambda x, i: [[2 * x[0], 1], [1, 3 * x[1]]],
        lambda x, i: [[1, 2], [3, 4.5]],
        lambda x, i: [0, x[0]],
        lambda x, i: [i[1], x[0]],
        lambda x, i: [x[0], i[1]],
        lambda x, i: [i, x],
        lambda x, i: [x[::2], x[1:]],
        lambda x, i: [2**53 + 1, 1.0],
        lambda x, i: [2**63, 1.0],
        lambda x, i: [2**63 - 1, 2],
        lambda x, i: [True, 1.5],
        lambda x, i: [1, True],
        lambda x, i: [-5, -2.5],
    ],
)
def test_ints_beside_floats_are_floats(items):
    ours = nd.asarray(items(nd.asarray(ROW), nd.arange(3)))
    theirs = np.asarray(items(np.asarray(ROW), np.arange(3)))
    npt.assert_array_equal(np.asarray(ours), theirs)
    assert np.asarray(ours).dtype == theirs.dtype
