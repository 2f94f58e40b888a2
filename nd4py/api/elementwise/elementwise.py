"""Elementwise functions.  Made from nd4py/_spec/ops.py by the build; change the rows."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._exec.dispatch.dispatch import call, call_binary, call_unary
from ..._exec.dispatch.row_table import row_number
from ..._exec.dispatch.selection import call_selected
from ..._exec.loss_operands import with_labels_last
from .ufunc_attributes import attach_methods, universal

__all__ = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "floor_divide",
    "remainder",
    "mod",
    "fmod",
    "pow",
    "power",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "gcd",
    "lcm",
    "multiply_add",
    "negative",
    "positive",
    "abs",
    "absolute",
    "sign",
    "square",
    "reciprocal",
    "copysign",
    "nextafter",
    "real",
    "imag",
    "conj",
    "conjugate",
    "floor",
    "ceil",
    "trunc",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "sqrt",
    "rsqrt",
    "cbrt",
    "hypot",
    "erf",
    "erfc",
    "sin",
    "cos",
    "tan",
    "asin",
    "arcsin",
    "acos",
    "arccos",
    "atan",
    "arctan",
    "atan2",
    "arctan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "arcsinh",
    "acosh",
    "arccosh",
    "atanh",
    "arctanh",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_invert",
    "bitwise_not",
    "invert",
    "bitwise_left_shift",
    "left_shift",
    "bitwise_right_shift",
    "right_shift",
    "relu",
    "relu6",
    "leaky_relu",
    "threshold_relu",
    "elu",
    "selu",
    "sigmoid",
    "hard_sigmoid",
    "hard_tanh",
    "rational_tanh",
    "rectified_tanh",
    "cube",
    "softplus",
    "softsign",
    "swish",
    "gelu",
    "mish",
    "hard_swish",
    "log_sigmoid",
    "soft_shrink",
    "hard_shrink",
    "celu",
    "gelu_tanh",
    "squared_error",
    "absolute_error",
    "absolute_percentage_error",
    "squared_log_error",
    "binary_cross_entropy",
    "cross_entropy",
    "kl_divergence",
    "hinge",
    "squared_hinge",
    "poisson_loss",
    "wasserstein_loss",
    "huber_loss",
    "log_cosh_loss",
    "sgd_step",
    "nesterovs_step",
    "adagrad_step",
    "rmsprop_step",
    "adadelta_step",
    "adam_step",
    "adamax_step",
    "amsgrad_step",
    "nadam_step",
    "adabelief_step",
    "adamw_step",
    "lion_step",
    "exp2",
    "logit",
    "frac",
    "sinc",
    "deg2rad",
    "radians",
    "rad2deg",
    "degrees",
    "replace_nonfinite",
    "heaviside",
    "lerp",
    "isposinf",
    "isneginf",
]

_add = row_number("add")
_subtract = row_number("subtract")
_multiply = row_number("multiply")
_divide = row_number("divide")
_floor_divide = row_number("floor_divide")
_remainder = row_number("remainder")
_fmod = row_number("fmod")
_pow = row_number("pow")
_maximum = row_number("maximum")
_minimum = row_number("minimum")
_fmax = row_number("fmax")
_fmin = row_number("fmin")
_gcd = row_number("gcd")
_lcm = row_number("lcm")
_multiply_add = row_number("multiply_add")
_clip = row_number("clip")
_where = row_number("where")
_negative = row_number("negative")
_positive = row_number("positive")
_abs = row_number("abs")
_sign = row_number("sign")
_square = row_number("square")
_reciprocal = row_number("reciprocal")
_copysign = row_number("copysign")
_nextafter = row_number("nextafter")
_real = row_number("real")
_imag = row_number("imag")
_conj = row_number("conj")
_floor = row_number("floor")
_ceil = row_number("ceil")
_trunc = row_number("trunc")
_round = row_number("round")
_exp = row_number("exp")
_expm1 = row_number("expm1")
_log = row_number("log")
_log1p = row_number("log1p")
_log2 = row_number("log2")
_log10 = row_number("log10")
_logaddexp = row_number("logaddexp")
_logaddexp2 = row_number("logaddexp2")
_ldexp = row_number("ldexp")
_frexp = row_number("frexp")
_sqrt = row_number("sqrt")
_rsqrt = row_number("rsqrt")
_cbrt = row_number("cbrt")
_hypot = row_number("hypot")
_erf = row_number("erf")
_erfc = row_number("erfc")
_sin = row_number("sin")
_cos = row_number("cos")
_tan = row_number("tan")
_asin = row_number("asin")
_acos = row_number("acos")
_atan = row_number("atan")
_atan2 = row_number("atan2")
_sinh = row_number("sinh")
_cosh = row_number("cosh")
_tanh = row_number("tanh")
_asinh = row_number("asinh")
_acosh = row_number("acosh")
_atanh = row_number("atanh")
_equal = row_number("equal")
_not_equal = row_number("not_equal")
_less = row_number("less")
_less_equal = row_number("less_equal")
_greater = row_number("greater")
_greater_equal = row_number("greater_equal")
_logical_and = row_number("logical_and")
_logical_or = row_number("logical_or")
_logical_xor = row_number("logical_xor")
_logical_not = row_number("logical_not")
_isnan = row_number("isnan")
_isinf = row_number("isinf")
_isfinite = row_number("isfinite")
_signbit = row_number("signbit")
_bitwise_and = row_number("bitwise_and")
_bitwise_or = row_number("bitwise_or")
_bitwise_xor = row_number("bitwise_xor")
_bitwise_invert = row_number("bitwise_invert")
_bitwise_left_shift = row_number("bitwise_left_shift")
_bitwise_right_shift = row_number("bitwise_right_shift")
_relu = row_number("relu")
_relu6 = row_number("relu6")
_leaky_relu = row_number("leaky_relu")
_threshold_relu = row_number("threshold_relu")
_elu = row_number("elu")
_selu = row_number("selu")
_sigmoid = row_number("sigmoid")
_hard_sigmoid = row_number("hard_sigmoid")
_hard_tanh = row_number("hard_tanh")
_rational_tanh = row_number("rational_tanh")
_rectified_tanh = row_number("rectified_tanh")
_cube = row_number("cube")
_softplus = row_number("softplus")
_softsign = row_number("softsign")
_swish = row_number("swish")
_gelu = row_number("gelu")
_mish = row_number("mish")
_hard_swish = row_number("hard_swish")
_log_sigmoid = row_number("log_sigmoid")
_soft_shrink = row_number("soft_shrink")
_hard_shrink = row_number("hard_shrink")
_celu = row_number("celu")
_gelu_tanh = row_number("gelu_tanh")
_squared_error = row_number("squared_error")
_absolute_error = row_number("absolute_error")
_absolute_percentage_error = row_number("absolute_percentage_error")
_squared_log_error = row_number("squared_log_error")
_binary_cross_entropy = row_number("binary_cross_entropy")
_cross_entropy = row_number("cross_entropy")
_kl_divergence = row_number("kl_divergence")
_hinge = row_number("hinge")
_squared_hinge = row_number("squared_hinge")
_poisson_loss = row_number("poisson_loss")
_wasserstein_loss = row_number("wasserstein_loss")
_huber_loss = row_number("huber_loss")
_log_cosh_loss = row_number("log_cosh_loss")
_sgd_step = row_number("sgd_step")
_nesterovs_step = row_number("nesterovs_step")
_adagrad_step = row_number("adagrad_step")
_rmsprop_step = row_number("rmsprop_step")
_adadelta_step = row_number("adadelta_step")
_adam_step = row_number("adam_step")
_adamax_step = row_number("adamax_step")
_amsgrad_step = row_number("amsgrad_step")
_nadam_step = row_number("nadam_step")
_adabelief_step = row_number("adabelief_step")
_adamw_step = row_number("adamw_step")
_lion_step = row_number("lion_step")
_exp2 = row_number("exp2")
_logit = row_number("logit")
_frac = row_number("frac")
_sinc = row_number("sinc")
_deg2rad = row_number("deg2rad")
_rad2deg = row_number("rad2deg")
_replace_nonfinite = row_number("replace_nonfinite")
_heaviside = row_number("heaviside")
_lerp = row_number("lerp")
_isclose = row_number("isclose")
_isposinf = row_number("isposinf")
_isneginf = row_number("isneginf")


@universal
def add(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 + x2; of bools whether one of them is true.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.add([1, 2, 3], 10)
    array([11, 12, 13], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_add, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_add, x1, x2, out)


@universal
def subtract(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 - x2.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.subtract([5, 7], [1, 2])
    array([4, 5], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_subtract, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_subtract, x1, x2, out)


@universal
def multiply(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 * x2; of bools whether both are true.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.multiply([1, 2, 3], [4, 5, 6])
    array([ 4, 10, 18], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_multiply, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_multiply, x1, x2, out)


@universal
def divide(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 / x2.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.divide([1, 2, 3], 2)
    array([0.5, 1. , 1.5], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_divide, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_divide, x1, x2, out)


@universal
def floor_divide(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """floor(x1 / x2); an integer divided by 0 gives 0, infinities follow the array API.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.floor_divide([7, -7], 2)
    array([ 3, -4], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_floor_divide, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_floor_divide, x1, x2, out)


