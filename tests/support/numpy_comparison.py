"""One call in NumPy and in nd4py, on samples of many dtypes, shapes and layouts: the same values, shapes and dtypes.

A call is a function of a namespace and of operands: `lambda xp, x: xp.fix(x)`.
"""

import itertools
import warnings

import numpy as np

import nd4py as nd

INTEGERS = ("int8", "int32", "int64", "uint8", "uint32")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
REAL = INTEGERS + FLOATS
NUMBERS = REAL + COMPLEX
EVERY = ("bool", *NUMBERS)
SHAPES = ((), (0,), (1,), (7,), (3, 4), (2, 0, 3), (2, 3, 2))
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0)
# Relative and absolute differences that the roundings of each dtype explain.
TOLERANCE = {"float16": 4e-3, "float32": 3e-6, "float64": 2e-13, "complex64": 5e-6, "complex128": 5e-13}


def sample(dtype, shape=(7,), seed=0, *, low=-6, high=6, special=True):
    """Numbers of a dtype, with ties; of floats NaN, infinities and both zeros among them."""
    rng = np.random.default_rng([seed, len(shape), *shape])
    x = rng.integers(0 if dtype.startswith("u") else low, high, shape)
    if dtype == "bool":
        return np.asarray(x % 2 == 0)
    if dtype in COMPLEX:
        return np.asarray(x / 2 + 1j * rng.integers(low, high, shape)).astype(dtype)
    if dtype in FLOATS:
        x = np.asarray(x + rng.integers(0, 4, shape) / 4)
        if special and x.size >= len(SPECIAL):
            x.reshape(-1)[rng.permutation(x.size)[: len(SPECIAL)]] = SPECIAL
    return np.asarray(x).astype(dtype)


def layouts(x):
    """(name, the same array in another layout, for NumPy and for nd4py)."""
    yield "plain", x
    if x.ndim:
        yield "reversed", np.ascontiguousarray(x[::-1])[::-1]
        holder = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
        holder[..., ::2] = x
        yield "strided", holder[..., ::2]
    if x.ndim > 1:
        yield "transposed", np.asfortranarray(x)


def rounded(values, dtype):
    """Floating values in a dtype, infinite where they are too large for it."""
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def outcome(call):
    """The result of a call, or its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:
            return error


def assert_same(got, want, *, dtype=True, tolerance=None, label=""):
    """`got`, of nd4py, is what NumPy gave: arrays, tuples and lists of them, Python's objects."""
    if isinstance(want, tuple | list) and not isinstance(want, str):
        assert len(got) == len(want), label
        for ours, theirs in zip(got, want, strict=True):
            assert_same(ours, theirs, dtype=dtype, tolerance=tolerance, label=label)
        return
    if not isinstance(want, np.ndarray | np.generic):
        assert got == want, label
        assert not isinstance(got, nd.NDArray) or got.ndim == 0, label
        return
    if not isinstance(got, nd.NDArray):
        assert np.ndim(want) == 0, label
        assert got == want or (got != got and want != want), label
        return
    assert got.shape == want.shape, f"{label}: shape {got.shape} instead of {want.shape}"
    if dtype:
        assert got.dtype == want.dtype, f"{label}: {got.dtype} instead of {want.dtype}"
    values = np.asarray(got)
    if want.dtype.kind not in "fc" and values.dtype.kind not in "fc":
        np.testing.assert_array_equal(values, want, err_msg=label)
        return
    limit = (
        TOLERANCE.get(str(want.dtype if want.dtype.kind in "fc" else values.dtype), 0)
        if tolerance is None
        else tolerance
    )
    np.testing.assert_allclose(
        values.astype("complex128" if values.dtype.kind == "c" else "float64"),
        want.astype("complex128" if want.dtype.kind == "c" else "float64"), rtol=limit, atol=limit, err_msg=label,
    )  # fmt: skip


def compare(call, *operands, **options):
    """Both namespaces give the same: NumPy's arrays become ours, everything else is given as it is.

    Where NumPy raises, so must nd4py, in words: an error whose message is not empty.
    """
    ours = [nd.asarray(x) if isinstance(x, np.ndarray) else x for x in operands]
    want, got = outcome(lambda: call(np, *operands)), outcome(lambda: call(nd, *ours))
    label = options.pop("label", "") or ", ".join(
        f"{getattr(x, 'dtype', x)}{getattr(x, 'shape', '')}" for x in operands
    )
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"{label}: NumPy raises {want!r}, nd4py gives {got}"
        assert str(got), label
        return
    if isinstance(got, Exception):
        raise AssertionError(f"{label}: NumPy gives {want!r}") from got
    assert_same(got, want, label=label, **options)


def is_narrow(x):
    """Whether functions of floats compute integers like `x` in a narrow float in NumPy, in float64 in nd4py."""
    return x.dtype.kind in "biu" and x.dtype.itemsize < 4


def compare_widely(call, dtypes, *, shapes=SHAPES, n=1, check_dtype=None, as_lists=True, **options):
    """`compare` for every dtype, shape and layout, and for nested lists; n operands of one shape each."""
    special = options.pop("special", True)
    for dtype, shape in itertools.product(dtypes, shapes):
        operands = [sample(dtype, shape, seed, special=special) for seed in range(n)]
        is_exact = not is_narrow(operands[0]) if check_dtype is None else check_dtype
        for name, first in layouts(operands[0]):
            label = f"{dtype}{shape} {name}"
            compare(call, first, *operands[1:], dtype=is_exact, label=label, **options)
        if as_lists and dtype in ("bool", "int64", "float64", "complex128"):
            compare(call, *[x.tolist() for x in operands], dtype=is_exact, label=f"{dtype}{shape} list", **options)
