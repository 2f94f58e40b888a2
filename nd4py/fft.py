"""Discrete Fourier transforms; see `nd4py.fft.fft`."""

from nd4py.api.fft import *  # noqa: F403
from nd4py.api.fft import __all__ as __all__
