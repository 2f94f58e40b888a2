from nd4py.cpu.program.program cimport Program

cdef void fuse_steps(Program* program, bint joins_reductions) noexcept
