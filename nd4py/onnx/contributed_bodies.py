"""Operators of onnxruntime that its tools for quantization and transformers write, as bodies of ONNX's own operators.

Design: arrays of 8 bits are made real, the operator is applied, and the result is made 8 bits again, which is what
these operators are defined as.  onnxruntime adds up whole numbers instead, and may round to the other side of a half;
in DynamicQuantizeLSTM it rounds the inputs and states of every step to 8 bits too, where here they stay real.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, helper, parser

DOMAIN = "com.microsoft"
LEAST_OPSET = 13  # of ONNX's own operators, from which on axes are given to DequantizeLinear
OPSETS = f'<domain: "{DOMAIN}", opset_import: ["": 17]>'
# Operators of one quantized array: attributes and their defaults, and what is computed of x.
OF_ONE = {
    "QLinearAveragePool": (
        '<auto_pad: string = "NOTSET", ceil_mode: int = 0, count_include_pad: int = 0, kernel_shape, pads, strides>',
        "AveragePool <auto_pad: string = @auto_pad, ceil_mode: int = @ceil_mode, count_include_pad: int = "
        "@count_include_pad, kernel_shape: ints = @kernel_shape, pads: ints = @pads, strides: ints = @strides> (x)",
    ),
    "QLinearGlobalAveragePool": ("", "GlobalAveragePool (x)"),
    "QLinearLeakyRelu": ("<alpha: float = 0.01>", "LeakyRelu <alpha: float = @alpha> (x)"),
    "QLinearReduceMean": (
        "<axes, keepdims: int = 1>", "ReduceMean <axes: ints = @axes, keepdims: int = @keepdims> (x)"
    ),
    "QLinearSigmoid": ("", "Sigmoid (x)"),
    "QLinearSoftmax": ("<axis: int = -1>", "Softmax <axis: int = @axis> (x)"),
}  # fmt: skip
OF_TWO = {"QLinearAdd": "Add", "QLinearMul": "Mul"}
# Operators of real arrays: attributes, inputs, outputs, and the body.
REAL = {
    "BiasGelu": ("", "x, bias", "y", "z = Add (x, bias) @GELU(z)"),
    "Gelu": ("", "x", "y", "@GELU(x)"),
    "QuickGelu": (
        "<alpha: float = 1.702>", "x", "y",
        "c = Constant <value_float: float = @alpha> () cast = CastLike (c, x) z = Mul (x, cast) s = Sigmoid (z) "
        "y = Mul (x, s)",
    ),
}  # fmt: skip
GELU = (
    "half = Constant <value = float {0.5}> () one = Constant <value = float {1.0}> () "
    "two = Constant <value = float {1.4142135381698608}> () h = CastLike (half, %s) o = CastLike (one, %s) "
    "r = CastLike (two, %s) scaled = Div (%s, r) curve = Erf (scaled) raised = Add (curve, o) "
    "product = Mul (%s, raised) y = Mul (product, h)"
)


def contributed_body(node: NodeProto, versions: dict[str, int]) -> FunctionProto | None:
    """The body of a node of onnxruntime's operators, None where there is none for it, or for its attributes."""
    if node.domain != DOMAIN or versions.get("", 0) < LEAST_OPSET:
        return None
    try:
        attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
        text = text_of(node, attributes) if fits(node.op_type, attributes, versions[""]) else None
        return None if text is None else parser.parse_function(f"{OPSETS} {text}")
    except (TypeError, ValueError, parser.ParseError):  # attributes of other types, and what is no number in a text
        return None


def fits(kind: str, attributes: dict[str, Any], version: int) -> bool:
    """Whether the body of an operator computes it with these attributes, in this version of ONNX's operators."""
    if kind == "QLinearSoftmax" and attributes.get("opset", 13) < 13 and attributes.get("axis", 1) != -1:
        return False
    if kind == "QLinearReduceMean" and version >= 18:  # where axes are an input
        return False
    return not attributes.get("channels_last") and (kind != "SkipLayerNormalization" or version >= 17)


