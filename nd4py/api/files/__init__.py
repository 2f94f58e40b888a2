"""Saving arrays to files and loading them: .npy, .npz and .safetensors."""

from .saving import load, save, savez, savez_compressed

__all__ = ["load", "save", "savez", "savez_compressed"]
