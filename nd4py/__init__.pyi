from nd4py import cuda as cuda
from nd4py import fft as fft
from nd4py import linalg as linalg
from nd4py import memory as memory
from nd4py import random as random
from nd4py.api import NDArray as NDArray
from nd4py.api.adding import *
from nd4py.api.along_axis import *
from nd4py.api.calculus import *
from nd4py.api.choosing import *
from nd4py.api.combination import *
from nd4py.api.comparisons import *
from nd4py.api.configuration import *
from nd4py.api.constants import *
from nd4py.api.convolution import *
from nd4py.api.correlation import *
from nd4py.api.data_types import *
from nd4py.api.diagonals import *
from nd4py.api.differences import *
from nd4py.api.einstein import *
from nd4py.api.elementwise import *
from nd4py.api.encoding import *
from nd4py.api.files import *
from nd4py.api.gradients import *
from nd4py.api.grids import *
from nd4py.api.histograms import *
from nd4py.api.inspection import *
from nd4py.api.interpolation import *
from nd4py.api.linear import *
from nd4py.api.manipulation import *
from nd4py.api.nan_reductions import *
from nd4py.api.normalization import *
from nd4py.api.padding import *
from nd4py.api.placed import *
from nd4py.api.polynomials import *
from nd4py.api.positions import *
from nd4py.api.products import *
from nd4py.api.putting import *
from nd4py.api.quantiles import *
from nd4py.api.rearranging import *
from nd4py.api.reductions import *
from nd4py.api.repeating import *
from nd4py.api.scans import *
from nd4py.api.searching import *
from nd4py.api.selection import *
from nd4py.api.sets import *
from nd4py.api.sorting import *
from nd4py.api.statistics import *
from nd4py.api.workspaces import *

__array_api_version__: str
__version__: str
e: float
inf: float
nan: float
newaxis: None
pi: float
