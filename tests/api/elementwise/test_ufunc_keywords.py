"""`order=`, `subok=` and `signature=` of universal functions, and the ways to give `out`: those of NumPy."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import numpy.testing as npt
import pytest
from numpy_comparison import sample

import nd4py as nd
from nd4py._spec.ops import OPS

UFUNCS = [
    op
    for op in OPS
    if op.is_universal
    and not op.is_wrapped
    and not {"float64", "int64"}.isdisjoint(op.types)
    and isinstance(getattr(np, op.name, None), np.ufunc)
]
ROWS = pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.name)


def operands(op, layouts):
    """NumPy's operands of a row with two axes, in C order or in Fortran's."""
    dtype = "float64" if "float64" in op.types else "int64"
    drawn = [np.abs(sample(dtype, (3, 4), seed, special=False)) % 5 + 1 for seed in range(len(op.args))]
    return [np.asarray(x, order=layout) for x, layout in zip(drawn, layouts, strict=False)]


@pytest.mark.sampled(3)
@ROWS
@pytest.mark.parametrize("layouts", ["CC", "FF", "CF", "FC"])
@pytest.mark.parametrize("order", ["C", "F", "A", "K", "f"])
def test_results_lie_in_memory_as_asked(op, layouts, order):
    given = operands(op, layouts)
    found = getattr(nd, op.name)(*map(nd.asarray, given), order=order, subok=False)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = getattr(np, op.name)(*given, order=order.upper(), subok=False)
    npt.assert_allclose(np.asarray(found), expected, rtol=1e-12)
    if order != "K" or len(set(layouts[: len(given)])) == 1:  # NumPy decides by the first of several layouts
        assert np.asarray(found).strides == expected.strides


@ROWS
def test_every_way_to_name_the_target_writes_to_it(op):
    given = [nd.asarray(x) for x in operands(op, "CC")]
    function = getattr(nd, op.name)
    expected = np.asarray(function(*given))
    for give in (
        lambda out: function(*given, out=out),
        lambda out: function(*given, out),
        lambda out: function(*given, out=(out,)),
    ):
        out = nd.zeros((3, 4), dtype=expected.dtype.name)
        assert give(out) is out
        npt.assert_array_equal(np.asarray(out), expected)
    strided = nd.zeros((3, 8), dtype=expected.dtype.name)[:, ::2]
    assert function(*given, out=strided, order="F") is strided
    npt.assert_array_equal(np.asarray(strided), expected)


@pytest.mark.parametrize("n", [4, 40_000])
@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_a_target_may_overlap_its_operands(n, shift):
    mine, theirs = nd.arange(float(n + 2)), np.arange(float(n + 2))
    window = slice(1 + shift, n + 1 + shift)
    nd.subtract(mine[1 : n + 1], mine[2 : n + 2], out=mine[window])
    np.subtract(theirs[1 : n + 1], theirs[2 : n + 2], out=theirs[window])
    npt.assert_array_equal(np.asarray(mine), theirs)


def test_a_target_that_may_not_be_written_is_refused():
    x, fixed = nd.ones(3), nd.broadcast_to(nd.ones(1), (3,))
    with pytest.raises(ValueError, match="read-only"):
        nd.add(x, x, out=fixed)
    with pytest.raises(ValueError, match=r"shape \(3,\).* \(2,\)"):
        nd.add(x, x, out=nd.zeros(2))
    with pytest.raises(TypeError, match="add"):
        nd.add(x, x, out=nd.zeros(3, dtype="int32"))
    with pytest.raises(ValueError, match="being differentiated cannot be written in place"):
        nd.grad(lambda x: nd.sum(nd.add(x, x, out=x * 0)))(x)
    with pytest.raises(ValueError, match="being differentiated"):
        nd.grad(lambda x: nd.sum(nd.add(x, x, out=nd.zeros(3))))(x)


@pytest.mark.parametrize(
    "name, given, signature",
    [
        ("add", ([1, 2], [3, 4]), "ff->f"),
        ("add", ([1, 2], 3), (None, None, "int64")),
        ("multiply", (2, 3), "dd->d"),
        ("less", ([1.0, 2.0], 1.5), "ff->?"),
        ("sqrt", ([1, 4],), "d -> d"),
        ("sqrt", ([1, 4],), (np.float32, np.float32)),
        ("isnan", ([1.0, np.nan],), "d->?"),
    ],
)
def test_signatures_name_the_dtypes(name, given, signature):
    found = getattr(nd, name)(*given, signature=signature)
    expected = getattr(np, name)(
        *given, signature=signature.replace(" ", "") if isinstance(signature, str) else signature
    )
    npt.assert_array_equal(np.asarray(found), expected)
    assert found.dtype == expected.dtype.name


def test_what_a_signature_forbids_is_told():
    with pytest.raises(TypeError, match="an operand of float64 cannot become int64 with casting='same_kind'"):
        nd.add(1, 2.5, signature="ll->l")
    assert nd.add(1, 2.5, signature="ll->l", casting="unsafe").tolist() == 3
    with pytest.raises(TypeError, match="results of these operands are float64, signature has int64"):
        nd.sqrt(4, signature="l->l")
    with pytest.raises(TypeError, match="2 operands and of the result, such as 'ff->f'"):
        nd.add(1, 2, signature="ff")
    with pytest.raises(TypeError, match="signature or dtype, not both"):
        nd.add(1, 2, signature="ff->f", dtype="float32")
    with pytest.raises(ValueError, match="order must be one of"):
        nd.add(1, 2, order="X")
    out, mask = nd.zeros(2, dtype="float32"), nd.asarray([True, False])
    assert nd.add([1, 2], 3, out=out, where=mask, signature="dd->d") is out
    assert out.tolist() == [4.0, 0.0]


@ROWS
def test_functions_are_described_as_functions(op):
    function = getattr(nd, op.name)
    assert function.__name__ == op.name
    assert function.__doc__
    assert list(inspect.signature(function).parameters)[: len(op.args)] == list(op.args)
    assert inspect.isroutine(function)
    assert copy.deepcopy(function) is function
    assert pickle.loads(pickle.dumps(function)) is function
    assert repr(function) == f"<function {op.name}>"


def test_functions_are_methods_of_the_classes_that_they_are_put_in():
    number = type("Number", (float,), {"root": nd.sqrt})
    assert number.root is nd.sqrt
    assert float(number(4.0).root()) == 2.0


def test_calls_that_no_function_takes_are_told():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x2'"):
        nd.add(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        nd.add(1, 2, foo=3)
    with pytest.raises(TypeError, match="positional-only"):
        nd.add(x1=1, x2=2)
    with pytest.raises(TypeError):
        nd.sqrt(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    with pytest.raises(ValueError, match="out needs 1 arrays, given 2"):
        nd.add(1, 2, out=(nd.zeros(()), nd.zeros(())))


NUMBERS = np.asarray([[1.5, -2.25, 0.0], [7.0, -0.5, 3.0]])
WHOLE = np.asarray([[3, 1, 2], [4, 5, 6]])
COMPOSED = {
    "fabs": ((NUMBERS,), "f->f"),
    "float_power": ((np.abs(NUMBERS), WHOLE), "dd->d"),
    "ldexp": ((NUMBERS, WHOLE), "fi->f"),
    "frexp": ((NUMBERS,), "f->fi"),
    "modf": ((NUMBERS,), "f->ff"),
    "divmod": ((NUMBERS, WHOLE.astype("float64")), "ff->ff"),
    "bitwise_count": ((WHOLE,), "l->B"),
    "spacing": ((NUMBERS,), "f->f"),
}
MASK = np.asarray([[True, False, True], [False, True, True]])


def several(results):
    return [np.asarray(x) for x in (results if isinstance(results, tuple) else (results,))]


@pytest.mark.parametrize("name", COMPOSED)
@pytest.mark.parametrize("keywords", ["order", "subok", "casting", "signature", "where", "out", "out and casting"])
def test_functions_that_are_composed_take_the_keywords_of_the_others(name, keywords):
    operands, signature = COMPOSED[name]
    plain = getattr(np, name)(*operands)
    found = []
    for library in (nd, np):
        targets = tuple(library.full((2, 3), 7, dtype=x.dtype.name) for x in several(plain))
        given = {
            "order": {"order": "F"}, "subok": {"subok": False}, "casting": {"casting": "unsafe"},
            "signature": {"signature": signature}, "where": {"where": library.asarray(MASK), "out": targets},
            "out": {"out": targets}, "out and casting": {"out": targets, "casting": "same_kind"},
        }[keywords]  # fmt: skip
        results = getattr(library, name)(*map(library.asarray, operands), **given)
        if "out" in given:
            assert all(x is y for x, y in zip(targets, results if len(targets) > 1 else (results,), strict=True))
        found.append(several(results))
    for ours, theirs in zip(*found, strict=True):
        npt.assert_array_equal(ours, theirs)
        assert (ours.dtype, ours.strides) == (theirs.dtype, theirs.strides)


@pytest.mark.parametrize("name", COMPOSED)
def test_functions_that_are_composed_refuse_what_the_others_do(name):
    operands = [nd.asarray(x) for x in COMPOSED[name][0]]
    function = getattr(nd, name)
    with pytest.raises(TypeError, match=f"{name}: no complex64 results"):
        function(*operands, dtype="complex64")
    with pytest.raises(ValueError, match="order must be one of"):
        function(*operands, order="X")
    with pytest.raises(TypeError, match=f"{name}: signature must name the dtypes"):
        function(*operands, signature="f")
    with pytest.raises(TypeError, match="where must be a mask of bools"):
        function(*operands, where=nd.asarray([1, 2, 3]))
    n_out = len(several(function(*operands)))
    outs = tuple(nd.zeros(5, dtype=x.dtype.name) for x in several(function(*operands)))
    with pytest.raises(ValueError, match=r"shape \(5,\), the result \(2, 3\)"):
        function(*operands, out=outs, casting="same_kind")
    if n_out > 1:
        with pytest.raises(ValueError, match=f"{name}: out needs 2 arrays, given 1"):
            function(*operands, out=outs[:1], casting="unsafe")
