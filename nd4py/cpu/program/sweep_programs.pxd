from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.elementwise.map cimport MapCall
from nd4py.cpu.program.program cimport Program, Rows

cdef void choose_sweep_tile(Program* program, const Rows* rows) noexcept
cdef int run_sweep_program(Plan* plan, const MapCall* call, int first_reduced, int end_reduced) except -1
