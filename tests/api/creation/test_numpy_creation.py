"""mgrid, r_, fromfunction, orders in memory and their like give what NumPy's give."""

import enum
import pickle
from collections import deque

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

PROGRAMS = {
    "mgrid": [
        lambda np: np.mgrid[0:5], lambda np: np.mgrid[0:3, 0:4], lambda np: np.mgrid[1:7:2, -1:1:0.5],
        lambda np: np.mgrid[0:1:5j], lambda np: np.mgrid[0:1:3j, 0:2:2j], lambda np: np.mgrid[0:1:1j],
        lambda np: np.mgrid[:3, :2, :1], lambda np: np.mgrid[5:1], lambda np: np.mgrid[3:0:-1],
        lambda np: np.mgrid[2.5:5],
        lambda np: np.mgrid["x"], lambda np: np.mgrid[0:3, 4], lambda np: np.mgrid[0:0, 0:2],
    ],
    "ogrid": [
        lambda np: np.ogrid[0:5], lambda np: np.ogrid[0:3, 0:4], lambda np: np.ogrid[0:1:3j, 0:2:2j],
        lambda np: np.ogrid[1:7:2, -1:1:0.5],
    ],
    "r_": [
        lambda np: np.r_[0:3], lambda np: np.r_[0:3, 7, [1, 2]], lambda np: np.r_[1, 2.5], lambda np: np.r_[0:1:5j, 3],
        lambda np: np.r_["0,2", [1, 2], [3, 4]], lambda np: np.r_["1,2,0", [1, 2], [3, 4]],
        lambda np: np.r_["-1", [[1], [2]], [[3], [4]]], lambda np: np.r_["0,2,0", [1, 2], [3]],
        lambda np: np.r_[np.asarray([1, 2], dtype="float32"), 3], lambda np: np.r_["x", 1],
        lambda np: np.r_[True, False],
        lambda np: np.r_[np.asarray([1], dtype="int8"), 2], lambda np: np.r_["0,3", [1, 2], [3, 4]],
        lambda np: np.r_[[[1, 2]], [[3, 4]]], lambda np: np.r_[[1, 2], [[3, 4]]], lambda np: np.r_[1, "0"],
        lambda np: np.r_["1,3,1", [1, 2], [3, 4]], lambda np: np.r_[[1, 2j]],
    ],
    "c_": [
        lambda np: np.c_[[1, 2], [3, 4]], lambda np: np.c_[0:3, 3:6], lambda np: np.c_[[[1, 2]], 0, 5],
        lambda np: np.c_[[1, 2], [[3], [4]]], lambda np: np.c_[np.asarray([1.0, 2.0]), np.asarray([3, 4])],
    ],
    "s_": [
        lambda np: np.s_[1:3], lambda np: np.s_[1:3, ..., None], lambda np: np.index_exp[2],
        lambda np: np.index_exp[1, ::2],
    ],
    "ix_": [
        lambda np: np.ix_([0, 2], [1, 2]), lambda np: np.ix_([True, False, True], [1]), lambda np: np.ix_([]),
        lambda np: np.ix_([[1]]), lambda np: np.ix_(np.asarray([1, 2], dtype="int8"), [0], [2, 1]), lambda np: np.ix_(),
    ],
    "fromfunction": [
        lambda np: np.fromfunction(lambda i, j: i + j, (3, 4)), lambda np: np.fromfunction(lambda i: i * 2,
        (5,), dtype=int),
        lambda np: np.fromfunction(lambda i, j, k: i - k, (2, 3, 2), dtype="float32", k=1),
        lambda np: np.fromfunction(lambda i: 3, (2,)), lambda np: np.fromfunction(lambda i: i, (-2,)),
    ],
    "fromiter": [
        lambda np: np.fromiter((i * i for i in range(5)), dtype="int64"), lambda np: np.fromiter(range(9),
        "float32", 4),
        lambda np: np.fromiter([1.5, 2.5], dtype="float64", count=2), lambda np: np.fromiter([], "int32"),
        lambda np: np.fromiter([1], "int32", count=3), lambda np: np.fromiter(5, "int32"),
    ],
    "fromstring": [
        lambda np: np.fromstring("1 2 3", sep=" "), lambda np: np.fromstring("1,2,3", dtype=int, sep=",", count=2),
        lambda np: np.fromstring("1 2", dtype="float32", sep=" "),
    ],
    "diagflat": [
        lambda np: np.diagflat([[1, 2], [3, 4]]), lambda np: np.diagflat([1, 2], 1), lambda np: np.diagflat(5, -1),
    ],
    "frombuffer": [
        lambda np: np.frombuffer(b"12345678", dtype="uint8", count=3, offset=2), lambda np: np.frombuffer(b"\0" * 16),
        lambda np: np.frombuffer(b"12345678", "uint16", -1, 2), lambda np: np.frombuffer(b"1234", "uint8", count=9),
        lambda np: np.frombuffer(b"1234", "uint8", offset=9),
        *[
            lambda np, spelling=spelling: np.frombuffer(bytes(range(32)), spelling, 1, 8) * 1
            for spelling in (">i2", ">u4", "<i8", ">f4", ">f8", ">c16", "=u2", numpy.dtype("u4").newbyteorder(">"))
        ],
        lambda np: np.frombuffer(b"12345", ">u4"), lambda np: np.frombuffer(b"1234", ">u4", 2),
    ],
    "array": [
        lambda np: np.array([1, 2], ndmin=3), lambda np: np.array(5, ndmin=1), lambda np: np.array([[1, 2]], ndmin=1),
        lambda np: np.array([1, 2], dtype="float32", copy=True, order="F", subok=True),
        lambda np: np.array([1], order="x"),
    ],
    "with an order": [
        lambda np: np.zeros((2, 3), order="F"), lambda np: np.ones((2, 3), "int8", "F"),
        lambda np: np.full((2, 3), 7, None, "F"),
        lambda np: np.zeros((2, 3), float, "C"), lambda np: np.zeros_like(np.ones((2, 3), order="F"), order="C"),
        lambda np: np.ones_like([[1, 2]], dtype="float32", order="F", shape=(3, 2)), lambda np: np.eye(2, 3, 1, int,
        "F"),
        lambda np: np.full_like([1, 2], 3.7, dtype=float), lambda np: np.eye(N=2, M=3, k=-1),
        lambda np: np.zeros_like([1, 2], shape=4), lambda np: np.empty_like([1, 2], shape=(2, 2)) * 0,
        lambda np: np.zeros(3, order="x"),
    ],
    "asfortranarray": [lambda np: np.asfortranarray([[1, 2], [3, 4]]), lambda np: np.asfortranarray(5)],
    "ascontiguousarray": [
        lambda np: np.ascontiguousarray([[1, 2], [3, 4]], "float32"), lambda np: np.ascontiguousarray(5),
    ],
    "asanyarray": lambda np: np.asanyarray([1, 2], dtype="float32"),
    "asarray_chkfinite": [
        lambda np: np.asarray_chkfinite([1.0, 2.0]), lambda np: np.asarray_chkfinite([1.0, np.nan]),
        lambda np: np.asarray_chkfinite([np.inf]), lambda np: np.asarray_chkfinite([1, 2], dtype="float32"),
    ],
    "copy": [
        lambda np: np.copy([1, 2]), lambda np: np.copy(np.ones((2, 3), order="F"), order="C"), lambda np: np.copy([1],
        "x"),
    ],
    "require": [
        lambda np: np.require([[1, 2]], "float32", ["C", "W"]), lambda np: np.require([1], requirements="x"),
        lambda np: np.require([1], requirements=["C", "F"]), lambda np: np.require([[1, 2]], None, "F_CONTIGUOUS"),
    ],
    "arange": [
        lambda np: np.arange(0, stop=5), lambda np: np.arange(0, 10, step=3),
        lambda np: np.arange(1, 2, 0.25, dtype="float32"),
        lambda np: np.arange(3, dtype="float32"), lambda np: np.arange(5, 1), lambda np: np.arange(0, 5, None),
    ],
    "linspace": [
        lambda np: np.linspace(start=0, stop=1, num=5), lambda np: np.linspace(0, 1, 5, False),
        lambda np: np.linspace(0, 2, 3, True, True),
        lambda np: np.linspace(0, 1, 4, dtype="float32"), lambda np: np.geomspace(start=1, stop=8, num=4),
        lambda np: np.logspace(start=0, stop=2, num=3), lambda np: np.linspace(0, 2, 0, retstep=True)[0],
        lambda np: np.linspace(-2, 2, 6, dtype=int), lambda np: np.linspace([-2, 0], [2, 1], 5, dtype="int32"),
    ],
    "ends that are arrays": [
        lambda np: np.linspace([0, 1], [3, 9], 4), lambda np: np.linspace(np.asarray([0.5, 1]), 5, 4, False, axis=-1),
        lambda np: np.linspace([0, 1j], [3, 9], 4, axis=1), lambda np: np.linspace(0, [[1, 2]], 3, axis=1),
        lambda np: np.linspace(np.asarray([0, 1], dtype="float32"), 2, 3), lambda np: np.linspace([0], [1], 0),
        lambda np: np.linspace([0, 1], [1, 2], 1), lambda np: np.linspace([0, 1], [4, 4], 5, retstep=True)[1],
        lambda np: np.linspace([0, 1], 2, 3, axis=2), lambda np: np.linspace([0, 1], [1, 2, 3], 3),
        lambda np: np.logspace([0, 1], [2, 3], 5), lambda np: np.logspace(0, 3, 4, base=[2.0, 3.0]),
        lambda np: np.logspace(0, 3, 4, base=np.asarray([2.0, 3.0]), axis=-1),
        lambda np: np.geomspace([1, -2], [100, -50], 5), lambda np: np.geomspace([1, 2], [8, 32], 3, axis=1),
        lambda np: np.geomspace(1, 1j, 5), lambda np: np.geomspace(1j, 16j, 5), lambda np: np.geomspace([0, 1], 2, 3),
    ],
    "counted steps": [
        lambda np: np.mgrid[0 : 1 : numpy.complex128(3j)], lambda np: np.r_[0 : 1 : numpy.complex64(3j), 5],
        lambda np: np.ogrid[0 : 1 : numpy.complex128(3j), 0:2], lambda np: np.r_[0 : 1 : np.complex64(3j)],
    ],
    "tri": [
        lambda np: np.tri(N=2, M=3, k=1), lambda np: np.tri(2, 3, -1, int), lambda np: np.identity(n=2),
        lambda np: np.indices(dimensions=(2, 3)),
    ],
    "can_cast": [
        *((lambda np, a=a, b=b, how=how: np.can_cast(a, b, how)) for how in ("no", "safe", "same_kind", "unsafe")
          for a, b in (("int8", "int16"), ("float64", "float32"), ("float32", "int32"), ("int64", "uint8"), ("uint8",
          "int8"), ("bool", "int8"))),
    ],
    "meshgrid": [
        lambda np: np.meshgrid([1, 2], [3, 4, 5]), lambda np: np.meshgrid([1, 2], [3, 4], sparse=True),
        lambda np: np.meshgrid([1], [2], copy=False),
        lambda np: np.meshgrid([1, 2], [3, 4, 5], indexing="ij", sparse=True),
    ],
}  # fmt: skip


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_programs_give_what_numpy_gives(program):
    check(program)


