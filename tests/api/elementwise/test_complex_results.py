"""`nd.emath`: values and kinds are those of `numpy.emath`, for numbers on either side of where results turn complex."""

import numpy as np
import pytest

import nd4py as nd

OF_ONE = ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")
OPERANDS = (
    2.5, 0.5, 0, 1, [1.0, 4.0], [-1.0, 4.0], [0.25, -0.5], [-2.0, 0.5], [2, 3], [-2, 3], [[1, -1], [4, 9]], [],
    [1 + 2j, -1], np.asarray([0.5, 0.25], "float32"), np.asarray([-4.0, 4.0], "float32"),
    np.asarray([2, 200], "uint32"), np.asarray([-0.0, 0.0]), [np.nan, 1.0], [np.nan, -1.0], [np.inf, 1.0], -np.inf,
)  # fmt: skip


def same(got, want):
    """Values, shapes and kinds agree; precisions where both are of floats that were given."""
    want = np.asarray(want)
    assert (got.shape, got.dtype.kind) == (want.shape, want.dtype.kind)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("operand", OPERANDS, ids=repr)
def test_values_are_numpys(name, operand):
    with np.errstate(all="ignore"):
        want = getattr(np.emath, name)(operand)
    same(getattr(nd.emath, name)(nd.asarray(operand) if isinstance(operand, np.ndarray) else operand), want)


@pytest.mark.parametrize("name", ["logn", "power"])
@pytest.mark.parametrize("pair", [
    (2.0, [4.0, 8.0]), (2.0, [-4.0, 8.0]), (-2.0, [4.0, 8.0]), (2, [4, 8]), ([2, 4], -2), ([2, 4], 2), ([-2, 4], 2),
    ([-2, 4], 0.5), ([2.0, 3.0], [[1.0], [-2.0]]), (2 + 1j, [1.0, 2.0]), ([2, 4], [2, -1]),
], ids=repr)  # fmt: skip
def test_values_of_two_operands_are_numpys(name, pair):
    with np.errstate(all="ignore"):
        want = getattr(np.emath, name)(*pair)
    same(getattr(nd.emath, name)(*pair), want)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_precision_is_kept(dtype):
    x = nd.asarray([-2.0, 4.0]).astype(dtype)
    for name in OF_ONE:
        assert getattr(nd.emath, name)(x).dtype == (
            "complex64" if x.dtype.itemsize * (2 - (x.dtype.kind == "c")) == 8 else "complex128"
        )


def test_gradients_go_through_where_results_are_real():
    x = nd.asarray([1.0, 4.0])
    assert nd.grad(lambda x: nd.sum(nd.emath.sqrt(x)))(x).tolist() == [0.5, 0.25]
    assert nd.grad(lambda x: nd.sum(nd.abs(nd.emath.sqrt(x))))(-x).tolist() == [-0.5, -0.25]


@pytest.mark.parametrize("name", [*OF_ONE, "logn", "power"])
def test_errors_name_the_function(name):
    operands = ("x",) if name in OF_ONE else (2.0, "x")
    with pytest.raises(TypeError, match=f"^{name}: "):
        getattr(nd.emath, name)(*operands)


def test_programs_ask_for_it_as_they_ask_numpy():
    from nd4py.lib import scimath

    assert nd.emath.sqrt is scimath.sqrt
    assert set(np.emath.__all__) == set(nd.emath.__all__)
