"""Loading models: what is run, what is refused, and what is damaged."""

import contextlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper, parser

import nd4py as nd

FLOATS = np.arange(6, dtype=np.float32).reshape(2, 3)


def text_model(body, *, opset=17):
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> {body}')


def single(op_type, inputs, outputs, *, opset=17, initializers=(), **attributes):
    """A model of one node whose inputs and outputs are float32 of one axis."""

    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"])

    held = {tensor.name for tensor in initializers}
    node = helper.make_node(op_type, inputs, outputs, name="the_node", **attributes)
    graph = helper.make_graph(
        [node], "g", [value(n) for n in inputs if n not in held], [value(n) for n in outputs], list(initializers)
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def test_inputs_by_order_and_by_name():
    model = nd.onnx.load(text_model("g (float[2, 3] a, float[2, 3] b) => (float[2, 3] y) { y = Sub(a, b) }"))
    for inputs in ([FLOATS, FLOATS * 2], {"b": nd.asarray(FLOATS * 2), "a": FLOATS}):
        (found,) = model.run(inputs)
        assert isinstance(found, nd.NDArray)
        assert found.tolist() == (-FLOATS).tolist()


def test_paths_and_bytes(tmp_path):
    model = text_model("g (float[n] x) => (float[n] y) { y = Relu(x) }")
    onnx.save(model, tmp_path / "m.onnx")
    for source in (tmp_path / "m.onnx", str(tmp_path / "m.onnx"), model.SerializeToString()):
        assert nd.onnx.load(source).run([np.float32([-1, 2])])[0].tolist() == [0, 2]


def test_inputs_that_are_initializers_may_be_left_out():
    body = "g (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Mul(x, w) }"
    model = nd.onnx.load(text_model(body))
    assert model.inputs == ("x",)
    assert model.run([np.float32([3, 3])])[0].tolist() == [3, 6]
    assert model.run({"x": np.float32([3, 3]), "w": np.float32([0, 1])})[0].tolist() == [0, 3]


def test_functions_of_the_model_are_expanded():
    text = """<ir_version: 8, opset_import: ["": 17, "own": 1]>
        g (float[n] x) => (float[n] y) { y = own.twice(x) }
        <domain: "own", opset_import: ["": 17]> twice (a) => (b) { b = Add(a, a) }"""
    assert nd.onnx.load(parser.parse_model(text)).run([np.float32([3])])[0].tolist() == [6]


def test_graphs_in_nodes_read_what_is_around_them():
    body = """g (bool c, float[n] x) => (float[n] y) {
        y = If (c) <then_branch = t () => (float[n] a) { a = Add(x, x) },
                    else_branch = e () => (float[n] b) { b = Neg(x) }> }"""
    model = nd.onnx.load(text_model(body))
    assert model.run([np.bool_(True), np.float32([3])])[0].tolist() == [6]
    assert model.run([np.bool_(False), np.float32([3])])[0].tolist() == [-3]


def test_everything_that_is_not_supported_is_named():
    body = """g (float[2] x, float[2] u) => (float[2] y, float[2] z) {
        y = RandomNormalLike(x)
        z = RandomUniformLike(u) }"""
    with pytest.raises(NotImplementedError, match=r"'y': RandomNormal.*'z': RandomUniformLike \(version 1, opset 17\)"):
        nd.onnx.load(text_model(body))


@pytest.mark.parametrize(
    "model, words",
    [
        pytest.param(single("Cast", ["x"], ["y"], opset=21, to=99), "to=element type 99", id="element type"),
        pytest.param(single("LSTM", ["x", "w", "r"], ["y"], clip=1.0, hidden_size=2), "with clip", id="attribute"),
        pytest.param(single("Relu", ["x"], ["y"], opset=999), "opset 999", id="opset"),
    ],
)
def test_refused(model, words):
    with pytest.raises(NotImplementedError, match=words):
        nd.onnx.load(model)


def cyclic():
    graph = helper.make_graph(
        [helper.make_node("Relu", ["b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])],
        "g", [], [helper.make_tensor_value_info("a", TensorProto.FLOAT, [1])],
    )  # fmt: skip
    return helper.make_model(graph)


def with_shape(dims, n_bytes=4):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=bytes(n_bytes))
    return single("Add", ["x", "w"], ["y"], initializers=[tensor])


def outside(location):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=location)
    return single("Add", ["x", "w"], ["y"], initializers=[tensor])


WRONG_TYPES = text_model("g (float[2] x, int64[2] i) => (float[2] y) { y = Add(x, i) }")
WRONG_SHAPES = text_model("g (float[2, 3] x, float[2, 3] w) => (float[2, 3] y) { y = MatMul(x, w) }")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"no model", id="no model"),
        pytest.param(b"", id="empty"),
        pytest.param(cyclic(), id="a cycle"),
        pytest.param(WRONG_TYPES, id="wrong types"),
        pytest.param(WRONG_SHAPES, id="wrong shapes"),
        pytest.param(with_shape([1 << 40, 1 << 40]), id="absurd shape"),
        pytest.param(with_shape([-1]), id="negative size"),
        pytest.param(with_shape([3]), id="too few bytes"),
        pytest.param(outside("w.bin"), id="external data without a folder"),
    ],
)
def test_damaged_models(source):
    with pytest.raises(ValueError, match="onnx.load|tensor"):
        nd.onnx.load(source)


