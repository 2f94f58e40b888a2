"""Functions whose results are complex where no real number is one: the square root of -1 is 1j."""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .lib.scimath import *  # noqa: F403
    from .lib.scimath import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.lib.scimath", globals())
