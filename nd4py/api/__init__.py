"""The array functions: what `import nd4py` offers, and all that the layers above may use."""

from .._core.array import NDArray
from . import (
    configuration,
    convolution,
    creation,
    data_types,
    elementwise,
    gradients,
    indexing,
    linear,
    manipulation,
    memory,
    printing,
    random,
    reductions,
    searching,
    sets,
    sorting,
    statistics,
)
from .configuration import *  # noqa: F403
from .convolution import *  # noqa: F403
from .creation import *  # noqa: F403
from .data_types import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .gradients import *  # noqa: F403
from .indexing import *  # noqa: F403
from .linear import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .reductions import *  # noqa: F403
from .searching import *  # noqa: F403
from .sets import *  # noqa: F403
from .sorting import *  # noqa: F403
from .statistics import *  # noqa: F403

__all__ = ["NDArray", "memory", "random"]
__all__ += configuration.__all__
__all__ += convolution.__all__
__all__ += creation.__all__
__all__ += data_types.__all__
__all__ += elementwise.__all__
__all__ += gradients.__all__
__all__ += indexing.__all__
__all__ += linear.__all__
__all__ += manipulation.__all__
__all__ += reductions.__all__
__all__ += searching.__all__
__all__ += sets.__all__
__all__ += sorting.__all__
__all__ += statistics.__all__
