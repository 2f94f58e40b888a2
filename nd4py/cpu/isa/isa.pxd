from libc.stdint cimport int64_t
from nd4py.cpu.conv.conv_loops cimport ConvLoops
from nd4py.cpu.matmul.product_loops cimport ProductLoop
from nd4py.cpu.sort.sort_loops cimport SortTable

cdef extern from "loops.h" nogil:
    ctypedef void (*MapLoop)(char** p, const Py_ssize_t* s, Py_ssize_t n, const double* params) noexcept nogil
    ctypedef void (*CastLoop)(const char* from_, Py_ssize_t from_stride, char* to, Py_ssize_t to_stride,
                              Py_ssize_t n) noexcept nogil

    ctypedef void (*StridedCopyLoop)(const char* x, Py_ssize_t x_row, Py_ssize_t x_column, char* y, Py_ssize_t y_row,
                                     Py_ssize_t y_column, Py_ssize_t n_rows, Py_ssize_t n_columns) noexcept nogil

    cdef struct FusedStep:
        Py_ssize_t code
        char* at
        Py_ssize_t stride

    cdef enum:
        FUSED_LOAD
        FUSED_STORE
        FUSED_SECOND
        FUSED_VALUE
        FUSED_STREAM
        FUSED_FETCH
        FUSED_ROWS
        FUSED_VECTORS
        REDUCED_SHORT
        SHORT_ROW_ELEMENTS
        REDUCED_SEGMENT

    ctypedef void (*FusedLoop)(FusedStep* steps, Py_ssize_t n_steps, Py_ssize_t n_blocks) noexcept nogil
    ctypedef void (*FusedBlocks)(FusedStep* steps, Py_ssize_t n_steps, Py_ssize_t n_blocks, void* lanes) noexcept nogil

    cdef struct ReduceLoops:
        Py_ssize_t acc_size
        void (*init)(char* acc, Py_ssize_t n) noexcept nogil
        void (*along)(const char* x, Py_ssize_t line_stride, Py_ssize_t n_lines, Py_ssize_t stride, Py_ssize_t n,
                      char* acc) noexcept nogil
        void (*across)(const char* x, Py_ssize_t row_stride, Py_ssize_t n_rows, Py_ssize_t column_stride,
                       Py_ssize_t n_columns, char* acc) noexcept nogil
        void (*merge)(char* into, const char* from_, Py_ssize_t n) noexcept nogil
        void (*finish)(const char* acc, Py_ssize_t n, Py_ssize_t count, char* y, Py_ssize_t y_stride) noexcept nogil
        void (*fused)(FusedBlocks run, FusedStep* steps, Py_ssize_t n_steps, const char* rest, Py_ssize_t n,
                      char* acc) noexcept nogil
        Py_ssize_t join
        Py_ssize_t wide
        void (*join_rows)(const char* lanes, Py_ssize_t n, char* acc) noexcept nogil

    cdef struct ShortRows:
        Py_ssize_t line_bytes
        Py_ssize_t per_row, rows_of_period

    cdef struct RowRuns:
        void (*find)(Py_ssize_t n, ShortRows* rows) noexcept nogil
        void (*run)(FusedStep* steps, Py_ssize_t n_steps, const ShortRows* rows, Py_ssize_t n_rows,
                    const ReduceLoops* reduction, char* acc) noexcept nogil

    cdef struct ArgReduceLoops:
        Py_ssize_t acc_size
        void (*init)(char* acc, Py_ssize_t n) noexcept nogil
        void (*along)(const char* x, Py_ssize_t line_stride, Py_ssize_t n_lines, Py_ssize_t stride, Py_ssize_t n,
                      int64_t first, char* acc) noexcept nogil
        void (*across)(const char* x, Py_ssize_t row_stride, Py_ssize_t n_rows, Py_ssize_t column_stride,
                       Py_ssize_t n_columns, int64_t first, char* acc) noexcept nogil
        void (*merge)(char* into, const char* from_, Py_ssize_t n) noexcept nogil
        void (*finish)(const char* acc, Py_ssize_t n, char* y, Py_ssize_t y_stride) noexcept nogil

    cdef struct ScanLoops:
        Py_ssize_t acc_size
        void (*init)(char* acc) noexcept nogil
        void (*along)(const char* x, Py_ssize_t x_stride, Py_ssize_t n, char* y, Py_ssize_t y_stride,
                      const char* before, char* total) noexcept nogil
        void (*sum_up)(const char* x, Py_ssize_t stride, Py_ssize_t n, char* total) noexcept nogil
        void (*merge)(char* into, const char* from_) noexcept nogil
        void (*across)(const char* x, Py_ssize_t x_row, Py_ssize_t x_column, Py_ssize_t n_rows, Py_ssize_t n_columns,
                       char* y, Py_ssize_t y_row, Py_ssize_t y_column, bint is_first, char* before) noexcept nogil
        void (*initial)(char* y) noexcept nogil
        void (*pull)(const char* g, const char* x, const char* y, Py_ssize_t n, char* gradient) noexcept nogil

    ctypedef const void* RowLoops[15]

    cdef struct NormalizeLines:
        Py_ssize_t n
        Py_ssize_t x_step
        Py_ssize_t y_step
        double epsilon
        const void* scale
        const void* bias
        bint streams

    cdef struct NormalizeLoops:
        Py_ssize_t itemsize
        Py_ssize_t strip
        const ReduceLoops* measures
        void (*along)(const char* x, Py_ssize_t line_stride, Py_ssize_t n_lines, char* y, Py_ssize_t y_line_stride,
                      const NormalizeLines* call, char* room) noexcept nogil
        void (*short_lines)(const char* x, Py_ssize_t line_stride, Py_ssize_t n_lines, char* y,
                            Py_ssize_t y_line_stride, const NormalizeLines* call, char* room) noexcept nogil
        void (*across)(const char* x, Py_ssize_t column_stride, Py_ssize_t n_columns, char* y,
                       Py_ssize_t y_column_stride, const NormalizeLines* call, char* room) noexcept nogil
        void (*find_coefficients)(const char* acc, Py_ssize_t n, Py_ssize_t count, const NormalizeLines* call,
                                  char* known) noexcept nogil
        void (*apply)(const char* x, Py_ssize_t n_rows, Py_ssize_t n_columns, char* y, const NormalizeLines* call,
                      const char* known) noexcept nogil

    cdef struct ReduceTable:
        const RowLoops* rows
        FusedLoop fused[2]
        FusedBlocks blocks[2]
        Py_ssize_t block_bytes
        RowRuns row_runs[2]

    cdef struct MeasureTable:
        const ReduceLoops* variance[2]
        const ReduceLoops* log_sum_exp[2]
        const NormalizeLoops* normalize[3][2]

    cdef struct FamilyTable:
        const char* hash
        const void* table

    cdef struct MoveTable:
        const CastLoop (*cast)[15]
        const StridedCopyLoop* strided_copies
        const StridedCopyLoop* streamed_copies
        void (*stream)(const char* from_, char* to, Py_ssize_t n_bytes) noexcept nogil
        void (*finish_streams)() noexcept nogil

# The loops of all families.
cdef struct LoopTable:
    const RowLoops* rows
    const CastLoop (*cast)[15]
    const StridedCopyLoop* strided_copies
    const StridedCopyLoop* streamed_copies
    void (*stream)(const char* from_, char* to, Py_ssize_t n_bytes) noexcept nogil
    void (*finish_streams)() noexcept nogil
    const ReduceTable* reductions        # whose rows are a part of `rows`
    const MeasureTable* measures
    const ConvLoops* conv                # float32, float64
    const ProductLoop* products          # of the real floating dtypes, in their order
    const SortTable* sort

cdef LoopTable loops                     # of the chosen instruction set
cdef const void* loops_of_family(str family) except NULL
