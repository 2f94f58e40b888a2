"""Instructions that compute: rows of the table, reductions and scans, moves, products, gradients."""

import math
import re

import numpy as np

import nd4py as nd
from nd4py._spec.ops import OPS

from .making import turned_view, view

ROWS = {op.name: op for op in OPS if op.family == "map" and len(op.outputs) == 1}
REDUCTIONS = {op.name: op for op in OPS if op.family in ("reduce", "argreduce")}
# Those that divide, or take roots or logarithms: of whole numbers too, floating numbers come out.
FLOATING = {"std", "var"} | {
    op.name for op in REDUCTIONS.values() if getattr(nd, op.name)(nd.asarray([1, 2])).dtype.kind == "f"
}
SCANS = {op.name: op for op in OPS if op.family == "scan"}
# Rows whose results are the same bits in NumPy, whatever the operands.
EXACT = {
    *("add", "subtract", "multiply", "divide", "negative", "positive", "square", "reciprocal", "copysign", "nextafter"),
    *("maximum", "minimum", "abs", "sign", "real", "imag", "conj", "floor", "ceil", "trunc", "round", "sqrt", "where"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isnan", "isinf", "isfinite", "signbit"),
    *("logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("bitwise_invert", "relu", "relu6", "hard_tanh", "isposinf", "isneginf"),
}  # fmt: skip
COMMON = ("add", "add", "subtract", "multiply", "multiply", "divide", "maximum", "less", "where", "exp", "tanh", "sqrt",
          "abs", "negative", "square", "multiply_add", "floor_divide", "remainder", "pow", "equal", "relu")  # fmt: skip
SCALARS = ("0", "1", "2", "3", "-1", "0.5", "2.0", "-0.0", "float('nan')", "float('inf')", "True", "300", "2j")
MOVES_ALONG = {
    "sort": "xp.sort({x}, axis={a})",
    "sorted_down": "xp.sort({x}, axis={a}, descending=True)",
    "argsort": "xp.argsort({x}, axis={a}, stable=True)",
    "roll": "xp.roll({x}, {k}, axis={a})",
    "repeat": "xp.repeat({x}, {p}, axis={a})",
    "concat": "xp.concat(({x}, {y}), axis={a})",
    "stack": "xp.stack(({x}, {y}), axis={a})",
    "take": "xp.take({x}, xp.asarray([{i}, {i}, {j}]), axis={a})",
    "diff": "xp.diff({x}, axis={a})",
}
# Functions of (x, y) for gradients; NumPy reads them too.
GRADIENTS_OF = (
    "xp.sum(x * x)", "xp.sum(xp.tanh(x) * y)", "xp.sum(xp.exp(-x * x / 8) + y * x)", "xp.mean(x * y - x)",
    "xp.sum(x / (y * y + 1))", "xp.sum(xp.sin(x)[::-1] * y)", "xp.sum(x[1:] * x[:-1])", "xp.prod(x)", "xp.max(x)",
    "xp.min(x * y)", "xp.sum(xp.cumulative_sum(x * y, axis=0) * x)", "xp.sum(xp.sqrt(x * x + 1))", "xp.sum(x ** 2)",
    "xp.sum(x ** 3)", "xp.sum(xp.where(y > 0, x * x, x))", "xp.sum(xp.concat((x, y * x)) ** 2)", "xp.sum((x + 1) ** 0)",
    "xp.sum(xp.reshape(x, (-1, 1)) * y)", "xp.std(x + 0.01 * y * y)",
    "xp.sum(xp.take(x, xp.asarray([0, 0, 1])) * x[:1])",
    "xp.sum(xp.matmul(xp.reshape(x, (1, -1)), xp.reshape(y * x, (-1, 1))))", "xp.sum(xp.flip(x) * xp.log1p(x * x))",
    "xp.sum(xp.broadcast_to(x, (3, *x.shape)) * xp.cos(y))", "xp.sum(xp.maximum(x, y))", "xp.prod(x * y)",
)  # fmt: skip

# Of these elements that are equal share the slope, which differences do not show for more than two.
TIED = {
    "xp.max(x)": "shared(${x} == np.max(${x}), 1.0, ${x})",
    "xp.min(x * y)": "shared(${x} * ${y} == np.min(${x} * ${y}), ${y}, ${x})",
}


def a_map(m, name=None, first=None):
    """(nd4py's call, the model's expression, the operands) of a row on arrays whose shapes broadcast, or None."""
    name = name or (m.random.choice(COMMON) if m.chance(0.6) else m.random.choice(list(ROWS)))
    op = ROWS[name]
    first = m.variable() if first is None else first
    if first is None:
        return None
    operands = [f"${first}"]
    for _ in op.args[1:]:
        operands.append(m.random.choice(SCALARS) if m.chance(0.2) and len(operands) < 2 else partner(m, first))
    if name == "where":
        operands = [f"(${first} != 0)", *operands[1:]]
        if all("$" not in text for text in operands[1:]):
            return None
    elif len(operands) > 1 and m.chance(0.3) and operands[0] != f"${first}":
        operands[:2] = operands[1::-1]
    if op.params and any(default is None for _, default in op.params):
        return None
    call = f"xp.{name}({', '.join(operands)})"
    return call, expectation(m, op, operands), operands


def expectation(m, op, operands):
    """The model's expression: nd4py on fresh copies, checked against the row's reference."""
    ours = f"nd.{op.name}({', '.join(operands)})".replace("$", "@")
    variables = [int(n) for text in operands for n in re.findall(r"\$(\d+)", text)]
    dtypes = {m.model[v].dtype.name for v in variables}
    total = sum(m.model[v].size for v in variables)
    if not 0 < total < 5000 or len(dtypes) > 1 or any("j" in text or "nan" in text for text in operands):
        return f"agreed({ours})"
    dtype = dtypes.pop()
    names = dict(zip(op.args, operands, strict=True)) | {name: str(value) for name, value in op.params}
    if op.name in EXACT:
        exact_complex = ("add", "subtract", "negative", "conj", "equal", "not_equal")
        is_excluded = dtype == "bool" or (dtype.startswith("complex") and op.name not in exact_complex)
        is_converted = dtype not in op.types and "float" not in dtype
        # ml_dtypes widens bfloat16 beside a Python float.
        is_strange = dtype == "bfloat16" and (
            op.name in ("nextafter", "copysign", "round", "relu", "relu6", "hard_tanh")
            or any("$" not in text for text in operands)
        )
        if is_excluded or is_converted or is_strange:
            return f"agreed({ours})"
        return f"agreed({ours}, {named(op.ref, names)})"
    if dtype not in ("float32", "float64") or any("$" not in text for text in operands):
        return f"agreed({ours})"
    domains = op.domain if isinstance(op.domain[0], tuple) else (op.domain,) * len(op.args)
    where = " & ".join(f"within({text}, {low}, {high})" for text, (low, high) in zip(operands, domains, strict=True))
    wide = {name: f"{text}.astype(float)" if "$" in text else text for name, text in names.items()}
    return f"agreed({ours}, {named(op.ref, wide)}, {op.ulp}, where={where})"


def named(reference, names):
    """A reference with its operands put in."""
    return re.sub(r"(?<![\w.])([A-Za-z_]\w*)(?=\W|$)(?!\s*=[^=])", lambda m: names.get(m[1], m[1]), reference)


def partner(m, x):
    """A variable whose shape broadcasts with that of x; x itself at worst."""
    shape = m.shape(x)

    def fits(y):
        pairs = zip(reversed(shape), reversed(y.shape), strict=False)
        if not all(a == b or 1 in (a, b) for a, b in pairs):
            return False
        # Two arrays that stretch each other may come to a thousand times as much.
        return math.prod(np.broadcast_shapes(shape, y.shape)) <= 2 * max(m.model[x].size, 1000)

    kind = m.model[x].dtype.kind
    found = m.variables(fits)
    alike = [y for y in found if m.model[y].dtype.kind == kind]
    return f"${m.random.choice(alike if alike and m.chance(0.6) else found or [x])}"


def map_row(m):
    if (found := a_map(m)) is not None and m.n_elements() < 3_000_000:
        call, expected, _ = found
        m.add(f"${m.new()} = {call}", f"${m.n_variables} = {expected}")


def chain(m):
    """A few operations in one line, whose intermediate results are not referenced."""
    x = m.variable(lambda x: x.dtype.kind == "f")
    if x is None:
        return
    y = partner(m, x)
    text = m.pick("xp.exp(-abs({x})) * {y} + 1", "({x} * 2 - {y}) * ({x} + 3)",
                  "xp.tanh({x} * {y}) + xp.tanh({x} * {y})",
                  "xp.where({x} > {y}, {x}, 0.5) - {x}", "({x} + {y}) / 3 + xp.sqrt(xp.abs({x}))")  # fmt: skip
    m.add(
        f"${m.new()} = " + text.format(x=f"${x}", y=y),
        f"${m.n_variables} = agreed(" + text.format(x=f"@{x}", y=y.replace("$", "@")).replace("xp.", "nd.") + ")",
    )


def convert(m):
    if (x := m.variable()) is not None:
        dtype = m.pick(
            "float32", "float64", "int64", "int32", "uint8", "int8", "bool", "complex64", "float16", "bfloat16"
        )
        m.add(f"${m.new()} = xp.astype(${x}, '{dtype}')", f"${m.n_variables} = agreed(nd.astype(@{x}, '{dtype}'))")


def an_axis(m, shape, may_be_several=True):
    axes = [None, *range(-len(shape), len(shape)), *range(len(shape))]
    if may_be_several and len(shape) > 1:
        axes += [tuple(m.random.sample(range(len(shape)), 2)), ()]
    return m.random.choice(axes)


def reduce(m):
    if m.chance(0.4):
        m.pick(view, turned_view, turned_view)(m)  # most faults of reductions are faults of strides
        x = m.n_variables if m.n_variables in m.variables() else m.variable()
    else:
        x = m.variable()
    if x is None:
        return
    values = m.model[x]
    name = (
        m.pick("sum", "max", "min", "mean", "prod") if m.chance(0.5) else m.random.choice([*REDUCTIONS, "std", "var"])
    )
    axis = an_axis(m, values.shape, may_be_several=not name.startswith("arg"))
    given = f"axis={axis}, keepdims={m.chance(0.3)}"
    before = m.pick("{}", "{}", "{}", "({} * 2)", "({} + {})", "abs({})") if values.dtype.kind == "f" else "{}"
    if (values.dtype.kind in "fcV" or name in FLOATING) and not values.flags.c_contiguous:
        # The order of a sum follows strides; sums of small whole numbers are the same in every order.
        if values.dtype.kind in "cV" or name in ("std", "var", "prod", "nanprod"):
            return
        if values.dtype.kind == "f":
            before = "{}" if is_whole(values) else "xp.round(xp.remainder({}, 4))"
        elif not is_whole(values.astype("float64")):
            return
    m.add(f"${m.new()} = xp.{name}({before}, {given})".replace("{}", f"${x}"),
          f"${m.n_variables} = {reduced(name, before, x, given, values)}")  # fmt: skip


def is_whole(values):
    """Whether float arithmetic on these numbers is exact, in every order."""
    return values.size < 1000 and bool(np.all((np.abs(values) < 1000) & (values == np.round(values))))


def reduced(name, before, x, given, values):
    """The model's expression of a reduction; sums of numbers of any size have no reference."""
    ours = f"nd.{name}({before}, {given})".replace("{}", f"@{x}").replace("xp.", "nd.")
    is_choice = name in ("max", "min", "any", "all", "argmax", "argmin", "count_nonzero")
    if before != "{}" or values.dtype.kind in "cV" or values.size > 5000 or name not in REDUCTIONS:
        return f"agreed({ours})"
    if not (is_choice or name in ("sum", "mean")) or values.dtype == "float16":
        return f"agreed({ours})"
    keywords = dict(part.split("=") for part in given.replace(", keep", "; keep").split("; "))
    reference = named(REDUCTIONS[name].ref, {"x": f"${x}"} | keywords)
    if is_choice or (name != "mean" and values.dtype.kind in "iub"):
        return f"agreed({ours}, {reference})"
    return f"agreed({ours}, {reference}, size=summed(${x}))"


def scan(m):
    if (x := m.variable(lambda x: x.ndim > 0)) is None:
        return
    name, axis = m.random.choice(list(SCANS)), m.random.randrange(len(m.shape(x)))
    reference = ""
    if name in ("cumulative_max", "cumulative_min") or (name == "cumulative_sum" and m.model[x].dtype.kind in "iu"):
        reference = f", {named(SCANS[name].ref, {'x': f'${x}', 'axis': str(axis)})}"
    if m.model[x].dtype.kind == "V":
        reference = ""
    m.add(f"${m.new()} = xp.{name}(${x}, axis={axis})",
          f"${m.n_variables} = agreed(nd.{name}(@{x}, axis={axis}){reference})")  # fmt: skip


def move(m):
    """Sorting, searching, joining, taking: the values are those of the operands, in another order."""
    if (x := m.variable(lambda x: x.ndim > 0 and x.size)) is None:
        return
    shape = m.shape(x)
    axis = m.random.randrange(len(shape))
    partners = m.variables(lambda y: y.shape == shape and y.dtype == m.model[x].dtype)
    n = shape[axis]
    name = m.random.choice(list(MOVES_ALONG))
    text = MOVES_ALONG[name].format(
        x=f"${x}", y=f"${m.random.choice(partners)}", a=axis, k=m.random.randint(-n - 1, n + 1),
        p=m.random.randint(0, 3), i=m.random.randint(-n, n - 1), j=m.random.randint(0, n - 1),
    )  # fmt: skip
    has_reference = name not in ("sorted_down", "diff") and m.model[x].dtype.kind not in "cV"
    reference = (
        f", {text}" if has_reference and not (name in ("sort", "argsort") and m.model[x].dtype.kind == "f") else ""
    )
    m.add(f"${m.new()} = {text}",
          f"${m.n_variables} = agreed({text.replace('$', '@').replace('xp.', 'nd.')}{reference})")  # fmt: skip


def move_flat(m):
    if (x := m.variable(lambda x: x.ndim > 0 and x.size)) is None:
        return
    text = m.pick("xp.nonzero(${x})[0]", "xp.unique_values(${x})", "xp.tile(${x}, 2)", "xp.tril(${x})",
                  "xp.triu(${x}, k=1)",
                  "xp.take_along_axis(${x}, xp.argsort(${x}, axis=-1), axis=-1)", "xp.copy(${x})", "xp.roll(${x}, 2)",
                  "xp.searchsorted(xp.sort(xp.reshape(${x}, (-1,))), xp.reshape(${x}, (-1,)))",
                  "${x}[xp.asarray([0, -1, 0])]", "${x}[..., xp.asarray([0])]", "xp.pad(${x}, 1)",
                  *["xp.meshgrid(${x}[0], ${x}[0])[0]"] * (m.model[x].size < 1000))  # fmt: skip
    text = text.replace("{x}", str(x)).replace(f"xp.copy(${x})", f"${x}.copy()")
    m.add(f"${m.new()} = {text}", f"${m.n_variables} = agreed({text.replace('$', '@').replace('xp.', 'nd.')})")


def product(m):
    """Products of matrices, of whole numbers: which loops a product takes follows strides, and so does rounding."""
    x = m.variable(lambda x: 1 <= x.ndim <= 3 and x.dtype.kind in "iufc" and 0 < x.size < 4000)
    if x is None:
        return
    inner = m.shape(x)[-1]
    others = m.variables(lambda y: 1 <= y.ndim <= 2 and y.shape[0] == inner and y.dtype == m.model[x].dtype)
    ways = (
        [
            f"xp.matmul(${x}, xp.swapaxes(${x}, -1, -2))",
            f"xp.einsum('...i,...i->...', ${x}, ${x})",
            f"xp.tensordot(${x}, ${x}, axes={len(m.shape(x))})",
        ]
        if len(m.shape(x)) > 1
        else [f"xp.vecdot(${x}, ${x})"]
    )
    ways += [f"xp.matmul(${x}, ${y})" for y in others[-3:]]
    text = m.random.choice(ways)
    ours = text.replace("$", "@").replace("xp.", "nd.")
    if m.model[x].dtype.kind in "iu":
        m.add(f"${m.new()} = {text}", f"${m.n_variables} = agreed({ours}, {text})")
    else:
        whole_product(m, text)


def whole_product(m, text):
    """The product of small whole numbers, which is exact in every order."""
    whole = [int(n) for n in re.findall(r"\$(\d+)", text)]
    text = re.sub(r"\$(\d+)", r"xp.round(xp.remainder($\1, 8))", text)
    if any(m.model[v].dtype.kind == "c" or m.model[v].dtype.itemsize < 4 for v in whole):
        return
    ours = text.replace("$", "@").replace("xp.", "nd.")
    m.add(f"${m.new()} = {text}", f"${m.n_variables} = agreed({ours})")


def gradient(m):
    """A gradient beside differences, of numbers that are a few units apart from each other."""
    shape = (m.random.randint(2, 6),)
    x, y = m.new(), m.new()
    m.add(f"${x} = xp.asarray(data({shape}, 'float64', 'small', {m.random.randrange(1000)}), copy=True)")
    m.add(f"${y} = xp.asarray(data({shape}, 'float64', 'normal', {m.random.randrange(1000)}), copy=True)")
    text = m.random.choice(GRADIENTS_OF)
    f = text.replace("x.shape", f"{shape}").replace("(3, *", "(3, *")
    numpy_f = re.sub(r"xp\.cumulative_sum\((.*), axis=0\)", r"np.cumsum(\1, axis=0)", f).replace("xp.", "np.")
    reference = TIED.get(text, f"slopes(lambda x, y: {numpy_f}, ${{x}}, ${{y}})").format(x=x, y=y)
    if any(name in text for name in ("max", "min")):
        m.add(f"${x} += xp.asarray([{', '.join(str(i / 8) for i in range(shape[0]))}]) * {m.pick(0, 1)}")
    m.add(f"${m.new()} = nd.grad(lambda x, y: {f})(${x}, ${y})",
          f"${m.n_variables} = agreed(nd.grad(lambda x, y: {f.replace('xp.', 'nd.')})(@{x}, @{y}), "
          f"{reference}, rtol=1e-5)")  # fmt: skip


def gradient_of_chain(m):
    """The gradient of a chain on an array of the program: the same bits as on a fresh copy."""
    x = m.variable(lambda x: x.dtype.kind == "f" and x.ndim > 0 and x.size)
    if x is not None:
        f = m.pick("nd.sum(nd.tanh(x) * x)", "nd.sum(x * x + nd.exp(-x * x))", "nd.sum(nd.sqrt(x * x + 1)[::-1] * x)")
        m.add(f"${m.new()} = nd.grad(lambda x: {f})(${x})", f"${m.n_variables} = agreed(nd.grad(lambda x: {f})(@{x}))")


def gradients_of_two(m):
    """The gradients of two arrays, which may be written each for itself."""
    x = m.variable(lambda x: x.dtype.kind == "f" and 0 < x.ndim < 3 and x.size)
    if x is None:
        return
    y = m.random.choice(m.variables(lambda y: y.shape == m.shape(x) and y.dtype == m.model[x].dtype))
    f = m.pick("nd.sum(x + y)", "nd.sum((x - y) * 3)", "nd.mean(x * y)", "nd.sum((x + nd.flip(y, axis=0)) * 2)",
               "nd.sum(nd.concat((x, y)) * 3)", "nd.sum(nd.reshape(x, (-1,)) + nd.reshape(y, (-1,)))",
               "nd.max(x) + nd.min(y)")  # fmt: skip
    a, b = m.new(), m.new()
    call = f"nd.grad(lambda x, y: {f}, argnums=(0, 1))"
    m.add(f"${a}, ${b} = {call}(${x}, ${y})", f"${a}, ${b} = (agreed(g) for g in {call}(@{x}, @{y}))")
    write = m.pick(f"${a} *= 2", f"${b} += 1", f"${a}[0] = 3")
    changed = {"*": f"${a}[...] = agreed(@{a} * 2)", "+": f"${b}[...] = agreed(@{b} + 1)"}.get(write[-4], write)
    m.add(write, changed)


MAPS = ((map_row, 8), (chain, 3), (convert, 2))
REDUCE = ((reduce, 4), (scan, 2))
MOVES = ((move, 3), (move_flat, 2))
PRODUCTS = ((product, 1),)
GRADIENTS = ((gradient, 3), (gradient_of_chain, 1), (gradients_of_two, 1))
