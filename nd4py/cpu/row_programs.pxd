from nd4py._core.plan cimport Plan
from nd4py.cpu.tiles cimport MapCall

cdef int run_row_program(Plan* plan, const MapCall* call) except -1
