"""Saved networks with changed bytes and changed texts: the same network, or a ValueError that names the file.

ND4PY_TEST_SHARE=1 tries 10,000 files; the default run tries a part of them, drawn anew.  ND4PY_TEST_SEED repeats a run.
"""

import io
import json
import os
import random
import warnings
import zipfile

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

SHARE = float(os.environ.get("ND4PY_TEST_SHARE", "0.1"))
SEED = os.environ.get("ND4PY_TEST_SEED") or str(random.SystemRandom().randrange(2**31))
N_CHANGED_BYTES, N_CHANGED_TEXTS = int(7000 * SHARE), int(3000 * SHARE)
MOST_BYTES = 64 << 20  # of arrays while a file of some kilobytes is read
LAYERS = [
    nn.DenseLayer(5, "tanh"), nn.BatchNormalization(), nn.DropoutLayer(0.2),
    nn.OutputLayer(3, l2=1e-3, updater=nn.Sgd(nn.StepSchedule(0.1, 0.5, 10))),
]  # fmt: skip
ODD = (
    None,
    True,
    -1,
    0,
    1,
    2,
    0.5,
    -0.0,
    1e308,
    10**18,
    10**40,
    "",
    "x",
    "relu",
    "type",
    [],
    {},
    [1, [2]],
    {"type": "Adam"},
)


@pytest.fixture(scope="module")
def network():
    """A network that has trained, with an average of its weights."""
    net = cases.small_network(layers=LAYERS, updater=nn.Adam(0.01))
    net.fit(cases.small_batch(), epochs=4)
    average = train.ExponentialMovingAverage(0.9)
    average.update(net)
    return net, average


@pytest.fixture(scope="module")
def content(network, tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "net.zip"
    net, average = network
    train.save(net, path, average=average, normalizer=data.ImagePreProcessingScaler())
    return path.read_bytes()


def changed_bytes(content, rng):
    """The bytes with up to five of them, or runs of them, changed; more often where the zip's directory is."""
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        end = len(found) if rng.random() < 0.6 else min(len(found), 600)
        start, n = len(found) - 1 - rng.randrange(end), rng.randrange(1, 40)
        match rng.randrange(7):
            case 0:
                found[start] ^= 1 << rng.randrange(8)
            case 1:
                found[start] = rng.choice([0, 127, 255, rng.randrange(256)])
            case 2:
                del found[start:]
            case 3:
                del found[start : start + n]
            case 4:
                found[start:start] = rng.randbytes(n)
            case 5:
                found[start:start] = found[start : start + n]
            case 6:
                found[start : start + n] = bytes(len(found[start : start + n]))
        found = found or bytearray(1)
    return bytes(found)


def changed_text(text, rng):
    """JSON with one value replaced, removed, renamed or doubled, in a text that is whole."""
    top = json.loads(text)
    places = [(top, key) for key in top]
    for holder, key in places:  # grows while it is looped over
        if isinstance(holder[key], dict | list):
            inner = holder[key]
            places += [(inner, each) for each in (inner if isinstance(inner, dict) else range(len(inner)))]
    holder, key = rng.choice(places)
    match rng.randrange(4):
        case 0 | 1:
            holder[key] = rng.choice(ODD)
        case 2:
            value = holder.pop(key)
            if isinstance(holder, dict):
                holder[rng.choice(["type", "x", f"{key}_"])] = value
        case 3:
            if isinstance(holder, list):
                holder.insert(key, holder[key])
            else:
                del holder[key]
    return json.dumps(top).encode()


def with_changed_text(content, rng):
    """A zip that is whole, of which one text is not as it was."""
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        entries = {name: source.read(name) for name in source.namelist()}
    name = rng.choice([name for name in entries if name.endswith(".json")] + ["configuration.json"] * 6)
    entries[name] = changed_text(entries[name], rng)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for each, text in entries.items():
            target.writestr(each, text)
    return buffer.getvalue()


def read_or_refused(path):
    """What each function reads from a file, None where it says what is wrong with it."""
    found = []
    for read in (train.load, train.load_average, train.load_normalizer):
        try:
            found.append(read(path))
        except ValueError as error:
            assert str(path) in str(error), repr(error)
            found.append(None)
    return found


def test_changed_bytes_give_the_same_network_or_are_refused(network, content, tmp_path):
    net, average = network
    path, rng, n_refused = tmp_path / "net.zip", random.Random(SEED), 0
    nd.memory.reset_peak()
    for number in range(N_CHANGED_BYTES):
        path.write_bytes(changed_bytes(content, rng))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zipfile's
            found, averaged, normalizer = read_or_refused(path)
        n_refused += found is None
        where = f"file {number} of ND4PY_TEST_SEED={SEED}"
        if found is not None:
            assert found.configuration == net.configuration, where
            np.testing.assert_array_equal(np.asarray(found.params()), np.asarray(net.params()), where)
            np.testing.assert_array_equal(np.asarray(found.updater_state()), np.asarray(net.updater_state()), where)
            assert (found.iteration_count, found.epoch_count) == (net.iteration_count, net.epoch_count), where
        if averaged is not None:
            np.testing.assert_array_equal(np.asarray(averaged.values), np.asarray(average.values), where)
        assert normalizer is None or isinstance(normalizer, data.ImagePreProcessingScaler), where
    assert n_refused > N_CHANGED_BYTES // 2
    assert nd.memory.stats().peak_live_bytes < MOST_BYTES


def test_changed_texts_give_a_network_that_works_or_are_refused(content, tmp_path):
    path, rng, n_refused = tmp_path / "net.zip", random.Random(SEED), 0
    x, _ = cases.small_batch()
    nd.memory.reset_peak()
    for number in range(N_CHANGED_TEXTS):
        path.write_bytes(with_changed_text(content, rng))
        found = read_or_refused(path)[0]
        n_refused += found is None
        if found is not None and found.input_type.fits(x.shape):
            assert found.output(x).shape == (8, 3), f"file {number} of ND4PY_TEST_SEED={SEED}"
    assert 0 < n_refused < N_CHANGED_TEXTS
    assert nd.memory.stats().peak_live_bytes < MOST_BYTES
