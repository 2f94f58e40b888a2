"""nd4py: arrays, gradients and networks whose operations are rows of one table."""

import sys as _sys
from math import e, inf, nan, pi

from . import api, fft, lib, linalg, memory, random, testing
from ._core.lazy_modules import LateFunctions as _LateFunctions
from ._core.lazy_modules import LazyModule as _LazyModule
from ._core.upcalls import check_filled as _check_filled
from ._core.upcalls import fill as _fill

__version__ = "0.1.0"
__array_api_version__ = "2025.12"
cuda = _LazyModule("nd4py.cuda", globals())
newaxis = None
__all__ = [*api.__all__, "e", "fft", "inf", "lib", "linalg", "memory", "nan", "newaxis", "pi", "random", "testing"]


def _namespace(api_version):
    """This package, for arrays' `__array_namespace__`.  Raises ValueError for another revision of the standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", __array_api_version__):
        raise ValueError(f"nd4py follows the array API up to {__array_api_version__}, asked for {api_version!r}")
    return _sys.modules[__name__]


def __getattr__(name):
    """A function of `api` whose file is imported when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'nd4py' has no attribute {name!r}")
    found = globals()[name] = getattr(api, name)
    return found


def __dir__():
    return sorted({*globals(), *__all__})


globals().update({name: vars(api)[name] for name in vars(api).keys() & set(api.__all__)})
_fill(namespace=_namespace, functions=_LateFunctions(api))
_check_filled()
