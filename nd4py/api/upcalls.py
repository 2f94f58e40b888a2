"""The upcalls that this layer fills in."""

from .._core.array.array_type import ArrayType
from .._core.dtype import DType
from .._core.lazy_modules import LazyFunction
from .._core.upcalls import fill
from .._exec.upcalls import fill_in
from .creation.basic_creation import asarray
from .interop.numpy_protocols import array_function, array_ufunc
from .interop.printing import represent, text, to_numpy
from .products.matmul import matmul

COMPLEX_ROWS = f"{__package__}.elementwise.complex_rows"
SUBCLASSES = f"{__package__}.interop.subclassed_array"
fill_in()
fill(
    array_function=array_function,
    array_ufunc=array_ufunc,
    argreduce_complex=LazyFunction(COMPLEX_ROWS, "argreduce_complex"),
    asarray=asarray,
    construct=LazyFunction(f"{__package__}.creation.constructing", "construct"),
    of_subclass=LazyFunction(SUBCLASSES, "of_subclass"),
    product_with_zeros=LazyFunction(f"{__package__}.elementwise.zero_products", "product_with_zeros"),
    reduce_complex=LazyFunction(COMPLEX_ROWS, "reduce_complex"),
    reduce_ex=LazyFunction(f"{__package__}.interop.pickling", "reduce_ex"),
    represent=represent,
    row_of_complex=LazyFunction(COMPLEX_ROWS, "row_of_complex"),
    row_of_subclass=LazyFunction(SUBCLASSES, "row_of_subclass"),
    text=text,
    to_numpy=to_numpy,
)
fill(on_devices=True, matmul=matmul)
DType._convert = LazyFunction(f"{__package__}.creation.dtype_rules", "converted")
ArrayType.derive = LazyFunction(SUBCLASSES, "base")
