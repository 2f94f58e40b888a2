"""What is done to a graph when it is loaded: the steps that are left compute what the nodes of the file compute."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser, reference

import nd4py as nd

HEAD = '<ir_version: 8, opset_import: ["": {opset}]> g '
ROWS = "(float[n, 4] x) => (float[n, 4] y) "


def parsed(text, *, opset=17, **constants):
    """A model from its text.  constants: arrays by name, which the file holds"""
    model = parser.parse_model(HEAD.format(opset=opset) + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
    return model


def left(model):
    """The operators of the steps of a run, in order."""
    return [step.operator for step in nd.onnx.load(model)._graph.steps]


def check(model, operators, *shapes, atol=1e-5):
    """The steps that are left, and their values beside those of onnx's own implementation."""
    assert left(model) == operators
    given = [np.random.default_rng(i).standard_normal(shape).astype(np.float32) for i, shape in enumerate(shapes)]
    names = [value.name for value in model.graph.input]
    wanted = reference.ReferenceEvaluator(model).run(None, dict(zip(names, given, strict=False)))
    for found, values in zip(nd.onnx.load(model).run(given), wanted, strict=True):
        np.testing.assert_allclose(np.asarray(found), values, rtol=1e-5, atol=atol)


def numbers(*shape):
    return np.random.default_rng(len(shape)).uniform(0.5, 1.5, shape).astype(np.float32)


IMAGES = "(float[n, 2, h, w] x) => (float[n, c, a, b] y) "
NORM = {"scale": numbers(3), "shift": numbers(3) - 1, "mean": numbers(3), "variance": numbers(3)}
NORMALIZED = "y = BatchNormalization<epsilon = 0.01>(z, scale, shift, mean, variance)"


@pytest.mark.parametrize("bias", [{}, {"b": numbers(3)}], ids=["no bias", "bias"])
def test_batch_normalization_goes_into_weights(bias):
    inputs = "x, k, b" if bias else "x, k"
    text = f"{IMAGES} {{ z = Conv<pads = [1, 1, 1, 1]>({inputs}) {NORMALIZED} }}"
    check(parsed(text, k=numbers(3, 2, 3, 3), **bias, **NORM), ["Conv"], (2, 2, 5, 6))
    turned = f"{IMAGES} {{ z = ConvTranspose<strides = [2, 2]>({inputs}) {NORMALIZED} }}"
    check(parsed(turned, k=numbers(2, 3, 2, 2), **bias, **NORM), ["ConvTranspose"], (2, 2, 3, 4))


@pytest.mark.parametrize("is_turned", [0, 1])
def test_batch_normalization_of_rows(is_turned):
    text = f"(float[n, 4] x) => (float[n, 3] y) {{ z = Gemm<transB = {is_turned}>(x, k) {NORMALIZED} }}"
    check(parsed(text, k=numbers(3, 4) if is_turned else numbers(4, 3), **NORM), ["Gemm"], (5, 4))


KEPT = {
    "in training": f"{IMAGES} {{ z = Conv(x, k) y, m, v = {NORMALIZED[4:].replace('<', '<training_mode = 1, ')} }}",
    "read twice": f"{IMAGES} {{ z = Conv(x, k) w = {NORMALIZED[4:]} y = Add(w, z) }}",
    "an output": f"{IMAGES.replace('y)', 'y, float[n, c, d, e] z)')} {{ z = Conv(x, k) {NORMALIZED} }}",
}


@pytest.mark.parametrize("name", KEPT)
def test_batch_normalization_stays(name):
    assert "BatchNormalization" in left(parsed(KEPT[name], k=numbers(3, 2, 3, 3), **NORM))


def test_weights_that_may_be_replaced_stay():
    text = "(float[n, 2, h, w] x, float[3, 2, 3, 3] k) => (float[n, c, a, b] y) { z = Conv(x, k) " + NORMALIZED + " }"
    model = parsed(text, k=numbers(3, 2, 3, 3), **NORM)
    assert left(model) == ["Conv", "BatchNormalization"]
    x, zeros = np.ones((1, 2, 3, 3), np.float32), np.zeros((3, 2, 3, 3), np.float32)
    wanted = reference.ReferenceEvaluator(model).run(None, {"x": x, "k": zeros})[0]
    np.testing.assert_allclose(np.asarray(nd.onnx.load(model).run({"x": x, "k": zeros})[0]), wanted, rtol=1e-5)


