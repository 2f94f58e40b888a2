"""NumPy's place for functions that are not for every day: `nd4py.lib.stride_tricks`, `nd4py.emath`.

The files, as the build lists them:

- scimath.py: Functions whose results are complex where no real number is one: the square root of -1 is 1j.
- stride_tricks.py: Views with any strides: as_strided and sliding_window_view.
"""

from typing import TYPE_CHECKING

from .._core.lazy_modules import LazyModule

if TYPE_CHECKING:
    from . import scimath as scimath
    from . import stride_tricks as stride_tricks
else:
    scimath = LazyModule(f"{__package__}.scimath", globals())
    stride_tricks = LazyModule(f"{__package__}.stride_tricks", globals())

__all__ = ["scimath", "stride_tricks"]