STRIDES = {
    "zeros": lambda np: np.zeros((2, 3), order="F"),
    "full": lambda np: np.full((2, 3), 1.0, order="F"),
    "array": lambda np: np.array(np.ones((2, 3)), order="F"),
    "asarray": lambda np: np.asarray(np.ones((2, 3)), order="F"),
    "asfortranarray": lambda np: np.asfortranarray(np.ones((2, 3))),
    "ascontiguousarray": lambda np: np.ascontiguousarray(np.ones((2, 3)).T),
    "copy": lambda np: np.copy(np.ones((2, 3)).T),
    "copy C": lambda np: np.copy(np.ones((2, 3)).T, order="C"),
    "zeros_like K": lambda np: np.zeros_like(np.ones((2, 3)).T),
    "zeros_like F": lambda np: np.zeros_like(np.ones((2, 3)), order="F"),
    "eye": lambda np: np.eye(2, 3, order="F"),
    "require": lambda np: np.require(np.ones((2, 3)), requirements="F"),
    "astype": lambda np: np.ones((2, 3)).astype("float32", order="F"),
    "method copy": lambda np: np.ones((2, 3)).copy("F"),
    "reshape": lambda np: np.ones(6).reshape((2, 3), order="F"),
    # Orders in small letters, wherever there is an order.
    **{
        f"{name} {order}": lambda np, name=name, order=order: getattr(np, name)(np.ones((2, 3)).T, order=order)
        for name in ("array", "asarray", "copy", "zeros_like", "ones_like", "empty_like", "ravel")
        for order in "cfak"
        if name != "copy" or order != "f"
    },
    **{
        f"{name} {order}": lambda np, name=name, order=order: getattr(np, name)((2, 3), order=order)
        for name in ("zeros", "ones", "empty")
        for order in "cf"
    },
    "eye f": lambda np: np.eye(2, 3, order="f"),
    "full f": lambda np: np.full((2, 3), 1.0, order="f"),
    "full_like f": lambda np: np.full_like(np.ones((2, 3)), 1.0, order="f"),
    "astype f": lambda np: np.ones((2, 3)).astype("float32", order="f"),
    "method copy a": lambda np: np.ones((2, 3)).T.copy("a"),
    "flatten f": lambda np: np.ones((2, 3)).flatten("f"),
    "reshape f": lambda np: np.reshape(np.ones(6), (2, 3), order="f"),
    "einsum f": lambda np: np.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 2)), order="f"),
    "ndarray": lambda np: np.ndarray((2, 3)),
    "ndarray f": lambda np: np.ndarray((2, 3), order="f"),
}


