"""`out=`, `where=`, `dtype=` and the methods of universal functions: those of NumPy, on the table's functions."""

import numpy as np
import numpy.testing as npt
import pytest
from beside_numpy import check
from numpy_comparison import compare, layouts, outcome, sample

import nd4py as nd
from nd4py._spec.ops import OPS

UFUNCS = [
    op for op in OPS if op.is_universal and op.name != "ldexp" and isinstance(getattr(np, op.name, None), np.ufunc)
]
OF_TWO = [op for op in UFUNCS if len(op.args) == 2]
# Those whose elements may be joined in any order, or that are the inverse of one that may.
JOINING = [
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or"),
    *("logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm", "hypot", "logaddexp", "logaddexp2"),
]
IN_ORDER = ["remainder", "pow", "floor_divide", "fmod", "copysign", "bitwise_left_shift"]


def dtypes_of(name):
    """Dtypes that a function joins, here and in NumPy."""
    op = next(op for op in OPS if op.name == name)
    usual = ("bool", "int32", "int64", "uint8", "float32", "float64", "complex128")
    found = tuple(dtype for dtype in usual if dtype in op.dtypes)
    return found if name not in ("add", "multiply") else ("bool", *found)


def operands_of(op, n=7):
    """NumPy arrays that a row takes."""
    dtype = next(name for name in ("float64", "int32", "bool") if name in op.dtypes)
    return [np.abs(sample(dtype, (n,), k, special=False)) + 1 if dtype != "bool" else sample(dtype, (n,), k)
            for k in range(len(op.args))]  # fmt: skip


@pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.name)
def test_attributes_are_numpys(op):
    ours, theirs = getattr(nd, op.name), getattr(np, op.name)
    assert (ours.nin, ours.nout, ours.nargs) == (theirs.nin, theirs.nout, theirs.nargs)
    assert ours.identity == theirs.identity


@pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.name)
def test_out_and_where_write_as_numpy_does(op):
    given = operands_of(op)
    mask = np.arange(7) % 2 == 0
    for keywords in ({}, {"where": mask}, {"where": np.bool_(False)}, {"where": True}):
        result = outcome(lambda given=given: getattr(np, op.name)(*given))
        want, got = np.full(7, 3).astype(result.dtype), nd.full((7,), 3).astype(str(result.dtype))
        outcome(lambda given=given, want=want, keywords=keywords: getattr(np, op.name)(*given, out=want, **keywords))
        back = getattr(nd, op.name)(*map(nd.asarray, given), out=got, **keywords)
        assert back is got
        npt.assert_allclose(np.asarray(got).astype("float64"), want.astype("float64"), rtol=1e-14)


@pytest.mark.parametrize("op", OF_TWO, ids=lambda op: op.name)
def test_out_is_the_third_operand_too(op):
    x, y = map(nd.asarray, operands_of(op))
    want = getattr(nd, op.name)(x, y)
    out = nd.zeros_like(want)
    assert getattr(nd, op.name)(x, y, out) is out
    npt.assert_array_equal(np.asarray(out), np.asarray(want))


def test_where_without_out_gives_zeros_and_broadcasts():
    x = nd.asarray([1.0, 4.0, 9.0])
    assert nd.sqrt(x, where=nd.asarray([True, False, True])).tolist() == [1.0, 0.0, 3.0]
    assert nd.add(x, 1, where=[[True], [False]]).tolist() == [[2.0, 5.0, 10.0], [0.0, 0.0, 0.0]]
    assert nd.equal(x, 4, where=x > 1).tolist() == [False, True, False]
    with pytest.raises(TypeError, match="mask of bools"):
        nd.sqrt(x, where=[1, 0, 1])
    with pytest.raises(ValueError, match="shape"):
        nd.sqrt(x, out=nd.zeros(3), where=nd.ones(4, dtype="bool"))


