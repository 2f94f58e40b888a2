"""Labels and outputs as evaluations take them: a row for each example, or step of a sequence, that counts."""

from typing import Any

from nd4py import api as nd


def comparable(labels: Any, outputs: nd.NDArray, mask: Any, features_mask: Any = None) -> tuple[Any, nd.NDArray]:
    """Labels and outputs, of sequences and images with a row for each step or pixel, without those that are masked.

    mask: of the labels, with the first axes of the outputs, or None
    features_mask: is used where there is no other, if the outputs still have the steps of the features
    Raises ValueError for a mask of the labels of another size.
    """
    is_stated = mask is not None
    mask = mask if is_stated else features_mask
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
    if counts.shape[0] != outputs.shape[0] and not is_stated:
        return labels, outputs
    if counts.shape[0] != outputs.shape[0]:
        raise ValueError(
            f"evaluate: the mask has {counts.shape[0]} elements and the outputs have {outputs.shape[0]} rows; give a "
            "mask with one number for each example, or for each step of each sequence"
        )
    which = nd.nonzero(counts)[0]
    return nd.take(labels, which, axis=0), nd.take(outputs, which, axis=0)