def test_additions_go_into_biases():
    text = f"{IMAGES} {{ z = Conv(x, k) y = Add(b, z) }}"
    check(parsed(text, k=numbers(3, 2, 3, 3), b=numbers(3, 1, 1)), ["Conv"], (2, 2, 5, 6))
    for shape in ((1,), (3, 1, 4), (1, 4)):  # not one number for each channel
        assert left(parsed(text, k=numbers(3, 2, 3, 3), b=numbers(*shape))) == ["Conv", "Add"]


def test_constants_are_computed_and_unread_steps_taken_out():
    text = ROWS + "{ a = Exp(c) b = Neg(a) unread = Tanh(x) same = Identity(x) y = Add(same, b) }"
    model = parsed(text, c=numbers(4))
    check(model, ["Add"], (3, 4))
    summary = nd.onnx.load(model).summary().splitlines()
    assert summary[0] == "Model(x -> y)"
    assert {"nodes in the file: 5", "steps of a run: 1 (1 Add)", "steps of constants computed: 2"} <= set(summary)


def test_outputs_that_are_constant_belong_to_the_caller():
    model = nd.onnx.load(parsed("(float[n] x) => (float[4] y, float[n] z) { y = Exp(c) z = Neg(x) }", c=numbers(4)))
    wanted = model.run([numbers(2)])[0].tolist()
    for _ in range(5):
        y, _ = model.run([numbers(2)])
        assert y.tolist() == wanted
        y[...] = 0


def test_large_constants_are_made_by_runs():
    text = "(float[n] x) => (float[1] y) { big = ConstantOfShape(s) total = ReduceSum(big) y = Add(total, x) }"
    model = parsed(text, s=np.int64([1 << 28]))
    assert left(model) == ["ConstantOfShape", "ReduceSum", "Add"]


def test_steps_that_fail_fail_when_they_run():
    model = nd.onnx.load(
        parsed("(float[n] x) => (float[m] y) { a = Gather(c, i) y = Add(a, x) }", c=numbers(4), i=np.int64([9]))
    )
    with pytest.raises(IndexError):
        model.run([numbers(1)])


def test_transpositions_cancel():
    text = "(float[2, 3, 4] x) => (float[a, b, c] y) { t = Transpose<perm = [2, 0, 1]>(x) "
    check(parsed(text + "u = Transpose<perm = [1, 2, 0]>(t) y = Exp(u) }"), ["Exp"], (2, 3, 4))
    check(parsed(text + "u = Transpose<perm = [0, 2, 1]>(t) y = Exp(u) }"), ["Transpose", "Exp"], (2, 3, 4))
    check(parsed(text + "y = Transpose<perm = [1, 2, 0]>(t) }"), ["Transpose", "Transpose"], (2, 3, 4))


SCALARS = {"two": 2.0, "one": 1.0, "half": 0.5, "root": 2**0.5, "small": 0.044715, "factor": 0.7978845608, "three": 3.0}
SCALARS = {name: np.float32(value) for name, value in SCALARS.items()}
ERF = "d = Div(x, root) e = Erf(d) p = Add(e, one) "
TANH = "q = Pow(x, three) s = Mul(small, q) u = Add(x, s) t = Mul(u, factor) e = Tanh(t) p = Add(one, e) "
GELUS = {
    "half last": ERF + "m = Mul(x, p) y = Mul(m, half)",
    "half first": ERF + "m = Mul(x, half) y = Mul(m, p)",
    "half in the middle": ERF + "m = Mul(p, half) y = Mul(m, x)",
    "tanh": TANH + "m = Mul(x, half) y = Mul(m, p)",
    "tanh of products": TANH.replace("q = Pow(x, three)", "xx = Mul(x, x) q = Mul(x, xx)")
    + "m = Mul(x, p) y = Mul(half, m)",
}


