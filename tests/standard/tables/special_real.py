"""Special cases of real floating functions, as the standard's text has them.

One line per case: operands, `>`, result. Operands are numbers or a letter for many of them:
A any value, NaN too; R any but NaN; F finite; N finite, not 0; P finite, positive; M finite, negative;
Z both zeros; I both infinities; O odd integers; E finite numbers that are no odd integers, not 0; L below 1 and above 0
in size; G above 1 in size; U the numbers 1 and -1.
Results are expressions in a, b, inf, nan, pi and the functions of NumPy: `+` in front means the sign of a zero is free,
`~` that the number is approximated.
"""

FINITE_POSITIVE = (0.5, 1.0, 1.5, 3.0, 1e30)
LETTERS = {
    "P": FINITE_POSITIVE,
    "M": tuple(-x for x in FINITE_POSITIVE),
    "Z": (0.0, -0.0),
    "I": (float("inf"), float("-inf")),
    "O": (-3.0, -1.0, 1.0, 3.0, 5.0),
    "E": (-4.0, -2.5, -0.5, 0.5, 2.0, 2.5),
    "L": (0.5, -0.5, 1e-30, -1e-30, 0.75),
    "G": (1.5, -1.5, 3.0, -3.0, 1e30, -1e30),
    "U": (1.0, -1.0),
}
LETTERS["N"] = LETTERS["P"] + LETTERS["M"]
LETTERS["F"] = LETTERS["N"] + LETTERS["Z"]
LETTERS["R"] = LETTERS["F"] + LETTERS["I"]
LETTERS["A"] = (*LETTERS["R"], float("nan"))

ROUNDING = "nan > nan | inf > inf | -inf > -inf | 0 > 0 | -0 > -0 | 3 > a | -7 > a | 1e30 > a | -4.0 > -4"
ODD = "nan > nan | 0 > 0 | -0 > -0"
LOGARITHM = "nan > nan | M > nan | -inf > nan | Z > -inf | 1 > 0 | inf > inf"

UNARY = {
    "abs": "nan > nan | -0 > 0 | 0 > 0 | I > inf | P > a | M > -a",
    "acos": "nan > nan | 1.5 > nan | -1.5 > nan | I > nan | 1e30 > nan | 1 > 0",
    "acosh": "nan > nan | 0.5 > nan | M > nan | Z > nan | -inf > nan | 1 > 0 | inf > inf",
    "asin": f"{ODD} | 1.5 > nan | -1.5 > nan | I > nan | 1e30 > nan",
    "asinh": f"{ODD} | I > a",
    "atan": f"{ODD} | inf > ~pi/2 | -inf > ~-pi/2 | 1e30 > ~pi/2",
    "atanh": f"{ODD} | 1.5 > nan | -1.5 > nan | I > nan | -1 > -inf | 1 > inf",
    "ceil": f"{ROUNDING} | -0.5 > -0.0 | 0.5 > 1 | -1.5 > -1 | 1.5 > 2",
    "cos": "nan > nan | Z > 1 | I > nan",
    "cosh": "nan > nan | Z > 1 | I > inf",
    "exp": "nan > nan | Z > 1 | inf > inf | -inf > 0 | 1e30 > inf | -1e30 > 0",
    "expm1": f"{ODD} | inf > inf | -inf > -1 | 1e30 > inf | -1e30 > -1",
    "floor": f"{ROUNDING} | -0.5 > -1 | 0.5 > 0 | -1.5 > -2 | 1.5 > 1",
    "log": LOGARITHM,
    "log1p": f"{ODD} | -1.5 > nan | -3 > nan | -inf > nan | -1 > -inf | inf > inf",
    "log2": LOGARITHM + " | 8 > 3 | 0.5 > -1",
    "log10": LOGARITHM,
    "reciprocal": "nan > nan | 0 > inf | -0 > -inf | inf > 0 | -inf > -0.0 | 4 > 0.25",
    "round": f"{ROUNDING} | 0.5 > 0 | -0.5 > -0.0 | 1.5 > 2 | 2.5 > 2 | -1.5 > -2 | -2.5 > -2 | 3.5 > 4 | -0.25 > -0.0",
    "sign": "nan > nan | Z > +0 | P > 1 | M > -1 | inf > 1 | -inf > -1",
    "sin": f"{ODD} | I > nan",
    "sinh": f"{ODD} | I > a",
    "sqrt": "nan > nan | M > nan | -inf > nan | 0 > 0 | -0 > -0 | inf > inf | 9 > 3",
    "square": "nan > nan | Z > 0 | I > inf | -3 > 9 | 1e-30 > a*a | 1e30 > a*a",
    "tan": f"{ODD} | I > nan",
    "tanh": f"{ODD} | inf > 1 | -inf > -1 | 1e30 > 1 | -1e30 > -1",
    "trunc": f"{ROUNDING} | -0.5 > -0.0 | 0.5 > 0 | -1.5 > -1 | 1.5 > 1",
    "positive": "A > a",
    "negative": "A > -a",
    "isfinite": "F > True | nan > False | I > False",
    "isinf": "F > False | nan > False | I > True",
    "isnan": "F > False | nan > True | I > False",
    "signbit": "0 > False | -0 > True | inf > False | -inf > True | P > False | M > True | nan > False | -nan > True",
}

