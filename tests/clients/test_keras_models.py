"""Layers beside Keras's: models are saved by Keras, loaded here, and computed by both, to 1e-5."""

import importlib.util
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