@pytest.mark.parametrize("name", GELUS)
def test_gelu(name):
    check(parsed(f"{ROWS} {{ {GELUS[name]} }}", **SCALARS), ["Gelu"], (3, 4))


@pytest.mark.parametrize(
    "name, before, after",
    [
        ("half last", "one)", "two)"),
        ("half last", "m, half", "m, two"),
        ("half last", "Div(x, root)", "Div(x, two)"),
        ("half first", "Mul(x, half)", "Mul(e, half)"),
        ("tanh", "three)", "two)"),
        ("tanh", "Mul(small", "Mul(half"),
    ],
)
def test_almost_gelu(name, before, after):
    changed = GELUS[name].replace(before, after)
    assert changed != GELUS[name]
    model = parsed(f"{ROWS} {{ {changed} }}", **SCALARS)
    check(model, [node.op_type for node in model.graph.node], (3, 4))


LAYER_NORM = (
    "m = ReduceMean<axes = [-1]>(x) d = Sub(x, m) s = Pow(d, two) v = ReduceMean<axes = [-1]>(s) w = Add(v, small) "
    "r = Sqrt(w) {y} = Div(d, r) "
)
NORMALIZATIONS = {
    "alone": LAYER_NORM.format(y="y"),
    "squares by products": LAYER_NORM.format(y="y").replace("Pow(d, two)", "Mul(d, d)"),
    "scale": LAYER_NORM.format(y="q") + "y = Mul(q, scale)",
    "scale and bias": LAYER_NORM.format(y="q") + "z = Mul(q, scale) y = Add(bias, z)",
}


@pytest.mark.parametrize("name", NORMALIZATIONS)
def test_layer_normalization(name):
    text = f"{ROWS} {{ {NORMALIZATIONS[name]} }}"
    check(parsed(text, scale=numbers(4), bias=numbers(4), **SCALARS), ["LayerNormalization"], (3, 4))


def test_almost_layer_normalization():
    text = NORMALIZATIONS["alone"]
    for before, after in (("[-1]>(x)", "[0]>(x)"), ("Pow(d, two)", "Pow(d, three)"), ("Sub(x, m)", "Sub(m, x)")):
        model = parsed(f"{ROWS} {{ {text.replace(before, after, 1)} }}", **SCALARS)
        assert left(model) == [node.op_type for node in model.graph.node]
    used = f"(float[n, 4] x) => (float[n, 4] y, float[n, 1] v) {{ {text} }}"
    assert "ReduceMean" in left(parsed(used, **SCALARS))
    per_batch = f"{ROWS} {{ {NORMALIZATIONS['scale']} }}"
    assert left(parsed(per_batch, scale=numbers(3, 4), **SCALARS)) == ["LayerNormalization", "Mul"]


RMS_NORM = "s = Pow(x, two) v = ReduceMean<axes = [-1]>(s) w = Add(v, small) r = Sqrt(w) "
RMS_NORMS = {
    "reciprocal": "i = Reciprocal(r) y = Mul(x, i)",
    "one divided": "i = Div(one, r) y = Mul(i, x)",
    "divided": "y = Div(x, r)",
    "scale": "i = Reciprocal(r) z = Mul(x, i) y = Mul(scale, z)",
    "divided, then scale": "z = Div(x, r) y = Mul(z, scale)",
}


@pytest.mark.parametrize("square", ["Pow(x, two)", "Mul(x, x)"])
@pytest.mark.parametrize("name", RMS_NORMS)
def test_root_mean_square_normalization(name, square):
    text = f"{ROWS} {{ {RMS_NORM.replace('Pow(x, two)', square)}{RMS_NORMS[name]} }}"
    model = parsed(text, scale=numbers(4), **SCALARS)
    check(model, ["RMSNormalization"], (3, 4))
    assert "root mean square normalizations recognised: 1" in nd.onnx.load(model).summary()


