"""Labels and outputs as evaluations take them: a row for each example, or step of a sequence, that counts."""

from typing import Any

from nd4py import api as nd


def comparable(labels: Any, outputs: nd.NDArray, mask: Any) -> tuple[Any, nd.NDArray]:
    """Labels and outputs, of sequences and images with a row for each step or pixel, without those that are masked.

    mask: with the first axes of the outputs, or None
    """
    if isinstance(mask, tuple | list):
        mask = mask[0]
    labels, outputs = nd.asarray(labels, device="cpu"), nd.asarray(outputs, device="cpu")
    if outputs.ndim > 3:  # the channels of images last
        outputs = nd.moveaxis(outputs, 1, -1)
        labels = nd.moveaxis(labels, 1, -1) if labels.ndim == outputs.ndim else labels
    if outputs.ndim > 2:
        labels = labels.reshape((-1, labels.shape[-1])) if labels.ndim == outputs.ndim else labels.reshape(-1)
        outputs = outputs.reshape((-1, outputs.shape[-1]))
    if mask is None:
        return labels, outputs
    counts = nd.asarray(mask, device="cpu").reshape(-1)
    if counts.shape[0] != outputs.shape[0]:
        return labels, outputs
    which = nd.nonzero(counts)[0]
    return nd.take(labels, which, axis=0), nd.take(outputs, which, axis=0)
