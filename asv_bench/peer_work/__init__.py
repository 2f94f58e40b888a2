"""The work that `peers.py` compares: one row each, in families; a family is a module."""

from . import chains, elementwise, images, layouts, moving, normalizations, products, reductions, small
from .work import Work

WORK = (
    *small.rows(),
    *elementwise.rows(),
    *chains.rows(),
    *layouts.rows(),
    *reductions.rows(),
    *normalizations.rows(),
    *products.rows(),
    *images.rows(),
    *moving.rows(),
)
__all__ = ["WORK", "Work"]
