"""Sizes of sliding windows, checked, for convolution and pooling."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py.cpu.conv.conv_loops cimport ConvLoops, WindowShape
from nd4py.cpu.isa.isa cimport loops

cdef enum:
    LARGEST = 2147483647                 # of any size but the image's: keeps products of two of them in 64 bits


cdef class Window:
    """Windows of `kernel` over x (images, channels, *sizes), two sizes of images or three of volumes; `filters` results
    at each position.

    Channels and filters are cut into `groups` of equal size; the filters of one see the channels of one.
    padding: before and after each axis in turn.  The window spans (kernel - 1) * dilation + 1 elements per axis.
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
        for name, values in (("kernel", kernel), ("stride", stride), ("padding", padding), ("dilation", dilation)):
            if max(values) > LARGEST:
                raise ValueError(f"{who}: {name} {values} is out of range, at most {LARGEST}")
        sizes, spans = x_shape[2:], [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
        padded = [n + sum(padding[2 * axis : 2 * axis + 2]) for axis, n in enumerate(sizes)]
        if any(span > n for span, n in zip(spans, padded, strict=True)):
            raise ValueError(f"{who}: a window of {' x '.join(map(str, spans))} does not fit x of shape {x_shape} with "
                             f"padding {padding}; take a smaller kernel, less dilation or more padding")
        out = [(n - span) // step + 1 for n, span, step in zip(padded, spans, stride, strict=True)]
        cdef WindowShape* s = &self.shape
        s.n_axes = len(sizes)
        s.images, s.groups, s.channels, s.filters = x_shape[0], groups, x_shape[1] // groups, filters // groups
        s.depth, s.height, s.width = in_space(sizes, 1)
        s.kernel_d, s.kernel_h, s.kernel_w = in_space(kernel, 1)
        s.stride_d, s.stride_h, s.stride_w = in_space(stride, 1)
        s.pad_front, s.pad_top, s.pad_left = in_space(padding[::2], 0)
        s.dilation_d, s.dilation_h, s.dilation_w = in_space(dilation, 1)
        s.out_d, s.out_h, s.out_w = in_space(out, 1)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes by name, as kernels take them: images, channels and filters (of a group), height, kernel_h ..."""
        sizes = dict(self.shape)
        del sizes["n_axes"]
        return sizes

    @property
    def x_shape(self) -> Shape:
        """The shape of what windows slide over."""
        cdef const WindowShape* s = &self.shape
        return s.images, s.groups * s.channels, *self.in_axes(s.depth, s.height, s.width)

    @property
    def w_shape(self) -> Shape:
        """The shape of the filters."""
        cdef const WindowShape* s = &self.shape
        return s.groups * s.filters, s.channels, *self.in_axes(s.kernel_d, s.kernel_h, s.kernel_w)

    @property
    def y_shape(self) -> Shape:
        """The shape of the results, `filters` at each position."""
        cdef const WindowShape* s = &self.shape
        return s.images, s.groups * s.filters, *self.in_axes(s.out_d, s.out_h, s.out_w)

    cdef tuple in_axes(self, Py_ssize_t depth, Py_ssize_t height, Py_ssize_t width):
        """The sizes along the axes that there are."""
        if self.shape.n_axes == 2:
            return height, width
        return depth, height, width


cdef tuple in_space(numbers, int of_depth):
    """(depth, height, width), the depth being `of_depth` where there is none."""
    return (of_depth, *numbers) if len(numbers) == 2 else tuple(numbers)


cdef const ConvLoops* conv_loops(NDArray x) noexcept:
    """The loops for the dtype of `x`, one of the two that they are made for."""
    return &loops.conv[0 if x.info.itemsize == sizeof(float) else 1]


cdef NDArray new_images(int number, tuple sizes):
    """An uninitialised array of this shape.  Raises MemoryError."""
    cdef Py_ssize_t shape[5]
    cdef Py_ssize_t axis
    for axis in range(len(sizes)):
        shape[axis] = sizes[axis]
    return new_array(number, len(sizes), shape)
