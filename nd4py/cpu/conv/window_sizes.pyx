"""Sizes of sliding windows, checked, for convolution and pooling."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py.cpu.conv.conv_loops cimport ConvLoops
from nd4py.cpu.isa.isa cimport loops

cdef enum:
    LARGEST = 2147483647                 # of any size but the image's: keeps products of two of them in 64 bits


cdef class Window:
    """Windows of `kernel` (height, width) over x (images, channels, height, width); `filters` results at each position.

    Channels and filters are cut into `groups` of equal size; the filters of one see the channels of one.
    padding: (top, bottom, left, right).  The window spans (kernel - 1) * dilation + 1 elements per axis.
    Raises ValueError, naming `who`, where the window is larger than the padded image.
    """

    def __init__(
        self,
        who: str,
        x_shape: Shape,
        filters: int,
        kernel: Shape,
        stride: Shape,
        padding: Shape,
        dilation: Shape,
        groups: int = 1,
    ):
        self.shape.images, self.shape.channels, self.shape.height, self.shape.width = x_shape
        self.shape.groups = groups
        self.shape.channels //= groups
        self.shape.filters = filters // groups
        for name, values in (("kernel", kernel), ("stride", stride), ("padding", padding), ("dilation", dilation)):
            if max(values) > LARGEST:
                raise ValueError(f"{who}: {name} {values} is out of range, at most {LARGEST}")
        self.shape.kernel_h, self.shape.kernel_w = kernel
        self.shape.stride_h, self.shape.stride_w = stride
        self.shape.pad_top, self.shape.pad_left = padding[0], padding[2]
        self.shape.dilation_h, self.shape.dilation_w = dilation
        spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
        padded = [x_shape[2] + padding[0] + padding[1], x_shape[3] + padding[2] + padding[3]]
        if spans[0] > padded[0] or spans[1] > padded[1]:
            raise ValueError(f"{who}: a window of {spans[0]} x {spans[1]} does not fit x of shape {x_shape} with "
                             f"padding {padding} (top, bottom, left, right); take a smaller kernel, less dilation or "
                             "more padding")
        self.shape.out_h = (padded[0] - spans[0]) // stride[0] + 1
        self.shape.out_w = (padded[1] - spans[1]) // stride[1] + 1

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes by name, as kernels take them: images, channels and filters (of a group), height, kernel_h ..."""
        return self.shape


cdef const ConvLoops* conv_loops(NDArray x) noexcept:
    """The loops for the dtype of `x`, one of the two that they are made for."""
    return &loops().conv[0 if x.info.itemsize == sizeof(float) else 1]


cdef NDArray new_images(int number, Py_ssize_t images, Py_ssize_t channels, Py_ssize_t height, Py_ssize_t width):
    """An uninitialised array of images.  Raises MemoryError."""
    cdef Py_ssize_t shape[4]
    shape[0], shape[1], shape[2], shape[3] = images, channels, height, width
    return new_array(number, 4, shape)
