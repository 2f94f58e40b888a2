from nd4py.api import NDArray as NDArray
from nd4py.api import memory as memory
from nd4py.api import random as random
from nd4py.api.choosing import *
from nd4py.api.configuration import *
from nd4py.api.convolution import *
from nd4py.api.creation import *
from nd4py.api.data_types import *
from nd4py.api.elementwise import *
from nd4py.api.gradients import *
from nd4py.api.indexing import *
from nd4py.api.inspection import *
from nd4py.api.linear import *
from nd4py.api.manipulation import *
from nd4py.api.reductions import *
from nd4py.api.statistics import *

__array_api_version__: str
__version__: str
e: float
inf: float
nan: float
newaxis: None
pi: float
