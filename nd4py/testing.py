"""Assertions about arrays for tests: NumPy's, on nd4py's arrays."""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .api.testing import *  # noqa: F403
    from .api.testing import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.api.testing", globals())
