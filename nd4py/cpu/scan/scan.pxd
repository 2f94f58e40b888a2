from nd4py._core.array.array cimport NDArray
from nd4py.cpu.isa.isa cimport ScanLoops

cdef int run_scan(const ScanLoops* loops, NDArray x, int axis, NDArray y) except -1
cdef int run_pull(const ScanLoops* loops, NDArray g, NDArray x, NDArray y, NDArray gradient) except -1
