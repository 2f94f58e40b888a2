"""Files that Keras has written, loaded without it: the outputs are those of Keras."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest
from public_objects import failures

import nd4py as nd
from nd4py import nn

KEPT = Path(__file__).parent / "kept"
FILES = sorted(path for path in KEPT.iterdir() if path.suffix != ".npz")


def kept(name):
    """Inputs of a kept model, and what Keras makes of them."""
    with np.load(KEPT / f"{name}.npz") as arrays:
        return [[arrays[key] for key in sorted(arrays) if key[0] == letter] for letter in "xy"]


def outputs(net, inputs):
    """The outputs of a network, as a list."""
    found = net.output(*inputs)
    return list(found) if isinstance(found, tuple) else [found]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_outputs_are_those_of_keras(path):
    inputs, wanted = kept(path.stem)
    found = outputs(nd.keras.load(path), inputs)
    assert len(found) == len(wanted)
    for own, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(own), theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_networks_are_saved_and_read_like_others(path, tmp_path):
    net = nd.keras.load(path)
    net.save(tmp_path / "net.zip")
    again = nn.ComputationGraph.load(tmp_path / "net.zip", classes=nd.keras.CLASSES)
    inputs, _ = kept(path.stem)
    for own, other in zip(outputs(net, inputs), outputs(again, inputs), strict=True):
        assert own.tobytes() == other.tobytes()


def test_neither_keras_nor_tensorflow_is_imported():
    program = (
        "import sys, nd4py as nd; "
        f"nd.keras.load({str(KEPT / 'dense.keras')!r}); "
        "print([name for name in ('keras', 'tensorflow', 'pickle5', 'torch', 'jax') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_without_h5py_the_extra_is_named():
    program = "import sys; sys.modules['h5py'] = None; import nd4py.keras"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: nd4py.keras needs h5py: pip install 'nd4py[keras]'" in result.stderr


def layer(kind, name, call=(), **settings):
    """A layer as Keras 2 describes it; `call`: what it reads."""
    row = {"class_name": kind, "config": {"name": name, "trainable": True, "dtype": "float32", **settings}}
    return row | {"name": name, "inbound_nodes": [list(call)] if call else []}


def legacy_file(path, model, weights, version="2.11.0"):
    """A file as Keras 2 wrote it: names of weights with :0, a group for each layer."""
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = version.encode()
        file.attrs["model_config"] = json.dumps(model).encode()
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = [name.encode() for name in weights]
        for name, arrays in weights.items():
            group = root.create_group(name)
            group.attrs["weight_names"] = [f"{name}/{part}:0".encode() for part in arrays]
            for part, values in arrays.items():
                group[f"{name}/{part}:0"] = values
    return path


RNG = np.random.default_rng(4)
KERNEL, BIAS = RNG.normal(size=(4, 3)).astype("float32"), RNG.normal(size=3).astype("float32")
X = RNG.normal(size=(5, 4)).astype("float32")


def test_a_sequential_of_keras_2(tmp_path):
    """`batch_input_shape` on the first layer, and the hard_sigmoid of that time."""
    rows = [layer("Dense", "d", units=3, activation="hard_sigmoid", batch_input_shape=[None, 4])]
    model = {"class_name": "Sequential", "config": {"name": "m", "layers": rows}}
    path = legacy_file(tmp_path / "m.h5", model, {"d": {"kernel": KERNEL, "bias": BIAS}})
    wanted = np.clip(0.2 * (X @ KERNEL + BIAS) + 0.5, 0, 1)
    np.testing.assert_allclose(np.asarray(nd.keras.load(path).output(X)), wanted, atol=1e-6)
    model["config"] = rows  # as the first versions had it
    legacy_file(path, model, {"d": {"kernel": KERNEL, "bias": BIAS}})
    np.testing.assert_allclose(np.asarray(nd.keras.load(path).output(X)), wanted, atol=1e-6)


def test_a_functional_model_of_keras_2(tmp_path):
    """Calls as lists, and a model inside whose calls are counted from 1."""
    inner = {
        "name": "inner", "layers": [layer("InputLayer", "i", batch_input_shape=[None, 4]),
                                    layer("Dense", "d", [["i", 0, 0, {}]], units=3, activation="tanh"),
                                    layer("BatchNormalization", "b", [["d", 0, 0, {}]], axis=[1], epsilon=0.001)],
        "input_layers": [["i", 0, 0]], "output_layers": [["b", 0, 0]],
    }  # fmt: skip
    nested = {"class_name": "Functional", "config": inner, "name": "inner", "inbound_nodes": [[["x", 0, 0, {}]]]}
    rows = [layer("InputLayer", "x", batch_input_shape=[None, 4]), nested]
    rows.append(layer("Add", "sum", [["inner", 1, 0, {}], ["inner", 1, 0, {}]]))
    model = {"class_name": "Functional", "config": {"name": "m", "layers": rows}}
    model["config"] |= {"input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]]}
    statistics = {name: np.full(3, value, "float32") for name, value in (("gamma", 2), ("beta", 1))}
    moving = {"moving_mean": np.full(3, 0.5, "float32"), "moving_variance": np.full(3, 4.0, "float32")}
    arrays = {"d/kernel": KERNEL, "d/bias": BIAS, **statistics, **moving}
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"inner": arrays, "x": {}, "sum": {}}))
    wanted = 2 * (2 * (np.tanh(X @ KERNEL + BIAS) - 0.5) / np.sqrt(4.001) + 1)
    np.testing.assert_allclose(np.asarray(net.output(X)), wanted, atol=1e-5)
    assert sorted(net.param_table())[0].startswith("inner/b_")


def one_layer(kind, shape=(4,), **settings):
    """A model of one layer."""
    rows = [layer("InputLayer", "x", batch_input_shape=[None, *shape]), layer(kind, "it", **settings)]
    return {"class_name": "Sequential", "config": {"name": "m", "layers": rows}}


@pytest.mark.parametrize(
    "model, message",
    [
        (one_layer("Lambda", function=["4wEAAAAAAAAA", None, None]), r"it \(Lambda\)"),
        (one_layer("ConvLSTM3D"), r"it \(ConvLSTM3D\): sequences of volumes"),
        (one_layer("Flatten", (2, 4, 4, 4, 1)), "examples have at most 4 axes"),
        (
            one_layer("ConvLSTM2D", (2, 4, 4, 1), filters=2, kernel_size=2, stateful=True, go_backwards=True),
            "stateful=True of a layer that goes backwards",
        ),
        (one_layer("Dense", units=3, activation="os.system"), "activation 'os.system'"),
        (one_layer("Dense", units=3, activation={"class_name": "function", "module": "os", "config": "relu"}), "activ"),
        (one_layer("BatchNormalization", (4, 4, 2), axis=4), "axis 4"),
        (one_layer("UpSampling2D", (4, 4, 2), interpolation="area"), "interpolation='area'"),
        (one_layer("Dense", (None, None, 3), units=3), "give input_shapes"),
        ({"class_name": "Mine", "config": {"name": "m"}}, r"m \(Mine\), a model of a class of its own"),
    ],
)
def test_what_has_no_counterpart_is_named(model, message, tmp_path):
    path = legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}})
    with pytest.raises(NotImplementedError, match=f"keras.load: no counterpart of .*{message}"):
        nd.keras.load(path)


MINE = {"class_name": "Mine", "config": {}}
OF_TRAINING = {
    "kernel_regularizer": MINE,
    "kernel_constraint": MINE,
    "activity_regularizer": "l2",
    "bias_constraint": MINE,
}


@pytest.mark.parametrize("name, value", OF_TRAINING.items())
def test_what_only_training_reads_is_refused_where_the_network_trains(name, value, tmp_path):
    weights = {"it": {"kernel": KERNEL, "bias": BIAS}}
    path = legacy_file(tmp_path / "m.h5", one_layer("Dense", units=3, **{name: value}), weights)
    plain = nd.keras.load(path).output(X)
    with h5py.File(path, "a") as file:
        file.attrs["training_config"] = json.dumps({"optimizer_config": "SGD", "loss": "mse"}).encode()
    with pytest.raises(NotImplementedError, match=f"{name}=.*, which load.path, training=False. leaves out"):
        nd.keras.load(path, training=True)
    with pytest.warns(UserWarning, match=f"computes outputs and cannot be trained: .*{name}="):
        assert nd.array_equal(nd.keras.load(path).output(X), plain)
    assert nd.array_equal(nd.keras.load(path, training=False).output(X), plain)


# Of a step from 0 to 4, what each makes of the pixels around it.
STEPS = {"tensorflow": [-0.09375, -0.28125, 0.8125, 3.1875], "torch": [-0.140625, -0.421875, 0.90625, 3.09375]}


@pytest.mark.parametrize("backend", [*STEPS, "jax", None])
def test_curves_are_those_of_the_backend_that_keras_ran_on(backend, tmp_path):
    """Of "bicubic" PyTorch has another one, and a file that does not say which it is, is warned of."""
    model = one_layer("UpSampling2D", (1, 6, 1), size=[1, 2], interpolation="bicubic")
    path = legacy_file(tmp_path / "m.h5", model, {"it": {}})
    if backend is None:
        with pytest.warns(UserWarning, match="as Keras does on TensorFlow and JAX; on PyTorch it is another curve"):
            net = nd.keras.load(path)
    else:
        with h5py.File(path, "a") as file:
            file.attrs["backend"] = backend
        net = nd.keras.load(path)
    x = np.float32([0, 0, 0, 0, 4, 4]).reshape(1, 1, 6, 1)
    y = np.asarray(net.output(x)).reshape(-1)
    np.testing.assert_allclose(y[:9], [0] * 5 + STEPS.get(backend, STEPS["tensorflow"]), atol=1e-6)
    np.testing.assert_allclose(np.asarray(net.output(np.ones_like(x))), np.ones((1, 1, 12, 1)), atol=1e-6)


OPEN = [
    layer("InputLayer", "x", batch_input_shape=[None, None, None, 3]),
    layer("Conv2D", "it", filters=2, kernel_size=[2, 2], padding="same"),
    layer("GlobalAveragePooling2D", "pool"),
]
OPEN = {"class_name": "Sequential", "config": {"name": "m", "layers": OPEN}}


def test_open_sizes_of_images_are_given(tmp_path):
    rng = np.random.default_rng(2)
    weights = {"it": {"kernel": rng.normal(size=(2, 2, 3, 2)).astype("float32"), "bias": BIAS[:2]}}
    path = legacy_file(tmp_path / "m.h5", OPEN, weights)
    x = rng.random((4, 5, 6, 3)).astype("float32")
    wanted = np.zeros((4, 2), "float32")
    padded = np.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))
    for i in range(2):
        for j in range(2):
            wanted += (padded[:, i : i + 5, j : j + 6] @ weights["it"]["kernel"][i, j]).mean((1, 2))
    for given in ((5, 6, 3), {"x_input": (5, 6, 3)}):
        net = nd.keras.load(path, input_shapes=given)
        np.testing.assert_allclose(np.asarray(net.output(x)), wanted + BIAS[:2], rtol=1e-4)
    for wrong, message in (((5, 6, 4), "axes"), ((5, 6), "axes"), ({"y": (5, 6, 3)}, "no input 'y'"), (5, "shape")):
        with pytest.raises((ValueError, TypeError), match=f"input_shapes.*{message}"):
            nd.keras.load(path, input_shapes=wrong)


@pytest.mark.parametrize(
    "config",
    [
        {"class_name": "SGD", "config": {"momentum": 0.9}},
        {"class_name": "Nadam", "config": {}},
        {"class_name": "Adagrad", "config": {}},
        {"class_name": "Adadelta", "config": {}},
        {"class_name": "RMSprop", "config": {"momentum": 0.5}},
        {"class_name": "Lamb", "config": {}},
        {"class_name": "Ftrl", "config": {"l1_regularization_strength": 0.1}},
        {"class_name": "Adafactor", "config": {}},
    ],
    ids=lambda config: config["class_name"],
)
def test_updaters_of_keras_are_saved(config, tmp_path):
    net = nd.keras.load(compiled(tmp_path / "m.h5", "mse", config))
    net.fit_batch(X, X[:, :3])
    net.save(tmp_path / "net.zip")
    again = nn.ComputationGraph.load(tmp_path / "net.zip", classes=nd.keras.CLASSES)
    assert [again.fit_batch(X, X[:, :3]) for _ in range(2)] == [net.fit_batch(X, X[:, :3]) for _ in range(2)]


def test_all_layers_without_a_counterpart_are_named_at_once(tmp_path):
    model = one_layer("Lambda")
    model["config"]["layers"] += [layer("StringLookup", "words"), layer("Dense", "d", units=3)]
    with pytest.raises(NotImplementedError, match=r"it \(Lambda\); words \(StringLookup\)$"):
        nd.keras.load(legacy_file(tmp_path / "m.h5", model, {}))


@pytest.mark.parametrize("where", [{"module": "mine.layers"}, {"registered_name": "mine>Dense"}])
def test_classes_of_other_modules_are_not_taken_for_those_of_keras(where, tmp_path):
    model = one_layer("Dense", units=3)
    model["config"]["layers"][1] |= where
    with pytest.raises(NotImplementedError, match=r"it \(Dense\)"):
        nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}}))


@dataclass(frozen=True)
class Scaled(nn.Layer):
    """x times a factor, and weights."""

    factor: float = 1.0

    def parameters(self, given):
        return (nn.Parameter("weight", (given.size,)),)

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        return x * params["weight"] * self.factor


@dataclass(frozen=True)
class Difference(nn.Vertex):
    """Of two inputs."""

    most = 2

    def forward(self, params, inputs, *, masks=None, train=False, rng=None):
        return inputs[0] - inputs[1]


def test_layers_of_ones_own(tmp_path):
    model = one_layer("MyLayers>Scaled", factor=2.0, unknown=[1])
    path = legacy_file(tmp_path / "m.h5", model, {"it": {"w": BIAS[:1].repeat(4)}})
    with pytest.raises(NotImplementedError, match=r"it \(MyLayers>Scaled\)"):
        nd.keras.load(path)
    model["config"]["layers"][1]["registered_name"] = "MyLayers>Scaled"
    legacy_file(path, model, {"it": {"w": BIAS[:1].repeat(4)}})
    net = nd.keras.load(path, custom_layers={"MyLayers>Scaled": Scaled})
    np.testing.assert_allclose(np.asarray(net.output(X)), 2 * X * BIAS[0], rtol=1e-6)
    rows = [layer("InputLayer", name, batch_input_shape=[None, 4]) for name in "ab"]
    rows += [layer("Difference", "c", [["a", 0, 0, {}], ["b", 0, 0, {}]]), layer("Dense", "d", [["c", 0, 0]], units=3)]
    rows[2]["module"] = "mine"
    model = {"class_name": "Functional", "config": {"name": "m", "layers": rows, "output_layers": [["d", 0, 0]]}}
    model["config"]["input_layers"] = [["a", 0, 0], ["b", 0, 0]]
    legacy_file(path, model, {"d": {"kernel": KERNEL, "bias": BIAS}})
    net = nd.keras.load(path, custom_layers={"Difference": Difference})
    np.testing.assert_allclose(np.asarray(net.output(X, X)), np.tile(BIAS, (5, 1)), rtol=1e-6)
    with pytest.raises(TypeError, match="must be a class made from nn.Layer or nn.Vertex"):
        nd.keras.load(path, custom_layers={"Difference": 5})


def test_settings_of_layers_inside_are_those_of_the_file():
    net = nd.keras.load(KEPT / "images.keras")
    inputs, _ = kept("images")
    assert net.get_layer("batch_normalization").layer.decay == 0.99
    found = net.feed_forward(*inputs)
    assert found["conv2d"].shape == (3, 4, 5, 5)
    assert not any(np.isnan(np.asarray(each)).any() for each in found.values())


def test_dropout_of_whole_examples(tmp_path):
    """Stochastic depth, as EfficientNet has it."""
    model = one_layer("Dense", units=3)
    model["config"]["layers"].append(layer("Dropout", "drop", rate=0.5, noise_shape=[None, 1]))
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}}))
    wanted = np.asarray(net.output(np.tile(X, (8, 1))))
    found = np.asarray(net.output(np.tile(X, (8, 1)), train=True))
    is_dropped = (found == 0).all(axis=1)
    assert 0 < is_dropped.sum() < 40
    np.testing.assert_allclose(found[~is_dropped], 2 * wanted[~is_dropped], rtol=1e-5)
    model["config"]["layers"][-1]["config"]["noise_shape"] = [1, None]
    legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}})
    with pytest.raises(NotImplementedError, match="noise_shape"):
        nd.keras.load(tmp_path / "m.h5")


def test_layers_that_are_not_trained_are_frozen(tmp_path):
    model = one_layer("Dense", units=3)
    model["config"]["layers"][1]["config"]["trainable"] = False
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}}))
    assert net.get_layer("it").is_frozen


def test_penalties_and_constraints(tmp_path):
    """Keras adds l2 * sum(w**2) to the loss, nd4py half of that."""
    regularizer = {"class_name": "L1L2", "config": {"l1": 0.25, "l2": 0.5}}
    constraint = {"class_name": "MaxNorm", "config": {"max_value": 3.0, "axis": 0}}
    model = one_layer("Dense", units=3, kernel_regularizer=regularizer, kernel_constraint=constraint)
    found = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}})).get_layer(
        "it"
    )
    assert (found.l1, found.l2) == (0.25, 1.0)
    assert found.constraints == (nn.MaxNormConstraint(max_norm=3.0),)


def test_layers_of_float32_in_a_network_of_half_precision(tmp_path):
    """The last layer of many: its weights and what it makes are float32, while what it is given was rounded."""
    model = one_layer("Dense", units=3, activation="softmax")
    middle = layer("Dense", "middle", units=4, dtype="mixed_float16")
    model["config"]["layers"].insert(1, middle)
    square = RNG.normal(size=(4, 4)).astype("float32")
    weights = {"middle": {"kernel": square, "bias": np.zeros(4, "float32")}, "it": {"kernel": KERNEL, "bias": BIAS}}
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, weights))
    found = net.output(X)
    assert (net.configuration.dtype, found.dtype) == ("float16", nd.float32)
    hidden = (X.astype("float16").astype("float32") @ square.astype("float16").astype("float32")).astype("float16")
    scores = np.exp(hidden.astype("float32") @ KERNEL + BIAS)
    np.testing.assert_allclose(np.asarray(found), scores / scores.sum(1, keepdims=True), rtol=2e-3)
    net.save(tmp_path / "net.zip")
    again = nn.ComputationGraph.load(tmp_path / "net.zip", classes=nd.keras.CLASSES)
    assert nd.array_equal(again.output(X), found)


def test_normalizations_of_half_precision_keep_their_statistics(tmp_path):
    """2049 and 2048 are one number in float16."""
    model = one_layer("BatchNormalization", (2,), dtype="mixed_float16", epsilon=0.0)
    ones = np.ones(2, "float32")
    weights = {"gamma": ones, "beta": 0 * ones, "moving_mean": 2049 * ones, "moving_variance": ones}
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": weights}))
    assert net.output(np.full((1, 2), 2050, "float32")).tolist() == [[1.0, 1.0]]
    assert net.output(np.full((1, 2), 2050, "float32")).dtype == nd.float16


def test_models_without_weights(tmp_path):
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", one_layer("Rescaling", scale=2.0, offset=1.0), {}))
    np.testing.assert_allclose(np.asarray(net.output(X)), 2 * X + 1, rtol=1e-6)


@pytest.mark.parametrize("policy, dtype", [("mixed_float16", "float16"), ("mixed_bfloat16", "bfloat16")])
def test_mixed_policies_are_the_dtype_of_the_network(policy, dtype, tmp_path):
    model = one_layer("Dense", units=3)
    model["config"]["layers"][1]["config"]["dtype"] = {"class_name": "Policy", "config": {"name": policy}}
    net = nd.keras.load(legacy_file(tmp_path / "m.h5", model, {"it": {"kernel": KERNEL, "bias": BIAS}}))
    assert net.configuration.dtype == dtype
    wanted = X @ KERNEL + BIAS
    np.testing.assert_allclose(np.asarray(net.output(X)).astype("float32"), wanted, atol=0.1)


def compiled(path, loss, optimizer, **layer_settings):
    """A file of Keras 2 whose model was compiled."""
    legacy_file(path, one_layer("Dense", units=3, **layer_settings), {"it": {"kernel": KERNEL, "bias": BIAS}})
    settings = {"loss": loss, "optimizer_config": optimizer, "metrics": ["accuracy"], "loss_weights": None}
    with h5py.File(path, "r+") as file:
        file.attrs["training_config"] = json.dumps(settings)
    return path


ADAM = {"class_name": "Adam", "config": {"lr": 0.05, "beta_1": 0.8, "epsilon": 1e-7, "decay": 0.0}}


def test_a_compiled_model_goes_on_training(tmp_path):
    path = compiled(tmp_path / "m.h5", "categorical_crossentropy", ADAM, activation="softmax")
    net = nd.keras.load(path)
    assert net.configuration.updater == nn.Adam(0.05, b1=0.8, eps=1e-7)
    assert type(net.get_layer("it")) is nn.OutputLayer
    labels = np.eye(3)[[0, 1, 2, 0, 1]]
    before = net.score((X, labels))
    probabilities = np.exp(X @ KERNEL + BIAS)
    probabilities /= probabilities.sum(1, keepdims=True)
    np.testing.assert_allclose(before, -np.mean(np.log(probabilities[range(5), [0, 1, 2, 0, 1]])), rtol=1e-5)
    for _ in range(20):
        net.fit_batch(X, labels)
    assert net.score((X, labels)) < before
    with pytest.raises(ValueError, match="training needs a loss"):
        nd.keras.load(path, training=False).fit_batch(X, labels)


def test_logits_stay_logits(tmp_path):
    loss = {"class_name": "SparseCategoricalCrossentropy", "config": {"from_logits": True, "reduction": "auto"}}
    net = nd.keras.load(compiled(tmp_path / "m.h5", loss, ADAM))
    np.testing.assert_allclose(np.asarray(net.output(X)), X @ KERNEL + BIAS, atol=1e-5)
    net.save(tmp_path / "net.zip")
    again = nn.ComputationGraph.load(tmp_path / "net.zip", classes=nd.keras.CLASSES)
    labels = np.array([0, 1, 2, 0, 1])
    assert again.fit_batch(X, labels) == net.fit_batch(X, labels)


@pytest.mark.parametrize(
    "loss, optimizer, message",
    [
        ("mine", ADAM, "loss 'mine'"),
        ({"class_name": "MeanSquaredError", "module": "mine", "config": {}}, ADAM, "loss 'MeanSquaredError'"),
        ({"class_name": "MeanSquaredError", "config": {"reduction": "none"}}, ADAM, "reduction 'none'"),
        ("mse", {"class_name": "Muon", "config": {}}, "optimizer 'Muon'"),
        ("mse", {"class_name": "RMSprop", "config": {"weight_decay": 0.1}}, "weight_decay=0.1"),
        ("mse", {"class_name": "Adam", "config": {"use_ema": True}}, "use_ema=True"),
        ("mse", {"class_name": "Adam", "config": {"clipnorm": 1.0, "clipvalue": 1.0}}, "clipnorm and clipvalue"),
        ("mse", {"class_name": "SGD", "config": {"learning_rate": {"class_name": "Mine"}}}, "learning rate 'Mine'"),
    ],
)
def test_training_settings_without_a_counterpart(loss, optimizer, message, tmp_path):
    path = compiled(tmp_path / "m.h5", loss, optimizer)
    with pytest.raises(NotImplementedError, match=f"training settings, .*{message}.*training=False"):
        nd.keras.load(path, training=True)
    with pytest.warns(UserWarning, match=f"computes outputs and cannot be trained: .*{message}"):
        net = nd.keras.load(path)
    wanted = nd.keras.load(path, training=False).output(X)
    assert wanted.shape == (5, 3)
    assert nd.array_equal(net.output(X), wanted)
    with pytest.raises(ValueError, match="training needs a loss"):
        net.fit_batch(X, X[:, :3])


@pytest.mark.parametrize(
    "optimizer, message",
    [
        ({"class_name": "Adam", "config": {"lr": "fast"}}, "lr must be a finite number"),
        ({"class_name": "Adam", "config": {"beta_1": 2.0}}, "b1"),
        ({"class_name": "Adam"}, "settings by name are needed"),
        (5, "settings by name are needed"),
    ],
)
def test_training_settings_that_are_none(optimizer, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        nd.keras.load(compiled(tmp_path / "m.h5", "mse", optimizer))


def test_examples_of_what_networks_may_be_made_of(capsys):
    assert failures([(kind.__name__, kind) for kind in nd.keras.CLASSES]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "kind, settings",
    [
        ("Resizing", {"height": 2**30, "width": 2**30}),
        ("CategoryEncoding", {"num_tokens": 2**31 - 1}),
        ("AdaptiveAveragePooling2D", {"output_size": 2**31 - 1}),
    ],
)
def test_sizes_that_nothing_has_are_refused_before_anything_is_made(kind, settings, tmp_path):
    shape = (4,) if kind == "CategoryEncoding" else (4, 4, 1)
    path = legacy_file(tmp_path / "m.h5", one_layer(kind, shape, **settings), {})
    with pytest.raises(NotImplementedError, match=r"it \(.*too large"):
        nd.keras.load(path)
