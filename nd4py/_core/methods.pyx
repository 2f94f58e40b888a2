"""NDArray's methods that are functions of the namespace too, as NumPy has them."""

from nd4py._core.array cimport NDArray
from nd4py._core.hooks cimport functions, methods

from .._spec.ops import ALL
from .array import extend

cdef dict row_numbers = {op.name: number for number, op in enumerate(ALL) if op.family == "reduce"}


cdef object reduced(str name, NDArray x, object axis, object dtype, object keepdims):
    """A reduction row, without the way through the function of its name."""
    return methods["reduce"](row_numbers[name], x, axis, dtype, keepdims)


cdef object axes_given(tuple axes):
    """Axes as one argument, as several, or None for none."""
    return axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None


class Methods:
    # One line each: the function says the rest.

    def all(self, axis=None, *, keepdims=False): return reduced("all", self, axis, None, keepdims)
    def any(self, axis=None, *, keepdims=False): return reduced("any", self, axis, None, keepdims)
    def argmax(self, *args, **keywords): return functions["argmax"](self, *args, **keywords)
    def argmin(self, *args, **keywords): return functions["argmin"](self, *args, **keywords)
    def argsort(self, *args, **keywords): return functions["argsort"](self, *args, **keywords)
    def clip(self, *args, **keywords): return functions["clip"](self, *args, **keywords)
    def conj(self): return functions["conj"](self)
    def cumprod(self, *args, **keywords): return functions["cumulative_prod"](self, *args, **keywords)
    def cumsum(self, *args, **keywords): return functions["cumulative_sum"](self, *args, **keywords)
    def diagonal(self, *args, **keywords): return functions["diagonal"](self, *args, **keywords)
    def dot(self, other): return functions["dot"](self, other)

    def flatten(self):
        """The elements in C order as a new array of one axis."""
        return methods["copy"](self).reshape(-1)

    def max(self, axis=None, *, keepdims=False): return reduced("max", self, axis, None, keepdims)
    def mean(self, axis=None, *, dtype=None, keepdims=False): return reduced("mean", self, axis, dtype, keepdims)
    def min(self, axis=None, *, keepdims=False): return reduced("min", self, axis, None, keepdims)
    def nonzero(self): return functions["nonzero"](self)
    def prod(self, axis=None, *, dtype=None, keepdims=False): return reduced("prod", self, axis, dtype, keepdims)
    def ravel(self): return self.reshape(-1)
    def repeat(self, *args, **keywords): return functions["repeat"](self, *args, **keywords)
    def round(self): return functions["round"](self)
    def squeeze(self, *args, **keywords): return functions["squeeze"](self, *args, **keywords)
    def std(self, *args, **keywords): return functions["std"](self, *args, **keywords)
    def sum(self, axis=None, *, dtype=None, keepdims=False): return reduced("sum", self, axis, dtype, keepdims)
    def swapaxes(self, first, second): return functions["swapaxes"](self, first, second)
    def take(self, *args, **keywords): return functions["take"](self, *args, **keywords)
    def transpose(self, *axes): return functions["transpose"](self, axes_given(axes))
    def var(self, *args, **keywords): return functions["var"](self, *args, **keywords)


extend(Methods)
