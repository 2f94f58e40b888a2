"""Special values of the complex functions, from the Python array API standard 2024.12, and how to compare with them.

A line of SPECIAL_VALUES is: function, real part, imaginary part, both parts of the result.  A part of the operand is a
number or a set of them (SETS).  In a result, `~` leaves the sign free, and `cis` stands for cos(b) and sin(b) of the
imaginary part b.  Results for conj(x) and -x follow by symmetry (ODD, EVEN), those of asin, atan, sin, cos and tan by
a turn of the plane (TURNED).  sqrt of infinities follows C99; the standard's own text had two of them wrong until
https://github.com/data-apis/array-api/pull/987.
"""

import math

import numpy as np

POSITIVE = (1.0, 3.0, 0.3125, 40.0, 2.0**-100, 2.0**100)
NONZERO = (*POSITIVE, *(-x for x in POSITIVE))
SETS = {
    "zero": (0.0, -0.0),
    "positive": POSITIVE,
    "nonzero": NONZERO,
    "finite": (0.0, -0.0, *NONZERO),
    "infinite": (math.inf, -math.inf),
    "notzero": (*NONZERO, math.inf, -math.inf),
    "any": (0.0, -0.0, *NONZERO, math.inf, -math.inf, math.nan),
}

SPECIAL_VALUES = """
acos   zero      +0        pi/2    -0
acos   zero      nan       pi/2    nan
acos   finite    inf       pi/2    -inf
acos   nonzero   nan       nan     nan
acos   -inf      positive  pi      -inf
acos   inf       positive  +0      -inf
acos   -inf      inf       3pi/4   -inf
acos   inf       inf       pi/4    -inf
acos   infinite  nan       nan     ~inf
acos   nan       finite    nan     nan
acos   nan       inf       nan     -inf
acos   nan       nan       nan     nan
acosh  zero      +0        +0      pi/2
acosh  finite    inf       inf     pi/2
acosh  nonzero   nan       nan     nan
acosh  zero      nan       nan     ~pi/2
acosh  -inf      positive  inf     pi
acosh  inf       positive  inf     +0
acosh  -inf      inf       inf     3pi/4
acosh  inf       inf       inf     pi/4
acosh  infinite  nan       inf     nan
acosh  nan       finite    nan     nan
acosh  nan       inf       inf     nan
acosh  nan       nan       nan     nan
asinh  +0        +0        +0      +0
asinh  positive  inf       inf     pi/2
asinh  finite    nan       nan     nan
asinh  inf       positive  inf     +0
asinh  inf       inf       inf     pi/4
asinh  inf       nan       inf     nan
asinh  nan       +0        nan     +0
asinh  nan       nonzero   nan     nan
asinh  nan       inf       ~inf    nan
asinh  nan       nan       nan     nan
atanh  +0        +0        +0      +0
atanh  +0        nan       +0      nan
atanh  1         +0        inf     +0
atanh  positive  inf       +0      pi/2
atanh  nonzero   nan       nan     nan
atanh  inf       positive  +0      pi/2
atanh  inf       inf       +0      pi/2
atanh  inf       nan       +0      nan
atanh  nan       finite    nan     nan
atanh  nan       inf       ~0      pi/2
atanh  nan       nan       nan     nan
cosh   +0        +0        1       +0
cosh   +0        inf       nan     ~0
cosh   +0        nan       nan     ~0
cosh   nonzero   inf       nan     nan
cosh   nonzero   nan       nan     nan
cosh   inf       +0        inf     +0
cosh   inf       nonzero   inf*cis inf*cis
cosh   inf       inf       ~inf    nan
cosh   inf       nan       inf     nan
cosh   nan       zero      nan     ~0
cosh   nan       nonzero   nan     nan
cosh   nan       nan       nan     nan
exp    zero      +0        1       +0
exp    finite    inf       nan     nan
exp    finite    nan       nan     nan
exp    inf       +0        inf     +0
exp    -inf      finite    0*cis   0*cis
exp    inf       nonzero   inf*cis inf*cis
exp    -inf      inf       ~0      ~0
exp    inf       inf       ~inf    nan
exp    -inf      nan       ~0      ~0
exp    inf       nan       ~inf    nan
exp    nan       +0        nan     +0
exp    nan       notzero   nan     nan
exp    nan       nan       nan     nan
expm1  zero      +0        +0      +0
expm1  finite    inf       nan     nan
expm1  finite    nan       nan     nan
expm1  inf       +0        inf     +0
expm1  -inf      finite    -1      0*cis
expm1  inf       nonzero   inf*cis inf*cis
expm1  -inf      inf       -1      ~0
expm1  inf       inf       ~inf    nan
expm1  -inf      nan       -1      ~0
expm1  inf       nan       ~inf    nan
expm1  nan       +0        nan     +0
expm1  nan       notzero   nan     nan
expm1  nan       nan       nan     nan
log    -0        +0        -inf    pi
log    +0        +0        -inf    +0
log    finite    inf       inf     pi/2
log    finite    nan       nan     nan
log    -inf      positive  inf     pi
log    inf       positive  inf     +0
log    -inf      inf       inf     3pi/4
log    inf       inf       inf     pi/4
log    infinite  nan       inf     nan
log    nan       finite    nan     nan
log    nan       inf       inf     nan
log    nan       nan       nan     nan
log1p  -1        +0        -inf    +0
log1p  finite    inf       inf     pi/2
log1p  finite    nan       nan     nan
log1p  -inf      positive  inf     pi
log1p  inf       positive  inf     +0
log1p  -inf      inf       inf     3pi/4
log1p  inf       inf       inf     pi/4
log1p  infinite  nan       inf     nan
log1p  nan       finite    nan     nan
log1p  nan       inf       inf     nan
log1p  nan       nan       nan     nan
sign   zero      zero      +0      +0
sign   nan       any       nan     nan
sign   any       nan       nan     nan
sign   inf       positive  1       +0
sign   positive  -inf      +0      -1
sinh   +0        +0        +0      +0
sinh   +0        inf       ~0      nan
sinh   +0        nan       ~0      nan
sinh   positive  inf       nan     nan
sinh   positive  nan       nan     nan
sinh   inf       +0        inf     +0
sinh   inf       positive  inf*cis inf*cis
sinh   inf       inf       ~inf    nan
sinh   inf       nan       ~inf    nan
sinh   nan       +0        nan     +0
sinh   nan       nonzero   nan     nan
sinh   nan       nan       nan     nan
sqrt   zero      +0        +0      +0
sqrt   any       inf       inf     inf
sqrt   finite    nan       nan     nan
sqrt   -inf      positive  +0      inf
sqrt   inf       positive  inf     +0
sqrt   -inf      nan       nan     ~inf
sqrt   inf       nan       inf     nan
sqrt   nan       finite    nan     nan
sqrt   nan       nan       nan     nan
tanh   +0        +0        +0      +0
tanh   nonzero   inf       nan     nan
tanh   +0        inf       +0      nan
tanh   nonzero   nan       nan     nan
tanh   +0        nan       +0      nan
tanh   inf       positive  1       +0
tanh   inf       inf       1       ~0
tanh   inf       nan       1       ~0
tanh   nan       +0        nan     +0
tanh   nan       notzero   nan     nan
tanh   nan       nan       nan     nan
"""

