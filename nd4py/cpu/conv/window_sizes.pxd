from nd4py._core.array.array cimport NDArray
from nd4py.cpu.conv.conv_loops cimport ConvLoops, WindowShape


cdef class Window:
    cdef WindowShape shape


cdef const ConvLoops* conv_loops(NDArray x) noexcept
cdef NDArray new_images(int number, Py_ssize_t images, Py_ssize_t channels, Py_ssize_t height, Py_ssize_t width)
