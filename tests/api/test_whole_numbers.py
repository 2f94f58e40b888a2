"""Python's ints have no limits: counts that nothing has are refused at once, far places do what the ends do."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd

X = np.arange(12.0).reshape(3, 4)
FAR = [2**31, 2**63 - 1, 2**63, 2**64, 2**88, 10**400]

# Places, for which the standard sets no limit: far away is as just outside.
PLACES = {
    "eye": lambda k: nd.eye(3, 4, k=k),
    "tri": lambda k: nd.tri(3, 4, k=k),
    "tril": lambda k: nd.tril(nd.asarray(X), k=k),
    "triu": lambda k: nd.triu(nd.asarray(X), k=k),
    "diagonal": lambda k: nd.diagonal(nd.asarray(X), k),
    "linalg.diagonal": lambda k: nd.linalg.diagonal(nd.asarray(X), offset=k),
    "trace": lambda k: nd.trace(nd.asarray(X), k),
    "linalg.trace": lambda k: nd.linalg.trace(nd.asarray(X), offset=k),
    "diag of a matrix": lambda k: nd.diag(nd.asarray(X), k),
    "diff": lambda k: nd.diff(nd.asarray(X), n=abs(k)),
    "slice": lambda k: nd.asarray(X)[k:],
    "split": lambda k: nd.split(nd.asarray(X), [k])[0],
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("far", FAR)
def test_places_far_away_are_as_just_outside(name, far):
    for k, near in ((far, 6), (-far, -6)):
        found, expected = PLACES[name](k), PLACES[name](near)
        assert (found.shape, found.tolist()) == (expected.shape, expected.tolist())


@pytest.mark.parametrize("far", FAR)
def test_turns_come_round(far):
    x = nd.asarray(X)
    for k in (far, -far):
        assert nd.roll(x, k).tolist() == np.roll(X, k % 12).tolist()
        assert nd.roll(x, (k, 1), axis=(0, 1)).tolist() == np.roll(X, (k % 3, 1), axis=(0, 1)).tolist()
        assert nd.rot90(x, k).tolist() == np.rot90(X, k % 4).tolist()
    assert nd.linalg.matrix_power(nd.eye(2), far).tolist() == [[1.0, 0.0], [0.0, 1.0]]


COUNTS = {
    "arange": lambda n: nd.arange(n),
    "array_split": lambda n: nd.array_split(nd.asarray(X), n),
    "bincount": lambda n: nd.bincount(nd.asarray([1, 2]), minlength=n),
    "diag": lambda n: nd.diag(nd.ones(2), n),
    "eye": lambda n: nd.eye(n),
    "fft": lambda n: nd.fft.fft(nd.asarray(X), n=n),
    "fftfreq": lambda n: nd.fft.fftfreq(n),
    "geomspace": lambda n: nd.geomspace(1.0, 2.0, n),
    "histogram": lambda n: nd.histogram(nd.asarray(X), bins=n),
    "identity": lambda n: nd.identity(n),
    "indices": lambda n: nd.indices((n, n)),
    "linspace": lambda n: nd.linspace(0.0, 1.0, n),
    "logspace": lambda n: nd.logspace(0.0, 1.0, n),
    "one_hot": lambda n: nd.one_hot(nd.asarray([1, 2]), n),
    "pad": lambda n: nd.pad(nd.asarray(X), n),
    "pad, repeated": lambda n: nd.pad(nd.asarray(X), n, mode="wrap"),
    "repeat": lambda n: nd.repeat(nd.asarray(X), n),
    "reshape": lambda n: nd.reshape(nd.asarray(X), (n, -1)),
    "rfftfreq": lambda n: nd.fft.rfftfreq(n),
    "split": lambda n: nd.split(nd.asarray(X), n),
    "tile": lambda n: nd.tile(nd.asarray(X), n),
    "topk": lambda n: nd.topk(nd.asarray(X), n),
    "tri": lambda n: nd.tri(n),
    "vander": lambda n: nd.vander(nd.ones(3), n),
    "zeros": lambda n: nd.zeros(n),
    "broadcast_to": lambda n: nd.broadcast_to(nd.ones(()), (n, n)),
}
LIMITED = """
import resource, sys
sys.path.insert(0, {folder!r})
from test_whole_numbers import COUNTS
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
for name, call in COUNTS.items():
    for n in (2**40, 2**59, 2**61, 2**62, 2**63 - 1, 2**63, 2**64, 10**400):
        try:
            call(n)
        except (ValueError, MemoryError, OverflowError) as error:
            text = str(error)
            if "too large to convert" in text or "cannot fit" in text or not text:
                print(name, n, repr(error))
        else:
            print(name, n, "gives something")
"""


def test_counts_that_nothing_has_are_refused_at_once():
    script = LIMITED.format(folder=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]


@pytest.mark.parametrize("name", sorted(COUNTS.keys() - {"histogram", "one_hot", "diag", "arange", "repeat"}))
@pytest.mark.parametrize("odd", [-0.0, 2.5, "3", 1j])
def test_counts_are_whole(name, odd):
    with pytest.raises(TypeError, match=r"integer|whole number|sequence of ints"):
        COUNTS[name](odd)


def test_more_pieces_than_slices():
    pieces, expected = nd.array_split(nd.asarray(X), 7), np.array_split(X, 7)
    assert [piece.tolist() for piece in pieces] == [piece.tolist() for piece in expected]
    with pytest.raises(ValueError, match="at least 1, given 0"):
        nd.split(nd.asarray(X), 0)


def test_positions_behind_all_memory_are_not_counted():
    for x in ([1, 2, 2**64 - 1], [1, 2**63]):
        with pytest.raises(ValueError, match=r"below 2\*\*63|memory can address"):
            nd.bincount(nd.asarray(x, dtype="uint64"))


def test_ints_that_no_float_holds_are_named():
    x = nd.ones(2)
    for call in (lambda: x + 10**400, lambda: nd.full(2, 10**400, dtype="float32"), lambda: x * -(10**400)):
        with pytest.raises(OverflowError, match=r"an int of 1329 bits is outside the range of float"):
            call()
