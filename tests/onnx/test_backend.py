"""The interface of onnx.backend.base."""

import numpy as np
import onnx
import pytest
from onnx import helper, parser
from onnx.backend.base import Backend, BackendRep

import nd4py as nd

MODEL = parser.parse_model(
    '<ir_version: 8, opset_import: ["": 17]> g (float[n] x, float[n] w) => (float[n] y) { y = Sub(x, w) }'
)
REFUSED = parser.parse_model(
    '<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = RandomUniformLike(x) }'
)
INPUTS = [np.float32([3, 4]), np.float32([1, 1])]


def test_models():
    prepared = nd.onnx.Backend.prepare(MODEL, "CPU")
    assert issubclass(nd.onnx.Backend, Backend)
    assert isinstance(prepared, BackendRep)
    for outputs in (prepared.run(INPUTS), nd.onnx.Backend.run_model(MODEL, INPUTS)):
        assert isinstance(outputs, tuple)
        assert isinstance(outputs[0], np.ndarray)
        assert outputs[0].tolist() == [2, 3]


def test_what_is_supported():
    assert nd.onnx.Backend.is_compatible(MODEL)
    assert not nd.onnx.Backend.is_compatible(REFUSED)
    assert nd.onnx.Backend.supports_device("CPU")
    assert nd.onnx.Backend.supports_device("CUDA") == nd.cuda.is_available()
    assert not nd.onnx.Backend.supports_device("CUDA:99")
    assert not nd.onnx.Backend.supports_device("TPU")
    with pytest.raises(NotImplementedError, match="RandomUniformLike"):
        nd.onnx.Backend.prepare(REFUSED)
    with pytest.raises(ValueError, match="no device 'TPU'"):
        nd.onnx.Backend.prepare(MODEL, "TPU")


def test_nodes():
    node = helper.make_node("Sub", ["x", "w"], ["y"])
    assert nd.onnx.Backend.run_node(node, INPUTS)[0].tolist() == [2, 3]
    assert nd.onnx.Backend.run_node(node, {"w": INPUTS[1], "x": INPUTS[0]})[0].tolist() == [2, 3]
    split = helper.make_node("Split", ["x"], ["a", "b"], axis=0)
    assert [part.tolist() for part in nd.onnx.Backend.run_node(split, INPUTS[:1], opset_version=13)] == [[3], [4]]
    with pytest.raises(ValueError, match="2 inputs: x, w"):
        nd.onnx.Backend.run_node(node, INPUTS[:1])
    with pytest.raises(TypeError, match="NodeProto"):
        nd.onnx.Backend.run_node(onnx.GraphProto(), INPUTS)
