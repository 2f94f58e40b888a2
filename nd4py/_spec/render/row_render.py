"""Code made from the rows: the functor header, the CPU's loop table, and the elementwise API."""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Callable, Sequence
from functools import cache

from .. import dtypes
from ..dtypes import DTypeRow
from ..op import FLOAT, HALF_VECTOR_FUNCTIONS, LANE_FUNCTIONS, WHOLE_KINDS, WIDE_LANE_FUNCTIONS, Op
from ..ops import ALL, BY_NAME, LOOPS, OPS
from .row_docstrings import CONVERTED, RESULT_DTYPES, SELECTED_TEXT, SELECTION, docstring, dtypes_of, example

LICENCE = "// Made from nd4py/_spec/ops.py by nd4py/_spec/render/row_render.py; change the rows, not this file.\n"


HALF_WORD = "uint16"
COMPILED = (
    "name", "family", "args", "types", "expr", "params", "result", "init", "merge", "finish", "accumulate", "final",
    "same_as",
)  # fmt: skip


def digest(value: object) -> str:
    """The first half of SHA-256's first half of what `repr` says of a value.

    From the module below hashlib, where there is one: hashlib loads OpenSSL, which takes longer than all else here.
    """
    for name in ("_sha2", "_sha256", "hashlib"):
        try:
            sha256 = importlib.import_module(name).sha256
        except ImportError:
            continue
        return str(sha256(repr(value).encode()).hexdigest()[:16])
    raise AssertionError("hashlib is there in any case")


def table_hash() -> str:
    """Identifies what is compiled from all rows."""
    rows = [[getattr(op, column) for column in COMPILED] + [op.vjp] * (op.family == "scan") for op in LOOPS]
    return digest((rows, dtypes.DTYPES))


def functors(rows: Sequence[Op] = LOOPS, declared: str = "") -> str:
    """The header of functors, valid for g++, nvcc and NVRTC after kernels/math/scalar.h."""
    render = {"map": map_functor, "reduce": reduce_functor, "argreduce": argreduce_functor, "scan": scan_functor}
    body = "\n".join(render[op.family](op) for op in rows)
    return f"{LICENCE}namespace ops {{\n{declared}\n{body}\n}}\n"


def map_functor(op: Op) -> str:
    """A struct whose `apply` computes one element of every output."""
    outputs = op.expr if isinstance(op.expr, dict) else {"nd_result": op.expr}
    out = {"bool": "bool", "real": "typename real_of<C>::type"}.get(op.result, "C")
    params = "".join(f" [[maybe_unused]] const C {name} = nd_p[{i}];" for i, (name, _) in enumerate(op.params))
    body = "".join(f" {assignment(op, name, out)} = {expr};" for name, expr in outputs.items())
    store = "".join(f" nd_y[{i}] = {name};" for i, name in enumerate(outputs))
    args = ", ".join(f"{'unsigned char' if name == 'condition' else 'C'} {name}" for name in op.args)
    return (
        f"struct op_{op.name} {{ static constexpr int n_in = {len(op.args)}, n_out = {len(outputs)}, "
        f"n_params = {len(op.params)}, condition = {op.args.index('condition') if 'condition' in op.args else -1};\n"
        f"  static constexpr bool is_costly = {'true' if op.is_costly or op not in OPS else 'false'};\n"
        f"  template <class C> using out = {out};\n"
        f"  template <class C> ND_FN static void apply(const C* nd_p, {out}* nd_y, {args})\n"
        f"    {{{params}{body}{store} }} }};"
    )


def assignment(op: Op, name: str, out: str) -> str:
    """An output named like an operand writes over it, so that later expressions see the new value."""
    return name if name in op.args else f"{out} {name}"


# What is chosen of two numbers, by what a row merges or compares with.
CHOICES = {
    **dict.fromkeys(("larger(l, r)", "larger_number(l, r)", "x > best"), "greater(l, r)"),
    **dict.fromkeys(("smaller(l, r)", "smaller_number(l, r)", "x < best"), "lesser(l, r)"),
}


def is_join(op: Op) -> bool:
    """Whether a reduction's step merges the element itself."""
    return re.sub(r"\bx\b", "r", re.sub(r"\bacc\b", "l", str(op.expr))) == op.merge


