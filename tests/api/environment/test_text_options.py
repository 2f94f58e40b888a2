"""Printing, settings for floating-point errors, and assertions: NumPy's, on our arrays."""

import sys

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

PRINTING = {
    "array2string": [
        lambda np: np.array2string(np.asarray([1.0, 2.5])),
        lambda np: np.array2string(np.asarray([1.0, 2.5]), separator=", "),
        lambda np: np.array2string(np.asarray([1 / 3, 2]), 20, 2),
        lambda np: np.array2string(np.asarray([1, 2]), formatter={"int": hex}),
        lambda np: np.array2string(np.asarray([1, 2]), precision="x"),
        lambda np: np.array2string(np.asarray([1.5] * 2000), threshold=5),
    ],
    "array_repr": [
        lambda np: np.array_repr(np.asarray([1, 2])),
        lambda np: np.array_repr(np.asarray([1.5], dtype="float32"), precision=3),
    ],
    "array_str": [
        lambda np: np.array_str(np.asarray([[1, 2], [3, 4]])),
        lambda np: np.array_str(np.asarray([1 / 3]), precision=2),
    ],
    "format_float_positional": [
        lambda np: np.format_float_positional(0.1), lambda np: np.format_float_positional(1e20),
        lambda np: np.format_float_positional(1 / 3, precision=3),
        lambda np: np.format_float_positional(numpy.float32(0.1)),
        lambda np: np.format_float_positional(np.asarray(0.1)[()]), lambda np: np.format_float_positional("x"),
        lambda np: np.format_float_positional(1.0, trim="-"), lambda np: np.format_float_positional(1.0, no_such=1),
    ],
    "format_float_scientific": [
        lambda np: np.format_float_scientific(1500.0),
        lambda np: np.format_float_scientific(1 / 3, precision=3, exp_digits=3),
        lambda np: np.format_float_scientific("x"),
    ],
    "str": [lambda np: str(np.asarray([1 / 3, 2.0])), lambda np: str(np.asarray([True, False]))],
}  # fmt: skip


@pytest.mark.parametrize("program", parameters(PRINTING))
def test_text_is_numpys(program):
    check(program)


@pytest.mark.parametrize("program", parameters({"str": PRINTING["str"], "array_str": PRINTING["array_str"][:1]}))
def test_options_hold_for_both(program):
    with nd.printoptions(precision=2, suppress=True):
        check(program)
        assert nd.get_printoptions()["precision"] == 2
        assert str(nd.asarray([1 / 3])) == "[0.33]"
    assert nd.get_printoptions()["precision"] == 8


def test_options_are_set_and_refused():
    before = nd.get_printoptions()
    nd.set_printoptions(3, 5)
    try:
        assert numpy.get_printoptions()["precision"] == 3
        assert "..." in repr(nd.arange(10))
    finally:
        numpy.set_printoptions(**before)
    for wrong in (
        lambda: nd.set_printoptions("x"),
        lambda: nd.set_printoptions(no_such=1),
        lambda: nd.set_printoptions(nanstr=5),
    ):
        with pytest.raises(TypeError, match="set_printoptions"):
            wrong()
    with pytest.raises(ValueError, match="set_printoptions"):
        nd.set_printoptions(precision=-1)
    with pytest.raises((TypeError, ValueError), match="set_printoptions"), nd.printoptions(floatmode="x"):
        pass
    assert nd.get_printoptions() == before


@pytest.mark.parametrize("size", [sys.maxsize, float("inf"), 2**40, 10_000])
@pytest.mark.parametrize("name", ["threshold", "linewidth"])
def test_sizes_without_an_end_print_all_in_one(name, size):
    x = numpy.arange(2000.0)
    with nd.printoptions(**{"threshold": 10_000, "linewidth": 10_000, name: size}):
        got = str(nd.asarray(x))
    with numpy.printoptions(**{"threshold": 10_000, "linewidth": 10_000, name: size}):
        assert got == str(x)
    with pytest.raises(ValueError, match="set_printoptions: a size must lie in"):
        nd.set_printoptions(**{name: sys.maxsize + 1})


