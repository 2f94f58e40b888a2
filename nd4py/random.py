"""Random numbers; see `nd4py.random.Generator`."""

from nd4py.api.random import *  # noqa: F403
from nd4py.api.random import __all__ as __all__
