"""The elementwise functions: 67 rows, each with its NumPy reference and the values it is tested on."""

from dataclasses import dataclass

import numpy as np

from .entry import Entry, numbers

# Error allowed where the standard asks for an approximation; the rows' own accuracy is tested elsewhere.
APPROXIMATE = 24
WIDE_DOMAIN = (-9, 9)


@dataclass(frozen=True)
class Elementwise(Entry):
    """An elementwise function.

    reference: NumPy function. Where the allowed error is 0 it computes in the input's own dtype.
    ulp, complex_ulp: errors allowed, in units in the last place.
    domains: where real and integer inputs are taken from; complex ones from `complex_domain`.
    step: inputs are multiples of it.
    specials: NumPy agrees with the standard for zeros, infinities and NaN too.
    signs: the sign of a zero is specified.
    """

    reference: object = None
    domains: tuple = ()
    complex_domain: tuple = (-4, 4)
    ulp: float = 0
    complex_ulp: float | None = None
    step: float = 0
    specials: bool = True
    signs: bool = True

    def ulp_of(self, dtype):
        return self.complex_ulp if self.complex_ulp is not None and dtype.startswith("complex") else self.ulp

    def domains_of(self, dtype):
        return (self.complex_domain,) * len(self.domains) if dtype.startswith("complex") else self.domains


def between(domains):
    """A sample of arrays with three numbers inside each domain, apart from its middle; they fit every dtype."""

    def sample(xp, dtype):
        ends = [(low, min(high - low, 99)) for low, high in domains]
        return [numbers(xp, dtype, [low + part * size for part in (0.25, 0.6, 0.9)]) for low, size in ends], {}

    return sample


def unary(name, category, reference, result="same", domain=WIDE_DOMAIN, **keywords):
    return Elementwise(
        name, "(x, /)", category, result, between((domain,)), reference=reference, domains=(domain,), **keywords
    )


def binary(name, category, reference, result="same", domains=(WIDE_DOMAIN, WIDE_DOMAIN), **keywords):
    return Elementwise(
        name, "(x1, x2, /)", category, result, between(domains), reference=reference, domains=domains, **keywords
    )


def smooth(name, reference, domain=WIDE_DOMAIN, category="floating", **keywords):
    """An approximated function of one floating argument."""
    return unary(name, category, reference, domain=domain, ulp=APPROXIMATE, **keywords)


SHIFTS = {"domains": ((-3, 3), (0, 5))}
QUARTERS = {"domains": ((-9, 9), (1, 9)), "step": 0.25, "specials": False}
COMPARED = {"domains": ((-2, 2), (-2, 2)), "complex_domain": (-1, 1), "step": 1}
ROUNDED = {"complex_ulp": 8}  # exact for real numbers, rounded more than once for complex ones
BITS = {"domains": ((0, 9), (0, 9))}

ELEMENTWISE = (
    unary("abs", "numeric", np.abs, "real part", **ROUNDED),
    smooth("acos", np.arccos, (-1, 1)),
    smooth("acosh", np.arccosh, (1, 900)),
    binary("add", "numeric", np.add),
    smooth("asin", np.arcsin, (-1, 1)),
    smooth("asinh", np.arcsinh, (-900, 900)),
    smooth("atan", np.arctan, (-90, 90)),
    binary("atan2", "real floating", np.arctan2, ulp=APPROXIMATE),
    smooth("atanh", np.arctanh, (-1, 1)),
    binary("bitwise_and", "integral or bool", np.bitwise_and, **BITS),
    unary("bitwise_invert", "integral or bool", np.invert),
    binary("bitwise_left_shift", "integral", np.left_shift, **SHIFTS),
    binary("bitwise_or", "integral or bool", np.bitwise_or, **BITS),
    binary("bitwise_right_shift", "integral", np.right_shift, **SHIFTS),
    binary("bitwise_xor", "integral or bool", np.bitwise_xor, **BITS),
    unary("ceil", "real", np.ceil),
    unary("conj", "numeric", np.conj),
    binary("copysign", "real floating", np.copysign),
    smooth("cos", np.cos, (-90, 90)),
    smooth("cosh", np.cosh, (-80, 80)),
    binary("divide", "floating", np.divide, complex_domain=(0.25, 4), **ROUNDED),
    binary("equal", "all", np.equal, "bool", **COMPARED),
    smooth("exp", np.exp, (-80, 80)),
    smooth("expm1", np.expm1, (-80, 80)),
    unary("floor", "real", np.floor),
    binary("floor_divide", "real", np.floor_divide, **QUARTERS),
    binary("greater", "real", np.greater, "bool", **COMPARED),
    binary("greater_equal", "real", np.greater_equal, "bool", **COMPARED),
    binary("hypot", "real floating", np.hypot, ulp=APPROXIMATE),
    unary("imag", "complex floating", np.imag, "real part"),
    unary("isfinite", "numeric", np.isfinite, "bool"),
    unary("isinf", "numeric", np.isinf, "bool"),
    unary("isnan", "numeric", np.isnan, "bool"),
    binary("less", "real", np.less, "bool", **COMPARED),
    binary("less_equal", "real", np.less_equal, "bool", **COMPARED),
    smooth("log", np.log, (1e-3, 900)),
    smooth("log1p", np.log1p, (-1, 900)),
    smooth("log2", np.log2, (1e-3, 900)),
    smooth("log10", np.log10, (1e-3, 900)),
    binary("logaddexp", "real floating", np.logaddexp, ulp=APPROXIMATE),
    binary("logical_and", "bool", np.logical_and),
    unary("logical_not", "bool", np.logical_not),
    binary("logical_or", "bool", np.logical_or),
    binary("logical_xor", "bool", np.logical_xor),
    binary("maximum", "real", np.maximum, signs=False),
    binary("minimum", "real", np.minimum, signs=False),
    binary("multiply", "numeric", np.multiply, **ROUNDED),
    unary("negative", "numeric", np.negative),
    binary("nextafter", "real floating", np.nextafter),
    binary("not_equal", "all", np.not_equal, "bool", **COMPARED),
    unary("positive", "numeric", np.positive),
    binary("pow", "numeric", np.power, domains=((-3, 3), (0, 4)), ulp=4 * APPROXIMATE),
    unary("real", "numeric", np.real, "real part"),
    unary("reciprocal", "floating", lambda x: 1 / x, complex_domain=(0.25, 4), **ROUNDED),
    binary("remainder", "real", np.remainder, **QUARTERS),
    unary("round", "numeric", np.round),
    unary("sign", "numeric", np.sign, signs=False, **ROUNDED),
    unary("signbit", "real floating", np.signbit, "bool"),
    smooth("sin", np.sin, (-90, 90)),
    smooth("sinh", np.sinh, (-80, 80)),
    unary("sqrt", "floating", np.sqrt, domain=(0, 900), **ROUNDED),
    unary("square", "numeric", np.square, **ROUNDED),
    binary("subtract", "numeric", np.subtract),
    smooth("tan", np.tan),
    smooth("tanh", np.tanh),
    unary("trunc", "real", np.trunc),
    Elementwise(
        "clip",
        "(x, /, min=None, max=None)",
        "real",
        "same",
        lambda xp, dtype: ([numbers(xp, dtype, [1, 5, 9])], {"min": 2, "max": 7}),
        reference=np.clip,
        domains=((-9, 9), (-9, 0), (0, 9)),
        specials=False,  # min must not be above max
    ),
)
assert len(ELEMENTWISE) == 67
