"""The table is well-formed: what rows say is complete, unique, and uses only names that exist."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from nd4py._spec import dtypes, fingerprint
from nd4py._spec.op import ALL as LOOP_TYPES
from nd4py._spec.op import FLOAT
from nd4py._spec.ops import ALL, ASIDE, OPS, vjp_arguments, vjp_name

KERNELS = Path(__file__).parents[2] / "kernels/math"
SCALAR_HEADER = "".join((KERNELS / name).read_text() for name in ("scalar.h", "binary_parts.h", "complex/complex.h"))
SCALAR_FUNCTIONS = set(re.findall(r"ND_FN (?:constexpr )?\w+ (\w+)(?:<\w+>)?\(", SCALAR_HEADER))
CPP_FUNCTIONS = {
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "cbrt", "hypot", "erf", "erfc", "copysign",
    "nextafter",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
}  # fmt: skip
OPERATORS = {
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
    "and", "or", "xor", "invert", "lshift", "rshift", "neg", "pos", "abs", "eq", "ne", "lt", "le", "gt", "ge",
}  # fmt: skip

every_row = pytest.mark.parametrize("op", ALL, ids=lambda op: op.name)
every_operation = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)


def of_family(*families):
    return pytest.mark.parametrize("op", [op for op in OPS if op.family in families], ids=lambda op: op.name)


def expressions(op):
    """Every C++ expression of a row with the names that are values in it."""
    params = {name for name, _ in op.params}
    values = {
        "map": {*op.args, *params},
        "reduce": {"acc", "x"},
        "argreduce": {"x", "best"},
        "scan": {"acc", "x"},
    }[op.family]
    assignments = op.expr if isinstance(op.expr, dict) else {"y": op.expr}
    for output, expr in assignments.items():
        yield expr, set(values)
        values.add(output)
    if op.family == "reduce":
        yield from ((op.init, set()), (op.merge, {"l", "r"}), (op.finish, {"acc", "n"}))
    if op.family == "scan":
        yield from ((op.init, set()), (op.merge, {"l", "r"}))
    for expr in op.vjp:
        beside = {"reduce": {"n", *ASIDE}, "scan": {"acc"}}.get(op.family, {"n"})
        yield expr, {*op.args, *params, "g", "y", *beside}


def test_the_table_is_long_enough():
    assert len(OPS) >= 90


def test_names_are_unique():
    names = [op.name for op in ALL]
    assert len(names) == len(set(names))


def test_every_python_operator_has_exactly_one_row():
    assert sorted(op.operator for op in OPS if op.operator) == sorted(OPERATORS)


@every_operation
def test_row_is_documented_and_referenced(op):
    assert op.doc.endswith("."), "the documentation is a sentence"
    assert "\n" not in op.doc
    compile(op.ref, op.name, "eval")


@every_row
def test_row_is_addressable(op):
    for name in (op.name, *op.args, *op.outputs, *(param for param, _ in op.params)):
        assert name.isidentifier()
    assert op.args
    assert len(op.args) <= 4
    assert len(op.outputs) <= 4


@every_row
def test_types_are_loop_types(op):
    assert op.types
    assert set(op.types) <= set(LOOP_TYPES)
    assert len(set(op.types)) == len(op.types)


@every_operation
def test_domain_fits_the_operands(op):
    pairs = op.domain if isinstance(op.domain[0], tuple) else (op.domain,) * len(op.args)
    assert len(pairs) == len(op.args)
    assert all(low < high for low, high in pairs)


@pytest.mark.parametrize("op", [op for op in ALL if op.family != "custom"], ids=lambda op: op.name)
def test_expressions_use_known_names(op):
    for expr, values in expressions(op):
        used = set(re.findall(r"\b[A-Za-z_]\w*", re.sub(r"\b\d[\w.]*(?:e-\d+)?", "", expr)))
        assert used <= values | SCALAR_FUNCTIONS | CPP_FUNCTIONS | {"C"}, expr


@pytest.mark.parametrize("op", [op for op in ALL if op.family != "custom"], ids=lambda op: op.name)
def test_literals_have_the_compute_type(op):
    for expr, _ in expressions(op):
        assert not re.search(r"\b\d", re.sub(r"C\(-?[\d.e-]+\)", "", expr)), f"write C(...) in {expr!r}"


@of_family("reduce")
def test_reduction_is_complete(op):
    assert op.init
    assert op.merge
    assert op.finish


@every_operation
def test_gradients_fit_the_operands(op):
    assert len(op.vjp) in ((2,) if op.family == "scan" else (0, len(op.args)))
    rows = {row.name: row for row in ALL}
    for i, arg in enumerate(op.args):
        if name := vjp_name(op, i):
            assert name == f"{op.name}_vjp_{arg}"
            assert rows[name].args == vjp_arguments(op, i)
            assert set(rows[name].types) <= set(FLOAT)
        else:
            assert vjp_arguments(op, i) in ((), ("g",))


def test_a_gradient_that_is_g_itself_needs_no_row():
    add = next(op for op in OPS if op.name == "add")
    assert (vjp_name(add, 0), vjp_arguments(add, 0)) == ("", ("g",))


@pytest.mark.parametrize("left, right", list(itertools.product(dtypes.BY_NAME, repeat=2)))
def test_promotion_is_that_of_numpy(left, right):
    promoted = dtypes.promote(left, right)
    assert promoted == dtypes.promote(right, left)
    if promoted is not None and "bfloat16" not in (left, right):
        assert np.promote_types(left, right) == np.dtype(promoted)


@pytest.mark.parametrize("row", dtypes.DTYPES, ids=lambda row: row.name)
def test_dtype_row_describes_memory(row):
    if row.buffer:
        numpy_format = {"Zf": "F", "Zd": "D"}.get(row.buffer, row.buffer)  # NumPy has letters for complex formats
        assert np.dtype(numpy_format).itemsize == row.itemsize
        assert np.dtype(numpy_format).name == row.name
    assert row.dlpack[1] == 8 * row.itemsize
    assert {row.compute, row.accumulate, row.total, row.real} <= set(dtypes.BY_NAME)


def test_texts_of_rows_are_no_part_of_the_fingerprint():
    table = (Path(fingerprint.__file__).parent / "ops.py").read_bytes()
    texts = table.replace(b'doc="x1 + x2."', b'doc="Sum."').replace(b"nd.add([1, 2", b"nd.add([4, 2")
    old = fingerprint.compiled_part(table)
    assert texts != table
    assert fingerprint.compiled_part(texts) == old
    assert fingerprint.compiled_part(table.replace(b'"x1 + x2"', b'"x1 - x2"')) != old


def test_an_example_calls_its_row():
    wrong = [op.name for op in OPS if op.usage and not op.usage.startswith(_calls_of(op))]
    assert wrong == []


def _calls_of(op):
    return tuple(f"nd.{name}(" for name in (op.name, *op.aliases))
