"""Models that onnxruntime has quantized, or optimized and saved: its own operators, and outputs like its own."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnxruntime import quantization

import nd4py as nd

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402  (it is not everywhere)

pytestmark = pytest.mark.filterwarnings("ignore")


class Block(nn.Module):
    """Attention with a mask, and layers behind it."""

    def __init__(self):
        super().__init__()
        self.norm, self.wide, self.narrow = nn.LayerNorm(16), nn.Linear(16, 48), nn.Linear(48, 16)

    def forward(self, x, mask):
        q, k, v = self.wide(self.norm(x)).unflatten(-1, (3, 4, 4)).permute(2, 0, 3, 1, 4)
        seen = 8 * (mask.float() - 1)  # of -inf no steps can be made
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen[:, None, None])
        x = x + y.transpose(1, 2).flatten(2)
        return self.norm(x + self.narrow(nn.functional.gelu(self.wide(self.norm(x)))))


class Images(nn.Module):
    """A residual block, a pool and classes."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = nn.Conv2d(3, 8, 3, 1, 1), nn.Conv2d(8, 8, 3, 1, 1), nn.Linear(8, 4)

    def forward(self, x):
        y = nn.functional.relu6(self.first(x))
        y = torch.cat([nn.functional.leaky_relu(y + self.second(y)), torch.sigmoid(y)], 1)[:, ::2]
        return torch.softmax(self.last(nn.functional.avg_pool2d(y, 2).mean((2, 3))), -1)


def inputs(name, batch):
    rng = np.random.default_rng(5)
    if name == "images":
        return [rng.normal(size=(batch, 3, 8, 8)).astype(np.float32)]
    return [rng.normal(size=(batch, 6, 16)).astype(np.float32), rng.random((batch, 6)) > 0.3]


MODELS = {"block": Block, "images": Images}


@pytest.fixture
def path(request, tmp_path):
    """A file of a model, whose inputs are called x0, x1 ..."""
    torch.manual_seed(1)
    given = [torch.from_numpy(each) for each in inputs(request.param, 2)]
    names = [f"x{i}" for i in range(len(given))]
    torch.onnx.export(
        MODELS[request.param]().eval(), tuple(given), tmp_path / "m.onnx", dynamo=False, opset_version=17,
        input_names=names, dynamic_axes={name: {0: "batch"} for name in names},
    )  # fmt: skip
    return tmp_path / "m.onnx"


def check(name, path, atol):
    """No node is optimized away in onnxruntime, so that both compute what the file says."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session, model = onnxruntime.InferenceSession(path, options), nd.onnx.load(path)
    for batch in (2, 1, 5):
        given = inputs(name, batch)
        wanted = session.run(None, {f"x{i}": each for i, each in enumerate(given)})
        for _ in range(4):  # from the third run on launches are repeated
            for found, values in zip(model.run(given), wanted, strict=True):
                np.testing.assert_allclose(np.asarray(found), values, rtol=1e-4, atol=atol)


class Calibration(quantization.CalibrationDataReader):
    def __init__(self, name):
        self._left = [{f"x{i}": each for i, each in enumerate(inputs(name, 4))}]

    def get_next(self):
        return self._left.pop() if self._left else None


KINDS = {
    "pairs": {"quant_format": quantization.QuantFormat.QDQ},
    "operators": {"quant_format": quantization.QuantFormat.QOperator},
    "operators by channel": {
        "quant_format": quantization.QuantFormat.QOperator, "per_channel": True,
        "activation_type": quantization.QuantType.QUInt8,
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", MODELS, indirect=True)
def test_quantized_models(path, kind, request):
    name = request.node.callspec.params["path"]
    made = path.with_name("q.onnx")
    quantization.quantize_static(path, made, Calibration(name), weight_type=quantization.QuantType.QInt8, **KINDS[kind])
    # A number in the middle between two steps may be rounded to either, and is one step of what is behind it.
    check(name, made, atol=0.05 if name == "block" else 0.01)


@pytest.mark.parametrize("path", MODELS, indirect=True)
def test_optimized_models(path, request):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path.with_name("o.onnx"))
    onnxruntime.InferenceSession(path, options)
    assert any(node.domain == "com.microsoft" for node in onnx.load(path.with_name("o.onnx")).graph.node)
    check(request.node.callspec.params["path"], path.with_name("o.onnx"), atol=1e-5)