def test_dtype_converts_the_operands_first():
    for call in (
        lambda xp, x: xp.add(x, 1, dtype="float64"), lambda xp, x: xp.multiply(x, x, dtype="int64"),
        lambda xp, x: xp.divide(x, 2, dtype="float32"), lambda xp, x: xp.sqrt(x, dtype="float32"),
    ):  # fmt: skip
        compare(call, np.asarray([1, 2, 100], "int8"))


@pytest.mark.parametrize("program", [
    lambda np: np.add(np.asarray([1.5]), 1, dtype="int64"), lambda np: np.add(np.asarray([1]), 1.5, dtype="int64"),
    lambda np: np.add(np.asarray([1.5]), 2.5, dtype="int64", casting="unsafe"),
    lambda np: np.add(3.0, 4.0, dtype="int64"), lambda np: np.multiply(3, 4, dtype="float64"),
    lambda np: np.add(np.asarray([1.5]), 1.0, dtype="float32"), lambda np: np.add([1.5], 1j, dtype="float64"),
    lambda np: np.add(np.asarray([1.0]), 1, dtype="float32", casting="safe"),
    lambda np: np.equal(np.asarray([1, 2]), 2, dtype="bool"), lambda np: np.equal(np.asarray([1, 2]), 2, dtype="int64"),
    lambda np: np.divide(np.asarray([4]), 2, dtype="int64"), lambda np: np.sqrt(np.asarray([4]), dtype="int64"),
    lambda np: np.isnan(np.asarray([0.5, np.nan]), dtype="bool"),
])  # fmt: skip
def test_dtype_is_given_for_operands_of_its_kind(program):
    check(program)


def test_out_may_be_of_a_higher_kind_and_not_of_a_lower_one():
    for result, out in [("int64", "float64"), ("uint8", "int64"), ("float64", "complex128"),
                        ("float64", "float32"), ("float64", "int64"),
                        ("int64", "uint64"), ("complex128", "float64"), ("int64", "int8")]:  # fmt: skip
        x = np.asarray([1, 2, 3]).astype(result)
        compare(lambda xp, x, y: xp.add(x, x, out=y), x, np.zeros(3, out), label=f"{result} to {out}")


def test_masks_and_out_that_overlap_the_operands():
    for keywords in ({}, {"where": np.asarray([True, False, True, True, False, True])}):
        theirs, ours = np.arange(8.0), nd.arange(8.0)
        np.add(theirs[:-2].copy(), theirs[2:].copy(), out=theirs[1:-1], **keywords)
        nd.add(ours[:-2], ours[2:], out=ours[1:-1], **keywords)
        npt.assert_array_equal(np.asarray(ours), theirs)


@pytest.mark.parametrize("name", JOINING)
def test_reduce(name):
    for dtype in dtypes_of(name):
        for shape in ((7,), (3, 4), (2, 3, 2), (1,), (8,), (4, 0), (0,)):
            x = sample(dtype, shape, special=False, low=1, high=5)
            for label, each in layouts(x):
                for axis in (0, -1, None, tuple(range(len(shape)))[:2]):
                    if not isinstance(axis, int) and name in ("subtract", "divide", "lcm"):
                        continue  # NumPy takes no more than one axis, of lcm too
                    compare(lambda xp, x, axis=axis: getattr(xp, name).reduce(x, axis=axis), each, tolerance=1e-5,
                            label=f"{dtype}{shape} {label} axis={axis}")  # fmt: skip


@pytest.mark.parametrize("name", [name for name in JOINING if name not in ("subtract", "divide")])
def test_reduce_with_keywords(name):
    dtype = dtypes_of(name)[-1] if name not in ("logical_and", "logical_or", "logical_xor") else "bool"
    dtype = "float64" if dtype == "complex128" else dtype
    x, mask = sample(dtype, (3, 4), low=1, special=False), sample("bool", (3, 4), 5)
    mask[0], mask[:, 0] = True, True
    one = x.dtype.type(1)
    for keywords in ({"keepdims": True}, {"axis": 1, "keepdims": True}, {"initial": one},
                     {"initial": one, "where": mask}, {"where": mask}, {"axis": None, "initial": one}):  # fmt: skip
        if name == "lcm" and keywords.get("axis", 0) is None:
            continue
        given = {key: value for key, value in keywords.items() if not isinstance(value, np.ndarray | np.generic)}
        arrays = {key: value for key, value in keywords.items() if key not in given}

        def call(xp, x, *values, given=given, arrays=arrays):
            filled = {
                key: value.item() if key == "initial" else value for key, value in zip(arrays, values, strict=True)
            }
            return getattr(xp, name).reduce(x, **given, **filled)

        compare(call, x, *[np.asarray(value) for value in arrays.values()], tolerance=1e-9, label=f"{keywords}")


