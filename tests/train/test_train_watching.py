"""Listeners that watch training, and its logs in files."""

import csv
import math
import struct
import time

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train
from nd4py.train.watching import shown_seconds

X, LABELS = cases.small_batch()


def fitted(*listeners, epochs=2, batch_size=3, **options):
    net = cases.small_network()
    history = net.fit(X, LABELS, epochs=epochs, batch_size=batch_size, listeners=listeners, **options)
    return net, history


def test_time_left():
    lines = []
    left = train.TimeIterationListener(2, write=lines.append)

    class Slow:
        def iteration_done(self, model, iteration, epoch):
            time.sleep(0.05)

    fitted(Slow(), left)  # 3 batches in each of 2 epochs
    assert [line.partition("; ")[2] for line in lines] == ["batch 2 of 6", "batch 4 of 6", "batch 6 of 6"]
    assert left.seconds_left == 0
    lines.clear()
    seen = []
    left = train.TimeIterationListener(1, write=lambda line: seen.append(left.seconds_left))
    fitted(Slow(), left)
    assert 0.2 < seen[0] < 2
    assert all(math.isclose(a, b, abs_tol=0.5) for a, b in zip(seen, np.arange(5, -1, -1) * 0.055, strict=True))
    assert [shown_seconds(each) for each in (0.4, 61, 3725)] == ["0 s", "1 min 01 s", "1 h 02 min"]


def test_batches_of_unknown_number_have_no_time_left():
    lines = []
    net = cases.small_network()
    net.fit(iter([(X, LABELS)] * 3), listeners=[train.TimeIterationListener(1, write=lines.append)])
    assert lines == []


def test_sleeping():
    start = time.perf_counter()
    fitted(train.SleepyListener(0.02, 0.1))
    assert time.perf_counter() - start > 6 * 0.02 + 2 * 0.1
    for wrong in (-1, math.nan, "1", True):
        with pytest.raises(ValueError, match="iteration_seconds must be a number of seconds"):
            train.SleepyListener(wrong)


def test_evaluations_while_training():
    called = []
    at_epochs = train.EvaluativeListener((X, LABELS), 2, callback=lambda net, found: called.append(found))
    at_iterations = train.EvaluativeListener([(X, LABELS)], 4, per="iteration", evaluation=train.Evaluation)
    net, _ = fitted(at_epochs, at_iterations, epochs=5)
    assert [iteration for iteration, _ in at_epochs.evaluations] == [6, 12]
    assert [iteration for iteration, _ in at_iterations.evaluations] == [4, 8, 12]
    assert called == [found for _, found in at_epochs.evaluations]
    fitted_to_the_end = train.EvaluativeListener((X, LABELS))
    net.fit(X, LABELS, listeners=[fitted_to_the_end])
    assert fitted_to_the_end.evaluations[0][1].accuracy() == net.evaluate((X, LABELS)).accuracy()
    with pytest.raises(ValueError, match='per is "epoch" or "iteration"'):
        train.EvaluativeListener((X, LABELS), per="batch")


def test_statistics_of_parameters_and_gradients():
    net, watching = cases.small_network(), train.ParameterStatisticsListener(2)
    gradients = []

    class Keeping:
        def on_gradient_calculation(self, model, gradient):
            gradients.append(np.array(gradient))

    net.fit([(X, LABELS)] * 4, listeners=[watching, Keeping()])
    assert set(watching.parameters) == set(watching.gradients) == set(net.param_table())
    for slot in net.slots:
        assert [iteration for iteration, _ in watching.parameters[slot.key]] == [2, 4]
        for found, expected in (
            (watching.parameters[slot.key][-1], np.asarray(net.params())[slot.elements]),
            (watching.gradients[slot.key][0], gradients[1][slot.elements]),
        ):
            numbers = expected.mean(), expected.min(), expected.max(), np.abs(expected).mean()
            assert np.allclose(found[1], train.Statistics(*numbers), rtol=1e-5, atol=1e-7)


def test_csv_log(tmp_path):
    path = tmp_path / "log.csv"
    _, history = fitted(train.CSVLogListener(path, frequency=2), validation_data=(X, LABELS))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [(row["epoch"], row["iteration"]) for row in rows] == [
        *(("0", "2"), ("1", "3"), ("1", "4"), ("1", "6"), ("2", "6"))
    ]
    ends = [row for row in rows if row["seconds"]]
    assert [float(row["score"]) for row in ends] == history.scores
    assert [float(row["validation_score"]) for row in ends] == history.validation_scores
    assert float(rows[0]["score"]) == history.iteration_scores[1]
    fitted(train.CSVLogListener(path, append=True))
    assert len(path.read_text().splitlines()) == 1 + 5 + 2
    fitted(train.CSVLogListener(path))
    assert len(path.read_text().splitlines()) == 1 + 2


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
    listener = train.TensorBoardListener(tmp_path / "runs", bins=7)
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
    net.fit(X, LABELS, listeners=[listener])
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


@pytest.mark.parametrize(
    "make", [train.TimeIterationListener, train.ParameterStatisticsListener, train.TensorBoardListener]
)
def test_numbers_of_iterations_are_checked(make, tmp_path):
    options = {"folder": tmp_path} if make is train.TensorBoardListener else {}
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(ValueError, match=rf"{make.__name__}: frequency must be a whole number of at least 1"):
            make(frequency=wrong, **options)


def test_graphs_have_the_same_listeners(tmp_path):
    graph = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(X.shape[1])}, {"out": (nn.OutputLayer(LABELS.shape[1]), "x")}, outputs="out"
    )
    watching = train.ParameterStatisticsListener(1)
    graph.fit(
        X, LABELS, listeners=[watching, train.TensorBoardListener(tmp_path), train.EvaluativeListener((X, LABELS))]
    )
    assert set(watching.gradients) == {"out_W", "out_b"}


@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize("n_lost", [0, 1, 2])
def test_a_csv_log_goes_on_with_training(tmp_path, every, n_lost):
    def rows(path):
        return [row.rsplit(",", 1)[0] for row in path.read_text().splitlines()]  # without the seconds

    def run(folder, epochs, **options):
        log = train.CSVLogListener(folder / "log.csv", frequency=1)
        saving = train.CheckpointListener(folder / "saved", every_iterations=every)
        net = cases.small_network()
        net.fit(X, LABELS, epochs=epochs, batch_size=3, listeners=[log, saving], validation_data=(X, LABELS), **options)
        return saving

    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    run(whole, 4)
    saved = run(cut, 2).checkpoints()
    for path in saved[len(saved) - n_lost :]:
        path.unlink()
    with open(cut / "log.csv", "a") as file:
        file.write("2,7,0.5")  # a row that was cut short
    run(cut, 4, resume_from=cut / "saved")
    assert rows(cut / "log.csv") == rows(whole / "log.csv")