SUM = """
    nan A > nan | A nan > nan | inf -inf > nan | -inf inf > nan | inf inf > inf | -inf -inf > -inf
    inf F > inf | -inf F > -inf | F inf > inf | F -inf > -inf | -0 -0 > -0 | -0 0 > 0 | 0 -0 > 0 | 0 0 > 0
    Z N > b | N Z > a | 3 -3 > 0 | -0.5 0.5 > 0"""
# Dividing: the sign is the product of the signs.
QUOTIENT = """
    nan A > nan | A nan > nan | I I > nan | Z Z > nan | 0 P > 0 | -0 P > -0 | 0 M > -0 | -0 M > 0
    0 inf > 0 | -0 inf > -0 | 0 -inf > -0 | -0 -inf > 0
    P 0 > inf | P -0 > -inf | M 0 > -inf | M -0 > inf | inf 0 > inf | inf -0 > -inf | -inf 0 > -inf | -inf -0 > inf
    inf P > inf | inf M > -inf | -inf P > -inf | -inf M > inf
    P inf > 0 | P -inf > -0 | M inf > -0 | M -inf > 0"""
ORDER = "nan A > {nan} | A nan > {nan} | I I > a {op} b | I F > a {op} b | F I > a {op} b | Z Z > 0.0 {op} -0.0"


def comparison(op, with_nan=False):
    return ORDER.format(op=op, nan=with_nan) + f" | N N > a {op} b"


