"""Saving arrays to files and loading them: .npy, .npz and .safetensors."""

from . import saving
from .saving import *  # noqa: F403

__all__ = saving.__all__
