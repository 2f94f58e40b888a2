"""Networks of other kinds, by both of PyTorch's exporters, in 8 bits, and as onnxruntime rewrites them."""

import io

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

import nd4py as nd

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
from further_networks import FURTHER, TRACED  # noqa: E402  (it needs torch)
from onnxruntime.quantization import QuantFormat, quantize_dynamic, quantize_static  # noqa: E402
from test_whole_graphs import by_export, by_trace, check, trained  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
CASES = {**FURTHER, **TRACED}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FURTHER)
def test_graphs_by_export(name):
    check(FURTHER[name], by_export(trained(FURTHER[name]), FURTHER[name]))


@pytest.mark.parametrize("name", CASES)
def test_graphs_by_trace(name):
    assert "nodes" in check(CASES[name], by_trace(trained(CASES[name]), CASES[name])).summary()


@pytest.mark.parametrize("name", ["T5", "ConvNeXt", "denoiser", "cache"])
def test_graphs_that_onnxruntime_has_optimized(name, tmp_path):
    """Its own operators stand in them, one of them as if it were of ONNX's."""
    case = CASES[name]
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    graph = by_trace(trained(case), case)
    onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])
    check(case, onnx.load(tmp_path / "optimized.onnx"))


class Examples:
    """What quantization is told of the numbers of a network."""

    def __init__(self, names, case):
        self.given = iter([dict(zip(names, map(np.asarray, case.inputs(*size)), strict=True)) for size in case.sizes])

    def get_next(self):
        return next(self.given, None)


@pytest.mark.parametrize("kind", ["dynamic", "QDQ", "QOperator"])
@pytest.mark.parametrize("name", ["ConvNeXt", "speech"])
def test_graphs_in_8_bits(name, kind, tmp_path):
    """To half a step of the largest number: sums may be rounded to either side."""
    case, paths = CASES[name], [str(tmp_path / f"{each}.onnx") for each in ("real", "small")]
    graph = by_trace(trained(case), case)
    onnx.save(graph, paths[0])
    if kind == "dynamic":
        quantize_dynamic(*paths)
    else:
        names = [each.name for each in graph.graph.input]
        quantize_static(*paths, Examples(names, case), quant_format=QuantFormat[kind])
    session, model = onnxruntime.InferenceSession(paths[1], providers=["CPUExecutionProvider"]), nd.onnx.load(paths[1])
    for size in case.sizes:
        given = [each.numpy() for each in case.inputs(*size)]
        wanted = session.run(None, dict(zip(model.inputs, given, strict=True)))
        for found, values in zip(model.run(given), wanted, strict=True):
            if values.dtype.kind == "f":
                np.testing.assert_allclose(np.asarray(found), values, rtol=0, atol=np.abs(values).max() / 64)


class Steps(torch.nn.Module):
    def forward(self, x):
        state, found = x[:, 0], torch.zeros_like(x)
        for t in range(x.shape[1]):
            state = torch.tanh(x[:, t] + 0.5 * state)
            if bool(state.sum() > 0):
                found[:, t] = state
            else:
                found[:, t] = -state
        return found, state


def test_a_loop_of_a_script():
    """Its number of steps, and what each of them does, depend on the input."""
    file = io.BytesIO()
    torch.onnx.export(
        torch.jit.script(Steps()), (torch.randn(2, 4, 3),), file, dynamo=False, opset_version=17, input_names=["x"],
        dynamic_axes={"x": {0: "n", 1: "length"}},
    )  # fmt: skip
    session = onnxruntime.InferenceSession(file.getvalue())
    model = nd.onnx.load(file.getvalue())
    for shape in ((2, 4, 3), (3, 9, 3), (1, 1, 3)):
        x = np.random.default_rng(len(shape)).standard_normal(shape).astype("float32")
        for found, wanted in zip(model.run([x]), session.run(None, {"x": x}), strict=True):
            np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-4, atol=1e-5)


def test_boxes_that_overlap():
    """The boxes that non-maximum suppression leaves are gathered: as many as there are."""
    numbers = {"most": [3], "overlap": [0.4], "least": [0.3], "0": [0], "1": [1], "2": [2], "3": [3]}
    held = [
        helper.make_tensor(name, TensorProto.FLOAT if name in ("overlap", "least") else TensorProto.INT64, [1], values)
        for name, values in numbers.items()
    ]
    nodes = [
        helper.make_node("NonMaxSuppression", ["boxes", "scores", "most", "overlap", "least"], ["kept"]),
        helper.make_node("Slice", ["kept", "0", "1", "1"], ["example"]),
        helper.make_node("Slice", ["kept", "2", "3", "1"], ["box"]),
        helper.make_node("Concat", ["example", "box"], ["places"], axis=1),
        helper.make_node("GatherND", ["boxes", "places"], ["found"]),
    ]
    inputs = [
        helper.make_tensor_value_info("boxes", TensorProto.FLOAT, ["n", "count", 4]),
        helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 2, "count"]),
    ]
    outputs = [
        helper.make_tensor_value_info("kept", TensorProto.INT64, None),
        helper.make_tensor_value_info("found", TensorProto.FLOAT, None),
    ]
    graph = helper.make_graph(nodes, "boxes", inputs, outputs, held)
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    session, model, rng = onnxruntime.InferenceSession(content), nd.onnx.load(content), np.random.default_rng(3)
    for n, count in ((2, 9), (1, 30), (3, 1)):
        corners = np.sort(rng.random((n, count, 2, 2)), axis=2).reshape(n, count, 4).astype("float32")
        given = {"boxes": corners, "scores": rng.random((n, 2, count)).astype("float32")}
        for found, wanted in zip(model.run(given), session.run(None, given), strict=True):
            np.testing.assert_array_equal(np.asarray(found), wanted, strict=True)
