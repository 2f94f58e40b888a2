"""Checkpoints: when they are written, which are kept, and going on from them, also after kill -9."""

import json
import random
import signal
import subprocess
import sys
import time

import cases
import killed_training
import numpy as np
import pytest

from nd4py import train
from nd4py.nn.fitting import resuming

X, LABELS = cases.small_batch()


def numbers(listener):
    return [int(path.name.split("_")[1]) for path in listener.checkpoints()]


def fitted(listener, epochs=6, batch_size=3, **options):
    net = cases.small_network()
    net.fit(X, LABELS, epochs=epochs, batch_size=batch_size, listeners=[listener], **options)
    return net


class Counts:
    """The iterations at which a folder got one more checkpoint."""

    def __init__(self, folder):
        self.folder, self.seen = folder, {}

    def on_safe_point(self, model, run):
        for number in resuming.checkpoints_in(self.folder):
            self.seen.setdefault(number, (model.iteration_count, run.n_batches))


def when(folder, **options):
    """Where in training checkpoints are written: iterations and batches of the epoch."""
    counts = Counts(folder)
    net = cases.small_network()  # 3 batches an epoch
    net.fit(X, LABELS, epochs=4, batch_size=3, listeners=[train.CheckpointListener(folder, **options), counts])
    return list(counts.seen.values())


def test_moments_of_checkpoints(tmp_path):
    assert when(tmp_path / "a") == [(3, 0), (6, 0), (9, 0), (12, 0)]
    assert when(tmp_path / "b", every_epochs=3) == [(9, 0)]
    assert when(tmp_path / "c", every_iterations=4) == [(4, 1), (8, 2), (12, 3)]
    assert when(tmp_path / "d", every_minutes=1e-9)[:4] == [(1, 1), (2, 2), (3, 3), (3, 0)]
    assert when(tmp_path / "e", every_minutes=10) == []
    assert when(tmp_path / "f", every_epochs=2, every_iterations=5) == [(5, 2), (6, 0), (10, 1), (12, 0)]


def test_which_are_kept(tmp_path):
    for name, options, kept in (
        ("all", {}, [1, 2, 3, 4, 5, 6]),
        ("last", {"keep_last": 2}, [5, 6]),
        ("last and every", {"keep_last": 1, "keep_every": 2}, [2, 4, 6]),
    ):
        listener = train.CheckpointListener(tmp_path / name, **options)
        net = fitted(listener)
        assert numbers(listener) == kept
        path = listener.checkpoints()[-1]
        assert path.name == f"checkpoint_{kept[-1]}_MultiLayerNetwork.zip"
        assert (np.asarray(train.load(path).params()) == np.asarray(net.params())).all()


class Worsening:
    """Turns parameters to noise at the end of the third epoch."""

    def on_epoch_end(self, model):
        if model.epoch_count == 3:
            model.set_params(np.random.default_rng(1).standard_normal(model.num_params()) * 30)


@pytest.mark.parametrize("is_validated", [False, True])
def test_the_best_is_kept(tmp_path, is_validated):
    validation = {"validation_data": (X, LABELS)} if is_validated else {}
    listener = train.CheckpointListener(tmp_path, keep_last=1, keep_best=True)
    net = cases.small_network()
    history = net.fit(X, LABELS, batch_size=3, epochs=6, listeners=[Worsening(), listener], **validation)
    best = int(np.argmin(history.validation_scores if is_validated else history.scores)) + 1
    assert numbers(listener) == [best, 6]
    assert best == 3
    assert listener.best() == listener.checkpoints()[0]


def test_folders_of_other_trainings_are_not_mixed(tmp_path):
    fitted(train.CheckpointListener(tmp_path), epochs=2)
    with pytest.raises(ValueError, match="has checkpoints of another training; go on from them with"):
        fitted(train.CheckpointListener(tmp_path))
    with pytest.raises(ValueError, match="has checkpoints of another training"):
        fitted(train.CheckpointListener(tmp_path), resume_from=tmp_path / "elsewhere")
    own = train.CheckpointListener(tmp_path, delete_existing=True)
    net = fitted(own, epochs=1)
    assert numbers(own) == [1]
    net.fit(X, LABELS, listeners=[own])  # one listener goes on with its numbers
    assert numbers(own) == [1, 2]


def test_going_on_does_what_was_not_done(tmp_path):
    listener = train.CheckpointListener(tmp_path, keep_last=1)
    expected = fitted(listener, epochs=3, resume_from=tmp_path)
    net = cases.small_network()
    history = net.fit(X, LABELS, epochs=3, batch_size=3, resume_from=str(tmp_path))
    assert (np.asarray(net.params()) == np.asarray(expected.params())).all()
    assert net.iteration_count == len(history.iterations) == 9
    assert net.score_value == expected.score_value
    net.fit(X, LABELS, epochs=5, batch_size=3, resume_from=tmp_path)
    assert (net.epoch_count, net.iteration_count) == (5, 15)
    longer = fitted(train.CheckpointListener(tmp_path / "longer"), epochs=5)
    assert (np.asarray(net.params()) == np.asarray(longer.params())).all()


