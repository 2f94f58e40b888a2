"""CTCLoss: sequences of labels without their places in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array

from ..numbers import whole
from .loss import Loss, check_shape, masked, sizes_of

IMPOSSIBLE = float("-inf")


@dataclass(frozen=True)
class CTCLoss(Loss):
    """Connectionist temporal classification: -log of the probability that the steps of a sequence spell the labels.

    A class is given out at each step; runs of one class count once, and the class `blank` then is left out.
    labels: (batch, most labels) integers, class numbers other than `blank`, filled up with -1
    outputs: (batch, length, n_out); the activation must be "softmax"; a mask (batch, length) says which steps count
    zero_infinity: 0 in place of infinity for labels that are longer than their steps can spell.
    The forward algorithm in logarithms, all examples together; a step of it is a few passes over (batch, 2 * labels).
    Graves et al. 2006, https://doi.org/10.1145/1143844.1143891, equations 6 to 8.  "ctc" is this with blank 0.
    Raises ValueError for a blank that is no whole number of at least 0.

    >>> loss = nn.CTCLoss()
    >>> loss(nd.asarray([[1]]), nd.zeros((1, 2, 2)), "softmax")  # three of four ways: 1 1, 0 1 and 1 0
    array([[[0.28768207]]], dtype=float64)
    """

    blank: int = 0
    zero_infinity: bool = False

    only_activation = "softmax"
    takes_mask = True

    def __post_init__(self) -> None:
        whole(self.blank, "CTCLoss: blank", least=0)
        if not isinstance(self.zero_infinity, bool):
            raise ValueError(f"CTCLoss: zero_infinity must be True or False, given {self.zero_infinity!r}")

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        states, may_skip, n_labels = self._states(labels)
        places = nd.broadcast_to(nd.expand_dims(states, axis=1), (*z.shape[:2], states.shape[1]))
        steps = nd.take_along_axis(nd.log_softmax(z, axis=-1), places, axis=-1)
        edge = nd.full((z.shape[0], 1), IMPOSSIBLE, dtype=z.dtype, device=z.device)
        # A state more, the first, which is left at the first step that counts.
        start = nd.arange(states.shape[1] + 1, device=z.device) == 0
        reached = nd.broadcast_to(nd.where(start, nd.zeros_like(edge), IMPOSSIBLE), (z.shape[0], start.size))
        weight, counts = mask, None
        if mask is not None and mask.ndim > 1:
            # Steps say what their example counts, 1 without weights; all steps of one that counts 0 are computed.
            weight = nd.max(mask, axis=1)
            counts = (mask > 0) | nd.expand_dims(weight == 0, axis=1)
        for t in range(z.shape[1]):
            skipped = nd.where(may_skip, nd.concat([edge, reached[:, :-2]], axis=1), IMPOSSIBLE)
            ways = nd.logaddexp(nd.logaddexp(reached[:, 1:], reached[:, :-1]), skipped)
            after = nd.concat([edge, steps[:, t] + ways], axis=1)
            reached = after if counts is None else nd.where(counts[:, t : t + 1], after, reached)
        ends = nd.stack([2 * n_labels, 2 * n_labels + 1], axis=1)
        losses = nd.reshape(-nd.logsumexp(nd.take_along_axis(reached, ends, axis=1), axis=1), (-1, 1, 1))
        if self.zero_infinity:
            losses = nd.where(nd.isinf(losses), 0.0, losses)
        return losses if weight is None else masked(losses, weight)

    def prepare_labels(
        self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
    ) -> nd.NDArray:
        shape = sizes_of(shape)
        n_classes = (shape[2] or 0) if len(shape) == 3 else 0
        if self.blank >= n_classes:
            raise ValueError(f"{who}: {self!r} needs sequences of more than {self.blank} outputs, given {shape}")
        check_shape(labels, ((shape[0], None),), shape, self, who)
        if labels.dtype.kind not in "iu":
            raise ValueError(f"{who}: the labels of CTCLoss are class numbers, integers; given {labels.dtype}")
        if nd.any((labels >= n_classes) | (labels == self.blank)):
            raise ValueError(
                f"{who}: the labels of CTCLoss must be below {n_classes}, the number of classes, and not {self.blank}, "
                "the blank; fill up with -1"
            )
        return nd.astype(labels, "int64")

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return nd.full((sizes_of(shape)[0], 1), 0 if self.blank else 1, dtype="int64", device="cpu")

    def _states(self, labels: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray]:
        """What the states give out, and whether the one two before may lead to them: (batch, 2 * labels + 1).

        States are the labels with a blank before, between and behind them.  And the numbers of labels: (batch,).
        """
        is_label = array("CTCLoss: labels", labels) >= 0
        given = nd.where(is_label, labels, self.blank)
        blanks, no = nd.full_like(given, self.blank), nd.zeros_like(is_label)
        differs = nd.concat([nd.ones_like(is_label[:, :1]), given[:, 1:] != given[:, :-1]], axis=1)
        size = (labels.shape[0], 2 * labels.shape[1])
        states = nd.reshape(nd.stack([blanks, given], axis=2), size)
        may_skip = nd.reshape(nd.stack([no, differs], axis=2), size)
        end = nd.full((labels.shape[0], 1), self.blank, dtype=given.dtype, device=given.device)
        n_labels = nd.sum(nd.astype(is_label, "int64"), axis=1)
        return nd.concat([states, end], axis=1), nd.concat([may_skip, end < 0], axis=1), n_labels
