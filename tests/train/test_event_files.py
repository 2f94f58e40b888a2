"""Event files of TensorBoard: their format, and what training writes to them."""

import copy
import io
import struct
import time

import cases
import numpy as np
import pytest
from PIL import Image

import nd4py as nd
from nd4py import nn, train
from nd4py.api.files.png_images import png
from nd4py.train import tensorboard

X, LABELS = cases.small_batch()


def fitted(*listeners, epochs=2, batch_size=3, **options):
    net = cases.small_network()
    history = net.fit(X, LABELS, epochs=epochs, batch_size=batch_size, listeners=listeners, **options)
    return net, history


# A reader of event files, written from the descriptions of the format alone.
def checksum(content):
    found = 0xFFFFFFFF
    for byte in content:
        found ^= byte
        for _ in range(8):
            found = found >> 1 ^ (0x82F63B78 if found & 1 else 0)
    return found ^ 0xFFFFFFFF


def masked(content):
    found = checksum(content)
    return (((found >> 15) | (found << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(content, at):
    found = shift = 0
    while True:
        byte = content[at]
        found, shift, at = found | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return found, at


def fields(content):
    found, at = {}, 0
    while at < len(content):
        key, at = varint(content, at)
        if key & 7 == 0:
            value, at = varint(content, at)
        elif key & 7 == 2:
            length, at = varint(content, at)
            value, at = content[at : at + length], at + length
        else:
            size, code = {1: (8, "<d"), 5: (4, "<f")}[key & 7]
            (value,) = struct.unpack(code, content[at : at + size])
            at += size
        found[key >> 3] = value
    return found


def inputs(node):
    """The inputs of a node of a graph: fields of number 3."""
    found, at = [], 0
    while at < len(node):
        key, start = varint(node, at)
        length, start = varint(node, start)
        at = start + length
        if key >> 3 == 3:
            found.append(node[start:at].decode())
    return found


def events(path):
    content = path.read_bytes()
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        assert struct.unpack("<I", content[8:12])[0] == masked(content[:8])
        event, rest = content[12 : 12 + length], content[12 + length :]
        assert struct.unpack("<I", rest[:4])[0] == masked(event)
        content = rest[4:]
        yield fields(event)


def test_event_files_of_tensorboard(tmp_path):
    assert checksum(b"123456789") == 0xE3069283  # RFC 3720, and catalogues of checksums
    listener = train.TensorBoardListener(tmp_path / "runs", bins=7, graph=False)
    net, history = fitted(listener, validation_data=(X, LABELS))
    (path,) = (tmp_path / "runs").iterdir()
    first, *found = events(path)
    assert first[3] == b"brain.Event:2"
    assert all(abs(event[1] - time.time()) < 600 for event in found)
    values = {}
    for event in found:
        value = fields(fields(event[5])[1])
        values.setdefault(value[1].decode(), {})[event[2]] = value
    scores = {step: value[2] for step, value in values.pop("score").items()}
    assert np.allclose([scores[i] for i in history.iterations], history.iteration_scores)
    for tag, expected in (("epoch/score", history.scores), ("epoch/validation_score", history.validation_scores)):
        assert np.allclose([value[2] for value in values.pop(tag).values()], expected)
    assert set(values) == {f"parameters/{name}" for name in net.param_table()}
    for name, array in net.param_table().items():
        assert set(values[f"parameters/{name}"]) == {3, 6}
        proto = fields(values[f"parameters/{name}"][6][5])
        array = np.asarray(array, dtype="float64")
        expected = array.min(), array.max(), array.size, array.sum(), (array**2).sum()
        assert np.allclose([proto[i] for i in range(1, 6)], expected)
        counts, edges = np.histogram(array, 7)
        assert np.allclose(struct.unpack("<7d", proto[6]), edges[1:])
        assert list(struct.unpack("<7d", proto[7])) == list(counts)
    net.fit(X, LABELS, listeners=[train.TensorBoardListener(tmp_path / "runs")])
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_long_numbers_of_steps(tmp_path):
    listener = train.TensorBoardListener(tmp_path, frequency=1)
    net = cases.small_network()
    net.adopt(iteration_count=2**40)
    net.fit((X, LABELS), listeners=[listener])
    (path,) = tmp_path.iterdir()
    assert [event[2] for event in events(path) if 2 in event][0] == 2**40 + 1


def test_parameters_that_are_not_finite_have_no_histogram(tmp_path):
    net, listener = cases.small_network(), train.TensorBoardListener(tmp_path)
    net.fit((X, LABELS))

    class Breaking:
        def on_epoch_end(self, model):
            model.param_table()["0_b"][0] = nd.inf

    net.fit((X, LABELS), listeners=[Breaking(), listener])
    (path,) = tmp_path.iterdir()
    tags = {fields(fields(event[5])[1])[1].decode() for event in events(path) if 5 in event}
    assert "parameters/0_W" in tags
    assert "parameters/0_b" not in tags


def tagged(folder):
    """The values of all files by tag and step, the graphs, and the steps at which files take others back."""
    values, graphs, again = {}, [], []
    for path in sorted(folder.iterdir()):
        for event in events(path):
            if 5 in event:
                value = fields(fields(event[5])[1])
                values.setdefault(value[1].decode(), {})[event[2]] = value
            if 4 in event:
                graphs.append(event[4])
            if 7 in event:
                assert fields(event[7]) == {1: 1}
                again.append(event[2])
    return values, graphs, again


def image_network():
    layers = [nn.ConvolutionLayer(3, 4), nn.BatchNormalization(), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(6, 6, 1), updater=nn.Adam(0.01), seed=2)


def image_batch():
    rng = np.random.default_rng(4)
    return rng.normal(size=(9, 1, 6, 6)).astype("float32"), np.eye(2, dtype="float32")[rng.integers(0, 2, 9)]


def graph_network():
    vertices = {
        "left": (nn.DenseLayer(3), "x"),
        "both of them": (nn.MergeVertex(), "x", "left"),
        "out": (nn.OutputLayer(2), "both of them"),
    }
    return nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(4)}, vertices, outputs="out", updater=nn.Sgd(0.1), seed=2
    )


@pytest.mark.parametrize("every", [1, 2, 4])
@pytest.mark.parametrize("make, batch", [(image_network, image_batch), (cases.small_network, cases.small_batch)])
def test_statistics_of_steps(tmp_path, make, batch, every):
    x, labels = batch()
    plain, watched = make(), make()
    params = [{name: np.array(values) for name, values in plain.param_table().items()}]

    class Keeping:
        def iteration_done(self, model, iteration, epoch):
            params.append({name: np.array(values) for name, values in model.param_table().items()})

    plain.fit(x, labels, batch_size=3, epochs=2, listeners=[Keeping()])
    listener = train.TensorBoardListener(tmp_path, statistics=every)
    watched.fit(x, labels, batch_size=3, epochs=2, listeners=[listener])
    assert np.array_equal(np.asarray(watched.params()), np.asarray(plain.params()))
    values, _, _ = tagged(tmp_path)
    steps = [step for step in range(1, 7) if step % every == 0]
    kinds = {tag.split("/")[0] for tag in values}
    assert {"gradients", "updates", "activations", "ratios", "parameters"} <= kinds
    for name in params[0]:
        assert sorted(values[f"updates/{name}"]) == sorted(values[f"gradients/{name}"]) == steps
        for step in steps:
            update = (params[step][name] - params[step - 1][name]).astype("float64")
            found = fields(values[f"updates/{name}"][step][5])
            assert np.allclose([found[1], found[2], found[4]], [update.min(), update.max(), update.sum()], atol=1e-6)
            if (size := np.abs(params[step - 1][name]).mean()) and np.abs(update).mean():
                ratio = np.log10(np.abs(update).mean() / size)
                assert values[f"ratios/{name}"][step][2] == pytest.approx(ratio, abs=1e-4)
    assert sorted(values["activations/0"]) == steps
    assert f"activations/{len(plain.stages) - 1}" not in values  # of the loss: what the layer before puts out


def test_without_statistics_no_outputs_are_kept(tmp_path):
    listener = train.TensorBoardListener(tmp_path)
    fitted(listener)
    assert not hasattr(listener, "on_forward_pass")
    assert {tag.split("/")[0] for tag in tagged(tmp_path)[0]} == {"score", "epoch", "parameters"}


@pytest.mark.parametrize("make", [image_network, graph_network])
def test_the_graph_says_what_each_layer_reads(tmp_path, make):
    net = make()
    x, labels = image_batch() if make is image_network else (X, LABELS)
    for _ in range(2):  # the second training finds the graph there
        net.fit(x, labels[:, : net.output(x).shape[1]], listeners=[train.TensorBoardListener(tmp_path)])
    (graph,) = tagged(tmp_path)[1]
    nodes, rest = [], graph
    while rest:
        assert rest[0] == 1 << 3 | 2
        length, at = varint(rest, 1)
        nodes.append(rest[at : at + length])
        rest = rest[at + length :]
    found = {fields(node)[1].decode(): inputs(node) for node in nodes}
    assert (
        found
        == {
            image_network: {
                "input": [],
                "0_Convolution/W": [],
                "0_Convolution/b": [],
                "0_Convolution/Convolution": ["input", "0_Convolution/W", "0_Convolution/b"],
                **{f"1_BatchNormalization/{name}": [] for name in ("gamma", "beta", "mean", "var")},
                "1_BatchNormalization/BatchNormalization": [
                    "0_Convolution/Convolution",
                    *(f"1_BatchNormalization/{name}" for name in ("gamma", "beta", "mean", "var")),
                ],
                "2_Output/W": [],
                "2_Output/b": [],
                "2_Output/Output": ["1_BatchNormalization/BatchNormalization", "2_Output/W", "2_Output/b"],
            },
            graph_network: {
                "x": [],
                "left_Dense/W": [],
                "left_Dense/b": [],
                "left_Dense/Dense": ["x", "left_Dense/W", "left_Dense/b"],
                "both_of_them_MergeVertex/MergeVertex": ["x", "left_Dense/Dense"],
                "out_Output/W": [],
                "out_Output/b": [],
                "out_Output/Output": ["both_of_them_MergeVertex/MergeVertex", "out_Output/W", "out_Output/b"],
            },
        }[make]
    )


@pytest.mark.parametrize("shape", [(4, 1, 3, 3), (5, 3, 5, 5), (7, 2, 1, 1), (200, 1, 3, 2), (1, 3, 30, 30)])
@pytest.mark.parametrize("kind", ["random", "constant"])
def test_pictures_of_filters(shape, kind):
    weights = np.random.default_rng(1).normal(size=shape).astype("float32") if kind == "random" else np.ones(shape)
    picture = np.asarray(tensorboard.picture_of_filters(nd.asarray(weights)))
    n, channels, height, width = min(shape[0], 64), 3 if shape[1] == 3 else 1, *shape[2:]
    scale = max(1, -(-24 // max(height, width)))
    n_columns = int(np.ceil(np.sqrt(n)))
    assert picture.dtype == "uint8"
    assert picture.shape[2] == channels
    used = weights[:n, :channels].astype("float64")
    shades = np.round((used - used.min()) / (np.ptp(used) or 1) * 255)
    for i in range(n):
        top, left = i // n_columns * (height * scale + 1), i % n_columns * (width * scale + 1)
        part = picture[top : top + height * scale : scale, left : left + width * scale : scale]
        assert np.abs(part.transpose(2, 0, 1) - shades[i]).max() <= 1
    image = Image.open(io.BytesIO(png(nd.asarray(picture))))
    assert np.array_equal(np.asarray(image).reshape(picture.shape), picture)


def test_a_run_that_goes_on_takes_later_steps_back(tmp_path):
    def run(**options):
        net = cases.small_network()
        saving = train.CheckpointListener(tmp_path / "saved")
        listeners = [saving, train.TensorBoardListener(tmp_path / "runs"), *options.pop("more", [])]
        net.fit(X, LABELS, batch_size=3, epochs=3, listeners=listeners, **options)

    class Failing:
        def iteration_done(self, model, iteration, epoch):
            if iteration == 5:
                raise OSError("cut off")

    with pytest.raises(OSError, match="cut off"):
        run(more=[Failing()])
    assert tagged(tmp_path / "runs")[2] == []
    run(resume_from=tmp_path / "saved")
    values, graphs, again = tagged(tmp_path / "runs")
    assert (again, len(graphs)) == ([4], 1)
    assert sorted(values["score"]) == list(range(1, 10))


@pytest.mark.parametrize("n_fits", [2, 5])
def test_a_listener_has_one_file_in_all_its_trainings(tmp_path, n_fits):
    net, listener = cases.small_network(), train.TensorBoardListener(tmp_path)
    for _ in range(n_fits):
        net.fit(X, LABELS, batch_size=3, listeners=[listener])
    (path,) = tmp_path.iterdir()
    assert [event[3] for event in events(path) if 3 in event] == [b"brain.Event:2"]
    values, graphs, again = tagged(tmp_path)
    assert sorted(values["score"]) == list(range(1, 3 * n_fits + 1))
    assert (len(graphs), again) == (1, [])
    net.fit(X, LABELS, listeners=[copy.copy(listener)])
    assert len(list(tmp_path.iterdir())) == 2
    path.unlink()
    net.fit(X, LABELS, listeners=[listener])
    assert len(list(tmp_path.iterdir())) == 2


def test_early_stopping_writes_one_file(tmp_path):
    configuration = train.EarlyStoppingConfiguration(
        score_calculator=train.DataSetLossCalculator((X, LABELS)),
        epoch_conditions=[train.MaxEpochsTerminationCondition(4)],
    )
    net = cases.small_network()
    net.set_listeners(train.TensorBoardListener(tmp_path))
    train.EarlyStoppingTrainer(configuration, net, X, LABELS, batch_size=3).fit()
    assert len(list(tmp_path.iterdir())) == 1
    assert sorted(tagged(tmp_path)[0]["epoch/score"]) == [3, 6, 9, 12]
