"""Networks from files of Keras, as ONNX files: the layers that stand for Keras's are written like others."""

import numpy as np
import pytest
from test_keras_files import FILES, kept

import nd4py as nd


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".keras"], ids=lambda path: path.stem)
def test_networks_are_exported_like_others(path, tmp_path):
    """For any number of examples."""
    net, file = nd.keras.load(path), tmp_path / "net.onnx"
    inputs, wanted = kept(path.stem)
    kinds = net.input_types.values()
    shaped = [x[..., None] if len(kind.shape) == x.ndim else x for x, kind in zip(inputs, kinds, strict=True)]
    nd.onnx.export(net, file, tuple(shaped))
    model = nd.onnx.load(file)
    for n in (len(wanted[0]), 1):
        for own, theirs in zip(model.run([x[:n] for x in shaped]), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(own), theirs[:n], rtol=1e-4, atol=1e-5)
