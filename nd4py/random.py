"""Random numbers: generators whose streams depend on a seed alone, not on the number of threads.

`Generator` is the thing to use: it has a seed, and its state can be saved.  The functions beside it are the methods of
one generator that the whole process shares.  Threads may call them at the same time; each gets numbers of its own, but
which ones depends on timing.  The generator gets its seed when the first of them is asked for: a child made by fork
continues from where its parent was, or has a seed of its own where the parent never asked.
"""

from typing import TYPE_CHECKING

from ._core.lazy_modules import names_at_first_use

if TYPE_CHECKING:
    from .api.random import *  # noqa: F403
    from .api.random import __all__ as __all__
else:
    __getattr__, __dir__ = names_at_first_use("nd4py.api.random", globals())