@pytest.mark.parametrize("name", STRIDES)
def test_elements_lie_where_numpy_puts_them(name):
    assert STRIDES[name](nd).strides == STRIDES[name](numpy).strides


@pytest.mark.parametrize("name", ["mgrid", "ogrid", "r_", "c_", "s_", "index_exp"])
def test_objects_that_are_indexed_are_the_only_ones(name):
    found = getattr(nd, name)
    assert pickle.loads(pickle.dumps(found)) is found
    assert repr(found) == f"nd4py.{name}"


def test_arrays_that_need_no_copy_stay_as_they_are():
    x = nd.ones((2, 3))
    assert nd.ascontiguousarray(x) is x
    assert nd.asanyarray(x) is x
    assert nd.require(x, requirements=["C", "W"]) is x
    assert nd.copy(x) is not x
    y = nd.asfortranarray(x)
    assert nd.asfortranarray(y) is y


def test_gradient_of_an_array_in_another_order():
    g = nd.grad(lambda x: (nd.asfortranarray(x) * nd.arange(6.0).reshape(2, 3)).sum())(nd.ones((2, 3)))
    assert g.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
def test_limits_have_numpys_attributes(dtype):
    ours, theirs = nd.finfo(dtype), numpy.finfo(dtype)
    for name in ("epsneg", "smallest_subnormal", "resolution"):
        numpy.testing.assert_allclose(getattr(ours, name), float(getattr(theirs, name)), rtol=1e-3)
    for name in ("precision", "nmant", "machep", "negep", "maxexp", "minexp", "nexp", "iexp"):
        assert getattr(ours, name) == getattr(theirs, name)
    with pytest.raises(AttributeError, match="finfo has no attribute 'digits'"):
        _ = ours.digits


