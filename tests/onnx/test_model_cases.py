"""Whole models that come with the onnx package: recorded results, and those that onnxruntime computes."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper

import nd4py as nd

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data"
FEWEST = {"simple": 15, "pytorch-converted": 64, "pytorch-operator": 35}  # cases that pass; the others are refused


def value_in(path, value_type):
    """What a file of a case holds: a tensor or a sequence of them."""
    if value_type.WhichOneof("value") == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(path.read_bytes()))
    return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))


def values_in(folder, kind, values):
    return [value_in(folder / f"{kind}_{i}.pb", values[i].type) for i in range(len(list(folder.glob(f"{kind}_*.pb"))))]


def assert_results(model, graph, folder):
    given = values_in(folder, "input", [each for each in graph.input if each.name in model.inputs] or graph.input)
    for found, wanted in zip(model.run(given), values_in(folder, "output", graph.output), strict=True):
        pairs = zip(found, wanted, strict=True) if isinstance(wanted, list) else [(found, wanted)]
        for x, y in pairs:
            if isinstance(y, np.ndarray) and y.dtype.kind in "OUT":
                assert np.asarray(x).tolist() == y.tolist()
                continue
            np.testing.assert_allclose(np.asarray(x), y, rtol=1e-3, atol=1e-6, strict=True)


@pytest.mark.parametrize("kind", FEWEST)
def test_recorded_results(kind):
    n_passing = 0
    for path in sorted((FOLDER / kind).glob("*/model.onnx")):
        try:
            model = nd.onnx.load(path)
        except NotImplementedError:
            continue
        for folder in path.parent.glob("test_data_set_*"):
            assert_results(model, onnx.load(path).graph, folder)
        n_passing += 1
    assert n_passing >= FEWEST[kind]


@pytest.mark.slow
def test_known_architectures():
    paths = sorted((FOLDER / "light").glob("*.onnx"))
    assert len(paths) == 9
    for path in paths:
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        rng = np.random.default_rng(0)
        given = {each.name: rng.random(each.shape, dtype=np.float32) for each in session.get_inputs()}
        for x, y in zip(nd.onnx.load(path).run(given), session.run(None, given), strict=True):
            np.testing.assert_allclose(np.asarray(x), y, rtol=1e-4, atol=1e-6, err_msg=path.name)
