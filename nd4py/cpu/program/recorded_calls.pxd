from nd4py._core.graphs.launch_recording cimport Launch
from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.elementwise.map cimport MapCall

cdef int add_call(Launch launch, const MapCall* call) except -1
cdef int add_plan(Launch launch, const Plan* plan, int n_in) except -1
