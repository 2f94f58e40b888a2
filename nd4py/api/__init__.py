"""The array functions: what `import nd4py` offers, and all that the layers above may use."""

from .._core.array import NDArray
from . import (
    choosing,
    configuration,
    convolution,
    creation,
    data_types,
    diagonals,
    einstein,
    elementwise,
    gradients,
    indexing,
    inspection,
    linalg,
    linear,
    manipulation,
    memory,
    numpy_protocols,
    pickling,
    positions,
    printing,
    products,
    random,
    reductions,
    selection,
    statistics,
)
from .choosing import *  # noqa: F403
from .configuration import *  # noqa: F403
from .convolution import *  # noqa: F403
from .creation import *  # noqa: F403
from .data_types import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .einstein import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .gradients import *  # noqa: F403
from .inspection import *  # noqa: F403
from .linear import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .positions import *  # noqa: F403
from .products import *  # noqa: F403
from .reductions import *  # noqa: F403
from .selection import *  # noqa: F403
from .statistics import *  # noqa: F403

__all__ = ["NDArray", "linalg", "memory", "random"]
__all__ += choosing.__all__
__all__ += configuration.__all__
__all__ += convolution.__all__
__all__ += creation.__all__
__all__ += data_types.__all__
__all__ += diagonals.__all__
__all__ += einstein.__all__
__all__ += elementwise.__all__
__all__ += gradients.__all__
__all__ += inspection.__all__
__all__ += linear.__all__
__all__ += manipulation.__all__
__all__ += positions.__all__
__all__ += products.__all__
__all__ += reductions.__all__
__all__ += selection.__all__
__all__ += statistics.__all__
