"""Support vector machines, for numbers and for classes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy

from nd4py import api as nd

from ..operator_rows import Limits, Rows
from .class_scores import TRANSFORMS, labels_of
from .linear_model_nodes import as_floats

LEAST_SHARE = 1e-7  # of a class beside another


class Kernels:
    """The kernels of x and support vectors.  given: the attributes of a node"""

    def __init__(self, given: dict[str, Any], vectors: Any) -> None:
        self.vectors = vectors
        self.kind = given.get("kernel_type", "LINEAR")
        self.gamma, self.offset, self.degree = [*(given.get("kernel_params") or []), 0.0, 0.0, 0.0][:3]

    def __call__(self, x: Any) -> Any:
        vectors = nd.asarray(self.vectors)
        if self.kind == "RBF":
            return nd.exp(-self.gamma * nd.sum(nd.square(x[:, None, :] - vectors), axis=-1))
        products = nd.matmul(x, vectors.T)
        if self.kind == "LINEAR":
            return products
        shifted = products * self.gamma + self.offset
        return nd.tanh(shifted) if self.kind == "SIGMOID" else shifted ** int(self.degree)


class SVMRegressor:
    """The sum of the kernels of x and the support vectors.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        n = given.get("n_supports", 0)
        self.coefficients = numpy.asarray(given["coefficients"], numpy.float32)
        vectors = numpy.asarray(given["support_vectors"], numpy.float32).reshape(n, -1) if n else None
        self.kernels = None if vectors is None else Kernels(given, vectors)
        self.rho = float((given.get("rho") or [0.0])[0])
        self.is_one_class = bool(given.get("one_class", 0))
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> Any:
        x = as_floats(x).astype(nd.float32)
        kernels = x if self.kernels is None else self.kernels(x)
        y = nd.matmul(kernels, nd.asarray(self.coefficients)[:, None]) + self.rho
        return nd.where(y > 0, 1.0, -1.0).astype(nd.float32) if self.is_one_class else self.transform(y)


class SVMClassifier:
    """The labels that most pairs of classes vote for, and the scores of the pairs, or probabilities of the classes.

    given: the attributes of the node
    A pair has a machine of its own, of the support vectors of both classes; a positive score is a vote for the first.
    """

    def __init__(self, **given: Any) -> None:
        self.labels = given.get("classlabels_ints") or given.get("classlabels_strings") or []
        counts = given["vectors_per_class"]
        n_classes, ends = len(counts), numpy.cumsum(counts)
        of_class = [slice(end - count, end) for end, count in zip(ends, counts, strict=True)]
        coefficients = numpy.asarray(given["coefficients"], numpy.float32).reshape(n_classes - 1, ends[-1])
        self.pairs = list(combinations(range(n_classes), 2))
        self.coefficients = numpy.zeros((ends[-1], len(self.pairs)), numpy.float32)
        for number, (i, j) in enumerate(self.pairs):
            self.coefficients[of_class[i], number] = coefficients[j - 1, of_class[i]]
            self.coefficients[of_class[j], number] = coefficients[i, of_class[j]]
        vectors = numpy.asarray(given["support_vectors"], numpy.float32).reshape(ends[-1], -1)
        self.n_classes, self.kernels = n_classes, Kernels(given, vectors)
        self.rho = numpy.asarray(given["rho"], numpy.float32).reshape(len(self.pairs))
        self.slopes, self.shifts = (
            numpy.asarray(given.get(name) or [], numpy.float32) for name in ("prob_a", "prob_b")
        )
        if self.slopes.shape != self.shifts.shape or self.slopes.size not in (0, len(self.pairs)):
            raise ValueError(f"prob_a and prob_b: a number for each of {len(self.pairs)} pairs of classes is needed")
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> tuple[Any, Any]:
        kernels = self.kernels(as_floats(x).astype(nd.float32))
        scores = nd.matmul(kernels, nd.asarray(self.coefficients)) + nd.asarray(self.rho)
        votes = nd.zeros((scores.shape[0], self.n_classes), dtype="float32")
        for number, (i, j) in enumerate(self.pairs):
            votes[:, i] += scores[:, number] > 0
            votes[:, j] += scores[:, number] <= 0
        labels = labels_of(self.labels, nd.argmax(votes, axis=1))
        if self.slopes.size:
            return labels, self.transform(nd.asarray(self._probabilities(numpy.asarray(scores, numpy.float64))))
        return labels, self.transform(nd.concat([-scores, scores], axis=1) if self.n_classes == 2 else scores)

    def _probabilities(self, scores: Any) -> Any:
        """Of the classes, from those of each beside each other, which are logistic in the scores.

        Platt 1999, and Wu, Lin & Weng 2004, https://www.jmlr.org/papers/v5/wu04a.html, algorithm 2.
        """
        with numpy.errstate(over="ignore"):
            shares = 1 / (1 + numpy.exp(scores * self.slopes + self.shifts))
        shares = numpy.clip(shares, LEAST_SHARE, 1 - LEAST_SHARE)
        n, k = len(scores), self.n_classes
        r = numpy.zeros((n, k, k))  # r[:, i, j]: the probability of i where it is i or j
        for number, (i, j) in enumerate(self.pairs):
            r[:, i, j], r[:, j, i] = shares[:, number], 1 - shares[:, number]
        q = -r.transpose(0, 2, 1) * r
        q[:, range(k), range(k)] = numpy.square(r).sum(axis=1)
        found = numpy.full((n, k), 1 / k)
        left = numpy.arange(n)  # examples whose probabilities still change
        for _ in range(max(100, k)):
            p, own = found[left], q[left]
            slope = numpy.einsum("nij,nj->ni", own, p)
            total = numpy.einsum("ni,ni->n", p, slope)
            is_left = numpy.abs(slope - total[:, None]).max(axis=1, initial=0) >= 0.005 / k
            left, p, own, slope, total = (each[is_left] for each in (left, p, own, slope, total))
            if not left.size:
                break
            for t in range(k):
                step = (total - slope[:, t]) / own[:, t, t]
                p[:, t] += step
                total = (total + step * (step * own[:, t, t] + 2 * slope[:, t])) / (1 + step) ** 2
                slope = (slope + step[:, None] * own[:, t]) / (1 + step[:, None])
                p /= 1 + step[:, None]
            found[left] = p
        return found.astype(numpy.float32)


def has_no_pairs(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a classifier is refused.

    Without pairs of classes it is a linear one, which has an operator of its own; what a softmax of the one score of
    two classes is, implementations differ in.
    """
    del node, schema, constants
    labels = attributes.get("classlabels_ints") or attributes.get("classlabels_strings") or []
    n_classes, transform = len(attributes.get("vectors_per_class") or []), attributes.get("post_transform", b"NONE")
    transform = transform.decode()
    if n_classes < 2 or len(labels) != n_classes:
        return "without support vectors and labels of two classes"
    is_of_one = n_classes == 2 and not attributes.get("prob_a")
    return f"with scores of one pair with {transform}" if is_of_one and transform not in ("NONE", "LOGISTIC") else None


OPERATORS: Rows = {
    "ai.onnx.ml:SVMClassifier": [(1, 1, SVMClassifier)],
    "ai.onnx.ml:SVMRegressor": [(1, 1, SVMRegressor)],
}
LIMITS: Limits = {"SVMClassifier": has_no_pairs}
