"""NumPy's place for functions that are not for every day: `nd4py.lib.stride_tricks`.

The files, as the build lists them:

- stride_tricks.py: Views with any strides: as_strided and sliding_window_view.
"""

from typing import TYPE_CHECKING

from .._core.lazy_modules import LazyModule

if TYPE_CHECKING:
    from . import stride_tricks as stride_tricks
else:
    stride_tricks = LazyModule(f"{__package__}.stride_tricks", globals())

__all__ = ["stride_tricks"]
