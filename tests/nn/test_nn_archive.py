"""Saved networks: what is in the file, that training resumes exactly, and that damage is noticed."""

import json
import os
import warnings
import zipfile
from dataclasses import dataclass

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train

UPDATERS = [pytest.param(row[0], id=type(row[0]).__name__) for row in cases.UPDATERS if type(row[0]) is not nn.NoOp]


@pytest.fixture
def saved(tmp_path):
    """A trained network and the file it was saved in."""
    net = cases.small_network(updater=nn.Adam(0.01))
    net.fit(cases.small_batch(), epochs=4)
    net.save(tmp_path / "net.zip")
    return net, tmp_path / "net.zip"


def rewritten(path, *, without=(), compression=zipfile.ZIP_STORED, **changes):
    """The zip again with entries changed; keywords are entry names with _ for the dot, values bytes."""
    with zipfile.ZipFile(path) as source:
        entries = {name: source.read(name) for name in source.namelist() if name not in without}
    entries |= {name.replace("_", "."): content for name, content in changes.items()}
    with zipfile.ZipFile(path, "w", compression) as target:
        for name, content in entries.items():
            target.writestr(name, content)
    return path


@pytest.mark.parametrize("updater", UPDATERS)
def test_training_resumes_with_the_same_next_update(updater, tmp_path):
    layers = [nn.DenseLayer(5, "tanh"), nn.DropoutLayer(0.3), nn.OutputLayer(3)]
    net, batch = cases.small_network(layers=layers, updater=updater, dtype="float32"), cases.small_batch()
    net.fit(batch, epochs=3)
    train.save(net, tmp_path / "net.zip")
    loaded = train.load(tmp_path / "net.zip")
    assert loaded.configuration == net.configuration
    assert (loaded.iteration_count, loaded.epoch_count) == (3, 3)
    for _ in range(2):
        assert loaded.fit_batch(*batch) == net.fit_batch(*batch)
    np.testing.assert_array_equal(np.asarray(loaded.params()), np.asarray(net.params()))


def test_entries_of_the_file(saved):
    net, path = saved
    with zipfile.ZipFile(path) as file:
        entries = ["configuration.json", "coefficients.npy", "updaterState.npy", "counters.json"]
        assert file.namelist() == entries
        assert json.loads(file.read("counters.json")) == {"iteration": 4, "epoch": 4, "entries": entries}
        assert json.loads(file.read("configuration.json"))["layers"][0]["type"] == "DenseLayer"
    with np.load(path, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["coefficients"], np.asarray(net.params()))
        np.testing.assert_array_equal(arrays["updaterState"], np.asarray(net.updater_state()))


def test_updater_state_can_be_left_out(tmp_path):
    net = cases.small_network(updater=nn.Nesterovs(0.1))
    net.fit(cases.small_batch())
    net.save(tmp_path / "net.zip", save_updater=False)
    assert not np.asarray(nn.MultiLayerNetwork.load(tmp_path / "net.zip").updater_state()).any()


def test_an_updater_state_that_was_lost_is_missed(saved):
    net, path = saved
    old = rewritten(path, without=["updaterState.npy"], counters_json=b'{"iteration": 4, "epoch": 0}')
    with pytest.raises(ValueError, match="updaterState.npy is missing and counters.json does not say .*load_updater"):
        nn.MultiLayerNetwork.load(old)
    loaded = nn.MultiLayerNetwork.load(old, load_updater=False)
    assert not np.asarray(loaded.updater_state()).any()
    np.testing.assert_array_equal(np.asarray(loaded.params()), np.asarray(net.params()))


def test_a_state_that_the_updater_has_not_is_refused(tmp_path):
    cases.small_network(updater=nn.Nesterovs(0.1)).save(tmp_path / "net.zip")
    with zipfile.ZipFile(tmp_path / "net.zip") as file:
        configuration = file.read("configuration.json").replace(b"Nesterovs", b"NoOp")
    configuration = json.loads(configuration)
    configuration["updater"] = {"type": "NoOp"}
    path = rewritten(tmp_path / "net.zip", configuration_json=json.dumps(configuration).encode())
    with pytest.raises(ValueError, match="belongs to another network: this one's updater has no state"):
        nn.MultiLayerNetwork.load(path)


def test_file_is_about_as_large_as_its_numbers(tmp_path):
    net = cases.lenet()
    net.save(tmp_path / "lenet.zip")
    assert (tmp_path / "lenet.zip").stat().st_size < 2 * 4 * net.num_params() + 10_000


