"""Saving that is killed at any moment: the file is the old one or the new one, whole; nothing piles up beside it."""

import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.api.files import replacing
from nd4py.data import DataSet, NormalizerStandardize

# Children save one of two contents again and again until they are killed.
KILLED = """
import json, os, random, signal, sys, time
from pathlib import Path
import test_files_killed as module
from nd4py.api.files import replacing
kind, folder, is_nameless = sys.argv[1], Path(sys.argv[2]), sys.argv[3] == "True"
if not is_nameless:
    replacing.NAMELESS = None
save, load, ending = module.WRITERS[kind]
path, rng = folder / f"saved{ending}", random.Random(1)
save(path, 0)
start = time.perf_counter()
save(path, 0)
typical = time.perf_counter() - start
seen, most = set(), 0
for _ in range(30):
    child = os.fork()
    if child == 0:
        while True:
            for i in range(2):
                save(path, i)
    time.sleep(rng.uniform(0.2, 3) * typical)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    seen.add(load(path))
    most = max(most, len(os.listdir(folder)) - 1)
save(path, 1)
print(json.dumps([sorted(seen), most, load(path), os.listdir(folder) == [path.name]]))
"""


def values(i):
    return nd.full(50_000, float(i))


def which(x):
    """The content that was loaded, which must be all of one kind."""
    found = set(np.asarray(x).tolist())
    assert len(found) == 1
    return int(found.pop())


def network(i):
    net = nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(4), updater=nn.Adam())
    net.adopt(nd.full(net.num_params(), float(i)), nd.full(2 * net.num_params(), float(i)), iteration_count=i)
    return net


def loaded_network(path):
    net = nn.MultiLayerNetwork.load(path)
    assert which(net.params()) == which(net.updater_state()) == net.iteration_count
    return net.iteration_count


def normalizer(i):
    return NormalizerStandardize().fit(DataSet(np.array([[i - 1.0], [i + 1.0]]), np.zeros((2, 1))))


WRITERS = {
    "npy": (lambda path, i: nd.save(path, values(i)), lambda path: which(nd.load(path)), ".npy"),
    "npz": (lambda path, i: nd.savez(path, x=values(i)), lambda path: which(nd.load(path)["x"]), ".npz"),
    "safetensors": (
        lambda path, i: nd.save(path, {"x": values(i)}),
        lambda path: which(nd.load(path)["x"]),
        ".safetensors",
    ),
    "network": (lambda path, i: network(i).save(path), loaded_network, ".zip"),
    "normalizer": (
        lambda path, i: normalizer(i).save(path),
        lambda path: which(NormalizerStandardize.load(path).mean),
        ".json",
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("is_nameless", [True, False])
def test_a_killed_save_leaves_the_old_file_or_the_new_one(kind, is_nameless, tmp_path):
    command = [sys.executable, "-c", KILLED, kind, str(tmp_path), str(is_nameless)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seen, most, last, is_alone = json.loads(done.stdout)
    assert seen
    assert most <= 1
    assert last == 1
    assert is_alone


@pytest.mark.parametrize("is_nameless", [True, False])
def test_a_save_that_fails_leaves_nothing(is_nameless, tmp_path, monkeypatch):
    if not is_nameless:
        monkeypatch.setattr(replacing, "NAMELESS", None)
    path = tmp_path / "x"

    def failing(file, error):
        file.write(b"half")
        raise error

    for error in (OSError, KeyboardInterrupt):
        with pytest.raises(error), replacing.replacing(path) as file:
            failing(file, error)
        assert os.listdir(tmp_path) == []
    with replacing.replacing(path) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"


def test_a_leftover_is_taken_away_by_the_next_save(tmp_path):
    leftover = tmp_path / replacing.partial_name("x.npy")
    leftover.write_bytes(b"of a process that died")
    nd.save(tmp_path / "x.npy", nd.ones(3))
    assert os.listdir(tmp_path) == ["x.npy"]


@pytest.mark.parametrize("is_nameless", [True, False])
def test_several_who_save_at_a_time_do_not_meet(is_nameless, tmp_path, monkeypatch):
    if not is_nameless:
        monkeypatch.setattr(replacing, "NAMELESS", None)
    path, errors = tmp_path / "x.npy", []
    nd.save(path, values(0))

    def save(i):
        try:
            for _ in range(20):
                nd.save(path, values(i))
                which(nd.load(path))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert os.listdir(tmp_path) == ["x.npy"]


def test_new_files_have_the_permissions_of_others(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    nd.save(tmp_path / "x.npy", nd.ones(3))
    assert (tmp_path / "x.npy").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "x.npy").mkdir()
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        nd.save(tmp_path / "x.npy", nd.ones(3))


def test_long_names(tmp_path):
    path = tmp_path / ("n" * 251 + ".npy")
    nd.save(path, nd.ones(3))
    assert nd.load(path).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("advice", ["taken", "refused", "unknown"])
@pytest.mark.parametrize("n_bytes", [0, 1, 1000, 1 << 20, (8 << 20) - 1, (8 << 20) + 1, (20 << 20) + 3])
def test_pieces_are_all_that_there_is(tmp_path, monkeypatch, advice, n_bytes):
    asked = []

    def advise(descriptor, start, length, kind):
        asked.append((start, length))
        if advice == "refused":
            raise OSError("no advice here")

    monkeypatch.setattr(os, "POSIX_FADV_DONTNEED", 4, raising=False)
    monkeypatch.setattr(replacing, "ADVISE", None if advice == "unknown" else advise)
    content = np.random.default_rng(1).integers(0, 256, n_bytes, dtype="uint8").tobytes()
    with replacing.replacing(tmp_path / "x") as file:
        file.write(b"head")
        replacing.write_in_pieces(memoryview(content), file.write, file)
        file.write(b"tail")
    assert (tmp_path / "x").read_bytes() == b"head" + content + b"tail"
    assert len(asked) == (0 if advice == "unknown" else n_bytes // (8 << 20))
    assert all(start >= 4 and start + length <= 4 + n_bytes for start, length in asked)
