"""Bin widths of histograms by NumPy's rules.

n is the number of elements; 0 stands for a single bin.
"""

from __future__ import annotations

import math

from ..._core.array.array import NDArray
from ..elementwise.elementwise import square
from ..operands import as_real
from ..reductions.reductions import max, mean, min, sum
from .bins import Range, even_edges, tally
from .quantiles import percentile
from .statistics import std

__all__: list[str] = []


def extent(x: NDArray) -> float:
    """The largest minus the smallest element, which Python subtracts without wrapping."""
    return float(max(x).item() - min(x).item())


def square_root(x: NDArray) -> float:
    """As many bins as the square root of n."""
    return extent(x) / math.sqrt(x.size)


def sturges(x: NDArray) -> float:
    """log2(n) + 1 bins.  Sturges 1926."""
    return extent(x) / (math.log2(x.size) + 1.0)


def rice(x: NDArray) -> float:
    """Twice the cube root of n bins."""
    return extent(x) / (2.0 * x.size ** (1 / 3))


def scott(x: NDArray) -> float:
    """(24 sqrt(pi) / n)^(1/3) standard deviations.  Scott 1979."""
    return (24.0 * math.pi**0.5 / x.size) ** (1 / 3) * float(std(x))


def freedman_diaconis(x: NDArray) -> float:
    """Twice the range between the quartiles, divided by the cube root of n.  Freedman & Diaconis 1981."""
    low, high = percentile(x, [25.0, 75.0]).tolist()
    return float(2.0 * (high - low) * x.size ** (-1 / 3))


def doane(x: NDArray) -> float:
    """More bins than Sturges's rule the more lopsided the elements lie.  Doane 1976."""
    if x.size <= 2:
        return 0.0
    x = as_real("histogram", x)
    deviation = float(std(x))
    if deviation == 0.0:
        return 0.0
    distance = (x - mean(x)) / deviation
    skewness = abs(float(mean(square(distance) * distance)))
    scale = math.sqrt(6.0 * (x.size - 2) / ((x.size + 1.0) * (x.size + 3)))
    return extent(x) / (1.0 + math.log2(x.size) + math.log2(1.0 + skewness / scale))


def stone(x: NDArray, limits: Range) -> float:
    """The width with the least estimated squared error, of up to 100 bins or the square root of n.  Stone 1984.

    limits: the range of the histogram, over which the bins that are tried lie.
    """
    n, width = x.size, extent(x)
    if n <= 1 or width == 0.0:
        return 0.0

    def error(n_bins: int) -> float:
        edges = even_edges("histogram", x, n_bins, limits)
        shares = tally(x, None, edges, is_even=True).astype("float64") / n
        return (2.0 - (n + 1) * float(sum(square(shares)))) / (width / n_bins)  # ties are decided as NumPy's

    candidates = range(1, (100 if n < 10_000 else math.isqrt(n)) + 1)
    return width / sorted(candidates, key=error)[0]


def automatic(x: NDArray) -> float:
    """Freedman & Diaconis's width or half that of the square root, whichever is more; at most that of Sturges."""
    wide = sorted([freedman_diaconis(x), square_root(x) / 2])[-1]
    return sorted([wide, sturges(x)])[0]


WIDTHS = {
    "auto": automatic,
    "doane": doane,
    "fd": freedman_diaconis,
    "rice": rice,
    "scott": scott,
    "sqrt": square_root,
    "sturges": sturges,
}
# Those that also look at where the bins of the histogram begin and end.
RANGED_WIDTHS = {"stone": stone}
