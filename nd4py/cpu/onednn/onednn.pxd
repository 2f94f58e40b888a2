from nd4py.cpu.conv.conv_loops cimport WindowShape

cdef enum Direction:
    FORWARD = 0
    INPUT_GRADIENT = 1
    WEIGHT_GRADIENT = 2

cdef bint helper_convolves(const WindowShape* shape, int direction, char** operands, bint has_bias,
                           bint is_tiled) except -1
