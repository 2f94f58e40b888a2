"""Whole graphs as PyTorch's exporters write them, with open sizes: the same outputs as onnxruntime, to 1e-4."""

import io
import warnings

import numpy as np
import onnx
import onnxruntime
import pytest

import nd4py as nd

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
from exported_networks import CASES  # noqa: E402  (it needs torch)

pytestmark = pytest.mark.filterwarnings("ignore")


def trained(case):
    """A module whose running statistics and scales are those of no new one."""
    torch.manual_seed(3)
    module = case.make().eval()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            for values, low, high in (
                (part.running_mean, -0.5, 0.5),
                (part.running_var, 0.5, 2),
                (part.weight, 0.5, 2),
            ):
                values.data.uniform_(low, high)
    return module


def by_export(module, case):
    """The new exporter, through torch.export."""
    axes = tuple(dict.fromkeys(each, torch.export.Dim.DYNAMIC) for each in case.open_axes)
    inputs = case.inputs(*case.sizes[0])
    return torch.onnx.export(module, inputs, dynamo=True, dynamic_shapes=axes, verbose=False).model_proto


def by_trace(module, case, *, keeps_training=False):
    """The old exporter, through TorchScript.  keeps_training: batch normalization is left as it is written"""
    names = [f"x{i}" for i in range(len(case.open_axes))]
    axes = {name: {axis: f"{name}_{axis}" for axis in each} for name, each in zip(names, case.open_axes, strict=True)}
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, case.inputs(*case.sizes[0]), file, dynamo=False, input_names=names, dynamic_axes=axes,
            opset_version=17, do_constant_folding=not keeps_training,
            training=torch.onnx.TrainingMode.PRESERVE if keeps_training else torch.onnx.TrainingMode.EVAL,
        )  # fmt: skip
    return onnx.load_model_from_string(file.getvalue())


def check(case, graph):
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    model = nd.onnx.load(graph)
    for size in case.sizes * 4:  # from the third run with a size on, launches are repeated
        given = [each.numpy() for each in case.inputs(*size)]
        wanted = session.run(None, dict(zip(model.inputs, given, strict=True)))
        for found, values in zip(model.run(given), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(found), values, rtol=1e-4, atol=1e-5, strict=True)
    return model


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_graphs_by_export(name):
    check(CASES[name], by_export(trained(CASES[name]), CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_graphs_by_trace(name):
    model = check(CASES[name], by_trace(trained(CASES[name]), CASES[name]))
    assert len(model._runs._repeated) == len(CASES[name].sizes)


@pytest.mark.parametrize("name", ["ResNet", "MobileNetV2"])
def test_batch_normalization_is_folded(name):
    model = check(CASES[name], by_trace(trained(CASES[name]), CASES[name], keeps_training=True))
    assert "batch normalizations folded into weights" in model.summary()


def test_patterns_are_recognised():
    model = check(CASES["BERT, written out"], by_trace(trained(CASES["BERT, written out"]), CASES["BERT, written out"]))
    assert "GELU recognised: 1" in model.summary()
    assert "attention recognised: 1" in check(CASES["ViT"], by_export(trained(CASES["ViT"]), CASES["ViT"])).summary()
