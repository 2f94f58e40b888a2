from nd4py.cpu.program cimport Program

cdef void fuse_steps(Program* program) noexcept
