"""Steps of training beside Keras's: a model is compiled there, and both learn from the same batches."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd

if importlib.util.find_spec("keras") is None:
    pytest.skip("needs keras", allow_module_level=True)
sys.path.insert(0, str(Path(__file__).parents[1] / "model_files"))

import keras
import keras_models
from keras import layers, losses, optimizers

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(8)
X = RNG.normal(size=(6, 4)).astype("float32")
STEPS = RNG.normal(size=(6, 5, 4)).astype("float32")
CLASSES = RNG.integers(0, 3, 6)
ROWS = np.eye(3, dtype="float32")[CLASSES]
NUMBERS = RNG.random((6, 3)).astype("float32") + 0.5


@pytest.fixture(autouse=True)
def _weights_are_drawn_alike():
    keras.utils.set_random_seed(5)


def model(activation="softmax", shape=(4,), penalty="l2"):
    chain = [layers.Dense(5, "tanh", kernel_regularizer=penalty), layers.Dense(3, activation)]
    return keras_models.stack(shape, *((lambda each=each: each) for each in chain))()


def both(made, x, y, tmp_path, n_steps=4):
    """Outputs of Keras and of the network that was loaded, after the same steps."""
    made.save(tmp_path / "model.keras")
    net = nd.keras.load(tmp_path / "model.keras")
    scores = []
    for _ in range(n_steps):
        theirs = made.train_on_batch(x, y)
        scores.append((float(np.ravel(theirs)[0]), net.fit_batch(x, y)))
    return np.asarray(scores), keras_models.outputs_of(made, [x])[0], np.asarray(net.output(x))


OPTIMIZERS = {
    "sgd": lambda: optimizers.SGD(0.1),
    "nesterov": lambda: optimizers.SGD(0.1, momentum=0.8, nesterov=True),
    "momentum": lambda: optimizers.SGD(0.1, momentum=0.8),
    "nadam": lambda: optimizers.Nadam(0.01, beta_1=0.8),
    "centered rmsprop": lambda: optimizers.RMSprop(0.01, rho=0.8, centered=True, momentum=0.5),
    "adam with weight decay": lambda: optimizers.Adam(0.01, weight_decay=0.1),
    "rmsprop with momentum": lambda: optimizers.RMSprop(0.01, rho=0.8, momentum=0.5),
    "adagrad from the start of Keras": lambda: optimizers.Adagrad(0.1),
    "adadelta with a rate": lambda: optimizers.Adadelta(0.3),
    "adam": lambda: optimizers.Adam(0.01),
    "amsgrad": lambda: optimizers.Adam(0.01, amsgrad=True, beta_1=0.8),
    "adamw": lambda: optimizers.AdamW(0.01, weight_decay=0.1),
    "adamax": lambda: optimizers.Adamax(0.01),
    "rmsprop": lambda: optimizers.RMSprop(0.01, rho=0.8),
    "adagrad": lambda: optimizers.Adagrad(0.01, initial_accumulator_value=0.0),
    "adadelta": lambda: optimizers.Adadelta(1.0),
    "lion": lambda: optimizers.Lion(0.01),
    "lamb": lambda: optimizers.Lamb(0.01),
    "adafactor": lambda: optimizers.Adafactor(0.05),
    "ftrl": lambda: optimizers.Ftrl(0.1),
    "ftrl with penalties": lambda: optimizers.Ftrl(
        0.1,
        learning_rate_power=-0.6,
        initial_accumulator_value=0.3,
        l1_regularization_strength=0.01,
        l2_regularization_strength=0.1,
        l2_shrinkage_regularization_strength=0.1,
        beta=0.2,
    ),
    "clipvalue": lambda: optimizers.SGD(0.1, clipvalue=0.01),
    "clipnorm": lambda: optimizers.SGD(0.1, clipnorm=0.01),
    "global_clipnorm": lambda: optimizers.SGD(0.1, global_clipnorm=0.01),
    "exponential": lambda: optimizers.SGD(optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)),
    "staircase": lambda: optimizers.SGD(optimizers.schedules.ExponentialDecay(0.1, 2, 0.5, staircase=True)),
    "inverse": lambda: optimizers.SGD(optimizers.schedules.InverseTimeDecay(0.1, 2, 0.5)),
    "polynomial": lambda: optimizers.SGD(optimizers.schedules.PolynomialDecay(0.1, 5, 0.0, 2.0)),
    "cosine": lambda: optimizers.SGD(optimizers.schedules.CosineDecay(0.1, 5, 0.1)),
    "piecewise": lambda: optimizers.SGD(optimizers.schedules.PiecewiseConstantDecay([1], [0.1, 0.01])),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_of_optimizers(name, tmp_path):
    made = model(penalty=None if "clip" in name else "l2")
    made.compile(OPTIMIZERS[name](), "categorical_crossentropy")
    scores, theirs, own = both(made, X, ROWS, tmp_path)
    # Where epsilon stands counts for gradients that are small.
    tolerance = 3e-3 if name in ("rmsprop", "adagrad") else 2e-4
    np.testing.assert_allclose(scores[:, 1], scores[:, 0], rtol=tolerance)
    np.testing.assert_allclose(own, theirs, atol=tolerance)


LOSSES = {
    "mse": ("linear", lambda: "mse", NUMBERS),
    "mae": ("linear", losses.MeanAbsoluteError, NUMBERS),
    "mape": ("linear", lambda: "mape", NUMBERS),
    "msle": ("sigmoid", losses.MeanSquaredLogarithmicError, NUMBERS),
    "huber": ("linear", losses.Huber, NUMBERS),  # Keras 3.15 does not write another delta to files
    "log_cosh": ("linear", lambda: "log_cosh", NUMBERS),
    "hinge": ("tanh", lambda: "hinge", 2 * ROWS - 1),
    "squared_hinge": ("tanh", losses.SquaredHinge, 2 * ROWS - 1),
    "poisson": ("softplus", losses.Poisson, NUMBERS),
    "kl_divergence": ("softmax", losses.KLDivergence, NUMBERS / NUMBERS.sum(1, keepdims=True)),
    "cosine": ("linear", losses.CosineSimilarity, NUMBERS),
    "bits": ("sigmoid", lambda: "binary_crossentropy", ROWS),
    "smoothed bits": ("sigmoid", lambda: losses.BinaryCrossentropy(label_smoothing=0.1), ROWS),
    "bits of logits": ("linear", lambda: losses.BinaryCrossentropy(from_logits=True), ROWS),
    "classes": ("softmax", lambda: losses.CategoricalCrossentropy(label_smoothing=0.1), ROWS),
    "classes of logits": ("linear", lambda: losses.CategoricalCrossentropy(from_logits=True), ROWS),
    "numbers of classes": ("softmax", lambda: "sparse_categorical_crossentropy", CLASSES),
    "of logits": ("linear", lambda: losses.SparseCategoricalCrossentropy(from_logits=True), CLASSES),
}


@pytest.mark.parametrize("name", LOSSES)
def test_steps_of_losses(name, tmp_path):
    activation, loss, labels = LOSSES[name]
    made = model(activation)
    made.compile(optimizers.SGD(0.05), loss())
    scores, theirs, own = both(made, X, labels, tmp_path)
    np.testing.assert_allclose(scores[:, 1], scores[:, 0], rtol=2e-4, atol=1e-5)
    np.testing.assert_allclose(own, theirs, atol=2e-4)


def test_a_loss_at_every_step_is_the_mean_over_them(tmp_path):
    made = model("softmax", (5, 4))
    made.compile(optimizers.SGD(0.05), "categorical_crossentropy")
    labels = np.eye(3, dtype="float32")[RNG.integers(0, 3, (6, 5))]
    scores, theirs, own = both(made, STEPS, labels, tmp_path)
    np.testing.assert_allclose(scores[:, 1], scores[:, 0], rtol=2e-4)
    np.testing.assert_allclose(own, theirs, atol=2e-4)


def test_several_outputs_with_weights(tmp_path):
    x = keras_models.keras.Input((4,))
    hidden = layers.Dense(5, "tanh")(x)
    last = layers.Activation("softmax", name="b")(layers.Dense(3)(hidden))
    made = keras_models.keras.Model(x, [layers.Dense(1, name="a")(hidden), last])
    made.compile("sgd", {"a": "mse", "b": "categorical_crossentropy"}, loss_weights={"a": 0.5, "b": 2.0})
    made.save(tmp_path / "model.keras")
    net = nd.keras.load(tmp_path / "model.keras")
    labels = [NUMBERS[:, :1], ROWS]
    for _ in range(3):
        theirs, own = made.train_on_batch(X, labels), net.fit_batch(X, labels)
    np.testing.assert_allclose(own, np.ravel(theirs)[0], rtol=2e-4)
    for wanted, found in zip(keras_models.outputs_of(made, [X]), net.output(X), strict=True):
        np.testing.assert_allclose(np.asarray(found), wanted, atol=2e-4)
