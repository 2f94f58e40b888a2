from nd4py._core.plan cimport Plan
from nd4py.cpu.tiles cimport MapCall

# What computes the elements of the last operand of a plan, which has no memory.
cdef struct Source:
    const Plan* plan
    const MapCall* call

cdef void produce(const Source* source, Py_ssize_t first, Py_ssize_t n, char* to) noexcept nogil
