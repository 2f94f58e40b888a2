"""What the memory pool holds, its limits, and tools that show where memory goes."""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .api.memory import *  # noqa: F403
    from .api.memory import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.api.memory", globals())