def test_failed_save_leaves_the_file_before_whole(saved, monkeypatch):
    net, path = saved
    before = path.read_bytes()

    def full_disk(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        net.save(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["net.zip"]


def test_save_replaces_a_file(saved):
    net, path = saved
    net.fit(cases.small_batch())
    net.save(path)
    assert nn.MultiLayerNetwork.load(path).iteration_count == 5
    assert os.listdir(path.parent) == ["net.zip"]


def test_missing_folder_is_an_os_error(saved, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cannot save net.zip: there is no folder .*nowhere; make it first"):
        saved[0].save(tmp_path / "nowhere" / "net.zip")
    with pytest.raises(FileNotFoundError):
        nn.MultiLayerNetwork.load(tmp_path / "nothing.zip")


def test_every_truncation_is_noticed(saved):
    path = saved[1]
    content = path.read_bytes()
    for length in [0, 1, 10, *range(100, len(content), 157), len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"net.zip is not a network saved by nd4py"):
            nn.MultiLayerNetwork.load(path)


def test_every_flipped_byte_of_the_numbers_is_noticed(saved):
    path = saved[1]
    content = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        infos = [file.getinfo(name) for name in ("coefficients.npy", "updaterState.npy")]
    for info in infos:
        start = content.index(b"\x93NUMPY", info.header_offset)
        for offset in range(start, start + info.file_size, 61):
            path.write_bytes(content[:offset] + bytes([content[offset] ^ 0x40]) + content[offset + 1 :])
            with pytest.raises(ValueError, match=r"damaged: .*CRC"):
                nn.MultiLayerNetwork.load(path)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"without": ["coefficients.npy"]}, r"0 entries called coefficients.npy, 1 needed"),
        ({"without": ["configuration.json"]}, r"0 entries called configuration.json"),
        ({"without": ["counters.json"]}, r"0 entries called counters.json"),
        ({"configuration_json": b"{"}, "network configuration: Expecting"),
        ({"configuration_json": b"\xff\xfe\x00"}, "network configuration: .*codec"),
        ({"without": ["updaterState.npy"]}, "updaterState.npy is missing"),
        ({"counters_json": b"[1]"}, "counters.json holds list, a dict is needed"),
        ({"counters_json": b"{"}, "counters.json cannot be understood"),
        ({"counters_json": b'{"epoch": 0, "entries": 7}'}, "counters.json says the entries are 7"),
        ({"counters_json": b'{"epoch": 0}'}, "counters.json says iteration is None"),
        ({"counters_json": b'{"iteration": 1, "epoch": 0, "entries": []}'}, "was not written with the others"),
        ({"counters_json": b'{"iteration": -1, "epoch": 0}'}, "counters.json says iteration is -1"),
        ({"counters_json": b'{"iteration": 1, "epoch": NaN}'}, "counters.json says epoch is nan"),
        ({"counters_json": b'{"iteration": true, "epoch": 0}'}, "counters.json says iteration is True"),
        ({"coefficients_npy": b"short"}, r"coefficients.npy should be 472 bytes, stored, .* it is 5 bytes"),
        ({"coefficients_npy": b"\0" * 472}, "does not begin like a vector of 43 float64 numbers"),
        ({"updaterState_npy": b"short"}, r"updaterState.npy should be 816 bytes"),
        ({"compression": zipfile.ZIP_DEFLATED}, r"stored, for 43 float64 numbers; it is .* compression 8"),
    ],
)
def test_entries_that_do_not_fit_are_refused(saved, changes, message):
    path = rewritten(saved[1], **changes)
    with pytest.raises(ValueError, match=message):
        nn.MultiLayerNetwork.load(path)


def test_zip_bomb_is_not_unpacked(saved):
    bomb = b'{"layers": "' + b" " * (64 << 20) + b'"}'
    path = rewritten(saved[1], configuration_json=bomb, compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ValueError, match="configuration.json is larger than 16777216 bytes"):
        nn.MultiLayerNetwork.load(path)


def test_huge_network_is_refused_before_any_memory_is_taken(saved):
    with zipfile.ZipFile(saved[1]) as file:
        configuration = json.loads(file.read("configuration.json"))
    configuration["layers"][0]["n_out"] = 10**15
    path = rewritten(saved[1], configuration_json=json.dumps(configuration).encode())
    before = nd.memory.stats().peak_bytes
    with pytest.raises(ValueError, match=r"coefficients.npy should be \d{17} bytes"):
        nn.MultiLayerNetwork.load(path)
    assert nd.memory.stats().peak_bytes == before


def test_entry_that_is_there_twice_is_refused(saved):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile warns of what this test is about
        with zipfile.ZipFile(saved[1], "a") as file:
            file.writestr("counters.json", b'{"iteration": 0, "epoch": 0}')
    with pytest.raises(ValueError, match=r"2 entries called counters.json, 1 needed"):
        nn.MultiLayerNetwork.load(saved[1])


@dataclass(frozen=True)
class Doubling(nn.Layer):
    """A layer of the user's own."""

    times: float = 2.0

    def forward(self, params, x, *, train=False, rng=None):
        return x * self.times


def test_layer_of_ones_own_is_loaded_when_named(tmp_path):
    net = cases.small_network(layers=[Doubling(3.0), nn.OutputLayer(3)])
    net.save(tmp_path / "net.zip")
    x, _ = cases.small_batch()
    with pytest.raises(ValueError, match=r"unknown type 'Doubling'.*classes=\(Doubling,\)"):
        nn.MultiLayerNetwork.load(tmp_path / "net.zip")
    loaded = nn.MultiLayerNetwork.load(tmp_path / "net.zip", classes=(Doubling,))
    np.testing.assert_array_equal(np.asarray(loaded.output(x)), np.asarray(net.output(x)))


def test_files_of_the_other_kind_are_told_from_damaged_ones(tmp_path):
    stack, inputs = cases.small_network(), {"x": nn.InputType.feed_forward(4)}
    graph = nn.ComputationGraph(inputs, {"out": (nn.OutputLayer(3), "x")}, outputs="out")
    for net, other in ((stack, nn.ComputationGraph), (graph, nn.MultiLayerNetwork)):
        path, kind = tmp_path / "net.zip", type(net).__name__
        train.save(net, path)
        with pytest.raises(ValueError, match=rf"holds a {kind}, .* load it with {kind}\.load, or with"):
            other.load(path)
        with pytest.raises(ValueError, match=f"is of a {kind}; {type(net.configuration).__name__}.from_json"):
            other.configuration_class.from_json(net.configuration.to_json())
        np.testing.assert_array_equal(np.asarray(train.load(path).params()), np.asarray(net.params()))
