"""`import nd4py.linalg`: the functions of nd4py.api.linalg."""

from .api.linalg import *  # noqa: F403
from .api.linalg import __all__ as __all__
