"""Operands of losses: outputs first, labels last."""

from __future__ import annotations

from typing import Any

from .autodiff.nodes import is_array


def with_labels_last(name: str, x: Any, labels: Any) -> tuple[Any, Any]:
    """Both operands.  Raises TypeError or ValueError for labels given where outputs belong, or class
    numbers where rows of probabilities belong."""
    if is_array(x) and is_array(labels):
        if x.dtype.kind not in "fc" and labels.dtype.kind == "f":
            raise TypeError(
                f"{name}: x, what a model puts out, comes first and labels last; given {x.dtype} before {labels.dtype}"
            )
        if labels.dtype.kind in "iu" and labels.ndim == x.ndim - 1:
            raise ValueError(
                f"{name}: labels have the shape of x, {x.shape}; given {labels.dtype} of shape {labels.shape}; turn "
                f"class numbers into rows first, nd4py.one_hot(labels, {x.shape[-1]})"
            )
    return x, labels
