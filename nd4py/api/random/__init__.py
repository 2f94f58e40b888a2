"""Random numbers: generators whose streams depend on a seed alone, not on the number of threads.

`Generator` is the thing to use: it has a seed, and its state can be saved.  The functions beside it draw from one
generator that the process shares.
"""

from . import generator, shared
from .generator import *  # noqa: F403
from .shared import *  # noqa: F403

__all__ = [*generator.__all__, *shared.__all__]