def test_checkpoints_that_do_not_fit_are_refused(tmp_path):
    listener = train.CheckpointListener(tmp_path)
    fitted(listener, epochs=1)
    other = cases.small_network(seed=99)
    before = np.array(other.params())
    with pytest.raises(ValueError, match=r"a checkpoint of another network: its seed differ"):
        other.fit(X, LABELS, resume_from=tmp_path)
    (path,) = listener.checkpoints()
    content = path.read_bytes()
    place = content.index(b'"epochs"')
    path.write_bytes(content[:place] + b"?" + content[place + 1 :])
    with pytest.raises(ValueError, match="damaged"):
        cases.small_network().fit(X, LABELS, resume_from=tmp_path)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="cut short"):
        cases.small_network().fit(X, LABELS, resume_from=tmp_path)
    cases.small_network().save(path)
    with pytest.raises(ValueError, match="without a place in its training"):
        cases.small_network().fit(X, LABELS, resume_from=tmp_path)
    assert (np.asarray(other.params()) == before).all()
    assert other.listeners == []


def test_what_is_no_folder_is_no_place_to_go_on_from(tmp_path):
    saved = tmp_path / "network.zip"
    cases.small_network().save(saved)
    with pytest.raises(ValueError, match=f"checkpoints are in a folder, .* given the file {saved}"):
        cases.small_network().fit(X, LABELS, resume_from=saved)
    with pytest.raises(TypeError, match="must be a path, given 5"):
        cases.small_network().fit(X, LABELS, resume_from=5)


def test_states_that_json_cannot_hold_are_refused(tmp_path):
    class Wrong(train.TrainingListener):
        def state(self):
            return {1j}

        def set_state(self, state):
            raise AssertionError("nothing was saved")

    with pytest.raises(TypeError, match="not JSON serializable"):
        cases.small_network().fit(X, LABELS, listeners=[Wrong(), train.CheckpointListener(tmp_path)])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        fitted(train.CheckpointListener(tmp_path / "file"))


def started(kind, folder, result=None):
    command = [sys.executable, killed_training.__file__, kind, str(folder), *([str(result)] if result else [])]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def finished(kind, folder, result):
    process = started(kind, folder, result)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    arrays = np.load(f"{result}.npz")
    return {name: arrays[name].tobytes() for name in arrays} | json.loads(
        (result.parent / f"{result.name}.json").read_text()
    )


def check_kills(kind, tmp_path, n_kills, rng):
    """Kill training at random moments until it comes to its end; the result is that of a run that nobody killed."""
    start = time.perf_counter()
    expected = finished(kind, tmp_path / "whole", tmp_path / "expected")
    seconds = time.perf_counter() - start
    folder, n_killed, places = tmp_path / "killed", 0, []
    while n_killed < n_kills:
        process = started(kind, folder)
        before = resuming.checkpoints_in(folder)
        newest = max(before, default=0)
        deadline = time.monotonic() + 60
        while max(resuming.checkpoints_in(folder), default=0) == newest and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.05))  # so that some come in the midst of a checkpoint
        process.send_signal(signal.SIGKILL)
        process.communicate()
        n_killed += 1
        files = list(folder.iterdir())
        assert len([path for path in files if path.name.startswith(".")]) <= 1
        assert len(resuming.checkpoints_in(folder)) <= 4
        places.append(max(resuming.checkpoints_in(folder), default=0))
        if process.returncode == 0:
            break
    found = finished(kind, folder, tmp_path / "found")
    assert [name for name in expected if found[name] != expected[name]] == []
    assert [path.name for path in sorted((tmp_path / "killed").iterdir())] == [
        path.name for path in sorted((tmp_path / "whole").iterdir())
    ]
    return places, seconds


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", killed_training.KINDS)
def test_killed_training_goes_on_with_the_same_bits(kind, tmp_path):
    check_kills(kind, tmp_path, 3 if kind == "arrays" else 1, random.Random(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", killed_training.KINDS)
def test_training_killed_many_times_goes_on_with_the_same_bits(kind, tmp_path):
    rng, n_killed, round_number = random.Random(kind), 0, 0
    while n_killed < 50:
        places, _ = check_kills(kind, tmp_path / str(round_number), 50 - n_killed, rng)
        n_killed, round_number = n_killed + len(places), round_number + 1


@pytest.mark.parametrize("options", [{"every_iterations": 2}, {"every_minutes": 10}, {"every_epochs": 5}])
def test_the_best_epoch_is_kept_whatever_the_schedule(tmp_path, options):
    listener = train.CheckpointListener(tmp_path, keep_last=1, keep_best=True, **options)
    net = cases.small_network()

    class Noise:
        def on_epoch_start(self, model):
            if model.epoch_count == 3:
                Worsening().on_epoch_end(model)

    listeners = [Noise(), listener]
    history = net.fit(X, LABELS, batch_size=3, epochs=6, listeners=listeners, validation_data=(X, LABELS))
    assert int(np.argmin(history.validation_scores)) == 2
    best = train.load(listener.best())
    assert best.epoch_count == 3
    assert best.score((X, LABELS)) == pytest.approx(history.validation_scores[2], rel=1e-6)
