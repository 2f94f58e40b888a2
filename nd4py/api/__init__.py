"""The array functions: what `import nd4py` offers, and all that the layers above may use."""

from typing import TYPE_CHECKING

from .._core.array import NDArray
from .._core.lazy import LazyModule
from . import (
    adding,
    along_axis,
    calculus,
    choosing,
    combination,
    comparisons,
    configuration,
    constants,
    convolution,
    correlation,
    data_types,
    device_assignment,
    device_indexing,
    diagonals,
    differences,
    einstein,
    elementwise,
    encoding,
    files,
    gradients,
    grids,
    histograms,
    indexing,
    inspection,
    interpolation,
    linear,
    manipulation,
    nan_reductions,
    normalization,
    numpy_protocols,
    padding,
    pickling,
    placed,
    polynomials,
    positions,
    printing,
    products,
    putting,
    quantiles,
    rearranging,
    reductions,
    repeating,
    scans,
    searching,
    selection,
    sets,
    sorting,
    statistics,
    workspaces,
    zero_products,
)
from .adding import *  # noqa: F403
from .along_axis import *  # noqa: F403
from .calculus import *  # noqa: F403
from .choosing import *  # noqa: F403
from .combination import *  # noqa: F403
from .comparisons import *  # noqa: F403
from .configuration import *  # noqa: F403
from .constants import *  # noqa: F403
from .convolution import *  # noqa: F403
from .correlation import *  # noqa: F403
from .data_types import *  # noqa: F403
from .diagonals import *  # noqa: F403
from .differences import *  # noqa: F403
from .einstein import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .encoding import *  # noqa: F403
from .files import *  # noqa: F403
from .gradients import *  # noqa: F403
from .grids import *  # noqa: F403
from .histograms import *  # noqa: F403
from .inspection import *  # noqa: F403
from .interpolation import *  # noqa: F403
from .linear import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .nan_reductions import *  # noqa: F403
from .normalization import *  # noqa: F403
from .padding import *  # noqa: F403
from .placed import *  # noqa: F403
from .polynomials import *  # noqa: F403
from .positions import *  # noqa: F403
from .products import *  # noqa: F403
from .putting import *  # noqa: F403
from .quantiles import *  # noqa: F403
from .rearranging import *  # noqa: F403
from .reductions import *  # noqa: F403
from .repeating import *  # noqa: F403
from .scans import *  # noqa: F403
from .searching import *  # noqa: F403
from .selection import *  # noqa: F403
from .sets import *  # noqa: F403
from .sorting import *  # noqa: F403
from .statistics import *  # noqa: F403
from .workspaces import *  # noqa: F403

if TYPE_CHECKING:
    from . import fft, linalg, memory, random
else:
    fft = LazyModule(f"{__package__}.fft", globals())
    linalg = LazyModule(f"{__package__}.linalg", globals())
    memory = LazyModule(f"{__package__}.memory", globals())
    random = LazyModule(f"{__package__}.random", globals())

__all__ = ["NDArray"]
__all__ += adding.__all__
__all__ += along_axis.__all__
__all__ += calculus.__all__
__all__ += choosing.__all__
__all__ += combination.__all__
__all__ += comparisons.__all__
__all__ += configuration.__all__
__all__ += constants.__all__
__all__ += convolution.__all__
__all__ += correlation.__all__
__all__ += data_types.__all__
__all__ += diagonals.__all__
__all__ += differences.__all__
__all__ += einstein.__all__
__all__ += elementwise.__all__
__all__ += encoding.__all__
__all__ += files.__all__
__all__ += gradients.__all__
__all__ += grids.__all__
__all__ += histograms.__all__
__all__ += inspection.__all__
__all__ += interpolation.__all__
__all__ += linear.__all__
__all__ += manipulation.__all__
__all__ += nan_reductions.__all__
__all__ += normalization.__all__
__all__ += padding.__all__
__all__ += placed.__all__
__all__ += polynomials.__all__
__all__ += positions.__all__
__all__ += products.__all__
__all__ += putting.__all__
__all__ += quantiles.__all__
__all__ += rearranging.__all__
__all__ += repeating.__all__
__all__ += reductions.__all__
__all__ += scans.__all__
__all__ += searching.__all__
__all__ += selection.__all__
__all__ += sets.__all__
__all__ += sorting.__all__
__all__ += statistics.__all__
__all__ += workspaces.__all__
