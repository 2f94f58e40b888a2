"""The functions of this layer that arrays call."""

from .._core.lazy import LazyFunction
from .._core.upcalls import fill
from .._exec.upcalls import fill_in
from .creation import asarray
from .linear import matmul
from .numpy_protocols import array_function, array_ufunc
from .printing import represent, text, to_numpy
from .zero_products import product_with_zeros

fill_in()
fill(
    array_function=array_function,
    array_ufunc=array_ufunc,
    asarray=asarray,
    product_with_zeros=product_with_zeros,
    reduce_ex=LazyFunction(f"{__package__}.pickling", "reduce_ex"),
    represent=represent,
    text=text,
    to_numpy=to_numpy,
)
fill(on_devices=True, matmul=matmul)