def test_almost_root_mean_square_normalization():
    text = RMS_NORM + RMS_NORMS["reciprocal"]
    changes = [("[-1]>", "[0]>"), ("Pow(x, two)", "Pow(x, three)"), ("Mul(x, i)", "Mul(s, i)")]
    changes += [("Reciprocal(r)", "Div(two, r)"), ("Sqrt(w)", "Exp(w)"), ("ReduceMean", "ReduceMax")]
    for before, after in changes:
        changed = text.replace(before, after)
        assert changed != text
        model = parsed(f"{ROWS} {{ {changed} }}", **SCALARS)
        assert left(model) == [node.op_type for node in model.graph.node]
    used = f"(float[n, 4] x) => (float[n, 4] y, float[n, 1] v) {{ {text} }}"
    assert "ReduceMean" in left(parsed(used, **SCALARS))
    rows = f"{ROWS} {{ {RMS_NORM}{RMS_NORMS['scale']} }}"
    assert left(parsed(rows, scale=numbers(3, 4), **SCALARS)) == ["RMSNormalization", "Mul"]


HEADS = "(float[b, h, l, e] x, float[b, h, e, k] t, float[b, h, k, v] z) => (float[b, h, l, v] y) "


@pytest.mark.parametrize("scaling", ["a = Mul(s, half) ", "a = Div(s, two) ", "a = Identity(s) "])
def test_attention(scaling):
    text = f"{HEADS} {{ s = MatMul(x, t) {scaling} p = Softmax(a) y = MatMul(p, z) }}"
    for length in (5, 130):
        shapes = ((2, 3, length, 8), (2, 3, 8, length), (2, 3, length, 6))
        check(parsed(text, **SCALARS), ["Attention"], *shapes)
    check(parsed(text, **SCALARS), ["Attention"], (2, 3, 5, 8), (1, 3, 8, 7), (2, 1, 7, 6))


def causal(length, hidden=-np.inf):
    """What is added to scores, so that no query sees a key behind it."""
    return np.where(np.tri(length, dtype=bool), 0, hidden).astype(np.float32)


@pytest.mark.parametrize("hidden", [-np.inf, -1e4])
@pytest.mark.parametrize("order", ["Add(a, m)", "Add(m, a)"])
def test_attention_with_a_mask(order, hidden):
    text = f"{HEADS} {{ s = MatMul(x, t) a = Mul(s, half) b = {order} p = Softmax(b) y = MatMul(p, z) }}"
    for length in (5, 130):
        shapes = ((2, 3, length, 8), (2, 3, 8, length), (2, 3, length, 6))
        check(parsed(text, **SCALARS, m=causal(length, hidden)), ["Attention"], *shapes)
    padding = np.float32([0] * 100 + [-1e9] * 30)[None, None, None]  # of an example
    several = np.concatenate([padding, padding[..., ::-1]])  # there are more masks than scores
    shapes = ((1, 3, 130, 8), (1, 3, 8, 130), (1, 3, 130, 6))
    check(parsed(text, **SCALARS, m=padding), ["Attention"], *shapes)
    check(parsed(text, **SCALARS, m=several), ["Attention"], *shapes)


@pytest.mark.parametrize("mask", [causal(5, -10), -causal(5, -1e9), np.full((5, 5), -np.inf, np.float32)], ids=str)
def test_what_is_added_and_no_mask(mask):
    text = "{ s = MatMul(x, t) a = Add(s, m) p = Softmax(a) y = MatMul(p, z) }"
    assert left(parsed(HEADS + text, m=mask)) == ["MatMul", "Add", "Softmax", "MatMul"]


MASKED = "(float[b, h, l, e] x, float[b, h, e, k] t, float[b, h, k, v] z, bool[b, c, d, k] m) => (float[b, h, l, v] y) "
LOW = {"infinite": np.float32(-np.inf), "lowest": np.finfo(np.float32).min, "zero": np.float32(0)}
GUARD = "g = IsNaN(p) w = Where(g, zero, p) y = MatMul(w, z)"
MASKS = {
    "added, guarded": f"f = Where(m, zero, infinite) b = Add(a, f) p = Softmax(b) {GUARD}",
    "added": "f = Where(m, zero, lowest) b = Add(f, a) p = Softmax(b) y = MatMul(p, z)",
    "added where it hides": "f = Where(m, lowest, zero) b = Add(a, f) p = Softmax(b) y = MatMul(p, z)",
    "chosen": "b = Where(m, a, lowest) p = Softmax(b) y = MatMul(p, z)",
    "chosen, guarded": f"b = Where(m, a, infinite) p = Softmax(b) {GUARD}",
    "chosen where it hides": "b = Where(m, lowest, a) p = Softmax(b) y = MatMul(p, z)",
    "none": f"p = Softmax(a) {GUARD}",
}


