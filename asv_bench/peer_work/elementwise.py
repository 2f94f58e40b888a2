"""Elementwise work, read from the table of operations: each library allocates the result, or writes to `out`."""

import importlib.util
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

from .inputs import between, uniform
from .work import Work

LARGE, MEDIUM = 10_000_000, 100_000
# Rows of the table; the first are those of the quick run.
# fmt: off
CORE = (
    "add", "multiply", "divide", "sqrt", "exp", "log", "sin", "tanh", "sigmoid", "pow", "maximum", "where", "less",
    "abs",
)
FURTHER = (
    "negative", "expm1", "log1p", "log2", "log10", "cos", "tan", "asin", "acos", "atan", "asinh", "acosh", "atanh",
    "sinh", "cosh", "erf", "gelu", "softplus", "cbrt", "hypot", "atan2",
)
WHOLE = ("add", "multiply", "maximum", "where", "abs", "negative", "less")
HALVES = (*CORE, "negative", "expm1", "log1p", "cos", "tan", "erf", "gelu", "hypot", "atan2")
WRITTEN = ("add", "multiply", "divide", "sqrt", "abs", "negative", "maximum", "exp", "log", "tanh")
NUMEXPR = {
    "abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cos", "cosh", "exp", "expm1",
    "hypot", "log", "log10", "log1p", "log2", "maximum", "sin", "sinh", "sqrt", "tan", "tanh", "where",
}
# fmt: on
# What all libraries write alike.
SYMBOLS = {
    "add": "x1 + x2",
    "multiply": "x1 * x2",
    "divide": "x1 / x2",
    "pow": "x1 ** x2",
    "less": "x1 < x2",
    "negative": "-x",
    "abs": "abs(x)",
}
# What a reference of the table cannot say.
SPELLINGS = {
    "where": {"numexpr": "where(condition, x1, x2)"},
    "sigmoid": {"numexpr": "1 / (1 + exp(-x))", "torch": "xp.sigmoid(x)"},
    "erf": {
        "numpy": "special.erf(x)",
        "jax": "special.erf(x)",
        "numexpr": None,
        "numba": "y = np.empty_like(x)\nfor i in prange(x.size):\n    y[i] = math.erf(x[i])\nreturn y",
    },
    "gelu": {
        "numpy": "0.5 * x * special.erfc(-0.7071067811865476 * x)",
        "jax": "nn.gelu(x, approximate=False)",
        "torch": "functional.gelu(x)",
        "numexpr": None,
        "numba": (
            "y = np.empty_like(x)\nfor i in prange(x.size):\n"
            "    y[i] = 0.5 * x[i] * math.erfc(-0.7071067811865476 * x[i])\nreturn y"
        ),
    },
    "softplus": {"numexpr": "log1p(exp(x))", "torch": "functional.softplus(x)"},
    "cbrt": {"numexpr": None, "torch": None},
}


@cache
def table():
    """{name: row} of nd4py's table of operations, without importing nd4py into the processes of its peers."""
    folder = Path(__file__).parents[2] / "nd4py" / "_spec"
    spec = importlib.util.spec_from_file_location(
        "operations", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules["operations"] = package
    spec.loader.exec_module(package)
    return {op.name: op for op in import_module("operations.ops").OPS}


def spellings(op):
    """{library: text} of one row of the table; its reference is what NumPy, Numba and JAX have written."""
    arguments = ", ".join(op.args)
    reference = re.sub(r"\bnp\.", "xp.", op.ref).replace("condition != 0", "condition")
    function = re.fullmatch(r"np\.(\w+)\(.*\)", op.ref)
    numexpr = f"{function[1]}({arguments})" if function and function[1] in NUMEXPR else None
    own = f"xp.{op.name}({arguments})"
    texts = {"nd4py": own, "torch": own, "numpy": reference, "numba": reference, "jax": reference, "numexpr": numexpr}
    return texts | SPELLINGS.get(op.name, {})


def domains(op, dtype):
    """The bounds of each operand."""
    if dtype == "int32":
        return [(-100.0, 100.0)] * len(op.args)
    return op.domain if isinstance(op.domain[0], tuple) else [op.domain] * len(op.args)


def operands(op, dtype):
    """The maker of the operands of a row: a condition is a bool."""

    def make(size):
        arrays = {
            name: uniform(*pair, size, i)
            for i, (name, pair) in enumerate(zip(op.args, domains(op, dtype), strict=True))
        }
        if "condition" in arrays:
            arrays["condition"] = arrays["condition"] > 0
        return arrays

    return make


def row(name, dtype, sizes, family="elementwise"):
    """The work of one row of the table."""
    op = table()[name]
    text = SYMBOLS.get(name, "")
    spell = {} if text and name != "abs" else spellings(op)
    is_core = name in CORE and dtype in ("float32", "float16")
    return Work(family, f"{name} {dtype}", text, operands(op, dtype), sizes, dtype, spell, is_core=is_core)


def written(name, dtype):
    """The same with the result written to an array that is there already."""
    op = table()[name]
    texts = spellings(op)

    def make(size):
        return operands(op, dtype)(size) | {"y": uniform(0.0, 1.0, size, 9)}

    spell = {library: texts[library][:-1] + ", out=y)" for library in ("nd4py", "torch", "numpy")}
    spell["numexpr"] = f'evaluate("{SYMBOLS.get(name) or texts["numexpr"]}", out=y)'
    spell |= {"numba": None, "jax": None}
    return Work("out=", f"{name} {dtype}", "", make, (LARGE,), dtype, spell, outputs=("y",), is_core=name in CORE)


def casts():
    """astype between pairs of dtypes."""
    for source, target in (("float64", "float32"), ("float32", "float64"), ("int32", "float32"), ("float32", "int32")):
        yield Work(
            "elementwise",
            f"cast {source} to {target}",
            f"x.astype(xp.{target})",
            between((-100.0, 100.0)),
            (LARGE, MEDIUM),
            source,
            {"torch": f"x.to(xp.{target})", "numexpr": None},
            is_core=source == "float64",
        )


def rows():
    for name in CORE + FURTHER:
        for dtype in ("float32", "float64"):
            yield row(name, dtype, (LARGE, MEDIUM))
    for name in WHOLE:
        yield row(name, "int32", (LARGE, MEDIUM))
    yield from casts()
    for dtype in ("float16", "bfloat16"):
        for name in HALVES:
            yield row(name, dtype, (LARGE,))
    for dtype in ("float32", "float64"):
        for name in WRITTEN:
            yield written(name, dtype)
