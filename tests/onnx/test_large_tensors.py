"""Large weights of models: they come from every kind of source, once into memory, and damage is told."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import nd4py as nd
from nd4py.onnx.large_tensors import LEAST_BYTES

X = np.random.default_rng(0).normal(size=(3, 40)).astype(np.float32)


def weights(dtype=np.float32):
    return np.random.default_rng(1).normal(size=(40, 50)).astype(dtype)


def model_of(*initializers, w=None, is_input=False):
    """y = x @ w, of weights that are large."""
    tensor = numpy_helper.from_array(weights(), "w") if w is None else w
    assert len(tensor.raw_data) >= LEAST_BYTES
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 40])]
    inputs += [helper.make_tensor_value_info("w", TensorProto.FLOAT, [40, 50])] * is_input
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 50])]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], "g", inputs, outputs, [tensor, *initializers]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def check(model):
    np.testing.assert_allclose(np.asarray(model.run([X])[0]), X @ weights(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("is_external", [False, True])
def test_every_source(tmp_path, is_external):
    model, path = model_of(), tmp_path / "m.onnx"
    content = model.SerializeToString()
    onnx.save(onnx.ModelProto.FromString(content), path, save_as_external_data=is_external, location="m.data")
    assert (tmp_path / "m.data").exists() == is_external
    for source in (path, *([] if is_external else [model, content, bytearray(content), memoryview(content)])):
        loaded = nd.onnx.load(source)
        assert loaded.inputs == ("x",)
        check(loaded)
    assert model.SerializeToString() == content  # stays as it was


def test_weights_that_are_inputs_too_may_be_replaced():
    model = nd.onnx.load(model_of(is_input=True))
    check(model)
    assert not np.asarray(model.run({"x": X, "w": np.zeros((40, 50), np.float32)})[0]).any()


@pytest.mark.parametrize("element_type, dtype", [
    (TensorProto.FLOAT16, "float16"), (TensorProto.BFLOAT16, "bfloat16"), (TensorProto.INT64, "int64"),
    (TensorProto.BOOL, "bool"), (TensorProto.DOUBLE, "float64"),
], ids=str)  # fmt: skip
def test_other_element_types(element_type, dtype):
    values = np.arange(8192).reshape(2, 4096) % 3
    tensor = helper.make_tensor("w", element_type, (2, 4096), values.astype(np.float32).reshape(-1))
    if not tensor.raw_data:
        tensor = numpy_helper.from_array(numpy_helper.to_array(tensor), "w")
    output = helper.make_tensor_value_info("y", element_type, [2, 4096])
    graph = helper.make_graph([helper.make_node("Identity", ["w"], ["y"])], "g", [], [output], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (found,) = nd.onnx.load(model.SerializeToString()).run([])
    assert str(found.dtype) == dtype
    np.testing.assert_array_equal(np.asarray(found.astype("float64")), values != 0 if dtype == "bool" else values)


def test_data_that_do_not_fit_are_told():
    tensor = numpy_helper.from_array(weights(), "w")
    tensor.raw_data = tensor.raw_data[:-4]
    for source in (model_of(w=tensor), model_of(w=tensor).SerializeToString()):
        with pytest.raises(ValueError, match=r"'w': shape \[40, 50\] and its data do not fit: 8000 .* given 7996"):
            nd.onnx.load(source)


def test_files_that_end_early_are_told(tmp_path):
    content = model_of().SerializeToString()
    for n_bytes in (len(content) - 1, len(content) // 2, 30):
        (tmp_path / "m.onnx").write_bytes(content[:n_bytes])
        with pytest.raises(ValueError, match="onnx.load: .*m.onnx is no ONNX model"):
            nd.onnx.load(tmp_path / "m.onnx")


def test_the_last_of_several_data_counts():
    tensor = numpy_helper.from_array(np.zeros((40, 50), np.float32), "w").SerializeToString()
    raw = TensorProto(raw_data=weights().tobytes()).SerializeToString()  # read behind the zeros, it replaces them
    model = model_of()
    del model.graph.initializer[:]
    rest = model.SerializeToString()
    graph = onnx.GraphProto(initializer=[TensorProto.FromString(tensor + raw)])
    assert graph.initializer[0].raw_data == weights().tobytes()
    initializer = b"\x2a" + length(tensor + raw) + tensor + raw
    check(nd.onnx.load(rest + b"\x3a" + length(initializer) + initializer))  # a second graph, added to the first


def length(content):
    """How long a field is, as protocol buffers write it."""
    n = len(content)
    return bytes([n & 127 | 128, n >> 7 & 127 | 128, n >> 14])


def test_packed_weights_are_kept():
    w = numpy_helper.from_array(np.ones((40, 30, 3, 3), np.float32), "w")
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, n, 9, 9]) for name, n in (("x", 30), ("y", 40))]
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    graph = helper.make_graph([node], "g", ends[:1], ends[1:], [w])
    model = nd.onnx.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))
    (array,) = model._graph.constants.values()
    assert array.base is None  # a view of another dtype would have one, and graphs would pack its weights at each call


MEMORY = """
import sys
import nd4py as nd
import nd4py.onnx
from onnx import parser

def kib(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

nd.onnx.load(parser.parse_model('<ir_version: 8, opset_import: ["": 17]> g (float[n] x) => (float[n] y) {y = Exp(x)}'))
before = kib("VmRSS")
model = nd.onnx.load(sys.argv[1])
print((kib("VmHWM") - before) / 1024)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_weights_are_in_memory_once(tmp_path):
    large = [numpy_helper.from_array(np.ones((1 << 20,), np.float32), f"v{i}") for i in range(10)]
    model = model_of(*large)
    model.graph.node.extend(helper.make_node("Identity", [f"v{i}"], [f"z{i}"]) for i in range(10))
    model.graph.output.extend(helper.make_tensor_value_info(f"z{i}", TensorProto.FLOAT, [1 << 20]) for i in range(10))
    onnx.save(model, tmp_path / "m.onnx")
    call = [sys.executable, "-c", MEMORY, str(tmp_path / "m.onnx")]
    peak = float(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    assert peak < 1.2 * 40
