"""Linear algebra: the array API's extension, and what NumPy has besides."""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .api.linalg import *  # noqa: F403
    from .api.linalg import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.api.linalg", globals())
