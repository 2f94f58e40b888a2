from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.elementwise.map cimport MapCall

cdef int run_row_program(Plan* plan, const MapCall* call) except -1