def reduce_functor(op: Op) -> str:
    """A struct with `init`, `step`, `merge` and `finish`; where it `is_join`, a step merges the element itself, and
    where it `is_choice`, `merge` returns one of the two, so that it may be grouped in any way: `choose` of numbers."""
    chosen = CHOICES.get(str(op.merge))
    facts = {
        "is_sum": op.merge == "l + r",
        "is_join": is_join(op),
        "is_choice": chosen is not None,
        "skips_nan": op.merge.endswith("_number(l, r)"),
        "is_count": op.expr == "acc + (x != C(0) ? C(1) : C(0))",
        "has_final_value": bool(op.final),
    }
    return (
        f"struct op_{op.name} {{ static constexpr bool "
        + ", ".join(f"{name} = {str(value).lower()}" for name, value in facts.items())
        + ";\n"
        f"  template <class C> ND_FN static bool is_final([[maybe_unused]] C acc)"
        f" {{ return {op.final or 'false'}; }}\n"
        f"  template <class C> ND_FN static C init() {{ return {op.init}; }}\n"
        f"  template <class C> ND_FN static C step(C acc, C x) {{ return {op.expr}; }}\n"
        f"  template <class C> ND_FN static C merge(C l, C r) {{ return {op.merge}; }}\n"
        + choose_function(chosen or "l")
        + f"  template <class C> ND_FN static C finish(C acc, C n) {{ (void)n; return {op.finish}; }} }};"
    )


def choose_function(expr: str) -> str:
    return f"  template <class C> ND_FN static C choose(C l, [[maybe_unused]] C r) {{ return {expr}; }}\n"


def argreduce_functor(op: Op) -> str:
    """A struct with the comparison that makes an element the new best, and the better of two numbers."""
    return (
        f"struct op_{op.name} {{ template <class C> ND_FN static auto better(C x, C best) {{ return {op.expr}; }}\n"
        + choose_function(CHOICES[str(op.expr)])
        + "};"
    )


def scan_functor(op: Op) -> str:
    """A struct with `init`, `step`, `merge` if the row has one, and the gradient of a step for acc and x."""
    arguments = "[[maybe_unused]] C g, [[maybe_unused]] C acc, [[maybe_unused]] C x, [[maybe_unused]] C y"
    return (
        f"struct op_{op.name} {{ static constexpr bool merges = {'true' if op.merge else 'false'};\n"
        f"  template <class C> ND_FN static C init() {{ return {op.init}; }}\n"
        f"  template <class C> ND_FN static C step(C acc, C x) {{ return {op.expr}; }}\n"
        f"  template <class C> ND_FN static C merge(C l, [[maybe_unused]] C r) {{ return {op.merge or 'l'}; }}\n"
        f"  template <class C> ND_FN static C pull_acc({arguments}) {{ return {op.vjp[0]}; }}\n"
        f"  template <class C> ND_FN static C pull_x({arguments}) {{ return {op.vjp[1]}; }} }};"
    )


@cache
def fused_numbers() -> dict[str, int]:
    """The number of each row that runs of cheap rows are made of; rows of the same expression share one."""
    numbers: dict[str, int] = {}
    expressions: dict[str, int] = {}
    for op in LOOPS:
        if op.takes_vectors and op.expr not in op.args:
            slots = {name: f"${slot}" for slot, name in enumerate(op.args)}
            expression = " ".join(slots.get(word, word) for word in re.findall(r"\w+|\W", str(op.expr)))
            numbers[op.name] = expressions.setdefault(expression, len(expressions))
    return numbers


def fused_rows() -> str:
    """ND_FUSED_ROWS(unary, binary): the first row of every number."""
    first: dict[int, str] = {}
    for name, number in fused_numbers().items():
        first.setdefault(number, name)
    steps = [
        f"{'BINARY' if len(op.args) == 2 else 'UNARY'}({number}, op_{op.name})"
        for op in LOOPS
        for number, name in first.items()
        if op.name == name
    ]
    return f"{LICENCE}#define ND_FUSED_ROWS(UNARY, BINARY) {' '.join(steps)}\n{fused_quotients()}{fused_joins()}"


def point_rows() -> str:
    """The functors of rows that join two numbers, cheap ones alone, and ND_POINT_ROWS(row): their numbers in the
    table."""
    rows = {number: op for number, op in enumerate(ALL) if op.is_universal and op.takes_vectors and len(op.args) == 2}
    entries = " ".join(f"ROW({number}, op_{op.name})" for number, op in rows.items())
    return f"{functors(list(rows.values()))}#define ND_POINT_ROWS(ROW) {entries}\n"


