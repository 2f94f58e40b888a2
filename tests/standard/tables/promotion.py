"""The standard's type promotion, as tables, and which Python scalars go with which dtypes."""

from ..subject import DTYPES

SIZES = {name: int(name.lstrip("uintfloacmpex")) for name in DTYPES["numeric"]}
SIGNED, UNSIGNED = DTYPES["signed integer"], DTYPES["unsigned integer"]

# Every unordered pair the standard gives a common dtype, and that dtype.
PROMOTION = {(name, name): name for name in DTYPES["all"]}
for family in (SIGNED, UNSIGNED):
    PROMOTION |= {(a, b): max(a, b, key=SIZES.get) for a in family for b in family}
# The smallest signed dtype that holds both; uint64 with a signed dtype has no common one.
PROMOTION |= {
    (a, b): next(c for c in SIGNED if SIZES[c] >= SIZES[a] and SIZES[c] > SIZES[b])
    for a in SIGNED
    for b in UNSIGNED[:-1]
}
PROMOTION |= {
    ("float32", "float64"): "float64",
    ("float32", "complex64"): "complex64",
    ("float32", "complex128"): "complex128",
    ("float64", "complex64"): "complex128",
    ("float64", "complex128"): "complex128",
    ("complex64", "complex128"): "complex128",
}
PROMOTION |= {(b, a): result for (a, b), result in PROMOTION.items()}


def scalars_for(dtype):
    """{Python scalar: dtype of the result} for the scalars that may stand beside an array of this dtype."""
    if dtype == "bool":
        return {True: "bool"}
    if "int" in dtype:
        return {2: dtype}
    whole = {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)
    return {2: dtype, 1.5: dtype, 1.5 + 2j: whole}


def pairs_within(dtypes):
    """The pairs of the promotion table whose dtypes are both among these."""
    return [pair for pair in PROMOTION if set(pair) <= set(dtypes)]
