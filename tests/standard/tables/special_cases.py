"""The notation of the special cases: lines become operands and expected results."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..subject import PART
from .special_complex import BASES, COMPLEX, MIRRORS, TURNED
from .special_real import LETTERS

NAMES = {name: getattr(np, name) for name in ("inf", "nan", "pi", "sign", "sqrt", "finfo", "maximum", "minimum")}
NAMES |= {"cos": np.cos, "sin": np.sin, "abs": np.abs}
APPROXIMATE = 4


@dataclass(frozen=True)
class Expected:
    """One number (or part of a complex one)."""

    value: object
    is_sign_free: bool = False
    is_approximate: bool = False


def lines_of(text):
    """[(operand texts, result texts)] of a block in the notation."""
    lines = [line.strip() for block in text.splitlines() for line in block.split("|")]
    for line in filter(None, lines):
        operands, _, result = line.partition(" > ")
        yield operands.split(), result.strip()


def real_cases(text, dtype):
    """[(operands, Expected)], every letter replaced by its numbers; operands are NumPy scalars of the dtype."""
    kind = np.dtype(dtype).type
    cases = []
    for operands, result in lines_of(text):
        choices = [LETTERS.get(operand) or (number(operand),) for operand in operands if operand != "a"]
        for values in product(*choices):
            numbers = [kind(value) for value in values]
            numbers += numbers[:1] * (len(operands) - len(numbers))  # the operand `a` repeats the first
            cases.append((numbers, expect(result, dict(zip("ab", numbers, strict=False)))))
    return cases


def number(text):
    """float("-0") and float("-nan") keep their signs."""
    return float(text)


def expect(text, operands):
    """The result a line gives for these operands."""
    value = text.lstrip("+~±")
    try:
        result = number(value)
    except ValueError:
        result = eval(value, NAMES | operands)
    return Expected(result, text[0] in "+±", text[0] == "~")


def expected_arrays(expected, dtype):
    """(values, whether signs of zeros count, whether they are approximated) as arrays."""
    values = np.asarray([case.value for case in expected]).astype(dtype)
    free = np.asarray([case.is_sign_free for case in expected])
    return values, free, np.asarray([case.is_approximate for case in expected])


def complex_cases(name, dtype):
    """[((a, b), (Expected, Expected))] of a complex function, in all the quadrants its text speaks of."""
    if name in TURNED:
        base, turns_back = TURNED[name]
        return [turned(case, turns_back) for case in complex_cases(base, dtype)]
    if name in BASES:
        scale = np.log(BASES[name])
        return [
            (z, tuple(replace(part, value=part.value / scale) for part in f)) for z, f in complex_cases("log", dtype)
        ]
    cases = []
    for operands, result in lines_of(COMPLEX[name]):
        for a, b in product(*[LETTERS.get(operand) or (number(operand),) for operand in operands]):
            z = tuple(np.dtype(PART[dtype]).type(part) for part in (a, b))
            values = tuple(expect(part.strip(), dict(zip("ab", z, strict=True))) for part in result.split(","))
            cases.append((z, values))
    for mirror in MIRRORS.get(name, ()):
        cases += [mirrored(case, mirror) for case in cases]
    return cases


def turned(case, turns_back):
    """The case of f at z = -i(a + bi) where g(iz), and also -i g(iz) if it turns back, is given."""
    (a, b), (re, im) = case
    return (b, -a), (im, replace(re, value=-re.value)) if turns_back else (re, im)


def mirrored(case, mirror):
    (a, b), (re, im) = case
    minus_re, minus_im = (replace(part, value=-part.value) for part in (re, im))
    if mirror == "conj":
        return (a, -b), (re, minus_im)
    return (-a, -b), (minus_re, minus_im) if mirror == "odd" else (re, im)


def complex_array(parts, dtype):
    """Complex numbers of (a, b) pairs; arithmetic would turn infinities into NaN."""
    z = np.empty(len(parts), dtype)
    z.real, z.imag = np.asarray(parts).T
    return z