def fused_quotients() -> str:
    """is_quotient<row>: whether its first operand is divided by its second one."""
    rows = [op.name for op in LOOPS if op.name in fused_numbers() and op.expr == "x1 / x2"]
    return "template <class Op> constexpr bool is_quotient = false;\n" + "".join(
        f"template <> constexpr bool is_quotient<ops::op_{name}> = true;\n" for name in rows
    )


def fused_joins() -> str:
    """ND_FUSED_JOINS(join): the first reduction of every way to join elements; fused_join<row>: its number, or -1."""
    merges: dict[str, int] = {}
    first: list[str] = []
    numbers = ["template <class Op> constexpr int fused_join = -1;\n"]
    for op in LOOPS:
        if op.family == "reduce" and is_join(op):
            number = merges.setdefault(op.merge, len(merges))
            if number == len(first):
                first.append(f"JOIN({number}, op_{op.name})")
            numbers.append(f"template <> constexpr int fused_join<ops::op_{op.name}> = {number};\n")
    return f"#define ND_FUSED_JOINS(JOIN) {' '.join(first)}\n{''.join(numbers)}"


def move_table() -> str:
    """CASTS[from][to].  Bools are read as the bytes 0 and 1 that they are: of C++ bools gcc makes no SIMD code."""
    byte = dtypes.BY_NAME[dtypes.BYTE].cpp
    casts = ""
    for a in dtypes.DTYPES:
        read = [byte if a.cpp == "bool" != b.cpp else a.cpp for b in dtypes.DTYPES]
        loops = [f"cast_loop<{source}, {b.cpp}>" for source, b in zip(read, dtypes.DTYPES, strict=True)]
        casts += f"  {{{', '.join(loops)}}},\n"
    return f"{LICENCE}const CastLoop CASTS[][ND_N_DTYPES] = {{\n{casts}}};\n"


def entry(op: Op, row: DTypeRow) -> str:
    """The address of the loop of `op` for one dtype."""
    if op.family == "map":
        loop = map_loop(op, row)
        return f"(const void*){loop}" if loop else "nullptr"
    if row.name not in op.types:
        return "nullptr"
    if op.family == "argreduce":
        return f"&ARGREDUCE<ops::op_{op.name}, {row.cpp}>"
    row = dtypes.BY_NAME[loop_type(op, row)]
    wide = dtypes.BY_NAME[row.accumulate if op.accumulate == "wide" else row.name]
    name = op.same_as.get(row.kind, op.name)
    return f"&{op.family.upper()}<ops::op_{name}, {row.cpp}, {wide.cpp}, {result_type(op, row).cpp}>"


def map_loop(op: Op, row: DTypeRow) -> str:
    """The loop of a map for one dtype, or "".

    A row that selects takes halves as words of their size, one that takes their bits as they are.  Gradients have no
    loops of halves: they would double what there is to compile.
    """
    if op.name in exchanged():
        loop = map_loop(BY_NAME[exchanged()[op.name]], row)
        return loop and f"ND_EXCHANGED_LOOP(({loop}))"
    if row.kind in op.same_as and row.name in op.types:
        return map_loop(BY_NAME[op.same_as[row.kind]], row)
    if op.selects and row.compute != row.name:
        return f"map_loop<ops::op_{op.name}, {dtypes.BY_NAME[HALF_WORD].cpp}>"
    if row.compute != row.name and op.takes_bits:
        return f"map_loop<ops::op_{op.name}, {row.cpp}>"
    if row.compute != row.name and op.has_half_loop and op in OPS:
        return half_loop(op, row)
    return whole_loop(op, dtypes.BY_NAME[loop_type(op, row)]) if row.name in op.types else ""


@cache
def exchanged() -> dict[str, str]:
    """The rows of two operands that equal an earlier row whose operands are exchanged, and that row."""
    earlier: dict[tuple[object, ...], str] = {}
    found = {}
    for op in LOOPS:
        if op.family == "map" and op.args == ("x1", "x2") and isinstance(op.expr, str):
            turned = re.sub(r"\bx[12]\b", lambda name: {"x1": "x2", "x2": "x1"}[name[0]], op.expr)
            if (other := earlier.get((turned, op.types, op.result))) is not None:
                found[op.name] = other
            earlier.setdefault((op.expr, op.types, op.result), op.name)
    return found


