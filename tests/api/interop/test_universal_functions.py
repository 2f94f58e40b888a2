"""NumPy's universal functions with our arrays in any argument: NumPy's values, or a TypeError."""

import warnings
from collections import deque

import numpy as np
import pytest

import nd4py as nd

UFUNCS = sorted({f for f in vars(np).values() if isinstance(f, np.ufunc)}, key=lambda f: f.__name__)
REDUCING = [f for f in UFUNCS if f.nin == 2 and f.nout == 1 and f.signature is None]
VALUES = np.asarray([[1, 2, 3], [3, 1, 5], [2, 7, 1]])
MASK = np.asarray([[True, False, True], [False, False, True], [True, True, True]])
DTYPES = ["bool", "int64", "float32", "complex128"]
OURS = {(np.reciprocal, "int64")}  # where the rule of the namespace is another one: floats
QUIET = {"casting": "same_kind"}


class Refused:
    """What a call came to that raised."""

    def __init__(self, error):
        self.error = error


def outcome(call):
    """The result of a call, or its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:
            return Refused(error)


def with_ours(args, keywords):
    """(arguments, keywords) with one array at a time ours, then all of them."""
    slots = [*((0, i) for i in range(len(args))), *((1, name) for name in keywords)]
    arrays = [(kind, key) for kind, key in slots if holds_array((args, keywords)[kind][key])]
    for chosen in (*([slot] for slot in arrays), arrays):
        yield (
            tuple(ours(x) if (0, i) in chosen else copied(x) for i, x in enumerate(args)),
            {name: ours(x) if (1, name) in chosen else copied(x) for name, x in keywords.items()},
        )


def holds_array(x):
    return isinstance(x, np.ndarray) or (isinstance(x, tuple) and any(map(holds_array, x)))


def ours(x):
    """Our array over memory of its own."""
    return tuple(map(ours, x)) if isinstance(x, tuple) else nd.asarray(x.copy()) if isinstance(x, np.ndarray) else x


def copied(x):
    return tuple(map(copied, x)) if isinstance(x, tuple) else x.copy() if isinstance(x, np.ndarray) else x


def flat(x):
    """The arrays of a result."""
    return [part for one in x for part in flat(one)] if isinstance(x, tuple) else [x]


def check(function, args, keywords):
    """Every way of giving our arrays comes to what NumPy says, or to a TypeError; never to endless recursion."""
    expected_args, expected_keywords = tuple(map(copied, args)), {k: copied(x) for k, x in keywords.items()}
    want = outcome(lambda: function(*expected_args, **expected_keywords))
    for given, named in with_ours(args, keywords):
        got = outcome(lambda given=given, named=named: function(*given, **named))
        if isinstance(got, Refused):
            assert isinstance(got.error, TypeError if not isinstance(want, Refused) else Exception), repr(got.error)
            assert not isinstance(got.error, RecursionError)
            continue
        if isinstance(want, Refused):
            continue  # ours takes more dtypes
        for one, expected in zip(flat(got), flat(want), strict=True):
            compare(one, expected)
        compare_all((*given, *named.values()), (*expected_args, *expected_keywords.values()))


def compare(got, want):
    """NumPy computes bools and small integers in narrower floats than we do."""
    if want is None:
        return
    precision = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    np.testing.assert_allclose(np.asarray(got), want, rtol=8 * precision, atol=precision)


def compare_all(got, want):
    """What was written, in place or through `out`, holds the same."""
    for one, expected in zip(got, want, strict=True):
        if isinstance(expected, tuple):
            compare_all(one, expected)
        elif isinstance(expected, np.ndarray):
            compare(one, expected)


def operands(ufunc, dtype):
    return tuple((VALUES + i).astype(dtype) for i in range(ufunc.nin))


def results(ufunc, args):
    """Arrays that can take the results, filled so that what is not written shows."""
    found = outcome(lambda: ufunc(*args))
    if isinstance(found, Refused):
        return None
    return tuple(np.full_like(x, 1) for x in flat(found))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda f: f.__name__)
def test_calls(ufunc, dtype):
    args = operands(ufunc, dtype)
    if (ufunc, dtype) in OURS:
        return
    check(ufunc, args, {})
    out = results(ufunc, args)
    if out is None:
        return
    check(ufunc, args, {"out": out if len(out) > 1 else out[0]})
    check(ufunc, (*args, *out), {})
    if len(out) > 1:
        check(ufunc, args, {"out": (out[0], None)})
    check(ufunc, args, {"dtype": out[0].dtype, **QUIET})
    if ufunc.signature is None:
        for mask in (MASK, MASK[0], MASK[0, 0], MASK[:, :1]):
            check(ufunc, args, {"where": mask, "out": out if len(out) > 1 else out[0]})
            check(ufunc, args, {"where": mask, "out": out if len(out) > 1 else out[0], **QUIET, "order": "C"})


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("ufunc", REDUCING, ids=lambda f: f.__name__)
def test_methods(ufunc, dtype):
    x, y = operands(ufunc, dtype)
    start = np.asarray(2, dtype)
    for axis in (0, 1, None, (0, 1)):
        check(ufunc.reduce, (x,), {"axis": axis})
        check(ufunc.reduce, (x,), {"axis": axis, "keepdims": True})
        check(ufunc.reduce, (x,), {"axis": axis, "initial": start, "where": MASK})
        check(ufunc.reduce, (x,), {"axis": axis, "initial": start})
    check(ufunc.reduce, (x,), {"out": np.ones_like(x[0]), **QUIET})
    check(ufunc.reduce, (x,), {"out": np.ones_like(x[0]), "dtype": x.dtype})
    check(ufunc.accumulate, (x,), {"axis": 1})
    check(ufunc.accumulate, (x,), {"out": np.ones_like(x)})
    check(ufunc.reduceat, (x, np.asarray([0, 2, 1])), {"axis": 1})
    check(ufunc.outer, (x, y[0]), {})
    check(ufunc.at, (x.copy(), np.asarray([0, 2, 0]), y), {})
    check(ufunc.at, (x.copy(), (np.asarray([0, 2]), np.asarray([1, 1])), y[0, :2]), {})


def test_a_mask_of_ours_beside_arrays_of_numpy():
    mask = nd.asarray(MASK)
    out = np.zeros((3, 3))
    assert np.add(VALUES, 1.0, where=mask, out=out) is out
    np.testing.assert_array_equal(out, np.where(MASK, VALUES + 1.0, 0))
    x = nd.asarray([1.0, 2.0, 3.0])
    assert np.add.reduce(x, where=x > 1) == 5


def test_results_beside_a_given_one_are_returned():
    x, whole = nd.asarray([5.0, 7.0]), nd.zeros(2)
    first, second = np.divmod(x, 2.0, out=(whole, None))
    assert first is whole
    assert whole.tolist() == [2, 3]
    assert second.tolist() == [1, 1]


def test_what_a_universal_function_writes_is_known_to_the_tape():
    y = nd.asarray([1.0, 2.0])

    def loss(x):
        z = x * y
        np.add.at(y, [0], 5.0)
        return nd.sum(z)

    with pytest.raises(ValueError, match="written in place"):
        nd.grad(loss)(nd.ones(2))


def test_arrays_in_a_deque():
    assert np.concatenate(deque([nd.ones(2), nd.zeros(1)])).tolist() == [1, 1, 0]


@pytest.mark.parametrize("keyword", ["where", "dtype", "casting", "order", "axis", "initial", "subok", "nonsense"])
def test_nonsense_in_a_keyword_is_refused(keyword):
    class Thing:
        """What is no argument of anything."""

    x = nd.ones(3)
    with pytest.raises((TypeError, ValueError)) as caught:
        np.add.reduce(x, **{keyword: Thing()})
    assert not isinstance(caught.value, RecursionError)
