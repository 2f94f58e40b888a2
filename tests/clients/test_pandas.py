"""Tables of pandas as the data of networks."""

import numpy as np
import pytest

from nd4py import nn

pd = pytest.importorskip("pandas")
X = np.random.default_rng(3).standard_normal((50, 4)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(50) % 3]
FRAMES = pd.DataFrame(X, columns=list("abcd")), pd.DataFrame(LABELS)


def network():
    layers = [nn.DenseLayer(6, activation="tanh", dropout=0.2), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), updater=nn.Adam(0.01), seed=5)


@pytest.mark.parametrize("settings", [{"batch_size": 20}, {}])
@pytest.mark.parametrize("given", [FRAMES, (FRAMES,)], ids=["two", "a pair"])
def test_frames_are_the_same_data_as_arrays(given, settings):
    expected, net = network(), network()
    expected.fit(*((X, LABELS) if len(given) == 2 else [(X, LABELS)]), epochs=2, **settings)
    net.fit(*given, epochs=2, **settings)
    assert (np.asarray(net.params()) == np.asarray(expected.params())).all()


def test_predict_takes_a_frame():
    net = network()
    assert np.allclose(np.asarray(net.predict(FRAMES[0], batch_size=16)), np.asarray(net.output(X)), atol=1e-6)