def text_of(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    kind = node.op_type
    if kind in OF_ONE:
        settings, body = OF_ONE[kind]
        return (
            f"{kind} {settings} (a, a_scale, a_zero, y_scale, y_zero) => (y) "
            f"{{ x = DequantizeLinear (a, a_scale, a_zero) z = {body} y = QuantizeLinear (z, y_scale, y_zero) }}"
        )
    if kind in OF_TWO:
        return (
            f"{kind} (a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero) => (y) "
            "{ p = DequantizeLinear (a, a_scale, a_zero) q = DequantizeLinear (b, b_scale, b_zero) "
            f"z = {OF_TWO[kind]} (p, q) y = QuantizeLinear (z, y_scale, y_zero) }}"
        )
    if kind in REAL:
        settings, inputs, outputs, body = REAL[kind]
        for name in ("x", "z"):
            body = body.replace(f"@GELU({name})", GELU.replace("%s", name))
        return f"{kind} {settings} ({inputs}) => ({outputs}) {{ {body} }}"
    return BY_NODE.get(kind, nothing)(node, attributes)


def nothing(node: NodeProto, attributes: dict[str, Any]) -> None:
    """No body."""
    del node, attributes


def where(node: NodeProto, attributes: dict[str, Any]) -> str:
    del node, attributes
    return (
        "QLinearWhere (c, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero) => (y) "
        "{ p = DequantizeLinear (a, a_scale, a_zero) q = DequantizeLinear (b, b_scale, b_zero) "
        "z = Where (c, p, q) y = QuantizeLinear (z, y_scale, y_zero) }"
    )


def concat(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """Any number of arrays, each with a scale and a zero point, behind those of the result."""
    n, rest = divmod(len(node.input) - 2, 3)
    if rest or n < 1 or "axis" not in attributes:
        return None
    given = ", ".join(f"a{i}, s{i}, z{i}" for i in range(n))
    parts = " ".join(f"p{i} = DequantizeLinear (a{i}, s{i}, z{i})" for i in range(n))
    joined = ", ".join(f"p{i}" for i in range(n))
    return (
        f"QLinearConcat <axis> (y_scale, y_zero, {given}) => (y) {{ {parts} "
        f"z = Concat <axis: int = @axis> ({joined}) y = QuantizeLinear (z, y_scale, y_zero) }}"
    )


def gemm(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """The bias is of 32 bits, in steps of both scales; without a scale the result stays real."""
    if attributes.get("alpha", 1.0) != 1.0:
        return None
    names = [*node.input, *[""] * 9]
    has_bias, is_quantized = bool(names[6]), bool(names[7])
    axis = 0 if attributes.get("transB") else 1
    bias = "steps = Mul (a_scale, b_scale) r = DequantizeLinear <axis = 0> (c, steps) " if has_bias else ""
    product = "Gemm <transA: int = @transA, transB: int = @transB> (p, q" + (", r)" if has_bias else ")")
    last = f"z = {product} y = QuantizeLinear (z, y_scale, y_zero)" if is_quantized else f"y = {product}"
    return (
        "QGemm <transA: int = 0, transB: int = 0> (a, a_scale, a_zero, b, b_scale, b_zero, c, y_scale, y_zero) => (y) "
        f"{{ p = DequantizeLinear (a, a_scale, a_zero) q = DequantizeLinear <axis = {axis}> (b, b_scale, b_zero) "
        f"{bias}{last} }}"
    )


def convolution(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """A convolution, the array that is added behind it, and an activation with its parameters."""
    names, kind = [*node.input, *[""] * 4], attributes.get("activation", b"")
    params = attributes.get("activation_params", [])
    settings = ACTIVATIONS.get(kind.decode() if isinstance(kind, bytes) else "?")
    if settings is None or not isinstance(params, list) or len(params) < len(settings[1]):
        return None
    given = "x, w, b" if names[2] else "x, w"
    sizes = ", ".join(f"{name}: {form} = @{name}" for name, form in CONVOLUTION.items())
    added = "s = Add (c, z) " if names[3] else "s = Identity (c) "
    numbers = " ".join(
        f"n{i} = Constant <value = float {{{value!r}}}> ()" for i, value in enumerate(params[: len(settings[1])])
    )
    told = ", ".join(f"{name} = {value!r}" for name, value in zip(settings[1], params, strict=False))
    if settings[0] == "Clip":
        last = f"{numbers} y = Clip (s, n0, n1)"
    else:
        last = f"y = {settings[0]} {f'<{told}>' if told else ''} (s)"
    return f"FusedConv <{', '.join(CONVOLUTION)}> (x, w, b, z) => (y) {{ c = Conv <{sizes}> ({given}) {added}{last} }}"


def matmul(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """A product of matrices, of which each may be turned, times a number."""
    if attributes.get("transBatchA") or attributes.get("transBatchB"):
        return None
    first, second = ("ji" if attributes.get("transA") else "ij"), ("kj" if attributes.get("transB") else "jk")
    product = f'Einsum <equation = "...{first},...{second}->...ik"> (a, b)'
    product = "MatMul (a, b)" if (first, second) == ("ij", "jk") else product
    return (
        f"FusedMatMul <alpha: float = 1.0> (a, b) => (y) {{ p = {product} "
        "c = Constant <value_float: float = @alpha> () factor = CastLike (c, p) y = Mul (p, factor) }"
    )


def skip_normalization(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """Layer normalization of a sum, which may be an output too."""
    del attributes
    names, made = [*node.input, *[""] * 5], [*node.output, *[""] * 4]
    if made[1] or made[2]:
        return None
    total = "s = Add (p, bias)" if names[4] else "s = Identity (p)"
    given = "s, gamma, beta" if names[3] else "s, gamma"
    return (
        "SkipLayerNormalization <epsilon: float = 1e-12> (x, skip, gamma, beta, bias) => (y, mean, deviation, total) "
        f"{{ p = Add (x, skip) {total} y = LayerNormalization <axis = -1, epsilon: float = @epsilon> ({given}) "
        "total = Identity (s) }"
    )


def root_mean_square(made: str) -> str:
    """s by the root of its mean square along the last axis, times gamma, as `made`: nodes that are the same in all
    versions."""
    return (
        "square = Mul (s, s) last = Constant <value_ints = [-1]> () sum = ReduceSum <keepdims = 1> (square, last) "
        "sizes = Shape (s) n = Gather (sizes, last) count = CastLike (n, s) mean = Div (sum, count) "
        "small = Constant <value_float: float = @epsilon> () e = CastLike (small, s) raised = Add (mean, e) "
        f"root = Sqrt (raised) normal = Div (s, root) {made} = Mul (normal, gamma) "
    )


def simplified_normalization(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """Normalization by the root of the mean square, along the last axis."""
    if attributes.get("axis", -1) != -1 or any(node.output[1:]):
        return None
    body = f"s = Identity (x) {root_mean_square('y')}"
    return f"SimplifiedLayerNormalization <epsilon: float = 1e-05> (x, gamma) => (y, deviation) {{ {body} }}"


def skip_simplified_normalization(node: NodeProto, attributes: dict[str, Any]) -> str | None:
    """The same of a sum, which may be an output too."""
    del attributes
    names, made = [*node.input, *[""] * 4], [*node.output, *[""] * 4]
    if made[1] or made[2]:
        return None
    total = "s = Add (p, bias)" if names[3] else "s = Identity (p)"
    return (
        "SkipSimplifiedLayerNormalization <epsilon: float = 1e-05> (x, skip, gamma, bias) => "
        f"(y, middle, deviation, total) {{ p = Add (x, skip) {total} {root_mean_square('y')} total = Identity (s) }}"
    )


def fast_gelu(node: NodeProto, attributes: dict[str, Any]) -> str:
    """The approximation by tanh, behind a bias where there is one."""
    del attributes
    start = "z = Add (x, bias)" if len(node.input) > 1 and node.input[1] else "z = Identity (x)"
    return (
        f"FastGelu (x, bias) => (y) {{ {start} half = Constant <value = float {{0.5}}> () "
        "one = Constant <value = float {1.0}> () small = Constant <value = float {0.044715}> () "
        "root = Constant <value = float {0.7978845608}> () h = CastLike (half, z) o = CastLike (one, z) "
        "m = CastLike (small, z) r = CastLike (root, z) square = Mul (z, z) cube = Mul (square, z) "
        "part = Mul (cube, m) inner = Add (z, part) scaled = Mul (inner, r) curve = Tanh (scaled) "
        "raised = Add (curve, o) product = Mul (z, h) y = Mul (product, raised) }"
    )


def lstm(node: NodeProto, attributes: dict[str, Any]) -> str:
    """An LSTM of weights of 8 bits, turned, with a scale for each direction, or for each row of it too."""
    names = [*node.input, *[""] * 12]
    n = 2 if attributes.get("direction") == b"bidirectional" else 1
    body = f"sizes = Constant <value_ints = [{n}, 1, -1]> () "
    for name, zero in (("w", names[9]), ("r", names[11])):
        body += f"{name}f = Cast <to = 1> ({name}) {name}c = Reshape ({name}_scale, sizes) "
        if zero:
            body += f"{name}zf = Cast <to = 1> ({name}_zero) {name}z = Reshape ({name}zf, sizes) "
            body += f"{name}d = Sub ({name}f, {name}z) "
        else:
            body += f"{name}d = Identity ({name}f) "
        body += f"{name}p = Mul ({name}d, {name}c) {name}t = Transpose <perm = [0, 2, 1]> ({name}p) "
    told = [name for name in LSTM if name in attributes]
    settings = ", ".join(f"{name}: {LSTM[name]} = @{name}" for name in told)
    own = ["x", "wt", "rt", *(name if names[i] else "" for i, name in enumerate(LSTM_INPUTS[3:8], 3))]
    while not own[-1]:
        own.pop()
    return (
        f"DynamicQuantizeLSTM <{', '.join(told)}> ({', '.join(LSTM_INPUTS)}) => (y, yh, yc) "
        f"{{ {body} y, yh, yc = LSTM <{settings}> ({', '.join(own)}) }}"
    )


LSTM = {
    "activation_alpha": "floats", "activation_beta": "floats", "activations": "strings", "clip": "float",
    "direction": "string", "hidden_size": "int", "input_forget": "int",
}  # fmt: skip
LSTM_INPUTS = (
    *("x", "w", "r", "b", "lengths", "h", "c", "peepholes"), *("w_scale", "w_zero", "r_scale", "r_zero"),
)  # fmt: skip
CONVOLUTION = {
    "auto_pad": "string", "dilations": "ints", "group": "int", "kernel_shape": "ints", "pads": "ints",
    "strides": "ints",
}  # fmt: skip
# Activations of convolutions, and their parameters in order.
ACTIVATIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("Identity", ()),
    "Clip": ("Clip", ("min", "max")),
    "HardSigmoid": ("HardSigmoid", ("alpha", "beta")),
    "LeakyRelu": ("LeakyRelu", ("alpha",)),
    "Relu": ("Relu", ()),
    "Sigmoid": ("Sigmoid", ()),
    "Tanh": ("Tanh", ()),
}
BY_NODE = {
    "DynamicQuantizeLSTM": lstm,
    "FastGelu": fast_gelu,
    "FusedConv": convolution,
    "FusedMatMul": matmul,
    "QGemm": gemm,
    "QLinearConcat": concat,
    "QLinearWhere": where,
    "SimplifiedLayerNormalization": simplified_normalization,
    "SkipLayerNormalization": skip_normalization,
    "SkipSimplifiedLayerNormalization": skip_simplified_normalization,
}
OF_ONNX_BY_NAME = ("SimplifiedLayerNormalization",)  # which onnxruntime writes without its domain


def name_domain(model: ModelProto, graphs: Iterable[GraphProto]) -> None:
    """Give operators of onnxruntime its domain, where it has written them as if they were ONNX's."""
    nodes = [node for graph in graphs for node in graph.node if node.op_type in OF_ONNX_BY_NAME and not node.domain]
    for node in nodes:
        node.domain = DOMAIN
    if nodes and all(each.domain != DOMAIN for each in model.opset_import):
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
