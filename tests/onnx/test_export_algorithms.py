"""Algorithms before and after a model, written with loops, indices and assignments, as ONNX files."""

import numpy as np
import pytest
from test_export_functions import exported, states

import nd4py as nd

RNG = np.random.default_rng(7)
WINDOW, BANDS = nd.asarray(np.hanning(16).astype("float32")), nd.asarray(RNG.random((9, 6)).astype("float32"))
CHANCES = states(3, 3)


def suppressed_boxes(boxes, scores):
    """Non-maximum suppression of a known number of boxes."""
    kept, are_left = nd.zeros(5, dtype="int64"), nd.ones(scores.shape[0], dtype="bool")
    areas = nd.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    for k in range(5):
        best = nd.argmax(nd.where(are_left, scores, -1.0))
        low, high = nd.maximum(boxes[:, :2], boxes[best, :2]), nd.minimum(boxes[:, 2:], boxes[best, 2:])
        common = nd.prod(nd.clip(high - low, 0, None), axis=1)
        kept[k] = best
        are_left = are_left & (common / (areas + areas[best] - common + 1e-6) < 0.5)
        are_left[best] = False
    return kept, boxes[kept]


def bands_of_sound(x):
    frames = nd.stack([x[:, i : i + 16] for i in range(0, 33, 8)], axis=1) * WINDOW
    return nd.log(nd.maximum(nd.abs(nd.fft.rfft(frames)) ** 2 @ BANDS, 1e-5))


def best_sequences(logits):
    """A beam of two."""
    chances, scores = nd.log_softmax(logits, axis=-1), nd.zeros(2, dtype="float32")
    found = nd.zeros((2, logits.shape[0]), dtype="int64")
    for t in range(logits.shape[0]):
        scores, places = nd.topk((scores[:, None] + chances[t]).reshape(-1), 2)
        row, word = nd.unravel_index(places, (2, logits.shape[1]))
        found = found[row]
        found[:, t] = word
    return scores, found


def best_path(scores):
    """Viterbi's algorithm, backwards through places that were found."""
    best, n = scores[0], scores.shape[0]
    before, path = nd.zeros((n, 3), dtype="int64"), nd.empty(n, dtype="int64")
    for t in range(1, n):
        ways = best[:, None] + CHANCES
        before[t] = nd.argmax(ways, axis=0)
        best = nd.max(ways, axis=0) + scores[t]
    path[-1] = nd.argmax(best)
    for t in range(n - 1, 0, -1):
        path[t - 1] = before[t][path[t]]
    return path, nd.max(best)


def equalized(image):
    """A picture of 16 grey levels, all of which are as frequent."""
    levels = nd.cumulative_sum(nd.bincount(image.reshape(-1), minlength=16)).astype("float32")
    return ((levels - levels[0]) / (image.size - levels[0]) * 15)[image]


def prepared(x):
    x = nd.where(x > 1.5, nd.nanmean(nd.where(x > 1.5, nd.nan, x), axis=0), x)
    low, high = nd.quantile(x, [0.25, 0.75], axis=0)
    x = nd.clip(x, low - 1.5 * (high - low), high + 1.5 * (high - low))
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6), nd.digitize(x[:, 0], [-1.0, 0.0, 1.0]), nd.corrcoef(x.T)


def moving_mean(x):
    y = nd.empty_like(x)
    y[0] = x[0]
    for t in range(1, x.shape[0]):
        y[t] = 0.9 * y[t - 1] + 0.1 * x[t]
    return y


def slid(x):
    y = nd.zeros((4, 4), dtype="float32")
    for i in range(3):
        for j in range(3):
            y += x[i : i + 4, j : j + 4] * (i - j)
    return y


BOXES = np.sort(RNG.random((12, 2, 2)), axis=1).reshape(12, 4).astype("float32")
ALGORITHMS = {
    "suppressed boxes": (suppressed_boxes, BOXES, RNG.random(12).astype("float32")),
    "bands of sound": (bands_of_sound, states(2, 48)),
    "best sequences": (best_sequences, states(4, 5)),
    "best path": (best_path, states(5, 3)),
    "equalized": (equalized, RNG.integers(0, 16, (6, 7))),
    "prepared": (prepared, states(9, 4)),
    "moving mean": (moving_mean, states(7, 4)),
    "slid": (slid, states(6, 6)),
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_algorithms(name, tmp_path):
    function, *inputs = ALGORITHMS[name]
    exported(function, str(tmp_path / "f.onnx"), inputs)
