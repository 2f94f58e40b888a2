"""Discrete Fourier transforms: the array API's `fft` extension, and NumPy's transforms of two axes."""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .api.fft import *  # noqa: F403
    from .api.fft import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.api.fft", globals())