@pytest.mark.parametrize("name", JOINING)
def test_accumulate_and_reduceat(name):
    for dtype in dtypes_of(name):
        for shape, axis in (((7,), 0), ((3, 4), 1), ((3, 4), 0), ((5, 2), -2), ((1,), 0)):
            x = sample(dtype, shape, special=False, low=1, high=5)
            label = f"{dtype}{shape} axis={axis}"
            is_logical = name.startswith("logical_")  # NumPy keeps the first element as it is there
            if not is_logical or dtype == "bool":
                compare(lambda xp, x, axis=axis: getattr(xp, name).accumulate(x, axis), x, tolerance=1e-5, label=label)
            if shape[axis] > 3 and (not is_logical or dtype == "bool"):
                compare(lambda xp, x, axis=axis: getattr(xp, name).reduceat(x, [0, 2, 1, 3, 3], axis=axis), x,
                        tolerance=1e-5, label=label)  # fmt: skip


@pytest.mark.parametrize("op", OF_TWO, ids=lambda op: op.name)
def test_outer(op):
    x, y = operands_of(op, 4)
    compare(lambda xp, x, y: getattr(xp, op.name).outer(x.reshape(2, 2), y[:3]), x, y, tolerance=1e-12)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "bitwise_or", "hypot", "pow"])
def test_at_takes_each_index_as_often_as_it_occurs(name):
    dtype = "int64" if name.startswith("bitwise") else "float64"
    rng = np.random.default_rng(1)
    for shape, indices in [
        ((6,), ([0, 0, 3, 5, 3, 0],)), ((6,), (slice(None),)), ((3, 4), ([2, 0, 2, 2], [1, 0, 1, 3])),
        ((3, 4), ([1, 1],)), ((5,), ([-1, 4, 4],)), ((4,), (np.asarray([], "int64"),)),
        ((50,), (rng.integers(0, 9, 400),)),
    ]:  # fmt: skip
        theirs = sample(dtype, shape, special=False, low=1, high=3)
        ours = nd.asarray(theirs, copy=True)
        values = rng.integers(1, 3, theirs[indices].shape).astype(dtype)
        outcome(lambda theirs=theirs, indices=indices, values=values: getattr(np, name).at(theirs, indices, values))
        getattr(nd, name).at(ours, indices, nd.asarray(values))
        npt.assert_allclose(np.asarray(ours), theirs, rtol=1e-12)


def test_at_of_one_operand_and_of_views():
    ours, theirs = nd.arange(1.0, 13.0).reshape(3, 4), np.arange(1.0, 13.0).reshape(3, 4)
    nd.negative.at(ours.T, ([0, 1, 1], [2, 0, 0]))
    np.negative.at(theirs.T, ([0, 1, 1], [2, 0, 0]))
    npt.assert_array_equal(np.asarray(ours), theirs)


