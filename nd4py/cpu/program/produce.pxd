from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.isa.isa cimport ReduceLoops
from nd4py.cpu.elementwise.map cimport MapCall

# What computes the elements of the last operand of a plan, which has no memory.
cdef struct Source:
    const Plan* plan
    const MapCall* call

cdef void produce(const Source* source, Py_ssize_t first, Py_ssize_t n, char* to) noexcept nogil
cdef bint can_reduce_produced(const Source* source, const ReduceLoops* reduction) noexcept
cdef void reduce_produced(const Source* source, const ReduceLoops* reduction, Py_ssize_t first, Py_ssize_t n,
                          char* acc) noexcept nogil