def whole_loop(op: Op, row: DTypeRow) -> str:
    """The loop of a map for elements that are computed in their own dtype."""
    takes = {
        "ANGLE": FLOAT,
        "QUOTIENT": (*FLOAT, "int64", "uint64"),
        "POWER": FLOAT,
        "LANE": LANE_FUNCTIONS.get(op.function, ()),
        "WIDE_LANE": WIDE_LANE_FUNCTIONS.get(op.function, ()),
    }
    if row.name in takes.get(op.loop, ()):
        return f"ND_{op.loop}_LOOP(op_{op.name}, {row.cpp})"
    return f"map_loop<ops::op_{op.name}, {row.cpp}>"


def half_loop(op: Op, row: DTypeRow) -> str:
    """The loop of a map for float16 or bfloat16."""
    signs = {"-x": "ND_HALF_NEGATION", "absolute(x)": "ND_HALF_MAGNITUDE"}
    if op.expr in signs:
        return signs[str(op.expr)]
    functors = "near" if op.loop == "ANGLE" else "short"
    vectors = f"ND_VECTOR_FUNCTION({op.function})" if op.function in HALF_VECTOR_FUNCTIONS else "void"
    return f"ND_HALF_LOOP(op_{op.name}, {row.cpp}, {functors}, {vectors})"


def loop_type(op: Op, row: DTypeRow) -> str:
    """The dtype whose loop a row runs for elements of `row`: several share one where the bits of their results agree.

    Words that are selected may be of any kind.  Sums, products, bits and equality of whole numbers do not depend on
    their signs, as long as they are not widened.  What is told of bools is told of the bytes 0 and 1 that they are.
    """
    if row.name == "bool" and op.result == "bool":
        return dtypes.BYTE
    is_whole = row.kind in WHOLE_KINDS
    is_widened = op.result == "total" and row.kind == "signed integer" and row.itemsize < 8
    if (op.selects and row.itemsize <= 8) or (is_whole and op.result != "real" and has_no_sign(op) and not is_widened):
        return f"uint{8 * row.itemsize}"
    return row.name


def has_no_sign(op: Op) -> bool:
    """Whether the low bits of the operands tell those of the result, or whether they are equal."""
    return isinstance(op.expr, str) and not op.called and not re.search("[<>/%~]", op.expr) and not op.params


def dtypes_hash() -> str:
    """Identifies what is compiled from the dtypes alone."""
    return digest(dtypes.DTYPES)


def dtypes_header() -> str:
    """The header that carries the hash of the dtypes."""
    return f'{LICENCE}#define ND_DTYPES_HASH "{dtypes_hash()}"\n'


def element_sizes() -> str:
    """The header with the bytes of an element of every dtype, and of the parts of complex numbers."""
    sizes = ", ".join(str(row.itemsize) for row in dtypes.DTYPES)
    parts = ", ".join(str(dtypes.BY_NAME[row.real].itemsize) for row in dtypes.DTYPES)
    return (
        f"{LICENCE}static const Py_ssize_t itemsizes[] = {{{sizes}}};\n"
        f"static const Py_ssize_t alignments[] = {{{parts}}};\n"
    )


def result_type(op: Op, row: DTypeRow) -> DTypeRow:
    """The dtype row of a reduction's or scan's result for elements of dtype `row`."""
    names = {"same": row.name, "bool": "bool", "total": row.total, "real": row.real, "index": dtypes.DEFAULT_INT}
    return dtypes.BY_NAME[names[op.result]]


# What saves a call its tuples, by the number of operands of a row without parameters.
SHORT_CALLS = {1: "call_unary", 2: "call_binary"}


def elementwise() -> str:
    """The text of nd4py/api/elementwise/elementwise.py: one function per map row."""
    rows = [op for op in OPS if op.family == "map"]
    imports = (
        "from ..._core.annotations import DTypeLike, Operand\nfrom ..._core.array.array import NDArray\n"
        "from ..._exec.dispatch.dispatch import call, call_binary, call_unary\n"
        "from ..._exec.dispatch.selection import call_selected\n"
        "from ..._exec.loss_operands import with_labels_last\nfrom .ufunc_attributes import attach_methods, universal\n"
    )
    return module("Elementwise functions", imports, rows, function) + "attach_methods(globals())\n"


