"""Saving arrays to files and loading them: .npy, .npz and .safetensors.

The files, as the build lists them:

- content.py: What a file holds: elements read into new arrays, or seen where they lie in a memory map.
- npy.py: NumPy's formats: .npy, one array, and .npz, a zip of them.
- replacing.py: Files that take the place of older ones only when they are complete.
- safetensors.py: The safetensors format: a header of text that says where each array lies, then the arrays.
- saving.py: nd4py.save, nd4py.load and NumPy's savez: which format, which file, and what is in it.
"""

from .saving import load, save, savez, savez_compressed

__all__ = ["load", "save", "savez", "savez_compressed"]
