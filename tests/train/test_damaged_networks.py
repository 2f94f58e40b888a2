"""Saved networks with changed bytes and changed texts: the same network, or a ValueError that names the file.

ND4PY_TEST_SHARE=1 tries 10,000 files, half of them of graphs; the default run tries a part of them, drawn anew.
ND4PY_TEST_SEED repeats a run.
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
N_CHANGED_BYTES, N_CHANGED_TEXTS = int(3500 * SHARE), int(1500 * SHARE)  # of each kind of network
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


X, LABELS = cases.small_batch()
ROWS = nd.asarray(np.random.default_rng(4).standard_normal((8, 2)).astype("float32"))


def layers():
    """A network of layers, what it learns from, and what its inputs are normalized by."""
    net = cases.small_network(layers=LAYERS, updater=nn.Adam(0.01))
    return net, [X], data.ImagePreProcessingScaler()


def graph():
    """A graph of two inputs with vertices of several kinds, one of which has the parameters of another."""
    inputs = {"x": nn.InputType.feed_forward(X.shape[1]), "z": nn.InputType.feed_forward(2)}
    vertices = {
        "both": (nn.MergeVertex(), "x", "z"),
        "hidden": (nn.DenseLayer(5, "tanh", dropout=0.2), "both"),
        "again": (nn.DenseLayer(5, "relu"), "hidden"),
        "shared": nn.Node(nn.DenseLayer(5, "relu"), ("again",), "again"),
        "sum": (nn.ElementWiseVertex("add"), "hidden", "shared"),
        "half": (nn.ScaleVertex(0.5), "sum"),
        "y": (nn.OutputLayer(3, l2=1e-3), "half"),
    }
    net = nn.ComputationGraph(inputs, vertices, outputs="y", updater=nn.Nesterovs(0.01), seed=3)
    return (
        net,
        [X, ROWS],
        data.MultiNormalizer([data.NormalizerStandardize(), None]).fit(data.MultiDataSet([X, ROWS], [LABELS])),
    )


@pytest.fixture(scope="module", params=[layers, graph], ids=["layers", "graph"])
def saved(request, tmp_path_factory):
    """A network that has trained, an average of its weights, its inputs, its normalizer, and the bytes of its file."""
    net, inputs, normalizer = request.param()
    net.fit(data.MultiDataSet(inputs, [LABELS]) if len(inputs) > 1 else (X, LABELS), epochs=4)
    average = train.ExponentialMovingAverage(0.9)
    average.update(net)
    path = tmp_path_factory.mktemp("networks") / "net.zip"
    train.save(net, path, average=average, normalizer=normalizer)
    return net, average, inputs, normalizer, path.read_bytes()


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


def read_or_refused(path, kind):
    """What each function reads from a file of a network of that class, None where it says what is wrong with it."""
    found = []
    for read in (kind.load, train.load_average, train.load_normalizer):
        try:
            found.append(read(path))
        except ValueError as error:
            assert str(path) in str(error), repr(error)
            found.append(None)
    return found


def takes(net, inputs):
    """Whether a network that was read has the inputs that the saved one had."""
    given = getattr(net.configuration, "inputs", None)
    types = [net.input_type] if given is None else list(given.values())
    return len(types) == len(inputs) and all(each.fits(x.shape) for each, x in zip(types, inputs, strict=True))


def test_changed_bytes_give_the_same_network_or_are_refused(saved, tmp_path):
    net, average, _, of_inputs, content = saved
    path, rng, n_refused = tmp_path / "net.zip", random.Random(SEED), 0
    nd.memory.reset_peak()
    for number in range(N_CHANGED_BYTES):
        path.write_bytes(changed_bytes(content, rng))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zipfile's
            found, averaged, normalizer = read_or_refused(path, type(net))
        n_refused += found is None
        where = f"file {number} of ND4PY_TEST_SEED={SEED}"
        if found is not None:
            assert found.configuration == net.configuration, where
            np.testing.assert_array_equal(np.asarray(found.params()), np.asarray(net.params()), where)
            np.testing.assert_array_equal(np.asarray(found.updater_state()), np.asarray(net.updater_state()), where)
            assert (found.iteration_count, found.epoch_count) == (net.iteration_count, net.epoch_count), where
        if averaged is not None:
            np.testing.assert_array_equal(np.asarray(averaged.values), np.asarray(average.values), where)
        assert normalizer is None or normalizer.to_json() == of_inputs.to_json(), where
    assert n_refused > N_CHANGED_BYTES // 2
    assert nd.memory.stats().peak_live_bytes < MOST_BYTES


def test_changed_texts_give_a_network_that_works_or_are_refused(saved, tmp_path):
    net, _, inputs, _, content = saved
    path, rng, n_refused = tmp_path / "net.zip", random.Random(SEED), 0
    nd.memory.reset_peak()
    for number in range(N_CHANGED_TEXTS):
        path.write_bytes(with_changed_text(content, rng))
        found = read_or_refused(path, type(net))[0]
        n_refused += found is None
        if found is not None and takes(found, inputs):
            assert found.output(*inputs).shape == (8, 3), f"file {number} of ND4PY_TEST_SEED={SEED}"
    assert 0 < n_refused < N_CHANGED_TEXTS
    assert nd.memory.stats().peak_live_bytes < MOST_BYTES
