from libc.stddef cimport ptrdiff_t

cdef extern from "conv_loops.h" nogil:
    cdef struct WindowShape:
        ptrdiff_t images, groups, channels, height, width
        ptrdiff_t filters, kernel_h, kernel_w
        ptrdiff_t stride_h, stride_w, pad_top, pad_left, dilation_h, dilation_w
        ptrdiff_t out_h, out_w

    cdef struct ConvPlan:
        ptrdiff_t n_tasks, n_prepared, n_finished
        size_t shared_bytes
        size_t scratch_bytes

    ctypedef void (*ConvStep)(const ConvPlan* plan, char** operands, char* shared, ptrdiff_t first,
                              ptrdiff_t end) noexcept nogil

    cdef struct ConvLoop:
        void (*plan)(const WindowShape* shape, ConvPlan* plan) noexcept nogil
        ConvStep prepare
        void (*run)(const ConvPlan* plan, char** operands, char* shared, char* scratch, ptrdiff_t first,
                    ptrdiff_t end) noexcept nogil
        ConvStep finish

    ctypedef void (*PoolLoop)(const WindowShape* shape, char** operands, ptrdiff_t first, ptrdiff_t end) noexcept nogil

    cdef struct ConvLoops:
        ConvLoop forward
        ConvLoop input_gradient
        ConvLoop weight_gradient
        PoolLoop max_pool
        PoolLoop max_pool_gradient
        PoolLoop average_pool
        PoolLoop average_pool_gradient
