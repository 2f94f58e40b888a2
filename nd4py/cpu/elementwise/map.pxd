from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.parallel.tiles cimport MapCall

cdef enum:
    CHUNK = 32768

cdef int run_map(Plan* plan, const MapCall* call) except -1