@pytest.mark.parametrize("length", [5, 130], ids="{} steps".format)
@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, "l")], ids=["of keys", "of examples", "of queries"])
@pytest.mark.parametrize("name", MASKS)
def test_attention_with_a_mask_of_the_run(name, shape, length):
    """Also for queries that see no key."""
    text = f"{MASKED} {{ s = MatMul(x, t) a = Mul(s, half) {MASKS[name]} }}"
    model, rng = parsed(text, **SCALARS, **LOW), np.random.default_rng(3)
    assert left(model) == ["Attention"]
    assert ("with a mask of the run" in nd.onnx.load(model).summary()) == (name != "none")
    shapes = ((2, 3, length, 8), (2, 3, 8, length), (2, 3, length, 6))
    x, t, z = (rng.standard_normal(each).astype(np.float32) for each in shapes)
    mask = rng.random((shape[0], 1, length if shape[1] == "l" else 1, length)) > 0.3
    mask[-1, 0, -1] = "hides" in name
    given = {"x": x, "t": t, "z": z, "m": mask}
    with np.errstate(invalid="ignore"):
        wanted = reference.ReferenceEvaluator(model).run(None, given)[0]
    loaded = nd.onnx.load(model)
    for _ in range(4):  # from the third run on launches are repeated
        np.testing.assert_allclose(np.asarray(loaded.run(given)[0]), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "f = Where(m, zero, half) b = Add(a, f) p = Softmax(b) y = MatMul(p, z)",
        "f = Where(m, half, lowest) b = Add(a, f) p = Softmax(b) y = MatMul(p, z)",
        "b = Where(m, a, zero) p = Softmax(b) y = MatMul(p, z)",
        "p = Softmax(a) g = IsNaN(p) w = Where(g, half, p) y = MatMul(w, z)",
        "p = Softmax(a) g = IsNaN(a) w = Where(g, zero, p) y = MatMul(w, z)",
    ],
)
def test_what_is_chosen_and_no_mask(text):
    model = parsed(f"{MASKED} {{ s = MatMul(x, t) a = Mul(s, half) {text} }}", **SCALARS, **LOW)
    assert "Attention" not in left(model)


def test_almost_attention():
    for text in (
        "{ s = MatMul(x, t) p = Softmax<axis = -2>(s) y = MatMul(p, z) }",
        "{ s = MatMul(x, t) p = Softmax(s) y = MatMul(z, p) }",
        "{ s = MatMul(x, t) a = Div(two, s) p = Softmax(a) y = MatMul(p, z) }",
    ):
        model = parsed(HEADS + text, **SCALARS)
        assert left(model) == [node.op_type for node in model.graph.node]


def test_values_that_inner_graphs_read_stay():
    text = """(bool flag, float[n] x) => (float[n] y) {
        a = Exp(c)
        same = Identity(x)
        y = If (flag) <
            then_branch = yes () => (float[n] p) { p = Add(same, a) },
            else_branch = no () => (float[n] q) { q = Sub(same, a) }
        >
    }"""
    model = nd.onnx.load(parsed(text, c=numbers(1)))
    a = np.exp(numbers(1))
    for flag in (True, False, True, False, True):
        wanted = numbers(3) + a if flag else numbers(3) - a
        np.testing.assert_allclose(np.asarray(model.run([np.bool_(flag), numbers(3)])[0]), wanted, rtol=1e-6)


def test_a_file_that_was_saved_is_not_changed():
    model = parsed(f"{IMAGES} {{ z = Conv(x, k) {NORMALIZED} }}", k=numbers(3, 2, 3, 3), **NORM)
    before = model.SerializeToString()
    nd.onnx.load(model)
    assert model.SerializeToString() == before
    onnx.checker.check_model(model)
