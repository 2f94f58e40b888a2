from nd4py.cpu.program.program cimport FusedRun, Tile

cdef void run_short_rows(Tile* tile, const FusedRun* run, int number) noexcept nogil
cdef bint run_masked_rest(Tile* tile, const FusedRun* run, Py_ssize_t done) noexcept nogil
