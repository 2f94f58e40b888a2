"""Operands that are hard for complex functions, and exact results from mpmath."""

import functools
import math

import mpmath as mp
import numpy as np

N_POINTS = 24


def reference(name):
    """The function of mpmath that is `name`."""
    composed = {
        "abs": lambda z: mp.mpc(abs(z)),
        "sign": lambda z: z / abs(z),
        "square": lambda z: z * z,
        "reciprocal": lambda z: 1 / z,
        "expm1": lambda z: mp.exp(z) - 1,
        "log1p": lambda z: mp.log(1 + z),
        "log2": lambda z: mp.log(z) / mp.log(2),
        "log10": lambda z: mp.log(z) / mp.log(10),
    }
    return composed.get(name) or getattr(mp, name)


def exact(z):
    """A NumPy number as one of mpmath."""
    return mp.mpc(mp.mpf(float(z.real)), mp.mpf(float(z.imag)))


def spread(rng, low, high):
    """Numbers of either sign whose binary exponents are uniform in [low, high)."""
    return np.ldexp(rng.uniform(0.5, 1, N_POINTS), rng.integers(low, high, N_POINTS)) * rng.choice([-1, 1], N_POINTS)


def near(rng, centre):
    """Numbers close to +-centre."""
    return rng.choice([-1, 1], N_POINTS) * centre * (1 + spread(rng, -54, -1))


def regions(rng, real):
    """(name, real parts, imaginary parts) of the places where formulas lose digits."""
    limits = np.finfo(real)
    low, high, overflow = limits.minexp - limits.nmant, limits.maxexp, math.log(float(limits.max))
    angle, radius = rng.uniform(-np.pi, np.pi, N_POINTS), 1 + spread(rng, -30, -2)
    small_angle, multiples = spread(rng, -40, 0), rng.integers(-20, 20, N_POINTS) * (np.pi / 2)
    yield "plane", rng.uniform(-3, 3, N_POINTS), rng.uniform(-3, 3, N_POINTS)
    yield "middle", spread(rng, -12, 8), spread(rng, -12, 8)
    yield "wide", spread(rng, low // 2, high // 2), spread(rng, low // 2, high // 2)
    yield "extreme", spread(rng, low, high), spread(rng, low, high)
    yield "unit circle", radius * np.cos(angle), radius * np.sin(angle)
    yield "unit circle near 1", radius * np.cos(small_angle), radius * np.sin(small_angle)
    yield "unit circle around -1", radius * np.cos(angle) - 1, radius * np.sin(angle)
    yield "near +-1", near(rng, 1), spread(rng, -60, 0)
    yield "near +-i", spread(rng, -60, 0), near(rng, 1)
    yield "near 0", spread(rng, -60, -1), spread(rng, -60, -1)
    yield "near i pi / 2", spread(rng, -50, 3), multiples + spread(rng, -50, -1)
    yield "near pi / 2", multiples + spread(rng, -50, -1), spread(rng, -50, 3)
    yield (
        "exp overflows",
        rng.choice([-1, 1], N_POINTS) * (overflow + rng.uniform(-3, 3, N_POINTS)),
        spread(rng, -30, 4),
    )
    yield (
        "cos overflows",
        spread(rng, -30, 4),
        rng.choice([-1, 1], N_POINTS) * (overflow + rng.uniform(-3, 3, N_POINTS)),
    )
    yield "sinh is cosh", rng.choice([-1, 1], N_POINTS) * rng.uniform(5, 30, N_POINTS), spread(rng, -8, 4)
    yield "sin is cos", spread(rng, -8, 4), rng.choice([-1, 1], N_POINTS) * rng.uniform(5, 30, N_POINTS)


def is_within_reach(name, z):
    """Not an angle or an exponent so large that mpmath would take minutes."""
    grows = name in ("exp", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    return not grows or max(abs(z.real), abs(z.imag)) < 2000


@functools.cache
def wanted(name, dtype, region):
    """(operands, exact results) in a region."""
    real = np.dtype(dtype).type(0).real.dtype
    index, parts = next(
        (i, parts) for i, (label, *parts) in enumerate(regions(np.random.default_rng(7), real)) if label == region
    )
    operands = [z for z in (parts[0].astype(real) + 1j * parts[1].astype(real)) if is_within_reach(name, z)]
    n_bits = {"wide": 1200, "extreme": 2400}.get(region, 300)
    with mp.workprec(n_bits if real == np.float64 else min(n_bits, 500)):
        return np.array(operands, dtype=dtype), [reference(name)(exact(z)) for z in operands]


REGIONS = tuple(label for label, *_ in regions(np.random.default_rng(0), np.dtype("float64")))


def part_error(got, want, limits):
    """Distance of a part from the exact one in units of epsilon * |want|; an overflow may be an infinity."""
    if abs(want) >= mp.mpf(float(limits.max)) * (1 - 4 * float(limits.eps)):
        return 0.0 if abs(got) >= float(limits.max) * (1 - 8 * float(limits.eps)) else math.inf
    unit = max(abs(want) * float(limits.eps), mp.mpf(float(limits.smallest_subnormal)))
    return float(abs(mp.mpf(float(got)) - want) / unit) if math.isfinite(got) else math.inf


def errors(got, want):
    """(error of the complex number in units of epsilon * |want|, the larger error of its parts)."""
    limits = np.finfo(got.dtype)
    parts = max(part_error(got.real, mp.re(want), limits), part_error(got.imag, mp.im(want), limits))
    if not (np.isfinite(got) and abs(want) < float(limits.max)):
        return parts, parts
    unit = max(abs(want) * float(limits.eps), mp.mpf(float(limits.smallest_subnormal)))
    return float(abs(exact(got) - want) / unit), parts