@pytest.mark.parametrize("location", ["../secret.bin", "/etc/hostname", "", ".", "link.bin", "missing.bin"])
def test_external_data_outside_of_the_folder(tmp_path, location):
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(4))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    onnx.save(outside("w.bin"), folder / "m.onnx")
    (folder / "m.onnx").write_bytes(outside(location).SerializeToString())
    with pytest.raises(ValueError, match="external data"):
        nd.onnx.load(folder / "m.onnx")


def test_external_data(tmp_path):
    (tmp_path / "w.bin").write_bytes(np.float32([7]).tobytes())
    (tmp_path / "m.onnx").write_bytes(outside("w.bin").SerializeToString())
    assert nd.onnx.load(tmp_path / "m.onnx").run([np.float32([1])])[0].tolist() == [8]


def test_wrong_inputs():
    model = nd.onnx.load(text_model("g (float[2, n] x) => (float[2, n] y) { y = Relu(x) }"))
    with pytest.raises(ValueError, match="missing: x"):
        model.run([])
    with pytest.raises(ValueError, match="no input z"):
        model.run({"z": FLOATS})
    with pytest.raises(ValueError, match=r"takes \(2, n\)"):
        model.run([FLOATS.T])
    with pytest.raises(TypeError, match="float64, the model takes float32"):
        model.run([FLOATS.astype(np.float64)])
    with pytest.raises(TypeError, match="list of arrays"):
        model.run(FLOATS)


def test_initializers_of_a_damaged_file_end_in_value_errors():
    """Every byte of a small model in turn: the model loads, or says why not."""
    weight = numpy_helper.from_array(np.float32([1, 2]), "w")
    content = single("Mul", ["x", "w"], ["y"], initializers=[weight]).SerializeToString()
    for i in range(len(content)):
        for value in (0, 255, content[i] ^ 1):
            with contextlib.suppress(ValueError, NotImplementedError):
                nd.onnx.load(content[:i] + bytes([value]) + content[i + 1 :])


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_maxima_of_regions(scale):
    """Corners belong to a region; parts that lie outside of the image are 0."""
    rng = np.random.default_rng(2)
    x, rois = rng.normal(size=(2, 3, 8, 9)).astype(np.float32), np.float32([[1, 2, 1, 5, 6], [0, 3.5, -2, 40, 2.5]])
    text = "g (float[n, c, h, w] x, float[k, 5] r) => (float[k, c, p, q] y) { y = MaxRoiPool<pooled_shape = [2, 3], "
    found = np.asarray(nd.onnx.load(text_model(text + f"spatial_scale = {scale}>(x, r) }}")).run([x, rois])[0])
    wanted = np.zeros((2, 3, 2, 3), np.float32)
    for i, (number, *corners) in enumerate(rois.tolist()):
        left, top, right, bottom = (int(np.copysign(np.floor(abs(each * scale) + 0.5), each)) for each in corners)
        height, width = (bottom - top + 1) / 2, (right - left + 1) / 3
        for a, b in np.ndindex(2, 3):
            rows = slice(max(top + int(np.floor(a * height)), 0), max(top + int(np.ceil((a + 1) * height)), 0))
            columns = slice(max(left + int(np.floor(b * width)), 0), max(left + int(np.ceil((b + 1) * width)), 0))
            part = x[int(number), :, rows, columns]
            wanted[i, :, a, b] = part.max((1, 2)) if part.size else 0
    np.testing.assert_array_equal(found, wanted)
    assert not found[1, :, :, 2].any()
