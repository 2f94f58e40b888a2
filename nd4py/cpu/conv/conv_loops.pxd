# Made from conv_loops.h by the build (nd4py/_spec/render/loop_headers.py); change that.
from libc.stddef cimport ptrdiff_t

cdef extern from "conv_loops.h" nogil:
    cdef struct WindowShape:
        ptrdiff_t n_axes
        ptrdiff_t images, groups, channels, depth, height, width
        ptrdiff_t filters, kernel_d, kernel_h, kernel_w
        ptrdiff_t stride_d, stride_h, stride_w, pad_front, pad_top, pad_left, dilation_d, dilation_h, dilation_w
        ptrdiff_t out_d, out_h, out_w

    cdef struct ConvPlan:
        WindowShape shape
        ptrdiff_t taps
        ptrdiff_t band_rows, n_bands
        ptrdiff_t phase_rows
        ptrdiff_t band_planes
        ptrdiff_t n_turns
        ptrdiff_t group_slices
        ptrdiff_t part_slices, n_parts
        ptrdiff_t block, n_blocks
        ptrdiff_t n_filter_parts
        ptrdiff_t n_marks
        ptrdiff_t y_height, y_width
        ptrdiff_t spread_h, spread_w
        ptrdiff_t n_tasks
        ptrdiff_t n_prepared, n_finished
        size_t shared_bytes
        size_t scratch_bytes

    ctypedef void (*ConvStep)(const ConvPlan* plan, char* const* operands, char* shared, ptrdiff_t first,
                              ptrdiff_t end) noexcept nogil

    cdef struct ConvLoop:
        void (*plan)(const WindowShape* shape, ConvPlan* plan) noexcept nogil
        ConvStep prepare
        void (*run)(const ConvPlan* plan, char* const* operands, char* shared, char* scratch, ptrdiff_t first,
                    ptrdiff_t end) noexcept nogil
        ConvStep finish

    ctypedef void (*PoolLoop)(const WindowShape* shape, char* const* operands, ptrdiff_t first,
                              ptrdiff_t end) noexcept nogil

    enum:
        MOST_DEPTHWISE_FILTERS

    cdef struct ConvLoops:
        ConvLoop forward, input_gradient, weight_gradient
        ConvLoop depthwise, depthwise_input_gradient, depthwise_weight_gradient
        ConvLoop winograd, winograd_input_gradient, winograd_weight_gradient
        PoolLoop max_pool, max_pool_gradient, average_pool, average_pool_gradient
