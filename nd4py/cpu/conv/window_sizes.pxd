from nd4py._core.array.array cimport NDArray
from nd4py.cpu.conv.conv_loops cimport ConvLoops, WindowShape


cdef class Window:
    cdef WindowShape shape

    cdef tuple in_axes(self, Py_ssize_t depth, Py_ssize_t height, Py_ssize_t width)


cdef inline Py_ssize_t multiplications(const WindowShape* s) noexcept nogil:
    """Of one direction of a convolution."""
    return (s.images * s.groups * s.filters * s.out_d * s.out_h * s.out_w * s.channels * s.kernel_d * s.kernel_h *
            s.kernel_w)


cdef const ConvLoops* conv_loops(NDArray x) noexcept
cdef NDArray new_images(int number, tuple sizes)
