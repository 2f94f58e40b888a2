"""nd4py: arrays, gradients and networks whose operations are rows of one table."""

import sys as _sys
from math import e, inf, nan, pi

from . import api, fft, lib, linalg, memory, random, testing
from ._core.lazy.deferred import DeferredArray as _DeferredArray
from ._core.lazy_modules import LateFunctions as _LateFunctions
from ._core.lazy_modules import LazyModule as _LazyModule
from ._core.public_types import name_type as _name_type
from ._core.public_types import name_types as _name_types
from ._core.upcalls import check_filled as _check_filled
from ._core.upcalls import fill as _fill
from .api.interop.registrations import register_when_imported as _register_when_imported

__version__ = "0.1.0"
__array_api_version__ = "2025.12"
cuda = _LazyModule("nd4py.cuda", globals())
data = _LazyModule("nd4py.data", globals())
emath = _LazyModule("nd4py.emath", globals())
keras = _LazyModule("nd4py.keras", globals())
nn = _LazyModule("nd4py.nn", globals())
onnx = _LazyModule("nd4py.onnx", globals())
parallel = _LazyModule("nd4py.parallel", globals())
polynomial = _LazyModule("nd4py.polynomial", globals())
serve = _LazyModule("nd4py.serve", globals())
sklearn = _LazyModule("nd4py.sklearn", globals())
torch = _LazyModule("nd4py.torch", globals())
train = _LazyModule("nd4py.train", globals())
zoo = _LazyModule("nd4py.zoo", globals())
_absent_names = _LazyModule("nd4py.api.absent_names", globals())
euler_gamma = 0.5772156649015329
newaxis = None
__all__ = [
    *api.__all__,
    "e",
    "emath",
    "euler_gamma",
    "fft",
    "inf",
    "lib",
    "linalg",
    "memory",
    "nan",
    "newaxis",
    "pi",
    "polynomial",
    "random",
    "testing",
]


def _namespace(api_version):
    """This package, for arrays' `__array_namespace__`.  Raises ValueError for another revision of the standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", __array_api_version__):
        raise ValueError(f"nd4py follows the array API up to {__array_api_version__}, asked for {api_version!r}")
    return _sys.modules[__name__]


def __getattr__(name):
    """A function of `api` whose file is imported when it is first used."""
    if name not in __all__:
        raise AttributeError(_absent_names.why_absent(name))
    found = globals()[name] = getattr(api, name)
    return found


def __dir__():
    return sorted({*globals(), *__all__})


globals().update({name: vars(api)[name] for name in api.__all__ if name in vars(api)})
_name_types(globals(), __name__)
_name_type(_DeferredArray, __name__, "NDArray")
_fill(namespace=_namespace, functions=_LateFunctions(api))
_check_filled()
_register_when_imported()
