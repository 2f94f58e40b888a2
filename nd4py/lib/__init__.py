"""NumPy's place for functions that are not for every day: `nd4py.lib.stride_tricks`.

The files, as the build lists them:

- stride_tricks.py: Views with any strides: as_strided and sliding_window_view.
"""

from . import stride_tricks

__all__ = ["stride_tricks"]