def test_ranges_with_infinite_steps():
    inf = float("inf")
    for given in ((0, 10, inf), (0, -10, inf), (5, -3, -inf), (2.5, 2.5, inf), (0, 1e-300, 1e300)):
        numpy.testing.assert_array_equal(nd.arange(*given), numpy.arange(*given))


def test_pairs_of_results_are_written():
    for name, given, dtypes in (
        ("frexp", ([8.0, -0.75],), ("float64", "int32")), ("modf", ([2.5, -1.25],), ("float64",) * 2),
        ("divmod", ([7, -7], 3), ("int64",) * 2),
    ):  # fmt: skip
        out = tuple(nd.zeros(2, dtype=dtype) for dtype in dtypes)
        got = getattr(nd, name)(*given, out=out)
        assert got[0] is out[0]
        for x, want in zip(out, getattr(numpy, name)(*given), strict=True):
            numpy.testing.assert_array_equal(x, want)
        with pytest.raises(TypeError, match=f"{name}: out must be"):
            getattr(nd, name)(*given, out=out[0])
    assert nd.ones((2, 3)).flags["CONTIGUOUS"]
    assert nd.can_cast(numpy.ones(2), "complex128")


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 7


class Metres(float):
    pass


class Phase(complex):
    pass


@pytest.mark.parametrize(
    "given",
    [
        Colour.BLUE, [Colour.RED, Colour.BLUE], [Colour.RED, 2.5], [[Colour.RED], [3]], Metres(2.5), [Metres(2.5), 1],
        [Metres(1.5), numpy.float32(2)], Phase(1j), [Phase(2), 1], [True, Colour.RED], deque([1, 2, 3]), deque([1.5]),
        deque([[1, 2], [3, 4]]), [deque([1, 2]), deque([3, 4])], deque([True]), deque(), deque([numpy.ones(2)]),
    ],
    ids=repr,
)  # fmt: skip
def test_numbers_of_classes_of_ones_own_and_deques(given):
    check(lambda np: np.asarray(given))
    check(lambda np: np.asarray(given, dtype="complex64"))
    check(lambda np: np.full(3, given) if isinstance(given, int | float) else np.array(given))
    if isinstance(given, deque):
        check(lambda np: np.sum(given))
        check(lambda np: np.add(given, np.asarray(given)))
