"""Layers beside Keras's: models are saved by Keras, loaded here, and computed by both, to 1e-5."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd

if importlib.util.find_spec("keras") is None:
    pytest.skip("needs keras", allow_module_level=True)
sys.path.insert(0, str(Path(__file__).parents[1] / "model_files"))

import keras_models
from keras_cases import CASES
from keras_functional_cases import FUNCTIONAL, HALF

CASES = CASES | FUNCTIONAL

# Keras 3.15 warns of names of NumPy 2 that it uses, of .h5 files, and of layers that give up masks.
pytestmark = pytest.mark.filterwarnings("ignore")
# The formats share all but how weights are found: every fourth model is written as .h5 too.
FILES = [(name, "keras") for name in CASES] + [(name, "h5") for name in list(CASES)[::4]]


@pytest.mark.parametrize("name, suffix", FILES)
def test_outputs_are_those_of_keras(name, suffix, tmp_path):
    case = CASES[name]
    model, inputs = case.made(), case.inputs()
    wanted = keras_models.outputs_of(model, inputs)
    model.save(tmp_path / f"model.{suffix}")
    found = nd.keras.load(tmp_path / f"model.{suffix}").output(*inputs)
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(wanted)
    for own, theirs in zip(found, wanted, strict=True):
        largest = max(1.0, float(np.abs(theirs).max(initial=0.0)))  # small results of large terms are as exact as these
        np.testing.assert_allclose(np.asarray(own), theirs, rtol=1e-5, atol=1e-5 * largest)


@pytest.mark.parametrize("name", HALF)
def test_mixed_policies_are_those_of_keras(name, tmp_path):
    """Each layer in the dtype of its policy, and equal to within the rounding of float16."""
    case = HALF[name]
    model, inputs = case.made(), case.inputs()
    wanted = keras_models.outputs_of(model, inputs)
    model.save(tmp_path / "model.keras")
    for own, theirs in zip(nd.keras.load(tmp_path / "model.keras").output(*inputs), wanted, strict=True):
        assert np.asarray(own).dtype == theirs.dtype
        np.testing.assert_allclose(np.asarray(own), theirs, rtol=2**-10, atol=2**-10 * float(np.abs(theirs).max()))


def test_weights_in_bfloat16(tmp_path):
    """HDF5 does not know them; they are the same numbers as floats."""
    x = keras_models.keras.Input((4,))
    y = keras_models.layers.Dense(3, dtype="bfloat16", activation="tanh")(x)
    model = keras_models.keras.Model(x, keras_models.layers.Dense(2, dtype="float32")(y))
    model.save(tmp_path / "model.keras")
    net = nd.keras.load(tmp_path / "model.keras")
    given = np.random.default_rng(3).normal(size=(3, 4)).astype("float32")
    np.testing.assert_allclose(net.output(given), keras_models.outputs_of(model, [given])[0], rtol=0.02, atol=0.02)


def test_stateful_recurrences_go_on_where_they_ended(tmp_path):
    model = keras_models.keras.Sequential(
        [
            keras_models.keras.Input(batch_shape=(3, 5, 4)),
            keras_models.layers.LSTM(3, stateful=True, return_sequences=True),
            keras_models.layers.GRU(2, stateful=True),
        ]
    )
    model.save(tmp_path / "model.keras")
    net, rng = nd.keras.load(tmp_path / "model.keras"), np.random.default_rng(3)
    for _ in range(3):
        x = rng.normal(size=(3, 5, 4)).astype("float32")
        wanted = keras_models.outputs_of(model, [x])[0]
        np.testing.assert_allclose(np.asarray(net.rnn_time_step(x)), wanted, rtol=1e-5, atol=1e-5)


def test_stateful_recurrences_of_images_go_on_where_they_ended(tmp_path):
    model = keras_models.keras.Sequential(
        [
            keras_models.keras.Input(batch_shape=(3, 4, 6, 5, 2)),
            keras_models.layers.ConvLSTM2D(3, 3, stateful=True, return_sequences=True),
            keras_models.layers.ConvLSTM2D(2, 2, stateful=True),
        ]
    )
    model.save(tmp_path / "model.keras")
    net, rng = nd.keras.load(tmp_path / "model.keras"), np.random.default_rng(3)
    for _ in range(3):
        x = rng.normal(size=(3, 4, 6, 5, 2)).astype("float32")
        wanted = keras_models.outputs_of(model, [x])[0]
        np.testing.assert_allclose(np.asarray(net.rnn_time_step(x)), wanted, rtol=1e-5, atol=1e-5)


def test_curves_between_pixels_are_those_of_pytorch(tmp_path):
    """These tests run Keras on PyTorch, as .h5 files say."""
    x = keras_models.keras.Input((4, 5, 2))
    model = keras_models.keras.Model(x, keras_models.layers.UpSampling2D((2, 3), interpolation="bicubic")(x))
    model.save(tmp_path / "model.h5")
    given = np.random.default_rng(3).normal(size=(3, 4, 5, 2)).astype("float32")
    wanted = keras_models.outputs_of(model, [given])[0]
    found = nd.keras.load(tmp_path / "model.h5").output(given)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5, atol=1e-5)


def test_curves_between_pixels_are_those_of_jax(tmp_path):
    """And so are those of Lanczos, which Keras has not on PyTorch."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("needs jax")
    program = """
import sys, numpy, keras
x = keras.Input((4, 5, 2))
kinds = ("bicubic", "lanczos3", "lanczos5")
found = [keras.layers.UpSampling2D((2, 3), interpolation=kind)(x) for kind in kinds]
found += [keras.layers.Resizing(3, 4, antialias=True, interpolation=kind)(x) for kind in kinds]
model = keras.Model(x, found)
model.save(sys.argv[1] + "/model.h5")
given = numpy.random.default_rng(3).normal(size=(3, 4, 5, 2)).astype("float32")
numpy.savez(sys.argv[1] + "/arrays.npz", x=given, **{f"y{i}": y for i, y in enumerate(model(given))})
"""
    environment = {**os.environ, "KERAS_BACKEND": "jax"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", program, str(tmp_path)], env=environment, check=True)
    with np.load(tmp_path / "arrays.npz") as arrays:
        for i, found in enumerate(nd.keras.load(tmp_path / "model.h5").output(arrays["x"])):
            np.testing.assert_allclose(np.asarray(found), arrays[f"y{i}"], rtol=1e-5, atol=1e-5)
