"""Batches that processes prepare: the same as without, and nothing is left of them."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd
from nd4py import data

pytestmark = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory files without names are of Linux")
SHAPES = {"images": (3, 5, 4), "numbers": (7,), "sequences": (6, 2), "single": ()}


def examples(kind, dtype="float32", n=20, is_multi=False):
    rng = np.random.default_rng(3)
    x = nd.asarray((rng.normal(size=(n, *SHAPES[kind])) * 9).astype(dtype))
    labels, mask = nd.asarray(rng.normal(size=(n, 2))), nd.asarray(rng.integers(0, 2, (n, 6)).astype("float32"))
    if is_multi:
        return data.MultiDataSet([x, -x], [labels], [None, mask], None)
    return data.DataSet(x, labels, mask if kind == "sequences" else None, None)


def shifted(batch, seed):
    """Depends on the batch, its place and nothing else."""
    return batch._changed(lambda array: array + nd.asarray(seed % 7, dtype=array.dtype))


def halved(batch, seed):
    return batch.get(slice(0, len(batch) // 2))


def reconstructed(batch, seed):
    return data.DataSet(batch.features, batch.features)


def failing(batch, seed):
    raise ValueError(f"no batch of {len(batch)}")


def dying(batch, seed):
    os._exit(3)


def nothing(batch, seed):
    return None


def arrays(batches):
    return [{name: np.array(array) for name, array in batch._named_arrays().items()} for batch in batches]


def same(one, other):
    return len(one) == len(other) and all(
        left.keys() == right.keys()
        and all(left[name].dtype == right[name].dtype and np.array_equal(left[name], right[name]) for name in left)
        for left, right in zip(one, other, strict=True)
    )


def iterator(dataset, change, batch=6, **options):
    return data.AugmentingDataSetIterator(data.ViewDataSetIterator(dataset, batch, seed=2), change, seed=5, **options)


def one_of(batch, seed):
    """One of the changes, by the seed."""
    changes = [shifted, halved, *([] if isinstance(batch, data.MultiDataSet) else [reconstructed])]
    return changes[seed % len(changes)](batch, seed)


@pytest.mark.parametrize("n_processes", [1, 3])
def test_processes_make_the_batches_of_none(n_processes):
    kinds = [(kind, dtype, n) for kind in SHAPES for dtype in ("float32", "uint8", "float64") for n in (1, 20)]
    base = [examples(*each, is_multi=is_multi) for each in kinds for is_multi in (False, True)]
    alone = data.AugmentingDataSetIterator(base, one_of, seed=5)
    by_processes = data.AugmentingDataSetIterator(base, one_of, seed=5, n_processes=n_processes)
    for _ in range(2):
        assert same(arrays(by_processes), arrays(alone))
    by_processes.reset()


def test_augmentation_draws_the_same_and_resumes():
    change = data.Augmentation(crop=1, flip=True, mixup=0.3)
    alone = iterator(examples("images"), change)
    expected = arrays(alone)
    by_processes = iterator(examples("images"), change, n_processes=2)
    for number, _ in enumerate(by_processes):
        if number == 1:
            state = by_processes.state()
            break
    for again in (by_processes, copy.copy(by_processes), pickle.loads(pickle.dumps(by_processes))):
        again.set_state(state)
        assert same(arrays(again), expected[2:])
        again.reset()


def test_batches_stay_what_they_are():
    batches = iterator(examples("numbers"), shifted, batch=2, n_processes=2)
    kept = list(batches)
    before = arrays(kept)
    for _ in range(3):
        list(batches)
    batches.reset()
    assert same(arrays(kept), before)
    kept[0].features[...] = 3.0  # memory of its own
    assert same(arrays(kept)[1:], before[1:])


def test_errors_are_raised_in_the_loop():
    failed = iterator(examples("numbers"), failing, n_processes=1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no batch of 6"):
            list(failed)
    failed.reset()
    with pytest.raises(TypeError, match="the change must return a DataSet or MultiDataSet"):
        list(iterator(examples("numbers"), nothing, n_processes=1))
    dead = iterator(examples("numbers"), dying, n_processes=1)
    for _ in range(2):
        with pytest.raises(BrokenProcessPool):
            list(dead)
    with pytest.raises(TypeError, match="a function of a module, so that processes can import it"):
        iterator(examples("numbers"), lambda batch, seed: batch, n_processes=1)
    with pytest.raises(TypeError, match="each batch must be a DataSet or MultiDataSet, given tuple"):
        list(data.AugmentingDataSetIterator([(1, 2)], shifted, seed=1, n_processes=1))
    for wrong in ({"n_processes": -1}, {"n_processes": 1, "n_threads": 1}):
        with pytest.raises(ValueError, match="give n_threads or n_processes"):
            iterator(examples("numbers"), shifted, **wrong)


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_loops_that_are_left_keep_no_files_open():
    batches = iterator(examples("numbers"), shifted, batch=2, n_processes=1)
    list(batches)
    before = descriptors()
    for _ in range(5):
        next(iter(batches))
    list(batches)
    assert descriptors() <= before
    batches.reset()


PROGRAM = """
import sys, time
sys.path.insert(0, {folder!r})
from test_data_worker_processes import *
if __name__ == "__main__":
    batches = iterator(examples("numbers"), shifted, batch=2, n_processes=2)
    list(batches)
    print(*[process.pid for process in batches._workers._pool._processes.values()], flush=True)
    while True:
        list(batches)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_its_parent(tmp_path, number):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(folder=str(Path(__file__).parent)))
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        workers = [int(pid) for pid in process.stdout.readline().split()]
        assert len(workers) == 2
        time.sleep(0.1)
        process.send_signal(number)
        process.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(Path(f"/proc/{pid}").exists() for pid in workers):
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
