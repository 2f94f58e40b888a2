"""Saving arrays to files and loading them: .npy, .npz and .safetensors.

The files, as the build lists them:

- content.py: Contents of files: elements read into new arrays, or mapped into memory.
- event_files.py: The event files that TensorBoard reads: scalars, histograms, images, graphs and pages of text.
- npy.py: NumPy's formats: .npy, one array, and .npz, a zip of them.
- png_images.py: PNG images of arrays, without a package for images: https://www.w3.org/TR/png-3/.
- replacing.py: Atomic replacement of files: a file is replaced only when the new one is complete.
- safetensors.py: The safetensors format: a header of text that says where each array lies, then the arrays.
- saving.py: save, load and savez: the format by the file's name, and the file.
- text_files.py: Arrays in text files and raw binary ones: loadtxt, savetxt, genfromtxt, fromregex, fromfile and memmap.
"""

from .saving import load, save, savez, savez_compressed
from .text_files import fromfile, fromregex, genfromtxt, loadtxt, memmap, savetxt

__all__ = [
    "fromfile",
    "fromregex",
    "genfromtxt",
    "load",
    "loadtxt",
    "memmap",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
]
