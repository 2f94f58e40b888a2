"""Special cases of complex functions, as the standard's text has them, in the notation of `special_real.py`.

Operands are the parts a, b of a number; results are its parts, divided by a comma; `±` means that the sign is free,
also that of an infinity.  Numbers other than 0, inf and nan are approximated.
MIRRORS says what holds in the other quadrants: "conj" f(conj z) = conj f(z), "odd" f(-z) = -f(z), "even" f(-z) = f(z).
TURNED functions are defined by others on the turned plane: asin(z) = -i asinh(iz) and so on.
"""

LOGARITHM = """
    F inf > inf, pi/2 | F nan > nan, nan | -inf P > inf, pi | inf P > inf, 0 | -inf inf > inf, 3*pi/4
    inf inf > inf, pi/4 | I nan > inf, nan | nan F > nan, nan | nan inf > inf, nan | nan nan > nan, nan"""
EXPONENTIAL = """
    F inf > nan, nan | F nan > nan, nan | inf 0 > inf, 0 | inf N > inf*cos(b), inf*sin(b) | inf inf > ±inf, nan
    inf nan > ±inf, nan | nan 0 > nan, 0 | nan N > nan, nan | nan I > nan, nan | nan nan > nan, nan"""

COMPLEX = {
    "acos": """
    Z 0 > pi/2, -0 | Z nan > pi/2, nan | F inf > pi/2, -inf | N nan > nan, nan | -inf P > pi, -inf | inf P > 0, -inf
    -inf inf > 3*pi/4, -inf | inf inf > pi/4, -inf | I nan > nan, ±inf | nan F > nan, nan | nan inf > nan, -inf
    nan nan > nan, nan""",
    "acosh": """
    Z 0 > 0, pi/2 | F inf > inf, pi/2 | N nan > nan, nan | 0 nan > nan, ±pi/2 | -inf P > inf, pi | inf P > inf, 0
    -inf inf > inf, 3*pi/4 | inf inf > inf, pi/4 | I nan > inf, nan | nan F > nan, nan | nan inf > inf, nan
    nan nan > nan, nan""",
    "asinh": """
    0 0 > 0, 0 | P inf > inf, pi/2 | F nan > nan, nan | inf P > inf, 0 | inf inf > inf, pi/4 | nan 0 > nan, 0
    nan N > nan, nan | nan inf > ±inf, nan | nan nan > nan, nan""",
    "atanh": """
    0 0 > 0, 0 | 0 nan > 0, nan | 1 0 > inf, 0 | P inf > 0, pi/2 | N nan > nan, nan | inf P > 0, pi/2
    inf inf > 0, pi/2 | inf nan > 0, nan | nan F > nan, nan | nan inf > ±0, pi/2 | nan nan > nan, nan""",
    "cosh": """
    0 0 > 1, 0 | 0 inf > nan, ±0 | 0 nan > nan, ±0 | N inf > nan, nan | N nan > nan, nan | inf 0 > inf, 0
    inf N > inf*cos(b), inf*sin(b) | inf inf > ±inf, nan | inf nan > inf, nan | nan Z > nan, ±0 | nan N > nan, nan
    nan nan > nan, nan""",
    "exp": EXPONENTIAL
    + """
    Z 0 > 1, 0 | -inf F > 0*cos(b), 0*sin(b) | -inf inf > ±0, ±0 | -inf nan > ±0, ±0""",
    "expm1": EXPONENTIAL
    + """
    Z 0 > ±0, 0 | -inf F > -1, 0*sin(b) | -inf inf > -1, ±0 | -inf nan > -1, ±0""",
    "log": LOGARITHM + " | -0 0 > -inf, pi | 0 0 > -inf, 0",
    "log1p": LOGARITHM + " | -1 0 > -inf, 0 | 0 0 > 0, 0",
    "sinh": """
    0 0 > 0, 0 | 0 inf > ±0, nan | 0 nan > ±0, nan | P inf > nan, nan | P nan > nan, nan | inf 0 > inf, 0
    inf P > inf*cos(b), inf*sin(b) | inf inf > ±inf, nan | inf nan > ±inf, nan | nan 0 > nan, 0 | nan N > nan, nan
    nan nan > nan, nan""",
    "sqrt": """
    Z 0 > 0, 0 | A inf > inf, inf | F nan > nan, nan | -inf P > 0, inf | inf P > inf, 0 | -inf nan > nan, ±inf
    inf nan > inf, nan | nan F > nan, nan | nan nan > nan, nan""",
    "tanh": """
    0 0 > 0, 0 | N inf > nan, nan | 0 inf > 0, nan | N nan > nan, nan | 0 nan > 0, nan | inf P > 1, 0
    inf inf > 1, ±0 | inf nan > 1, ±0 | nan 0 > nan, 0 | nan N > nan, nan | nan I > nan, nan | nan nan > nan, nan""",
    "sign": "Z Z > ±0, ±0 | nan A > nan, nan | A nan > nan, nan | 0 P > ±0, 1 | M 0 > -1, ±0 | 3 -4 > 0.6, -0.8",
    "conj": "A A > a, -b",
    "negative": "A A > -a, -b",
    "positive": "A A > a, b",
}
MIRRORS = {
    **dict.fromkeys(("acos", "acosh", "exp", "expm1", "log", "log1p", "sqrt"), ("conj",)),
    **dict.fromkeys(("asinh", "atanh", "sinh", "tanh"), ("conj", "odd")),
    "cosh": ("conj", "even"),
}
# name: (function it is defined by, whether the result is turned back)
TURNED = {
    "asin": ("asinh", True),
    "atan": ("atanh", True),
    "sin": ("sinh", True),
    "tan": ("tanh", True),
    "cos": ("cosh", False),
}
# name: the logarithm of its base, by which the parts of log are divided
BASES = {"log2": 2.0, "log10": 10.0}

# Functions with a real result.
OF_COMPLEX = {
    "abs": "I A > inf | A I > inf | Z F > abs(b) | F Z > abs(a) | nan F > nan | F nan > nan | nan nan > nan | 3 -4 > 5",
    "isfinite": "nan A > False | A nan > False | I A > False | A I > False | F F > True",
    "isinf": "I A > True | A I > True | F F > False | nan F > False | F nan > False | nan nan > False",
    "isnan": "nan A > True | A nan > True | R R > False",
    "real": "A A > a",
    "imag": "A A > b",
}
