from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.parallel.tiles cimport MapCall

cdef int run_block_program(Plan* plan, const MapCall* call, int first_reduced, int end_reduced) except -1