@pytest.mark.parametrize("name", IN_ORDER)
def test_functions_whose_order_matters_join_from_the_first_to_the_last(name):
    for shape in ((4,), (3, 2), (1,), (2, 1), (0,), (2, 0)):
        for axis in range(len(shape)):
            x = sample("int64", shape, low=1, high=4)
            check(lambda np, x=x, axis=axis: getattr(np, name).accumulate(np.asarray(x), axis))
            if shape[axis]:
                check(lambda np, x=x, axis=axis: getattr(np, name).reduce(np.asarray(x), axis=axis, keepdims=True))
    for axis in (None, (0, 1)):
        with pytest.raises(ValueError, match=rf"{name}\.reduce: needs one axis with elements"):
            getattr(nd, name).reduce(nd.ones((2, 3), dtype="int64"), axis=axis)
    with pytest.raises(ValueError, match=rf"{name}\.reduce: needs one axis with elements"):
        getattr(nd, name).reduce(nd.ones((0,), dtype="int64"))


def test_comparisons_have_no_reductions():
    for method in (nd.less.reduce, nd.equal.accumulate):
        with pytest.raises(TypeError, match=r"makes bools of numbers"):
            method([3, 2, 1])


def test_functions_of_one_operand_have_no_reductions():
    for method in ("reduce", "accumulate", "reduceat", "outer"):
        arguments = ([1.0], [0]) if method in ("reduceat", "outer") else ([1.0],)
        with pytest.raises(TypeError, match=rf"sqrt\.{method}: sqrt takes one operand"):
            getattr(nd.sqrt, method)(*arguments)
    with pytest.raises(TypeError, match="takes 1 operands"):
        nd.sqrt.at(nd.ones(3), [0], 2.0)
    with pytest.raises(TypeError, match="takes 2 operands"):
        nd.add.at(nd.ones(3), [0])
    with pytest.raises(TypeError, match="needs an nd4py array"):
        nd.add.at([1.0], [0], 1.0)
    with pytest.raises(IndexError, match="reduceat: indices must be from 0 to 2"):
        nd.add.reduceat([1, 2, 3], [0, 3])


def test_gradients_flow_through_the_methods():
    x = nd.asarray([1.0, 2.0, 4.0])
    assert nd.grad(lambda x: nd.add.reduce(x * x))(x).tolist() == [2.0, 4.0, 8.0]
    assert nd.grad(lambda x: nd.sum(nd.multiply.outer(x, x)))(x).tolist() == [14.0, 14.0, 14.0]
    assert nd.grad(lambda x: nd.hypot.reduce(x))(nd.asarray([3.0, 4.0])).tolist() == [0.6, 0.8]
    assert nd.grad(lambda x: nd.sum(nd.sqrt(x, where=nd.asarray([True, False, True]))))(x).tolist() == [0.5, 0.0, 0.25]


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("target", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("source", ["int64", "float64"])
def test_out_takes_what_casting_allows(casting, target, source):
    """The same results as NumPy's, or an error where NumPy raises one."""
    x, mask = np.array([1, -2, 3], source), [True, False, True]
    theirs, masked = np.full(3, 9, target), np.full(3, 9, target)
    ours, ours_masked = nd.asarray(theirs.copy()), nd.asarray(masked.copy())
    try:
        np.multiply(x, x, out=theirs, casting=casting)
    except TypeError:
        with pytest.raises(TypeError, match=f"multiply: a result of {source} cannot become {target} with casting"):
            nd.multiply(nd.asarray(x), x, out=ours, casting=casting)
        assert ours.tolist() == [9, 9, 9]
        return
    assert nd.multiply(nd.asarray(x), x, out=ours, casting=casting) is ours
    np.multiply(x, x, out=masked, where=mask, casting=casting)
    nd.multiply(nd.asarray(x), x, out=ours_masked, where=mask, casting=casting)
    npt.assert_array_equal(np.asarray(ours), theirs)
    npt.assert_array_equal(np.asarray(ours_masked), masked)


def test_casting_counts_for_operands_that_dtype_converts():
    assert nd.add([1.5, 2.5], 1, dtype="int64", casting="unsafe").tolist() == [2, 3]
    with pytest.raises(TypeError, match="add: an operand of float64 cannot become int64 with casting='same_kind'"):
        nd.add([1.5, 2.5], 1, dtype="int64", casting="same_kind")
    with pytest.raises(ValueError, match="casting must be one of"):
        nd.sqrt([4.0], casting="rude")