def test_error_settings_are_kept_and_change_nothing_here():
    before = nd.geterr()
    with nd.errstate(divide="raise", over="ignore"):
        assert nd.geterr()["divide"] == "raise"
        assert numpy.geterr()["divide"] == "raise"
        assert nd.isinf(nd.asarray(1.0) / 0)
        with pytest.raises(FloatingPointError):
            numpy.asarray(1.0) / 0
    assert nd.geterr() == before
    given = nd.seterr(all="ignore")
    assert given == before
    nd.seterr(**given)
    assert nd.geterr() == before

    @nd.errstate(invalid="ignore")
    def inside():
        return nd.geterr()["invalid"]

    assert inside() == "ignore"
    for wrong in (lambda: nd.seterr(divide="x"), lambda: nd.errstate(all=5)):
        with pytest.raises(ValueError, match="must be one of"):
            wrong()
    with pytest.raises(TypeError, match="unexpected keyword"):
        nd.errstate(nothing="ignore")
    assert nd.seterrcall(None) is None
    assert nd.geterrcall() is None
    with pytest.raises(TypeError, match="seterrcall"):
        nd.seterrcall(5)


HOLDING = {
    "assert_": lambda t, a: t.assert_(a(1) == 1),  # noqa: PT009
    "assert_allclose": lambda t, a: t.assert_allclose(a([1.0, 2.0]), [1.0, 2.0 + 1e-9]),
    "assert_almost_equal": lambda t, a: t.assert_almost_equal(a(1.0), 1.0 + 1e-9),
    "assert_approx_equal": lambda t, a: t.assert_approx_equal(a(1.0), 1.0),
    "assert_array_almost_equal": lambda t, a: t.assert_array_almost_equal(a([1.0]), a([1.0])),
    "assert_array_almost_equal_nulp": lambda t, a: t.assert_array_almost_equal_nulp(a([1.0]), a([1.0])),
    "assert_array_equal": lambda t, a: t.assert_array_equal(a([1, 2]), [1, 2]),
    "assert_array_less": lambda t, a: t.assert_array_less(a([1, 2]), a([2, 3])),
    "assert_array_max_ulp": lambda t, a: t.assert_array_max_ulp(a([1.0]), a([1.0])),
    "assert_equal": lambda t, a: t.assert_equal({"x": a([1, 2]), "y": [a(3)]}, {"x": a([1, 2]), "y": [3]}),
    "assert_raises": lambda t, a: t.assert_raises(ValueError, int, "x"),
    "assert_raises_regex": lambda t, a: t.assert_raises_regex(ValueError, "invalid", int, "x"),
    "assert_string_equal": lambda t, a: t.assert_string_equal("a", "a"),
}
FAILING = {
    "assert_allclose": lambda t, a: t.assert_allclose(a([1.0, 2.0]), [1.0, 2.1]),
    "assert_array_equal": lambda t, a: t.assert_array_equal(a([1, 2]), a([1, 3])),
    "assert_equal": lambda t, a: t.assert_equal([a(3)], [a(4)]),
    "assert_array_less": lambda t, a: t.assert_array_less(a([5, 2]), a([2, 3])),
    "assert_": lambda t, a: t.assert_(False, "words"),  # noqa: PT009
    "assert_almost_equal": lambda t, a: t.assert_almost_equal(a(1.0), 1.1),
}


@pytest.mark.parametrize("name", HOLDING)
def test_assertions_that_hold(name):
    HOLDING[name](nd.testing, nd.asarray)


@pytest.mark.parametrize("name", FAILING)
def test_assertions_that_fail_as_numpys_do(name):
    with pytest.raises(AssertionError) as ours:
        FAILING[name](nd.testing, nd.asarray)
    with pytest.raises(AssertionError) as theirs:
        FAILING[name](numpy.testing, numpy.asarray)
    assert str(ours.value) == str(theirs.value)


def test_every_assertion_is_tried():
    assert set(nd.testing.__all__) - {"assert_warns"} == set(HOLDING)
    with pytest.raises(TypeError, match="differentiated"):
        nd.grad(lambda x: (nd.testing.assert_allclose(x, x), x.sum())[1])(nd.ones(3))


def test_a_misspelt_option_is_told():
    with pytest.raises(TypeError, match="unexpected keyword argument 'precison'"):
        nd.set_printoptions(precison=3)
