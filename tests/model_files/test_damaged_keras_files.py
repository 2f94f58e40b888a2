"""Damaged and hostile Keras files: the same network, or an error that says what is wrong; nothing is followed."""

import io
import json
import random
import shutil
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

KEPT = Path(__file__).parent / "kept"


def mutated(content, rng):
    """Bytes of a file after an accident: some changed, missing, doubled or moved."""
    content = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not content:
            break
        start, length = rng.randrange(len(content)), rng.choice((1, 1, 2, 4, 8, 64))
        kind = rng.randrange(6)
        if kind == 0:
            content[start : start + length] = rng.randbytes(len(content[start : start + length]))
        elif kind == 1:
            content[start] ^= 1 << rng.randrange(8)
        elif kind == 2:
            content[start : start + length] = bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF))]) * length
        elif kind == 3:
            del content[start : start + length]
        elif kind == 4:
            content[start:start] = content[start : start + length]
        else:
            del content[start:]
    return bytes(content)


def load_mutated(suffix, n, tmp_path, names=("dense", "words", "steps")):
    """Load `n` files that had an accident."""
    path, rng, n_refused = tmp_path / f"model.{suffix}", random.Random(7), 0
    wanted = {name: nd.keras.load(KEPT / f"{name}.{suffix}") for name in names}
    for number in range(n):
        name = names[number % len(names)]
        path.write_bytes(mutated((KEPT / f"{name}.{suffix}").read_bytes(), rng))
        try:
            found = nd.keras.load(path)
        except ValueError as error:
            assert len(str(error)) > 10
            n_refused += 1
        except NotImplementedError as error:  # the name of a class or a setting of .h5, which has no checksums
            assert suffix == "h5"
            assert "keras.load" in str(error)
        else:
            assert found.params().shape == wanted[name].params().shape
            if suffix == "keras":
                assert found.configuration == wanted[name].configuration
                assert found.params().tobytes() == wanted[name].params().tobytes()
    assert n_refused > n // 10


@pytest.mark.parametrize("suffix", ["keras", "h5"])
def test_files_after_accidents(suffix, tmp_path):
    load_mutated(suffix, 100, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["keras", "h5"])
def test_many_files_after_accidents(suffix, tmp_path):
    load_mutated(suffix, 2000, tmp_path)


@pytest.mark.parametrize("suffix", ["keras", "h5"])
def test_files_that_end_early(suffix, tmp_path):
    content, path = (KEPT / f"dense.{suffix}").read_bytes(), tmp_path / f"model.{suffix}"
    for length in (*range(64), *range(64, len(content), 997)):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="keras.load|cannot be read|missing"):
            nd.keras.load(path)


def described(name):
    """The description in a kept file."""
    return json.loads(zipfile.ZipFile(KEPT / f"{name}.keras").read("config.json"))


def with_description(path, config, name="dense", weights=None):
    """A kept file with another description, and other weights."""
    with zipfile.ZipFile(KEPT / f"{name}.keras") as kept, zipfile.ZipFile(path, "w") as made:
        text = config if isinstance(config, str | bytes) else json.dumps(config)
        made.writestr("config.json", text)
        made.writestr("metadata.json", kept.read("metadata.json"))
        made.writestr("model.weights.h5", kept.read("model.weights.h5") if weights is None else weights)
    return path


def settings_of(config, number):
    """The settings of a layer in a description."""
    return config["config"]["layers"][number]["config"]


@pytest.mark.parametrize("value", [None, "5", 5.5, -1, 0, True, [5], {}, 10**30, 2**40])
def test_settings_of_other_kinds(value, tmp_path):
    config = described("dense")
    settings_of(config, 1)["units"] = value
    with pytest.raises(ValueError, match=r"layer 'dense' \(Dense\): units must be a whole number"):
        nd.keras.load(with_description(tmp_path / "a.keras", config))