@universal
def remainder(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 - x2 * floor(x1 / x2), with the sign of x2; an integer modulo 0 gives 0.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.remainder([7, -7], 3)
    array([1, 2], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_remainder, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_remainder, x1, x2, out)


@universal
def fmod(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 - x2 * trunc(x1 / x2), with the sign of x1; an integer modulo 0 gives 0.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.fmod([7, -7], 3)
    array([ 1, -1], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_fmod, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_fmod, x1, x2, out)


@universal
def pow(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 to the power of x2; of integers by squaring, a negative exponent truncates toward 0.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.pow([1, 2, 3], 2)
    array([1, 4, 9], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_pow, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_pow, x1, x2, out)


@universal
def maximum(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The larger operand, NaN if either is; equal operands share the gradient.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.maximum([1, 5], [3, 2])
    array([3, 5], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_maximum, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_maximum, x1, x2, out)


@universal
def minimum(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The smaller operand, NaN if either is; equal operands share the gradient.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.minimum([1, 5], [3, 2])
    array([1, 2], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_minimum, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_minimum, x1, x2, out)


@universal
def fmax(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The larger operand, the number where one of them is NaN; equal operands share the gradient.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.fmax([1.0, nd.nan], [0.5, 2.0])
    array([1., 2.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_fmax, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_fmax, x1, x2, out)


@universal
def fmin(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The smaller operand, the number where one of them is NaN; equal operands share the gradient.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.fmin([1.0, nd.nan], [0.5, 2.0])
    array([0.5, 2. ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_fmin, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_fmin, x1, x2, out)


@universal
def gcd(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The greatest common divisor of |x1| and |x2|; that of 0 and x is |x|.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of them;
    they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.gcd([12, 20], [18, 15])
    array([6, 5], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_gcd, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_gcd, x1, x2, out)


@universal
def lcm(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The least common multiple of |x1| and |x2|, 0 where one of them is 0.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of them;
    they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.lcm([4, 6], [6, 8])
    array([12, 24], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_lcm, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_lcm, x1, x2, out)


def multiply_add(x1: Operand, x2: Operand, x3: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """x1 * x2 + x3 in one pass.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.multiply_add([1, 2], [3, 4], 10)
    array([13, 18], dtype=int64)
    """
    return call(_multiply_add, (x1, x2, x3), (), out)


def clip(x: Operand, low: Operand, high: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """x limited to [low, high]; NaN stays NaN.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.
    """
    return call(_clip, (x, low, high), (), out)


def where(condition: Operand, x1: Operand, x2: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """x1 where the condition holds, else x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.
    """
    return call(_where, (condition, x1, x2), (), out)


@universal
def negative(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """-x; unsigned wraps.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.negative([1, -2])
    array([-1,  2], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_negative, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_negative, x, out)


@universal
def positive(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x itself (identity).

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.positive([1, -2])
    array([ 1, -2], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_positive, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_positive, x, out)


@universal
def abs(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """|x|, of complex numbers the distance from 0; bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype (half as wide for complex numbers) and the same shape; `out`, where given, takes
    the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.abs([-3, 4])
    array([3, 4], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_abs, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_abs, x, out)


@universal
def sign(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """-1, 0 or 1 by the sign of x, of complex numbers x / |x|; NaN stays NaN.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sign([-3, 0, 4])
    array([-1,  0,  1], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sign, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sign, x, out)


@universal
def square(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x * x.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.square([1, 2, 3])
    array([1, 4, 9], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_square, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_square, x, out)


@universal
def reciprocal(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """1 / x.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.reciprocal([1.0, 2.0, 4.0])
    array([1.  , 0.5 , 0.25], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_reciprocal, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_reciprocal, x, out)


@universal
def copysign(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The magnitude of x1 with the sign of x2.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.copysign([1.0, 2.0], [-1.0, 1.0])
    array([-1.,  2.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_copysign, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_copysign, x1, x2, out)


@universal
def nextafter(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The number next to x1 in the direction of x2.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.nextafter(nd.float32([1.0, 2.0]), 3.0)
    array([1.0000001, 2.0000002], dtype=float32)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_nextafter, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_nextafter, x1, x2, out)


@universal
def real(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The real part of x; real numbers and bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype (half as wide for complex numbers) and the same shape; `out`, where given, takes
    the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.real([1 + 2j, 3 - 4j])
    array([1., 3.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_real, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_real, x, out)


@universal
def imag(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The imaginary part of x; 0 of real numbers, False of bools.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype (half as wide for complex numbers) and the same shape; `out`, where given, takes
    the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.imag([1 + 2j, 3 - 4j])
    array([ 2., -4.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_imag, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_imag, x, out)


@universal
def conj(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x with its imaginary part negated; real numbers and bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.conj([1 + 2j, 3 - 4j])
    array([1.-2.j, 3.+4.j], dtype=complex128)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_conj, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_conj, x, out)


@universal
def floor(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The largest whole number <= x; bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.floor([1.7, -1.2])
    array([ 1., -2.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_floor, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_floor, x, out)


@universal
def ceil(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The smallest whole number >= x; bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.ceil([1.2, -1.7])
    array([ 2., -1.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_ceil, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_ceil, x, out)


@universal
def trunc(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x without its fraction; bools as they are.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.trunc([1.7, -1.7])
    array([ 1., -1.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_trunc, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_trunc, x, out)


@universal
def round(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The nearest whole number; halves go to the even one; of complex numbers part by part.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.rint([0.5, 1.5, 2.4])
    array([0., 2., 2.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_round, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_round, x, out)


@universal
def exp(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """e to the power of x.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.exp([0.0, 1.0])
    array([1.        , 2.71828183], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_exp, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_exp, x, out)


@universal
def expm1(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """exp(x) - 1, accurate near 0.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.expm1([0.0, 1e-09])
    array([0.e+00, 1.e-09], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_expm1, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_expm1, x, out)


@universal
def log(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Natural logarithm.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.log([1.0, nd.e])
    array([0., 1.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_log, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_log, x, out)


@universal
def log1p(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log(1 + x), accurate near 0.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.log1p([0.0, 1e-09])
    array([0.00000000e+00, 9.99999999e-10], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_log1p, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_log1p, x, out)


@universal
def log2(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Logarithm to base 2.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.log2([1, 8])
    array([0., 3.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_log2, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_log2, x, out)


@universal
def log10(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Logarithm to base 10.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.log10([1, 1000])
    array([0., 3.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_log10, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_log10, x, out)


@universal
def logaddexp(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log(exp(x1) + exp(x2)), computed without overflow.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.logaddexp(-1000.0, -1000.0)
    array(-999.30685282, dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logaddexp, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_logaddexp, x1, x2, out)


@universal
def logaddexp2(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log2(2**x1 + 2**x2), computed without overflow.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.logaddexp2(3.0, 3.0)
    array(4., dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logaddexp2, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_logaddexp2, x1, x2, out)


@universal
def ldexp(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 * 2**x2 for a whole number x2, rounded once.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_ldexp, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_ldexp, x1, x2, out)


def frexp(x: Operand, /, *, out: tuple[NDArray, NDArray] | None = None) -> tuple[NDArray, NDArray]:
    """(mantissa, exponent) with x = mantissa * 2**exponent.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns (mantissa, exponent), arrays of that dtype and the same shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.
    """
    return call(_frexp, (x,), (), out)


@universal
def sqrt(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Square root.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sqrt([4, 9])
    array([2., 3.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sqrt, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sqrt, x, out)


@universal
def rsqrt(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """1 / sqrt(x).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.rsqrt([4.0, 16.0])
    array([0.5 , 0.25], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_rsqrt, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_rsqrt, x, out)


@universal
def cbrt(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Cube root.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.cbrt([8.0, -27.0])
    array([ 2., -3.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_cbrt, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_cbrt, x, out)


@universal
def hypot(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """sqrt(x1**2 + x2**2), computed without overflow; at the origin its gradient is 0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.hypot([3, 5], [4, 12])
    array([ 5., 13.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_hypot, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_hypot, x1, x2, out)


@universal
def erf(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.erf([0.0, 1.0])
    array([0.        , 0.84270079], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_erf, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_erf, x, out)


@universal
def erfc(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """1 - erf(x), accurate for large x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.erfc([0.0, 1.0])
    array([1.        , 0.15729921], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_erfc, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_erfc, x, out)


@universal
def sin(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Sine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sin([0.0, nd.pi / 2])
    array([0., 1.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sin, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sin, x, out)


@universal
def cos(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Cosine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.cos([0.0, nd.pi])
    array([ 1., -1.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_cos, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_cos, x, out)


@universal
def tan(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Tangent.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.tan([0.0, 1.0])
    array([0.        , 1.55740772], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_tan, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_tan, x, out)


@universal
def asin(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse sine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.asin([0.0, 1.0])
    array([0.        , 1.57079633], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_asin, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_asin, x, out)


@universal
def acos(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse cosine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.acos([1.0, 0.0])
    array([0.        , 1.57079633], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_acos, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_acos, x, out)


@universal
def atan(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse tangent.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.atan([0.0, 1.0])
    array([0.        , 0.78539816], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_atan, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_atan, x, out)


@universal
def atan2(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The angle of the point (x2, x1), in (-pi, pi]; at the origin its gradient is 0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.atan2([1.0, -1.0], [1.0, 1.0])
    array([ 0.78539816, -0.78539816], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_atan2, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_atan2, x1, x2, out)


@universal
def sinh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Hyperbolic sine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sinh([0.0, 1.0])
    array([0.        , 1.17520119], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sinh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sinh, x, out)


@universal
def cosh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Hyperbolic cosine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.cosh([0.0, 1.0])
    array([1.        , 1.54308063], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_cosh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_cosh, x, out)


@universal
def tanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Hyperbolic tangent.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.tanh([0.0, 1.0])
    array([0.        , 0.76159416], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_tanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_tanh, x, out)


@universal
def asinh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse hyperbolic sine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.asinh([0.0, 1.0])
    array([0.        , 0.88137359], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_asinh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_asinh, x, out)


@universal
def acosh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse hyperbolic cosine.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.acosh([1.0, 2.0])
    array([0.       , 1.3169579], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_acosh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_acosh, x, out)


@universal
def atanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Inverse hyperbolic tangent.

    Operands: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them;
    any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.atanh([0.0, 0.5])
    array([0.        , 0.54930614], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_atanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_atanh, x, out)


@universal
def equal(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 == x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.equal([1, 2], [1, 3])
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_equal, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_equal, x1, x2, out)


@universal
def not_equal(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 != x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.not_equal([1, 2], [1, 3])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_not_equal, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_not_equal, x1, x2, out)


@universal
def less(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 < x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16,
    or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.less([1, 2], 2)
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_less, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_less, x1, x2, out)


@universal
def less_equal(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 <= x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16,
    or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.less_equal([1, 2], 2)
    array([ True,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_less_equal, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_less_equal, x1, x2, out)


@universal
def greater(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 > x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16,
    or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.greater([2, 3], 2)
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_greater, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_greater, x1, x2, out)


@universal
def greater_equal(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 >= x2.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16,
    or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.greater_equal([2, 3], 2)
    array([ True,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_greater_equal, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_greater_equal, x1, x2, out)


@universal
def logical_and(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether both operands differ from 0.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.logical_and([True, True], [True, False])
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logical_and, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_logical_and, x1, x2, out)


@universal
def logical_or(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether at least one operand differs from 0.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.logical_or([True, False], [False, False])
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logical_or, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_logical_or, x1, x2, out)


@universal
def logical_xor(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether exactly one operand differs from 0.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.logical_xor([True, True], [True, False])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logical_xor, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_logical_xor, x1, x2, out)


@universal
def logical_not(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x is 0.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.logical_not([True, False])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logical_not, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_logical_not, x, out)


@universal
def isnan(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x, or a part of it, is NaN; no integer is.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.isnan([1.0, nd.nan])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_isnan, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_isnan, x, out)


@universal
def isinf(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x, or a part of it, is infinite; no integer is.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.isinf([1.0, -nd.inf])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_isinf, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_isinf, x, out)


@universal
def isfinite(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x is neither infinite nor NaN; every integer is finite.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
    complex128, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.isfinite([1.0, nd.inf, nd.nan])
    array([ True, False, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_isfinite, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_isfinite, x, out)


@universal
def signbit(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether the sign bit of x is set, as in -0.0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.signbit([-1.0, 2.0])
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_signbit, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_signbit, x, out)


@universal
def bitwise_and(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The bits set in both operands.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of
    them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.bitwise_and([12, 10], 6)
    array([4, 2], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_and, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_bitwise_and, x1, x2, out)


@universal
def bitwise_or(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The bits set in either operand.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of
    them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.bitwise_or([12, 10], 3)
    array([15, 11], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_or, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_bitwise_or, x1, x2, out)


@universal
def bitwise_xor(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The bits set in exactly one operand.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of
    them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.bitwise_xor([12, 10], 6)
    array([10, 12], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_xor, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_bitwise_xor, x1, x2, out)


@universal
def bitwise_invert(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Every bit flipped; of bool, not x.

    Operands: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of
    them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.bitwise_invert([0, 5])
    array([-1, -6], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_invert, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_bitwise_invert, x, out)


@universal
def bitwise_left_shift(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 * 2**x2; 0 where x2 is negative or not less than the width.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of them;
    they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.bitwise_left_shift([1, 3], 2)
    array([ 4, 12], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_left_shift, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_bitwise_left_shift, x1, x2, out)


@universal
def bitwise_right_shift(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """floor(x1 / 2**x2); only the sign is left where x2 is negative or not less than the width.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, or a dtype that converts to one of them;
    they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.bitwise_right_shift([4, 9], 1)
    array([2, 4], dtype=int64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_bitwise_right_shift, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_bitwise_right_shift, x1, x2, out)


@universal
def relu(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """max(x, 0); NaN stays NaN.

    Operands: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a
    dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.relu([-1.0, 2.0])
    array([0., 2.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_relu, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_relu, x, out)


@universal
def relu6(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """min(max(x, 0), 6).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.relu6([-1.0, 2.0, 9.0])
    array([0., 2., 6.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_relu6, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_relu6, x, out)


def leaky_relu(x: Operand, /, *, alpha: float = 0.01, out: NDArray | None = None) -> NDArray:
    """x above 0, alpha * x below.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    alpha: a factor of the results of negative elements.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.leaky_relu([-1.0, 2.0], alpha=0.1)
    array([-0.1,  2. ], dtype=float64)
    """
    return call(_leaky_relu, (x,), (alpha,), out)


def threshold_relu(x: Operand, /, *, theta: float = 1.0, out: NDArray | None = None) -> NDArray:
    """x above theta, else 0; NaN stays NaN.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    theta: the threshold.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.threshold_relu([0.5, 2.0], theta=1.0)
    array([0., 2.], dtype=float64)
    """
    return call(_threshold_relu, (x,), (theta,), out)


def elu(x: Operand, /, *, alpha: float = 1.0, out: NDArray | None = None) -> NDArray:
    """x above 0, alpha * (exp(x) - 1) below.  Clevert et al. 2015, https://arxiv.org/abs/1511.07289.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    alpha: a factor of the results of negative elements.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.elu([-1.0, 2.0])
    array([-0.63212056,  2.        ], dtype=float64)
    """
    return call(_elu, (x,), (alpha,), out)


@universal
def selu(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Self-normalizing ELU with fixed constants.  Klambauer et al. 2017, https://arxiv.org/abs/1706.02515.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.selu([-1.0, 1.0])
    array([-1.11133074,  1.05070099], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_selu, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_selu, x, out)


@universal
def sigmoid(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Logistic function 1 / (1 + exp(-x)).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sigmoid([0.0, 2.0])
    array([0.5       , 0.88079708], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sigmoid, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sigmoid, x, out)


@universal
def hard_sigmoid(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """0.2 * x + 0.5 limited to [0, 1].

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.hard_sigmoid([-9.0, 0.0, 1.0])
    array([0. , 0.5, 0.7], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_hard_sigmoid, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_hard_sigmoid, x, out)


@universal
def hard_tanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x limited to [-1, 1].

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.hard_tanh([-2.0, 0.5, 2.0])
    array([-1. ,  0.5,  1. ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_hard_tanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_hard_tanh, x, out)


@universal
def rational_tanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """1.7159 * tanh(2x / 3) with tanh(a) taken as sign(a) * (1 - 1 / (1 + |a| + a**2 + 1.41645 * a**4)).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.rational_tanh([0.0, 1.0])
    array([0.        , 0.99822158], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_rational_tanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_rational_tanh, x, out)


@universal
def rectified_tanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """max(tanh(x), 0).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.rectified_tanh([-1.0, 1.0])
    array([0.        , 0.76159416], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_rectified_tanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_rectified_tanh, x, out)


@universal
def cube(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x**3.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.cube([1, 2, 3])
    array([ 1.,  8., 27.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_cube, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_cube, x, out)


@universal
def softplus(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log(1 + exp(x)), computed without overflow.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.softplus([0.0, 50.0])
    array([ 0.69314718, 50.        ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_softplus, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_softplus, x, out)


@universal
def softsign(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x / (1 + |x|).

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.softsign([-1.0, 3.0])
    array([-0.5 ,  0.75], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_softsign, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_softsign, x, out)


@universal
def swish(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x * sigmoid(x).  Ramachandran et al. 2017, https://arxiv.org/abs/1710.05941.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.swish([0.0, 1.0])
    array([0.        , 0.73105858], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_swish, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_swish, x, out)


@universal
def gelu(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x times the normal distribution function.  Hendrycks & Gimpel 2016, https://arxiv.org/abs/1606.08415.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.gelu([0.0, 1.0])
    array([0.        , 0.84134475], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_gelu, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_gelu, x, out)


@universal
def mish(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x * tanh(softplus(x)).  Misra 2019, https://arxiv.org/abs/1908.08681.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.mish([0.0, 1.0])
    array([0.        , 0.86509839], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_mish, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_mish, x, out)


@universal
def hard_swish(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x * (x + 3) / 6 between -3 and 3, 0 below and x above.  Howard et al. 2019, https://arxiv.org/abs/1905.02244.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.hard_swish([-4.0, 1.0, 5.0])
    array([0.        , 0.66666667, 5.        ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_hard_swish, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_hard_swish, x, out)


@universal
def log_sigmoid(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log(sigmoid(x)), computed without overflow.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.log_sigmoid([0.0, -50.0])
    array([ -0.69314718, -50.        ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_log_sigmoid, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_log_sigmoid, x, out)


def soft_shrink(x: Operand, /, *, theta: float = 0.5, out: NDArray | None = None) -> NDArray:
    """x moved towards 0 by theta, and 0 within theta of 0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    theta: the threshold.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.soft_shrink([-2.0, 0.25, 1.0])
    array([-1.5,  0. ,  0.5], dtype=float64)
    """
    return call(_soft_shrink, (x,), (theta,), out)


def hard_shrink(x: Operand, /, *, theta: float = 0.5, out: NDArray | None = None) -> NDArray:
    """x, and 0 within theta of 0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    theta: the threshold.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.hard_shrink([-2.0, 0.25, 1.0])
    array([-2.,  0.,  1.], dtype=float64)
    """
    return call(_hard_shrink, (x,), (theta,), out)


def celu(x: Operand, /, *, alpha: float = 1.0, out: NDArray | None = None) -> NDArray:
    """x above 0, alpha * (exp(x / alpha) - 1) below.  Barron 2017, https://arxiv.org/abs/1704.07483.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    alpha: a factor of the results of negative elements.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.celu([-1.0, 2.0])
    array([-0.63212056,  2.        ], dtype=float64)
    """
    return call(_celu, (x,), (alpha,), out)


@universal
def gelu_tanh(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """`gelu` by a tanh: x * sigmoid(2 * sqrt(2 / pi) * (x + 0.044715 * x**3)).  Hendrycks & Gimpel 2016.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.gelu_tanh([0.0, 1.0])
    array([0.        , 0.84119199], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_gelu_tanh, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_gelu_tanh, x, out)


def squared_error(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """(x - labels)**2.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.squared_error([1.0, 2.5], [1.0, 2.0])
    array([0.  , 0.25], dtype=float64)
    """
    return call_binary(_squared_error, x, labels, out)


def absolute_error(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """|x - labels|.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.absolute_error([1.0, 2.5], [1.0, 2.0])
    array([0. , 0.5], dtype=float64)
    """
    return call_binary(_absolute_error, x, labels, out)


def absolute_percentage_error(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """100 * |(x - labels) / labels|.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.absolute_percentage_error([1.0, 2.5], [1.0, 2.0])
    array([ 0., 25.], dtype=float64)
    """
    return call_binary(_absolute_percentage_error, x, labels, out)


def squared_log_error(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """(log(1 + x) - log(1 + labels))**2.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.squared_log_error([1.0, 2.5], [1.0, 2.0])
    array([0.        , 0.02376243], dtype=float64)
    """
    return call_binary(_squared_log_error, x, labels, out)


def binary_cross_entropy(x: Operand, labels: Operand, /, *, eps: float = 1e-05, out: NDArray | None = None) -> NDArray:
    """-labels * log(p) - (1 - labels) * log(1 - p), p = x limited to [eps, 1 - eps]; the gradient is that at p.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape, and either for labels given first, where outputs belong.

    >>> nd.binary_cross_entropy([0.5, 0.75], [0.0, 1.0])
    array([0.69314718, 0.28768207], dtype=float64)
    """
    return call(_binary_cross_entropy, with_labels_last("binary_cross_entropy", x, labels), (eps,), out)


def cross_entropy(x: Operand, labels: Operand, /, *, eps: float = 1e-10, out: NDArray | None = None) -> NDArray:
    """-labels * log(max(x, eps)); the gradient is that there.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape, and either for labels given first, where outputs belong.

    >>> nd.cross_entropy([0.25, 0.75], [0.0, 1.0])
    array([0.        , 0.28768207], dtype=float64)
    """
    return call(_cross_entropy, with_labels_last("cross_entropy", x, labels), (eps,), out)


def kl_divergence(x: Operand, labels: Operand, /, *, eps: float = 1e-10, out: NDArray | None = None) -> NDArray:
    """labels * log(labels / x), both at least eps inside the logarithm.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape, and either for labels given first, where outputs belong.

    >>> nd.kl_divergence([0.5, 0.5], [0.25, 0.75])
    array([-0.1732868 ,  0.30409883], dtype=float64)
    """
    return call(_kl_divergence, with_labels_last("kl_divergence", x, labels), (eps,), out)


def hinge(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """max(0, 1 - labels * x), labels -1 or 1.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.hinge([0.5, -2.0], [1.0, 1.0])
    array([0.5, 3. ], dtype=float64)
    """
    return call_binary(_hinge, x, labels, out)


def squared_hinge(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """max(0, 1 - labels * x)**2, labels -1 or 1.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.squared_hinge([0.5, -2.0], [1.0, 1.0])
    array([0.25, 9.  ], dtype=float64)
    """
    return call_binary(_squared_hinge, x, labels, out)


def poisson_loss(x: Operand, labels: Operand, /, *, eps: float = 1e-10, out: NDArray | None = None) -> NDArray:
    """x - labels * log(x), x at least eps inside the logarithm.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape, and either for labels given first, where outputs belong.

    >>> nd.poisson_loss([1.0, 2.0], [0.0, 3.0])
    array([ 1.        , -0.07944154], dtype=float64)
    """
    return call(_poisson_loss, with_labels_last("poisson_loss", x, labels), (eps,), out)


def wasserstein_loss(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """labels * x, the critic's score.  Arjovsky et al. 2017, https://arxiv.org/abs/1701.07875.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.wasserstein_loss([0.5, -2.0], [1.0, -1.0])
    array([0.5, 2. ], dtype=float64)
    """
    return call_binary(_wasserstein_loss, x, labels, out)


def huber_loss(x: Operand, labels: Operand, /, *, delta: float = 1.0, out: NDArray | None = None) -> NDArray:
    """(x - labels)**2 / 2 where |x - labels| is at most delta, else delta * (|x - labels| - delta / 2).  Huber 1964, https://doi.org/10.1214/aoms/1177703732.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    delta: where the square ends and the line begins.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.huber_loss([1.5, 4.0], [1.0, 1.0])
    array([0.125, 2.5  ], dtype=float64)
    """
    return call(_huber_loss, (x, labels), (delta,), out)


def log_cosh_loss(x: Operand, labels: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """log(cosh(x - labels)), without overflow.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.log_cosh_loss([1.5, 4.0], [1.0, 1.0])
    array([0.12011451, 2.3093285 ], dtype=float64)
    """
    return call_binary(_log_cosh_loss, x, labels, out)


def sgd_step(g: Operand, /, *, lr: float, out: NDArray | None = None) -> NDArray:
    """Gradient descent: lr * g.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    lr: the learning rate.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.sgd_step([1.0, -2.0], lr=0.1)
    array([ 0.1, -0.2], dtype=float64)
    """
    return call(_sgd_step, (g,), (lr,), out)


def nesterovs_step(
    g: Operand, v: Operand, /, *, lr: float, momentum: float = 0.9, out: tuple[NDArray, NDArray] | None = None
) -> tuple[NDArray, NDArray]:
    """Nesterov momentum: v' = momentum * v - lr * g, delta = momentum * v - (1 + momentum) * v'.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (v, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; v: the state that the step before left.
    lr: the learning rate.
    momentum: how much of the former step stays, from 0 to 1.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.nesterovs_step([1.0], [0.0], lr=0.1)
    (array([-0.1], dtype=float64), array([0.19], dtype=float64))
    """
    return call(_nesterovs_step, (g, v), (lr, momentum), out)


def adagrad_step(
    g: Operand, h: Operand, /, *, lr: float, eps: float = 1e-06, out: tuple[NDArray, NDArray] | None = None
) -> tuple[NDArray, NDArray]:
    """AdaGrad: h is the sum of squared gradients.  Duchi et al. 2011, JMLR 12.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (h, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; h: the state that the step before left.
    lr: the learning rate.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adagrad_step([2], [0], lr=0.1)[1]
    array([0.09999995], dtype=float64)
    """
    return call(_adagrad_step, (g, h), (lr, eps), out)


def rmsprop_step(
    g: Operand,
    v: Operand,
    /,
    *,
    lr: float,
    decay: float = 0.95,
    eps: float = 1e-08,
    out: tuple[NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray]:
    """RMSProp: v is the decaying mean of squared gradients.  Tieleman & Hinton 2012.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (v, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; v: the state that the step before left.
    lr: the learning rate.
    decay: how much of the former mean stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.rmsprop_step([2], [0], lr=0.1)[1]
    array([0.44721359], dtype=float64)
    """
    return call(_rmsprop_step, (g, v), (lr, decay, eps), out)


def adadelta_step(
    g: Operand,
    s: Operand,
    x: Operand,
    /,
    *,
    rho: float = 0.95,
    eps: float = 1e-06,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """AdaDelta: s and x are decaying means of g**2 and delta**2.  Zeiler 2012, https://arxiv.org/abs/1212.5701.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (s, delta, x), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; s, x: the state that the step before left.
    rho: how much of the former means stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adadelta_step([2], [0], [0])[1]
    array([0.00447212], dtype=float64)
    """
    return call(_adadelta_step, (g, s, x), (rho, eps), out)


def adam_step(
    g: Operand,
    m: Operand,
    v: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-08,
    c1: float,
    c2: float,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """Adam, algorithm 1 of Kingma & Ba 2015, https://arxiv.org/abs/1412.6980.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, v, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; m, v: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    c2: 1 - b2**t in step t, counted from 1: the mean of squares started at 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adam_step([2], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2]
    array([0.1], dtype=float64)
    """
    return call(_adam_step, (g, m, v), (lr, b1, b2, eps, c1, c2), out)


def adamax_step(
    g: Operand,
    m: Operand,
    u: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-08,
    c1: float,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """AdaMax, algorithm 2 of Kingma & Ba 2015; eps keeps u above 0.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, u, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; m, u: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adamax_step([2], [0], [0], lr=0.1, c1=0.1)[2]
    array([0.1], dtype=float64)
    """
    return call(_adamax_step, (g, m, u), (lr, b1, b2, eps, c1), out)


def amsgrad_step(
    g: Operand,
    m: Operand,
    v: Operand,
    h: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-08,
    c1: float,
    c2: float,
    out: tuple[NDArray, NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """AMSGrad: Adam with h, the largest v so far.  Reddi et al. 2018, https://arxiv.org/abs/1904.09237.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, v, h, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; m, v, h: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    c2: 1 - b2**t in step t, counted from 1: the mean of squares started at 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.amsgrad_step([2], [0], [0], [0], lr=0.1, c1=0.1, c2=0.001)[3]
    array([0.1], dtype=float64)
    """
    return call(_amsgrad_step, (g, m, v, h), (lr, b1, b2, eps, c1, c2), out)


def nadam_step(
    g: Operand,
    m: Operand,
    v: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-08,
    c1: float,
    c2: float,
    c1_next: float,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """Nadam: Adam with Nesterov momentum, c1_next = 1 - b1**(t + 1).  Dozat 2016, ICLR workshop, algorithm 2.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, v, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; m, v: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    c2: 1 - b2**t in step t, counted from 1: the mean of squares started at 0.
    c1_next: 1 - b1**(t + 1).
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.nadam_step([2], [0], [0], lr=1, c1=1, c2=1, c1_next=1)[2]
    array([6.0083266], dtype=float64)
    """
    return call(_nadam_step, (g, m, v), (lr, b1, b2, eps, c1, c2, c1_next), out)


def adabelief_step(
    g: Operand,
    m: Operand,
    s: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-14,
    c1: float,
    c2: float,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """AdaBelief: Adam with the variance of g about m.  Zhuang et al. 2020, https://arxiv.org/abs/2010.07468.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, s, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; m, s: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    c2: 1 - b2**t in step t, counted from 1: the mean of squares started at 0.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adabelief_step([2], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2]
    array([0.11111111], dtype=float64)
    """
    return call(_adabelief_step, (g, m, s), (lr, b1, b2, eps, c1, c2), out)


def adamw_step(
    g: Operand,
    p: Operand,
    m: Operand,
    v: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-08,
    c1: float,
    c2: float,
    weight_decay: float = 0.01,
    out: tuple[NDArray, NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """AdamW: Adam with weight decay beside it.  Loshchilov & Hutter 2019, https://arxiv.org/abs/1711.05101.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (m, v, delta), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; p: the parameters; m, v: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    b2: how much of the former mean of squares stays, from 0 to 1.
    eps: a small number that keeps divisors and logarithms away from 0.
    c1: 1 - b1**t in step t, counted from 1: the mean of gradients started at 0.
    c2: 1 - b2**t in step t, counted from 1: the mean of squares started at 0.
    weight_decay: how much of the parameters is taken off, times the learning rate.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.adamw_step([2], [1], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2]
    array([0.101], dtype=float64)
    """
    return call(_adamw_step, (g, p, m, v), (lr, b1, b2, eps, c1, c2, weight_decay), out)


def lion_step(
    g: Operand,
    p: Operand,
    m: Operand,
    /,
    *,
    lr: float,
    b1: float = 0.9,
    decay: float = 0.99,
    weight_decay: float = 0.0,
    out: tuple[NDArray, NDArray] | None = None,
) -> tuple[NDArray, NDArray]:
    """Lion: the sign of a mean of gradients, and weight decay.  Chen et al. 2023, arXiv:2302.06675.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns (delta, m), arrays of that dtype and their broadcast shape; `out`, where given, takes the result.
    g: the gradient; p: the parameters; m: the state that the step before left.
    lr: the learning rate.
    b1: how much of the former mean of gradients stays, from 0 to 1.
    decay: how much of the former mean stays, from 0 to 1.
    weight_decay: how much of the parameters is taken off, times the learning rate.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.

    >>> nd.lion_step([2], [1], [0], lr=0.1)[0]
    array([0.1], dtype=float64)
    """
    return call(_lion_step, (g, p, m), (lr, b1, decay, weight_decay), out)


@universal
def exp2(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """2 to the power of x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.exp2([0, 3])
    array([1., 8.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_exp2, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_exp2, x, out)


@universal
def logit(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """log(x / (1 - x)), the inverse of sigmoid, accurate near 0.5.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.logit([0.5, 0.9])
    array([0.        , 2.19722458], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_logit, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_logit, x, out)


@universal
def frac(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x - trunc(x), with the sign of x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.frac([1.75, -1.25])
    array([ 0.75, -0.25], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_frac, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_frac, x, out)


@universal
def sinc(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """sin(pi * x) / (pi * x), 1 at 0 and exactly 0 at other whole numbers.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.sinc([0.0, 0.5])
    array([1.        , 0.63661977], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_sinc, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_sinc, x, out)


@universal
def deg2rad(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Degrees to radians, pi / 180 * x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.deg2rad([180.0, 90.0])
    array([3.14159265, 1.57079633], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_deg2rad, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_deg2rad, x, out)


@universal
def rad2deg(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Radians to degrees, 180 / pi * x.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.rad2deg([nd.pi, nd.pi / 2])
    array([180.,  90.], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_rad2deg, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_rad2deg, x, out)


def replace_nonfinite(
    x: Operand, /, *, nan: float = 0.0, posinf: float = 0.0, neginf: float = 0.0, out: NDArray | None = None
) -> NDArray:
    """x with a number in place of NaN, of inf and of -inf.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of that dtype and the same shape; `out`, where given, takes the result.
    nan: what takes the place of NaN.
    posinf: what takes the place of infinity.
    neginf: what takes the place of -infinity.
    Raises TypeError for other operands, parameters or dtypes, ValueError for an `out` of another shape.

    >>> nd.replace_nonfinite([1.0, nd.nan, nd.inf], posinf=9.0)
    array([1., 0., 9.], dtype=float64)
    """
    return call(_replace_nonfinite, (x,), (nan, posinf, neginf), out)


@universal
def heaviside(
    x1: Operand,
    x2: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """0 where x1 is negative, x2 where it is 0, 1 where it is positive.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.heaviside([-1.0, 0.0, 2.0], 0.5)
    array([0. , 0.5, 1. ], dtype=float64)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_heaviside, (x1, x2), out, where, dtype, casting, order, signature)
    return call_binary(_heaviside, x1, x2, out)


def lerp(x1: Operand, x2: Operand, t: Operand, /, *, out: NDArray | None = None) -> NDArray:
    """The point t of the way from x1 to x2; an end itself at t = 0 and t = 1.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of that dtype and their broadcast shape; `out`, where given, takes the result.
    Raises TypeError for other operands or dtypes, ValueError for shapes that do not broadcast or an `out` of
    another shape.

    >>> nd.lerp([0.0, 10.0], [10.0, 20.0], 0.25)
    array([ 2.5, 12.5], dtype=float64)
    """
    return call(_lerp, (x1, x2, t), (), out)


def isclose(
    x1: Operand,
    x2: Operand,
    /,
    *,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: float = False,
    out: NDArray | None = None,
) -> NDArray:
    """Whether |x1 - x2| <= atol + rtol * |x2|; infinities are close to themselves, NaN only if equal_nan.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; they broadcast.
    Returns an array of bool and their broadcast shape; `out`, where given, takes the result.
    rtol: a number.
    atol: a number.
    equal_nan: a number.
    Raises TypeError for other operands, parameters or dtypes, ValueError for shapes that do not broadcast or an
    `out` of another shape.
    """
    return call(_isclose, (x1, x2), (rtol, atol, equal_nan), out)


@universal
def isposinf(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x is inf.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.isposinf([nd.inf, -nd.inf])
    array([ True, False], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_isposinf, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_isposinf, x, out)


@universal
def isneginf(
    x: Operand,
    /,
    out: NDArray | tuple[NDArray] | None = None,
    where: Any = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """Whether x is -inf.

    Operands: float32, float64, float16, bfloat16, or a dtype that converts to one of them; any shape.
    Returns an array of bool and the same shape; `out`, where given, takes the result.
    where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.
    dtype: what operands are converted to first.
    casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.
    order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.
    subok: accepted; the class of operands is kept.
    signature: dtypes of operands and result: "ff->f", or a tuple, None for any.
    Raises TypeError for other operands or dtypes, ValueError for an `out` of another shape.

    >>> nd.isneginf([nd.inf, -nd.inf])
    array([False,  True], dtype=bool)
    """
    if where is not dtype or casting is not order or signature is not None or isinstance(out, tuple):
        return call_selected(_isneginf, (x,), out, where, dtype, casting, order, signature)
    return call_unary(_isneginf, x, out)


true_divide = divide
mod = remainder
power = pow
absolute = abs
conjugate = conj
rint = round
arcsin = asin
arccos = acos
arctan = atan
arctan2 = atan2
arcsinh = asinh
arccosh = acosh
arctanh = atanh
bitwise_not = bitwise_invert
invert = bitwise_invert
left_shift = bitwise_left_shift
right_shift = bitwise_right_shift
radians = deg2rad
degrees = rad2deg
attach_methods(globals())
