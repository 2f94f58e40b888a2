from nd4py._core.array.array cimport NDArray
from nd4py.cpu.conv.conv_loops cimport ConvLoops, WindowShape


cdef class Window:
    cdef WindowShape shape
    cdef bint is_flat                    # windows over images, which have no depth

    cdef tuple flat(self, Py_ssize_t depth, Py_ssize_t height, Py_ssize_t width)


cdef const ConvLoops* conv_loops(NDArray x) noexcept
cdef NDArray new_images(int number, tuple sizes)