def test_a_layer_that_asks_for_more_than_the_file_has_allocates_nothing(tmp_path):
    config = described("dense")
    settings_of(config, 1)["units"] = 2**31 - 1
    with pytest.raises(ValueError, match="the layers need .* bytes of weights or more, the file has"):
        nd.keras.load(with_description(tmp_path / "a.keras", config))


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "config.json is no sound description"),
        ("[" * 100_000, "config.json is no sound description"),
        ("[]", "settings by name are needed"),
        ('{"class_name": "Sequential"}', "settings by name are needed"),
        ('{"class_name": "Sequential", "config": {"name": "m", "layers": 3}}', "layers must be a list"),
        ('{"class_name": "Sequential", "config": {"name": "m", "layers": []}}', "does not say what model 'm' takes"),
        ('{"class_name": "Sequential", "config": {"name": "m", "layers": [NaN]}}', "NaN is no number"),
        ('{"class_name": 5, "config": {}}', "class_name must be a text"),
    ],
)
def test_descriptions_that_are_none(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        nd.keras.load(with_description(tmp_path / "a.keras", text))


def test_layers_that_read_each_other(tmp_path):
    config = described("models_in_models")
    for layer in config["config"]["layers"]:
        for node in layer["inbound_nodes"]:
            node["args"][0]["config"]["keras_history"] = ["dense", 0, 0]
    with pytest.raises(ValueError, match="read each other"):
        nd.keras.load(with_description(tmp_path / "a.keras", config, "models_in_models"))


@pytest.mark.parametrize("history", [["nowhere", 0, 0], ["input_layer", 7, 0], ["input_layer", 0, 1], ["x"], None, 5])
def test_tensors_that_nothing_makes(history, tmp_path):
    config = described("models_in_models")
    config["config"]["layers"][-1]["inbound_nodes"][0]["args"][0]["config"]["keras_history"] = history
    with pytest.raises(ValueError, match="keras.load: "):
        nd.keras.load(with_description(tmp_path / "a.keras", config, "models_in_models"))


def test_models_that_double_at_each_level_are_refused_in_time(tmp_path):
    """Forty models in each other, each of which applies the next one twice, would be 2**40 layers."""
    tensor = lambda name: {"class_name": "__keras_tensor__", "config": {"keras_history": [name, 0, 0]}}  # noqa: E731
    row = {"class_name": "InputLayer", "config": {"name": "i", "batch_shape": [None, 3]}, "inbound_nodes": []}
    layer = {"class_name": "Dense", "config": {"name": "d", "units": 3}}
    for level in range(40):
        first = layer | {"inbound_nodes": [{"args": [tensor("i")], "kwargs": {}}] * 2}
        name = layer["config"]["name"]
        last = 1 + (level > 0)
        layers = [row, first]
        config = {"name": f"m{level}", "layers": layers, "input_layers": ["i", 0, 0]}
        config["output_layers"] = [[name, last - 1, 0], [name, last, 0]][:1]
        layers.append(
            {"class_name": "Add", "config": {"name": "sum"}, "inbound_nodes": [
                {"args": [[tensor(name), {**tensor(name), "config": {"keras_history": [name, 1, 0]}}]], "kwargs": {}}
            ]}
        )  # fmt: skip
        config["output_layers"] = ["sum", 0, 0]
        layer = {"class_name": "Functional", "config": config}
    with pytest.raises(ValueError, match="more than 20000 layers"):
        nd.keras.load(with_description(tmp_path / "a.keras", layer))


def stored(change, name="dense"):
    """The weights of a kept file, changed."""
    content = io.BytesIO(zipfile.ZipFile(KEPT / f"{name}.keras").read("model.weights.h5"))
    with h5py.File(content, "r+") as file:
        change(file, "layers/dense/vars/0")
    return content.getvalue()


def linked_elsewhere(file, path):
    del file[path]
    file[path] = h5py.ExternalLink("/etc/passwd", "/")


def linked_softly(file, path):
    file["layers/dense/vars/9"] = file[path]
    del file[path]
    file[path] = h5py.SoftLink("/layers/dense/vars/9")


def in_another_file(file, path):
    del file[path]
    file.create_dataset(path, (4, 5), "f4", external=[("/etc/passwd", 0, 80)])


def compressed(file, path):
    del file[path]
    file.create_dataset(path, (4, 5), "f4", data=np.ones((4, 5)), compression="gzip")


def never_written(file, path):
    del file[path]
    file.create_dataset(path, (4, 5), "f4", chunks=(4, 5))


def virtual(file, path):
    del file[path]
    layout = h5py.VirtualLayout((4, 5), "f4")
    layout[:] = h5py.VirtualSource("/etc/passwd", "x", (4, 5))
    file.create_virtual_dataset(path, layout)


def of_another_shape(file, path):
    del file[path]
    file[path] = np.ones((5, 4), "f4")


def of_whole_numbers(file, path):
    del file[path]
    file[path] = np.ones((4, 5), "i4")


def of_texts(file, path):
    del file[path]
    file[path] = [b"a"]


def a_group(file, path):
    del file[path]
    file.create_group(path)


def empty(file, path):
    del file[path]
    file[path] = h5py.Empty("f4")


def missing(file, path):
    del file[path]


@pytest.mark.parametrize(
    "change, message",
    [
        (linked_elsewhere, "is a link, ExternalLink, to another place"),
        (linked_softly, "is a link, SoftLink, to another place"),
        (in_another_file, "lies in another file"),
        (virtual, "lies in another file"),
        (compressed, "is compressed"),
        (never_written, "does not have the 20 numbers"),
        (of_another_shape, r"has the shape \(5, 4\), the layer needs \(4, 5\)"),
        (of_whole_numbers, "has the type int32"),
        (of_texts, "has the shape"),
        (a_group, "is missing"),
        (empty, "has the shape None"),
        (missing, "is missing"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_weights_that_are_not_read(change, message, tmp_path):
    path = with_description(tmp_path / "a.keras", described("dense"), weights=stored(change))
    with pytest.raises(ValueError, match=f"keras.load: layers/dense/vars/0.* {message}"):
        nd.keras.load(path)


def test_parts_of_a_zip_are_as_keras_writes_them(tmp_path):
    path = tmp_path / "a.keras"
    with zipfile.ZipFile(KEPT / "dense.keras") as kept:
        parts = {name: kept.read(name) for name in kept.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    with pytest.raises(ValueError, match="is compressed"):
        nd.keras.load(path)
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("config.json", parts["config.json"])
    with pytest.raises(ValueError, match="metadata.json is missing"):
        nd.keras.load(path)


@pytest.mark.parametrize("version", ["", "x", 3, None, "99999999999.1"])
def test_a_version_that_is_none(version, tmp_path):
    path = tmp_path / "a.keras"
    shutil.copy(KEPT / "dense.keras", path)
    with zipfile.ZipFile(KEPT / "dense.keras") as kept, zipfile.ZipFile(path, "w") as made:
        for name in kept.namelist():
            other = json.dumps({"keras_version": version}) if name == "metadata.json" else kept.read(name)
            made.writestr(name, other)
    with pytest.raises(ValueError, match="no version of Keras"):
        nd.keras.load(path)


def test_other_files(tmp_path):
    path = tmp_path / "weights.h5"
    with h5py.File(path, "w") as file:
        file["x"] = np.ones(3)
    with pytest.raises(ValueError, match="has weights and no model"):
        nd.keras.load(path)
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    net.save(tmp_path / "net.zip")
    with pytest.raises(ValueError, match="config.json is missing"):
        nd.keras.load(tmp_path / "net.zip")
    with pytest.raises(ValueError, match="is a folder"):
        nd.keras.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        nd.keras.load(tmp_path / "nowhere.keras")
    with pytest.raises(TypeError, match="path must be the path of a file"):
        nd.keras.load(b"PK")


@pytest.mark.parametrize("length", [0, 8, 2**40, 2**64 - 1])
def test_heaps_that_the_c_library_would_not_get_through(length, tmp_path):
    """An object of no bytes among the texts would keep it busy for ever."""
    content, path = bytearray((KEPT / "dense.h5").read_bytes()), tmp_path / "a.h5"
    at = content.index(b"GCOL") + 16
    content[at : at + 2] = b"\0\0"  # an index of 0: free space
    content[at + 8 : at + 16] = length.to_bytes(8, "little")
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"the file is damaged: an object of {length} bytes"):
        nd.keras.load(path)


def test_a_heap_that_is_longer_than_the_file(tmp_path):
    content, path = bytearray((KEPT / "dense.h5").read_bytes()), tmp_path / "a.h5"
    at = content.index(b"GCOL") + 8
    content[at : at + 8] = (2**50).to_bytes(8, "little")
    path.write_bytes(content)
    with pytest.raises(ValueError, match="the file is damaged: a heap of"):
        nd.keras.load(path)