def reductions() -> str:
    """The text of nd4py/api/reductions/reductions.py: one function per reduction."""
    rows = [op for op in OPS if op.family in ("reduce", "argreduce")]
    imports = (
        "from ..._core.annotations import Axes, DTypeLike, Operand\nfrom ..._core.array.array import NDArray\n"
        "from ..._core.lazy_modules import LazyModule\nfrom ..._exec.reductions import argreduce, reduce\n"
        "from ..arguments import into\n"
    )
    driver = lazily("selected_elements", "from . import selected_elements", "nd4py.api.reductions.selected_elements")
    return module("Reductions", imports, rows, reduction, driver)


def lazily(name: str, statement: str, module_name: str) -> str:
    """Lines that import a module at its first use."""
    return f'if TYPE_CHECKING:\n    {statement}\nelse:\n    {name} = LazyModule("{module_name}", globals())\n\n'


def scans() -> str:
    """The text of nd4py/api/reductions/scans.py: one function per scan."""
    imports = (
        "from ..._core.annotations import DTypeLike\nfrom ..._core.array.array import NDArray\n"
        "from ..._core.lazy_modules import LazyModule\nfrom ..arguments import into\n"
    )
    driver = lazily("driver", "from ..._exec import scans as driver", "nd4py._exec.scans")
    rows = [op for op in OPS if op.family == "scan"]
    return module("Running results along an axis", imports, rows, scan_function, driver)


def module(title: str, imports: str, rows: list[Op], render: Callable[[Op], str], driver: str = "") -> str:
    """The text of a module with one function per row.

    driver: what imports at its first use the module that these functions call, if it is not among the imports
    """
    shown = [name for op in rows if not op.is_wrapped for name in (op.name, *op.aliases)]
    listed = "".join(f'    "{name}",\n' for name in shown)
    numbers = "".join(f'_{op.name} = row_number("{op.name}")\n' for op in rows)
    functions = "\n\n".join(map(render, rows))
    aliases = "".join(f"{alias} = {op.name}\n" for op in rows for alias in op.aliases)
    lines = sorted([*imports.splitlines(), "from ..._exec.dispatch.row_table import row_number"])
    names = [name for name in ("TYPE_CHECKING", "Any") if re.search(rf"\b{name}\b", driver + functions)]
    typing = "from __future__ import annotations\n\n" + f"from typing import {', '.join(names)}\n\n" * bool(names)
    return (
        f'"""{title}.  Made from nd4py/_spec/ops.py by the build; change the rows."""\n\n'
        f"{typing}{chr(10).join(lines)}\n\n{driver}__all__ = [\n{listed}]\n\n{numbers}\n\n{functions}"
        f"{chr(10) * 2 if aliases else ''}{aliases}"
    )


def reduction(op: Op) -> str:
    """A Python function that runs one reduction."""
    axes = "an axis" if op.family == "argreduce" else "an axis, a tuple of axes"
    axis = "int | None" if op.family == "argreduce" else "Axes"
    has_dtype = op.family == "reduce" and op.accumulate == "wide" and op.result != "index"
    typed = ["x: Operand", "/", f"axis: {axis} = None", "dtype: DTypeLike | None = None", "keepdims: bool = False"]
    if not has_dtype:
        typed.remove("dtype: DTypeLike | None = None")
    selected = selection(op, has_dtype)
    if selected or op.family == "argreduce":
        typed.insert(-1, "out: NDArray | None = None")
        typed += ["initial: Any = None"] * (op.name in WITH_INITIAL) + ["where: Any = True"] * bool(selected)
    else:
        typed.insert(3, "*")
    values = "axis, keepdims" if op.family == "argreduce" else f"axis, {'dtype' if has_dtype else 'None'}, keepdims"
    if op.family == "argreduce":
        called = f"argreduce(_{op.name}, x, axis, keepdims)"
        selected = f'    if out is not None:\n        return into("{op.name}", {called}, out)\n'
    return (
        f"{definition(op.name, typed, 'NDArray')}\n"
        f'    """{op.doc}\n\n'
        f"    x: {textwrap.fill(dtypes_of(op) + CONVERTED, 105, subsequent_indent='    ')}.\n"
        f"    axis: {axes}, or all (None); keepdims leaves them with size 1.\n"
        f"{'    dtype: what x is converted to first and the result has; None widens integers.' * has_dtype}"
        f"{chr(10) * has_dtype}{SELECTED_TEXT * ('where' in typed[-1])}"
        f"    Returns an array of {RESULT_DTYPES[op.result]}, without these axes{', or `out`' * bool(selected)}.\n"
        f"    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis"
        f"{'' if op.identity and op.family == 'reduce' else ' or no elements'}.\n"
        f'{example(op)}    """\n'
        f"{selected}    return {op.family}(_{op.name}, x, {values})\n"
    )


