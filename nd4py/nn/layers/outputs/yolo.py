"""Yolo2OutputLayer: the loss of object detection on a grid, and the objects that its output says there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ...inputs import CONVOLUTIONAL, InputType
from ...numbers import real
from ..layer import State
from ..scored import ScoredLayer
from .detection import DetectedObject, objects_of

# Roots of sizes have a slope at 0, and ratios of areas a divisor, by this.
SMALLEST = 1e-9


@dataclass(frozen=True)
class Yolo2OutputLayer(ScoredLayer):
    """You only look once: every cell of a grid has a few boxes, each with a place, a size, a confidence and classes.

    x, y: (batch, B * (5 + C), height, width) for B anchors and C classes; a box has the channels x, y, w, h,
        confidence, classes.  y has sigmoid(x), sigmoid(y) within the cell, anchor * exp(w, h), sigmoid(confidence) and
        softmax(classes)
    labels: (batch, 4 + C, height, width): left, top, right, bottom of the object whose center lies in the cell, in
        cells from the image's corner, and its class, one-hot; all 0 where there is none
    anchors: (width, height) of each box, in cells
    coordinate_weight, no_object_weight: what places and sizes, and boxes without an object, cost
    In a cell with an object, the box that overlaps most with it answers for it: the loss is coordinate_weight times the
    squared errors of its center and of the roots of its size, plus that of its confidence against the overlap, plus
    those of its classes; every other box costs no_object_weight * confidence**2.  The overlap is a label there: no
    gradient goes through it, so that differences of `gradient_check` are others where a cell has an object.
    Redmon et al. 2016, https://arxiv.org/abs/1506.02640, equation 3; Redmon & Farhadi 2017, arXiv:1612.08242.
    Raises ValueError for anchors that are no pairs of numbers above 0, and for negative weights.

    >>> layer = nn.Yolo2OutputLayer(anchors=((1.0, 1.0), (2.0, 3.0)))
    >>> layer.forward({}, nd.zeros((1, 2 * (5 + 3), 4, 4)))[0, :5, 0, 0]
    array([0.5, 0.5, 1. , 1. , 0.5], dtype=float64)
    """

    anchors: tuple[tuple[float, float], ...]
    coordinate_weight: float = 5.0
    no_object_weight: float = 0.5

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        given = items(f"{self.title}: anchors", self.anchors)
        pairs = [items(f"{self.title}: each of anchors", pair) for pair in given]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            raise ValueError(f"{self.title}: anchors must be pairs (width, height), given {self.anchors!r}")
        sizes = tuple((_above_0(width, self.title), _above_0(height, self.title)) for width, height in pairs)
        object.__setattr__(self, "anchors", sizes)
        for name in ("coordinate_weight", "no_object_weight"):
            real(getattr(self, name), f"{self.title}: {name}", low=0.0)

    def output_type(self, given: InputType) -> InputType:
        if given.kind != CONVOLUTIONAL:
            raise ValueError(f"{self.title}: images are needed, given {given.kind} input {given}")
        self._n_classes(given.n_features)
        return given

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        place, size, confidence, classes = self._boxes(x)
        confidence = nd.sigmoid(nd.expand_dims(confidence, axis=2))
        y = nd.concat([place, size, confidence, nd.softmax(classes, axis=2)], axis=2)
        return nd.reshape(y, x.shape)

    def prepare_labels(self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType) -> nd.NDArray:
        wanted = self._labels_shape(shape)
        if array("labels", labels).shape != wanted:
            raise ValueError(f"{self.title} expects labels of shape {wanted}, given {labels.shape}")
        return nd.astype(labels, dtype, copy=False)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return nd.ones([int(n or 1) for n in self._labels_shape(shape)], dtype=dtype, device="cpu")

    def score(
        self,
        params: State,
        x: nd.NDArray,
        labels: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
    ) -> nd.NDArray:
        return nd.sum(self.example_scores(params, x, labels, mask=mask))

    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        place, size, confidence, classes = self._boxes(array("score: x", x))
        confidence, classes = nd.sigmoid(confidence), nd.softmax(classes, axis=2)
        low, high = (
            nd.expand_dims(array("score: labels", labels)[:, :2], axis=1),
            nd.expand_dims(labels[:, 2:4], axis=1),
        )
        wanted = nd.expand_dims(labels[:, 4:], axis=1)
        has_object = nd.sum(wanted, axis=2)  # (batch, 1, height, width)
        center, extent = (low + high) / 2.0, high - low
        corner = nd.floor(center)
        overlap = nd.stop_gradient(_overlap(place + corner, size, center, extent))
        answers = has_object * nd.astype(overlap >= nd.max(overlap, axis=1, keepdims=True), x.dtype)
        answers = answers * nd.astype(nd.cumsum(answers, axis=1) <= 1.0, x.dtype)  # the first of equal ones
        errors = nd.sum_of_squares(place - (center - corner), axis=2)
        errors = errors + nd.sum_of_squares(_root(size) - _root(extent), axis=2)
        costs = answers * (
            self.coordinate_weight * errors
            + nd.square(confidence - overlap)
            + nd.sum_of_squares(classes - wanted, axis=2)
        )
        costs = costs + (1.0 - answers) * self.no_object_weight * nd.square(confidence)
        scores = nd.sum(costs, axis=(1, 2, 3))
        if mask is None:
            return scores
        return scores * nd.reshape(array("score: mask", mask), (x.shape[0], -1))[:, 0]

    def detected_objects(
        self, output: nd.NDArray, threshold: float = 0.5, overlap_threshold: float = 0.4
    ) -> list[list[DetectedObject]]:
        """The objects in each example of the layer's output.

        threshold: the least confidence    overlap_threshold: of two objects of a class that overlap by more (area of
        the intersection over that of the union), the one with less confidence is left out
        Returns a list per example, the most confident first.
        Raises TypeError for anything but an array, ValueError for one of another shape, or thresholds outside [0, 1].

        >>> layer = nn.Yolo2OutputLayer(anchors=((1.0, 1.0),))
        >>> x = nd.full((1, 7, 2, 2), -9.0)
        >>> x[0, 4:7, 1, 0] = nd.asarray([9.0, 0.0, 9.0])
        >>> [[found]] = layer.detected_objects(layer.forward({}, x))
        >>> found.class_number, round(found.confidence, 3)
        (1, 1.0)
        """
        real(threshold, "detected_objects: threshold", low=0.0, high=1.0)
        real(overlap_threshold, "detected_objects: overlap_threshold", low=0.0, high=1.0)
        boxes = nd.asarray(self._split(array("detected_objects: output", output)), device="cpu")
        return [objects_of(boxes[i], threshold, overlap_threshold) for i in range(boxes.shape[0])]

    def _split(self, x: nd.NDArray) -> nd.NDArray:
        """(batch, B, 5 + C, height, width)"""
        if x.ndim != 4:
            raise ValueError(f"{self.title}: (batch, channels, height, width) needed, given shape {x.shape}")
        n_classes = self._n_classes(x.shape[1])
        return nd.reshape(x, (x.shape[0], len(self.anchors), 5 + n_classes, *x.shape[2:]))

    def _boxes(self, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray, nd.NDArray]:
        """Place in the cell, size, and what becomes confidence (batch, B, height, width) and classes."""
        boxes = self._split(x)
        anchors = nd.asarray(self.anchors, dtype=x.dtype, device=x.device)
        size = nd.exp(boxes[:, :, 2:4]) * nd.reshape(anchors, (1, -1, 2, 1, 1))
        return nd.sigmoid(boxes[:, :, :2]), size, boxes[:, :, 4], boxes[:, :, 5:]

    def _n_classes(self, channels: int) -> int:
        n_classes = channels // len(self.anchors) - 5
        if channels % len(self.anchors) or n_classes < 1:
            raise ValueError(
                f"{self.title}: {len(self.anchors)} anchors need {len(self.anchors)} * (5 + classes) channels, given "
                f"{channels}"
            )
        return n_classes

    def _labels_shape(self, shape: Sequence[int | None]) -> tuple[int | None, ...]:
        shape = items(f"{self.title}: shape", shape)
        if len(shape) != 4:
            raise ValueError(f"{self.title}: (batch, channels, height, width) needed, given outputs of shape {shape}")
        return (shape[0], 4 + self._n_classes(shape[1] or 0), *shape[2:])


def _above_0(size: Any, who: str) -> float:
    if real(size, f"{who}: each size of anchors", low=0.0) == 0.0:
        raise ValueError(f"{who}: each size of anchors must be above 0, given {size!r}")
    return float(size)


def _root(size: nd.NDArray) -> nd.NDArray:
    return nd.sqrt(nd.maximum(size, SMALLEST))


def _overlap(place: nd.NDArray, size: nd.NDArray, center: nd.NDArray, extent: nd.NDArray) -> nd.NDArray:
    """The area of the intersection over that of the union, of boxes by center and size along axis 2."""
    low = nd.maximum(place - size / 2.0, center - extent / 2.0)
    high = nd.minimum(place + size / 2.0, center + extent / 2.0)
    common = nd.prod(nd.maximum(high - low, 0.0), axis=2)
    union = nd.prod(size, axis=2) + nd.prod(extent, axis=2) - common
    return common / nd.maximum(union, SMALLEST)
