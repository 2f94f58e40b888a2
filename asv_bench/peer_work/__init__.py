"""The work that `peers.py` compares: one row each, in families; a family is a module."""

from . import (
    by_hand,
    chains,
    elementwise,
    foreign,
    images,
    layouts,
    moving,
    networks,
    normalizations,
    products,
    reductions,
    small,
)
from .work import Work

WORK = (
    *small.rows(),
    *elementwise.rows(),
    *chains.rows(),
    *foreign.rows(),
    *by_hand.rows(),
    *layouts.rows(),
    *reductions.rows(),
    *normalizations.rows(),
    *products.rows(),
    *images.rows(),
    *moving.rows(),
    *networks.rows(),
)
__all__ = ["WORK", "Work"]
