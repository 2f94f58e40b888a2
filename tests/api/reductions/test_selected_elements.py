"""`where`, `initial`, `out` and `dtype` of reductions give what NumPy's give."""

import numpy
import pytest
from beside_numpy import check

import nd4py as nd

DTYPES = ("bool", "int8", "uint8", "int64", "float32", "float64", "complex128")
WITH_INITIAL = ("sum", "prod", "max", "min", "nansum", "nanprod", "nanmax", "nanmin", "amax", "amin")
WITH_WHERE = (*WITH_INITIAL, "mean", "any", "all", "std", "var", "nanmean", "nanstd", "nanvar")
WITH_OUT = (*WITH_WHERE, "ptp", "median", "nanmedian", "argmax", "argmin", "nanargmax", "nanargmin")
ORDERED = {
    "max",
    "min",
    "amax",
    "amin",
    "nanmax",
    "nanmin",
    "ptp",
    "median",
    "nanmedian",
    "std",
    "var",
    "nanstd",
    "nanvar",
}


def numbers(np, dtype, *shape):
    n = int(numpy.prod(shape))
    values = (numpy.arange(n) * 7 % 5 - 1).astype(dtype)
    if values.dtype.kind == "f" and n:
        values[::5] = numpy.nan
    return np.asarray(values.reshape(shape))


def has_loop(name, dtype):
    """nd4py refuses what NumPy does with bools in an order."""
    return name not in ORDERED or dtype != "bool"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "dtype"), [(name, dtype) for name in WITH_WHERE for dtype in DTYPES if has_loop(name, dtype)]
)
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_where(name, axis, keepdims, dtype):
    more = {"initial": 1} if name[-3:] in ("max", "min") else {}
    mask = numpy.arange(12).reshape(3, 4) % 3 > 0

    def program(np):
        with numpy.errstate(all="ignore"):
            return getattr(np, name)(
                numbers(np, dtype, 3, 4), axis=axis, keepdims=keepdims, where=np.asarray(mask), **more
            )

    check(program) if dtype != "float32" else check_loosely(program)
    if axis == 1:
        check_loosely(
            lambda np: getattr(np, name)(
                numbers(np, dtype, 3, 4), axis, where=np.asarray([True, False, True, True]), **more
            )
        )


def check_loosely(program):
    """float32 is added up in another order."""
    with numpy.errstate(all="ignore"):
        numpy.testing.assert_allclose(numpy.asarray(program(nd)), numpy.asarray(program(numpy)), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
@pytest.mark.parametrize("name", WITH_INITIAL)
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (3, 0), (5,)], ids=str)
@pytest.mark.parametrize("initial", [0, 2, -3])
def test_initial(name, shape, initial, dtype):
    with numpy.errstate(all="ignore"):
        check(lambda np: getattr(np, name)(numbers(np, dtype, *shape), initial=initial))
        check(lambda np: getattr(np, name)(numbers(np, dtype, *shape), axis=0, initial=initial, keepdims=True))


@pytest.mark.parametrize("name", WITH_OUT)
def test_out_takes_the_result(name):
    x = nd.asarray([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
    want = getattr(nd, name)(x, axis=0)
    out = nd.zeros(want.shape, dtype=want.dtype)
    assert getattr(nd, name)(x, axis=0, out=out) is out
    assert out.tolist() == want.tolist()
    with pytest.raises(ValueError, match="out has"):
        getattr(nd, name)(x, axis=0, out=nd.zeros(7, dtype=want.dtype))
    with pytest.raises(TypeError, match="out"):
        getattr(nd, name)(x, axis=0, out=[0, 0, 0])


def test_out_may_be_an_array_of_numpy():
    x, out = nd.asarray([[3.0, 1.0], [6.0, 5.0]]), numpy.zeros(2)
    assert numpy.sum(x, axis=0, out=out) is out
    assert out.tolist() == [9.0, 6.0]
    assert nd.max(x, 1, out) is out
    assert out.tolist() == [3.0, 6.0]
    with pytest.raises(TypeError, match="out is int64"):
        nd.sum(x, axis=0, out=numpy.zeros(2, dtype="int64"))
    with pytest.raises(TypeError, match="differentiated"):
        nd.grad(lambda x: (nd.sum(x, out=numpy.zeros(())), x.sum())[1])(x)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@pytest.mark.parametrize("axis", [None, 0, -1, 5])
@pytest.mark.parametrize("dtype", DTYPES)
def test_running_results(name, axis, dtype):
    check(lambda np: getattr(np, name)(numbers(np, dtype, 3, 4), axis=axis))
    check(lambda np: getattr(np, name)(numbers(np, dtype, 3, 4).T, axis, "float64") if dtype != "complex128" else 0)


@pytest.mark.parametrize("name", ["std", "var", "nanstd", "nanvar"])
def test_mean_that_is_known(name):
    x = [[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]]
    check(lambda np: getattr(np, name)(np.asarray(x), axis=1, mean=np.asarray([[2.0], [5.0]])))
    check(lambda np: getattr(np, name)(np.asarray(x), 1, None, None, 1, True))
    check(lambda np: getattr(np, name)(np.asarray(x), axis=0, ddof=1, where=np.asarray([[True], [False]])))


@pytest.mark.parametrize("call", [
    lambda: nd.max(nd.ones(3), where=[True, False, True]),
    lambda: nd.sum(nd.ones(3), where=[1, 0, 1]),
    lambda: nd.sum(nd.ones(3), where=[True, False]),
    lambda: nd.mean(nd.ones(3), where=3),
    lambda: nd.var(nd.ones(3), where=[0.5, 1, 2]),
    lambda: nd.min(nd.ones(0)),
])  # fmt: skip
def test_masks_that_do_not_fit(call):
    with pytest.raises((TypeError, ValueError)):
        call()


def test_gradients_go_to_what_was_selected():
    x, mask = nd.asarray([1.0, 2.0, 3.0]), nd.asarray([True, False, True])
    assert nd.grad(lambda x: nd.sum(x * x, where=mask))(x).tolist() == [2.0, 0.0, 6.0]
    assert nd.grad(lambda x: nd.mean(x, where=mask))(x).tolist() == [0.5, 0.0, 0.5]
    assert nd.grad(lambda x: nd.max(x, where=mask, initial=-9.0))(x).tolist() == [0.0, 0.0, 1.0]
    numpy.testing.assert_allclose(nd.grad(lambda x: nd.var(x, where=mask))(x), [-1.0, 0.0, 1.0])
    assert nd.grad(lambda x: nd.sum(x, initial=5.0))(x).tolist() == [1.0, 1.0, 1.0]
    assert nd.grad(lambda x: nd.cumsum(x.reshape(3, 1)).sum())(x).tolist() == [3.0, 2.0, 1.0]


def test_lists_are_taken():
    for name in (
        "sum",
        "prod",
        "mean",
        "max",
        "min",
        "any",
        "all",
        "std",
        "var",
        "argmax",
        "cumsum",
        "nansum",
        "median",
        "ptp",
        "count_nonzero",
    ):
        check(lambda np, name=name: getattr(np, name)([[3, 1, 2], [4, 6, 5]]))
    check(lambda np: np.sum(5))
    check(lambda np: np.max((1, 7, 3)))
    check(lambda np: np.sqrt([1.0, 4.0]) + np.add([1, 2], (3, 4)))
    check(lambda np: np.asarray([1.0, 2.0]) + [3, 4])
    check(lambda np: [3, 4] - np.asarray([1.0, 2.0]))
    check(lambda np: np.dot([1, 2], [3, 4]) + np.outer([1, 2], (3, 4)) + np.inner(2, 3))