# Reductions that have NumPy's arguments: those that begin with a value, and those that leave elements out.
WITH_INITIAL = ("sum", "prod", "max", "min", "nansum", "nanprod", "nanmax", "nanmin")
WITH_WHERE = (*WITH_INITIAL, "mean", "any", "all")


def selection(op: Op, has_dtype: bool) -> str:
    """The lines that leave a call with NumPy's arguments to a function for them."""
    if op.name not in WITH_WHERE:
        return ""
    asked, initial = ("out is not None or where is not True", "None")
    if op.name in WITH_INITIAL:
        asked, initial = "out is not None or initial is not None or where is not True", "initial"
    dtype = "dtype" if has_dtype else "None"
    return (
        f"    if {asked}:\n        return selected_elements.reduce_selected("
        f"_{op.name}, x, axis, {dtype}, out, keepdims, {initial}, where)\n"
    )


def scan_function(op: Op) -> str:
    """A Python function that runs one scan."""
    return (
        f"def {op.name}(\n    x: NDArray,\n    /,\n    axis: int | None = None,\n    dtype: DTypeLike | None = None,\n"
        "    out: NDArray | None = None,\n    *,\n    include_initial: bool = False,\n) -> NDArray:\n"
        f'    """{op.doc}\n\n'
        f"    x: {textwrap.fill(dtypes_of(op) + CONVERTED, 105, subsequent_indent='    ')}.\n"
        "    axis: the axis to run along; may be left out where there is only one.\n"
        "    dtype: x is converted to it first, and the result has it.\n"
        "    include_initial: put the value before the first element in front; the axis is longer by one then.\n"
        "    out: takes the result.\n"
        f"    Returns an array of {RESULT_DTYPES[op.result]} and the same shape.\n"
        "    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.\n"
        f'{example(op)}    """\n'
        f'    return into("{op.name}", driver.scan(_{op.name}, x, axis, dtype, include_initial), out)\n'
    )


def function(op: Op) -> str:
    """A Python function that runs one map row."""
    params = [f"{name}: float{'' if default is None else f' = {default!r}'}" for name, default in op.params]
    result = f"tuple[{', '.join(['NDArray'] * len(op.outputs))}]" if len(op.outputs) > 1 else "NDArray"
    typed = [*(f"{name}: Operand" for name in op.args), "/"]
    typed += SELECTION if op.is_universal else ["*", *params, f"out: {result} | None = None"]
    operands, values = ", ".join(op.args), ", ".join(name for name, _ in op.params)
    tuples = [f"({names}{',' * (len(row) == 1)})" for names, row in ((operands, op.args), (values, op.params))]
    if op.is_ordered:
        tuples[0] = f'with_labels_last("{op.name}", {operands})'
    called = f"call(_{op.name}, {', '.join(tuples)}, out)"
    if not op.params and len(op.outputs) == 1 and len(op.args) in SHORT_CALLS:
        called = f"{SHORT_CALLS[len(op.args)]}(_{op.name}, {operands}, out)"
    selected = (
        "    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):\n"
        f"        return call_selected(_{op.name}, {tuples[0]}, out, where, dtype, casting, order, signature)\n"
    )
    decorated = "@universal\n" * op.is_universal
    return (
        f'{decorated}{definition(op.name, typed, result)}\n    """{docstring(op)}"""\n'
        f"{selected * op.is_universal}    return {called}\n"
    )


def definition(name: str, arguments: list[str], result: str) -> str:
    """The def line of a function, one argument to a line where it would be too long."""
    line = f"def {name}({', '.join(arguments)}) -> {result}:"
    if len(line) <= 120:
        return line
    if len(f"    {', '.join(arguments)}") <= 120:
        return f"def {name}(\n    {', '.join(arguments)}\n) -> {result}:"
    lines = "".join(f"    {argument},\n" for argument in arguments)
    return f"def {name}(\n{lines}) -> {result}:"
