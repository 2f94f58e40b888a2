"""NumPy's names of dtypes, their kinds, and the rules between them."""

import re
from typing import get_args, get_type_hints

import numpy as np
import pytest
from numpy_comparison import EVERY, compare

import nd4py as nd
from nd4py._core.dtype import ALL_DTYPES
from nd4py.api.absent_names import instead, why_absent
from nd4py.api.creation import dtype_names

NAMES = [name for name in dtype_names.__all__ if name not in ("ndarray", "dtype")]
KINDS = ("generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating")
DTYPES = [dtype for dtype in ALL_DTYPES if dtype.name != "bfloat16"]


@pytest.mark.parametrize("name", NAMES)
def test_other_names_mean_the_same_dtypes(name):
    assert getattr(nd, name) == np.dtype(getattr(np, name))


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_hold_what_numpys_hold(kind):
    ours, theirs = getattr(nd, kind), getattr(np, kind)
    for dtype in DTYPES:
        want = np.issubdtype(dtype.name, theirs)
        assert nd.issubdtype(dtype, ours) == nd.issubdtype(dtype.name, theirs) == want
        assert nd.issubdtype(np.dtype(dtype.name), ours) == nd.issubdtype(dtype.type, ours) == want
        assert issubclass(dtype, ours) == issubclass(dtype.type, ours) == want
        assert isinstance(nd.ones((), dtype=dtype), ours) == isinstance(np.ones((), dtype.name)[()], ours) == want
        assert not isinstance(nd.ones(1, dtype=dtype), ours)
    for other in KINDS:
        assert nd.issubdtype(getattr(nd, other), ours) == np.issubdtype(getattr(np, other), theirs)
        assert issubclass(getattr(nd, other), ours) == issubclass(getattr(np, other), theirs)
    assert not isinstance("x", ours)
    with pytest.raises(TypeError, match="call a dtype"):
        ours(3)


def test_issubdtype_of_two_dtypes():
    for first in ("float64", float, "f4", np.int64, int, bool, complex, object, str, "int8"):
        for second in ("float64", float, np.float32, int, bool, object, np.str_, complex):
            if not {first, second} & {object, str}:
                compare(lambda xp, first=first, second=second: xp.issubdtype(first, second), label=f"{first} {second}")
    assert nd.issubdtype(nd.bfloat16, nd.floating)
    assert not nd.issubdtype(nd.float64, object)
    assert not nd.issubdtype(str, nd.generic)
    with pytest.raises(TypeError, match="unknown dtype"):
        nd.issubdtype("no dtype", nd.floating)


def test_dtypes_make_arrays():
    for dtype in DTYPES:
        for value in (1, True, [1, 0], [[1.0, 0.0]], np.asarray([1, 0])):
            got, want = dtype(value), np.dtype(dtype.name).type(value)
            assert got.dtype == dtype
            assert got.shape == np.shape(want)
            assert got.tolist() == want.tolist()
    assert nd.int32(3.7).item() == 3
    assert nd.float64().item() == 0.0
    assert nd.bfloat16([1, 2]).dtype == nd.bfloat16
    for call in (lambda xp: xp.int8(300), lambda xp: xp.uint8(-1), lambda xp: xp.float64([1, [2]])):
        compare(call)
    x = nd.ones(3) * 2
    assert nd.grad(lambda x: nd.sum(nd.float32(x)))(x).dtype == nd.float64


def test_instances_of_dtypes():
    assert isinstance(nd.sum(nd.ones(3)), nd.float64)
    assert isinstance(np.float32(3), nd.float32)
    assert not isinstance(nd.ones(3), nd.float64)
    assert not isinstance(3.0, nd.float64)
    assert isinstance(nd.ones(3), nd.ndarray)
    assert isinstance(nd.ones(3).dtype, nd.dtype)


def test_dtype_names_what_numpy_names():
    for given in ("float32", float, np.int16, np.dtype("u2"), nd.bool, "f8", "<i4", "?"):
        assert nd.dtype(given) == np.dtype(getattr(given, "name", given))
        assert nd.dtype(given) is nd.dtype(nd.dtype(given))
    with pytest.raises(TypeError, match="unknown dtype"):
        nd.dtype("no dtype")


def test_promotion_and_casting_are_numpys():
    for first in EVERY:
        for second in EVERY:
            want = np.promote_types(first, second)
            if {first, second} == {"int64", "uint64"}:
                continue
            assert nd.promote_types(first, second) == want
            for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
                assert nd.can_cast(first, second, casting) == np.can_cast(first, second, casting)
    with pytest.raises(TypeError, match="no common dtype"):
        nd.promote_types("uint64", "int8")
    with pytest.raises(ValueError, match="casting must be one of"):
        nd.can_cast("int8", "int16", "other")


def test_smallest_dtypes():
    for value in (0, 1, 127, 128, -1, -128, -129, 255, 256, 65535, 65536, 2**31, 2**32, -(2**31) - 1, 2**63, 2**64 - 1,
                  0.0, 1.5, -7e4, 1e5, 1e39, np.inf, np.nan, 1j, 1e39j, 2 + 1e5j, True, 3.0):  # fmt: skip
        compare(lambda xp, value=value: str(xp.min_scalar_type(value)), label=f"{value}")
    assert nd.min_scalar_type(nd.ones(3, dtype="int16")) == nd.int16
    for dtypes in (("int8",), ("float32", "int64"), ("float16", "float32"), ("complex64", "float64"), ("bool",)):
        compare(lambda xp, *arrays: str(xp.dtype(xp.common_type(*arrays))), *[np.ones(2, dtype) for dtype in dtypes])


def test_shapes_of_arrays_lists_and_numbers():
    for x in (3, 2.5, [1, 2], [[1, 2, 3], [4, 5, 6]], [], np.ones((2, 3, 4))):
        for name in ("ndim", "shape", "size", "iterable"):
            compare(lambda xp, x, name=name: getattr(xp, name)(x), x)
        for axis in (0, -1, (0, 1), 3):
            compare(lambda xp, x, axis=axis: xp.size(x, axis), x)
    assert nd.iterable("text")
    assert not nd.iterable(nd.ones(()))


@pytest.mark.parametrize("name", sorted(instead()))
def test_what_is_left_out_says_what_to_use(name):
    assert not hasattr(nd, name)
    with pytest.raises(AttributeError, match=rf"np\.{name}: "):
        getattr(nd, name)
    for mentioned in re.findall(r"\bnd\.(\w+)", why_absent(name)):
        assert hasattr(nd, mentioned)


def test_names_that_nobody_has_are_plain_errors():
    with pytest.raises(AttributeError, match="module 'nd4py' has no attribute 'nothing_like_it'"):
        nd.nothing_like_it  # noqa: B018


def test_classes_and_dtypes_stand_in_annotations():
    def function(x: nd.ndarray[tuple[int, ...], nd.dtype[nd.float64]] | None, y: nd.float64 | float) -> nd.NDArray:
        return x + y

    hints = get_type_hints(function)
    assert get_args(hints["x"])[0] == nd.NDArray[tuple[int, ...], nd.dtype[nd.float64]]
    assert get_args(hints["y"]) == (nd.float64, float)
    assert get_args(float | nd.float32) == (float, nd.float32)
    assert get_args(nd.float32 | None) == (nd.float32, type(None))
