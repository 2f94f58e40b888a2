from nd4py.api import NDArray as NDArray
from nd4py.api import memory as memory
from nd4py.api import random as random
from nd4py.api.configuration import *
from nd4py.api.convolution import *
from nd4py.api.creation import *
from nd4py.api.data_types import *
from nd4py.api.differences import *
from nd4py.api.elementwise import *
from nd4py.api.gradients import *
from nd4py.api.indexing import *
from nd4py.api.linear import *
from nd4py.api.manipulation import *
from nd4py.api.padding import *
from nd4py.api.rearranging import *
from nd4py.api.reductions import *
from nd4py.api.scans import *
from nd4py.api.statistics import *

__version__: str
e: float
inf: float
nan: float
newaxis: None
pi: float