UNARY = (
    *("abs", "sign", "square", "reciprocal", "sqrt", "exp", "expm1", "log", "log1p", "log2", "log10"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)
ODD = ("sign", "reciprocal", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh")
EVEN = ("abs", "square", "cos", "cosh")
TURNED = {"sin": "sinh", "tan": "tanh", "asin": "asinh", "atan": "atanh"}  # f(x) = -i g(i x)


def number(text):
    """The float that a word of the table means."""
    if "pi" in text:
        factor, _, divisor = text.partition("pi")
        return float(factor or 1) * math.pi / float(divisor[1:] or 1)
    return float(text)


def members(text):
    """The numbers an operand's part stands for."""
    return SETS[text] if text in SETS else (number(text),)


def expected(text, direction):
    """(value, whether its sign counts) for a result's part; `direction` is cos or sin of the operand."""
    if text.endswith("*cis"):
        return number(text[:-4]) * direction if direction != 0 else direction, True
    return number(text.lstrip("~")), not text.startswith("~")


def special_cases(name):
    """Operands (a list of complex numbers) and the wanted ((real, counts), (imaginary, counts)) of each."""
    operands, results = [], []
    for line in SPECIAL_VALUES.strip().splitlines():
        function, a, b, real, imaginary = line.split()
        for re in members(a) if function == name else ():
            for im in members(b):
                cosine, sine = (math.cos(im), math.sin(im)) if math.isfinite(im) else (math.nan, math.nan)
                sine = im if im == 0 else sine
                operands.append(complex(re, im))
                results.append((expected(real, cosine), expected(imaginary, sine)))
    return operands, results


SPECIAL_FUNCTIONS = tuple(dict.fromkeys(line.split()[0] for line in SPECIAL_VALUES.strip().splitlines()))


def grid():
    """Every pair of interesting parts."""
    parts = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 30.0, -(2.0**100), 2.0**-100, math.inf, -math.inf, math.nan)
    return np.array([complex(a, b) for a in parts for b in parts])


def matches(got, want, signed=True, rtol=0.0):
    """Whether a float is the wanted one, its sign and that of zero included where `signed`."""
    if math.isnan(want):
        return math.isnan(got)
    if not signed:
        got, want = abs(got), abs(want)
    close = got == want or abs(got - want) <= rtol * abs(want)
    return close and math.copysign(1, got) == math.copysign(1, want)