BINARY = {
    "add": SUM,
    "subtract": """
    nan A > nan | A nan > nan | inf inf > nan | -inf -inf > nan | inf -inf > inf | -inf inf > -inf
    inf F > inf | -inf F > -inf | F inf > -inf | F -inf > inf | -0 0 > -0 | -0 -0 > 0 | 0 0 > 0 | 0 -0 > 0
    Z N > -b | N Z > a | 3 3 > 0""",
    "multiply": """
    nan A > nan | A nan > nan | I Z > nan | Z I > nan | I I > sign(a)*b | I N > sign(b)*a | N I > sign(a)*b
    Z P > a | Z M > -a | P Z > b | M Z > -b | 0 0 > 0 | -0 -0 > 0 | 0 -0 > -0 | -0 0 > -0""",
    "divide": QUOTIENT + " | N 3 > a/b | N -0.5 > a/b",
    "floor_divide": QUOTIENT.replace("P inf > 0", "P inf > 0 | 1 3 > 0 | -1 3 > -1 | 7 -2 > -4 | -7 -2 > 3 | 6 3 > 2"),
    "remainder": """
    nan A > nan | A nan > nan | I I > nan | Z Z > nan | 0 P > 0 | -0 P > 0 | 0 M > -0 | -0 M > -0
    P Z > nan | M Z > nan | I F > nan | P inf > a | P -inf > b | M inf > b | M -inf > a
    7 3 > 1 | -7 3 > 2 | 7 -3 > -2 | -7 -3 > -1 | 6 3 > 0 | -6 3 > 0 | 6 -3 > -0 | -6 -3 > -0 | 5.5 2 > 1.5""",
    "pow": """
    U nan > 1 if a == 1 else nan | Z nan > nan | G nan > nan | L nan > nan | I nan > nan | nan nan > nan
    A Z > 1 | nan N > nan | nan I > nan
    G inf > inf | G -inf > 0 | I inf > inf | I -inf > 0 | U I > 1 | 1 R > 1
    L inf > 0 | L -inf > inf | Z inf > 0 | Z -inf > inf
    inf P > inf | inf M > 0 | -inf O > -inf if b > 0 else -0.0 | -inf E > inf if b > 0 else 0.0
    0 P > 0 | 0 M > inf | -0 O > -0.0 if b > 0 else -inf | -0 E > 0.0 if b > 0 else inf
    M 0.5 > nan | M -0.5 > nan | M 2.5 > nan | -2 3 > -8 | -2 2 > 4""",
    "atan2": """
    nan A > nan | A nan > nan | P Z > ~pi/2 | M Z > ~-pi/2 | 0 P > 0 | -0 P > -0 | 0 0 > 0 | -0 0 > -0
    0 -0 > ~pi | 0 M > ~pi | -0 -0 > ~-pi | -0 M > ~-pi | 0 inf > 0 | -0 inf > -0 | 0 -inf > ~pi | -0 -inf > ~-pi
    P inf > 0 | M inf > -0 | P -inf > ~pi | M -inf > ~-pi | inf F > ~pi/2 | -inf F > ~-pi/2
    inf inf > ~pi/4 | inf -inf > ~3*pi/4 | -inf inf > ~-pi/4 | -inf -inf > ~-3*pi/4""",
    "copysign": """
    R P > abs(a) | R M > -abs(a) | R 0 > abs(a) | R -0 > -abs(a) | R inf > abs(a) | R -inf > -abs(a)
    R nan > abs(a) | R -nan > -abs(a) | nan A > nan""",
    "hypot": """
    I A > inf | A I > inf | Z F > abs(b) | F Z > abs(a) | nan F > nan | F nan > nan | nan nan > nan
    1e30 1e30 > ~1e30*sqrt(2) | 3 -4 > 5 | 1e-30 1e-30 > ~1e-30*sqrt(2)""",
    "logaddexp": """
    nan A > nan | A nan > nan | inf R > inf | R inf > inf | -inf -inf > -inf | -inf F > +b | F -inf > +a""",
    "maximum": "nan A > nan | A nan > nan | I F > maximum(a, b) | F I > maximum(a, b) | Z Z > +0 | -inf inf > inf",
    "minimum": "nan A > nan | A nan > nan | I F > minimum(a, b) | F I > minimum(a, b) | Z Z > +0 | -inf inf > -inf",
    "nextafter": """
    nan A > nan | A nan > nan | -0 0 > 0 | 0 -0 > -0 | 0 0 > 0 | -0 -0 > -0 | inf inf > inf | P a > a
    1 inf > 1+finfo(a.dtype).eps | 1 -3 > 1-finfo(a.dtype).eps/2 | -1 0 > finfo(a.dtype).eps/2-1
    inf 0 > finfo(a.dtype).max | -inf 0 > -finfo(a.dtype).max | Z inf > finfo(a.dtype).smallest_subnormal
    Z M > -finfo(a.dtype).smallest_subnormal""",
    "equal": comparison("=="),
    "not_equal": comparison("!=", True),
    "less": comparison("<"),
    "less_equal": comparison("<="),
    "greater": comparison(">"),
    "greater_equal": comparison(">="),
}
