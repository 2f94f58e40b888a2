"""Activations and losses against NumPy, as the tables of `cases` that are continued here."""

import math
from dataclasses import dataclass

import numpy as np

from nd4py import nn


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(0, x)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


MORE_ACTIVATIONS = {
    "celu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "exponential": np.exp,
    "gelu_tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "hard_shrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
    "hard_swish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "log_sigmoid": lambda x: -softplus(-x),
    "log_softmax": lambda x: np.log(softmax(x)),
    "rrelu": lambda x: np.where(x > 0, x, 11 / 48 * x),
    "silu": lambda x: x * sigmoid(x),
    "soft_shrink": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0),
    "tanh_shrink": lambda x: x - np.tanh(x),
}
# Activations with settings.
ACTIVATION_OBJECTS = (
    (nn.LeakyReLU(0.3), lambda x: np.where(x > 0, x, 0.3 * x)),
    (nn.ELU(0.7), lambda x: np.where(x > 0, x, 0.7 * np.expm1(x))),
    (nn.ThresholdedReLU(0.6), lambda x: np.where(x > 0.6, x, 0)),
    (nn.RReLU(0.1, 0.3), lambda x: np.where(x > 0, x, 0.2 * x)),
)


@dataclass(frozen=True)
class LossCase:
    """A loss on outputs y, the activation that keeps y in its domain, and labels that suit it."""

    reference: object  # (labels, y) -> the loss of each example
    activation: str = "identity"
    labels: str = "real"  # "real" | "positive" | "one-hot" | "bits" | "signs" | "distribution" | "numbers"


def huber(labels, y, delta=1.0):
    d = np.abs(labels - y)
    return np.where(d <= delta, d**2 / 2, delta * (d - delta / 2)).mean(1)


def log_cosh(labels, y):
    return np.log(np.cosh(labels - y)).mean(1)


def xent(labels, y):
    return -(labels * np.log(y) + (1 - labels) * np.log(1 - y)).sum(1)


def cross_entropy(labels, y):
    return -(labels * np.log(y)).sum(1)


def focal(labels, y, gamma=2.0, alpha=None):
    ones, zeros = (1, 1) if alpha is None else (alpha, 1 - alpha)
    return -(ones * labels * (1 - y) ** gamma * np.log(y) + zeros * (1 - labels) * y**gamma * np.log(1 - y)).sum(1)


def focal_of_classes(labels, y, gamma=2.0, alpha=1.0):
    return -alpha * (labels * (1 - y) ** gamma * np.log(y)).sum(1)


def f_measure(labels, y, beta=1.0):
    if y.shape[1] == 2:
        labels, y = labels[:, 1:], y[:, 1:]
    hits, missed, wrong = (labels * y).sum(), (labels * (1 - y)).sum(), ((1 - labels) * y).sum()
    score = (1 + beta**2) * hits / ((1 + beta**2) * hits + beta**2 * missed + wrong)
    return np.full(len(y), 1 - score)


def multi_label(labels, y):
    losses = []
    for t, o in zip(labels, y, strict=True):
        pairs = [math.exp(o[low] - o[high]) for high in np.flatnonzero(t) for low in np.flatnonzero(t == 0)]
        losses.append(np.mean(pairs) if pairs else 0.0)
    return np.array(losses)


def mixture_density(labels, y, k=2):
    """Labels (batch, L), outputs (batch, k * (L + 2))."""
    shares, deviations = softmax(y[:, :k]), np.exp(y[:, k : 2 * k])
    means = y[:, 2 * k :].reshape(len(y), k, -1)
    distance = ((labels[:, None] - means) ** 2).sum(2)
    density = np.exp(-distance / (2 * deviations**2)) / (math.sqrt(2 * math.pi) * deviations) ** labels.shape[1]
    return -np.log((shares * density).sum(1))


def ctc(labels, y, blank=0):
    """By trying every path; y (batch, length, classes) are probabilities."""
    losses = []
    for t, p in zip(labels, y, strict=True):
        wanted, total = [n for n in t if n >= 0], 0.0
        for path in np.ndindex(*[p.shape[1]] * p.shape[0]):
            runs = [n for i, n in enumerate(path) if i == 0 or n != path[i - 1]]
            if [n for n in runs if n != blank] == wanted:
                total += math.prod(p[i, n] for i, n in enumerate(path))
        losses.append(-math.log(total) if total else math.inf)
    return np.array(losses)


MORE_NAMED_LOSSES = {
    "huber": LossCase(huber),
    "log_cosh": LossCase(log_cosh),
    "focal": LossCase(focal, "sigmoid", "bits"),
    "f_measure": LossCase(f_measure, "sigmoid", "bits"),
    "multi_label": LossCase(multi_label, "tanh", "bits"),
    "mean_squared_error": LossCase(lambda t, y: ((t - y) ** 2).mean(1)),
    "binary_cross_entropy": LossCase(xent, "sigmoid", "bits"),
    "categorical_cross_entropy": LossCase(cross_entropy, "softmax", "one-hot"),
    "sparse_categorical_cross_entropy": LossCase(cross_entropy, "softmax", "numbers"),
}
# Losses of sequences, or of labels that have other axes, which have tests of their own.
OTHER_LOSSES = (nn.CTCLoss(), nn.MixtureDensityLoss(2))
# Losses with settings.
LOSS_OBJECTS = (
    (nn.HuberLoss(0.4), LossCase(lambda t, y: huber(t, y, 0.4))),
    (nn.FocalLoss(1.5, 0.25), LossCase(lambda t, y: focal(t, y, 1.5, 0.25), "sigmoid", "bits")),
    (nn.FocalLoss(1.5, 0.25), LossCase(lambda t, y: focal_of_classes(t, y, 1.5, 0.25), "softmax", "one-hot")),
    (nn.FocalLoss(2.0), LossCase(focal_of_classes, "softmax", "one-hot")),
    (nn.FMeasureLoss(2.0), LossCase(lambda t, y: f_measure(t, y, 2.0), "sigmoid", "bits")),
)
