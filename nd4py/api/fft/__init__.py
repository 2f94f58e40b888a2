"""Discrete Fourier transforms: the array API's `fft` extension, and NumPy's transforms of two axes.

The files, as the build lists them:

- fourier.py: Discrete Fourier transforms: the array API's `fft` extension, and NumPy's transforms of two axes.
- tracked_transforms.py: Discrete Fourier transforms on the tape.
"""

from .fourier import (
    fft,
    fft2,
    fftfreq,
    fftn,
    fftshift,
    hfft,
    ifft,
    ifft2,
    ifftn,
    ifftshift,
    ihfft,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftfreq,
    rfftn,
)

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
