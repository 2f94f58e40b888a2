"""Functions that nd4py has under NumPy's names beside the table's rows, timed beside NumPy: `python numpy_names.py`.

Each line is one expression, evaluated with `np` as either library on arrays of the same values.  Calls alternate, the
fastest of several batches counts, and both libraries use the threads they choose.  `--over 1.2` lists the slower ones
alone, `--table` writes lines for docs/measurements.md, and names that follow are those to time.
"""

import argparse
import time

import numpy

import nd4py

SIZES = (100_000, 1_000_000)
BATCHES = 5
BATCH_SECONDS = 0.005
INPUTS = {
    "x": lambda rng, n: rng.normal(size=n),
    "y": lambda rng, n: rng.uniform(0.5, 2.0, size=n),
    "s": lambda rng, n: numpy.sort(rng.normal(size=n)),
    "i": lambda rng, n: rng.integers(1, 1000, n),
    "j": lambda rng, n: rng.integers(0, n, n),
    "k": lambda rng, n: rng.integers(0, 1000, n),
    "u": lambda rng, n: rng.integers(0, 256, n).astype("uint8"),
    "b": lambda rng, n: rng.integers(0, 2, n).astype(bool),
    "h": lambda rng, n: numpy.where(rng.uniform(size=n) < 0.1, numpy.nan, rng.normal(size=n)),
    "z": lambda rng, n: rng.normal(size=n) + 1j * rng.normal(size=n),
    "m": lambda rng, n: rng.normal(size=(n // 100, 100)),
    "f": lambda rng, n: rng.normal(size=n).astype("float32"),
}
CALLS = {
    # Elements.
    "bitwise_count": "np.bitwise_count(i)", "divmod": "np.divmod(i, 7)", "fabs": "np.fabs(x)",
    "float_power": "np.float_power(y, 1.5)", "frexp": "np.frexp(x)", "ldexp": "np.ldexp(x, i)", "modf": "np.modf(x)",
    "spacing": "np.spacing(x)", "i0": "np.i0(x)", "round 2": "np.round(x, 2)", "around -1": "np.around(x, -1)",
    "rint": "np.rint(x)", "fix": "np.fix(x)", "angle": "np.angle(z)", "real_if_close": "np.real_if_close(z)",
    "isreal": "np.isreal(z)", "iscomplex": "np.iscomplex(z)", "isclose": "np.isclose(x, y)",
    "allclose": "np.allclose(x, x)", "array_equal": "np.array_equal(x, x)", "nan_to_num": "np.nan_to_num(h)",
    "sinc": "np.sinc(x)", "heaviside": "np.heaviside(x, 0.5)", "unwrap": "np.unwrap(x)",
    "fmax": "np.fmax(x, y)", "fmod": "np.fmod(x, y)", "gcd": "np.gcd(i, 12)", "lcm": "np.lcm(k, 12)",
    "cbrt": "np.cbrt(x)", "deg2rad": "np.deg2rad(x)", "isneginf": "np.isneginf(x)",
    # Methods of universal functions.
    "add.at": "np.add.at(x.copy(), k, 1.0)", "add.at array": "np.add.at(x.copy(), j, y)",
    "subtract.at": "np.subtract.at(x.copy(), k, y)", "multiply.at": "np.multiply.at(x.copy(), j[:1000], 2.0)",
    "maximum.at": "np.maximum.at(x.copy(), j[:1000], 1.0)",
    "add.reduce": "np.add.reduce(m)", "bitwise_or.reduce": "np.bitwise_or.reduce(i)",
    "bitwise_xor.reduce": "np.bitwise_xor.reduce(i)", "logical_xor.reduce": "np.logical_xor.reduce(b)",
    "gcd.reduce": "np.gcd.reduce(i)", "hypot.reduce": "np.hypot.reduce(x)", "gcd.accumulate": "np.gcd.accumulate(i)",
    "bitwise_or.accumulate": "np.bitwise_or.accumulate(i)", "add.accumulate": "np.add.accumulate(x)",
    "maximum.accumulate": "np.maximum.accumulate(x)", "add.reduceat": "np.add.reduceat(x, np.arange(0, 1000, 10))",
    "add.outer": "np.add.outer(x[:300], y[:300])", "subtract.outer": "np.subtract.outer(x[:300], y[:300])",
    # Bits and bytes.
    "packbits": "np.packbits(b)", "packbits bytes": "np.packbits(u)", "unpackbits": "np.unpackbits(u)",
    # Reductions.
    "nanmean": "np.nanmean(h)", "nanstd": "np.nanstd(h)", "nanvar": "np.nanvar(h)", "nansum": "np.nansum(h)",
    "nanmax": "np.nanmax(h)", "nanargmax": "np.nanargmax(h)", "nancumsum": "np.nancumsum(h)",
    "nancumprod": "np.nancumprod(h)", "nanmedian": "np.nanmedian(h)", "nanquantile": "np.nanquantile(h, 0.3)",
    "average": "np.average(x, weights=y)", "ptp": "np.ptp(x)", "cumsum": "np.cumsum(x)", "cumprod": "np.cumprod(y)",
    "median": "np.median(x)", "quantile": "np.quantile(x, 0.3)", "percentile": "np.percentile(x, [10, 50, 90])",
    "std": "np.std(x)", "count_nonzero": "np.count_nonzero(b)", "corrcoef": "np.corrcoef(x, y)", "cov": "np.cov(x, y)",
    "bincount": "np.bincount(k)", "bincount weights": "np.bincount(k, y)", "histogram": "np.histogram(x, 50)",
    "histogram2d": "np.histogram2d(x, y, 20)", "digitize": "np.digitize(x, s[::1000])",
    "trapezoid": "np.trapezoid(x, s)", "diff": "np.diff(x)", "ediff1d": "np.ediff1d(x)", "gradient": "np.gradient(x)",
    "interp": "np.interp(x, s[::100], s[::100])", "convolve": "np.convolve(x, y[:16])",
    "correlate": "np.correlate(x, y[:16])", "cross": "np.cross(m[:, :3], m[:, 3:6])",
    # Polynomials.
    "polyval": "np.polyval([1.0, 2.0, 3.0, 4.0], x)", "polyadd": "np.polyadd(x, y)", "polysub": "np.polysub(x, y)",
    "polymul": "np.polymul(x, y[:16])", "polyder": "np.polyder(x)", "polyint": "np.polyint(x)",
    "polyfit": "np.polyfit(s, x, 2)", "vander": "np.vander(x, 4)",
    # Choosing, writing, moving.
    "select": "np.select([x > 0, x < -1], [x, y], 0.0)", "choose": "np.choose(b, [x, y])",
    "piecewise": "np.piecewise(x, [x < 0, x >= 0], [-1.0, 1.0])", "where": "np.where(b, x, y)",
    "compress": "np.compress(b, x)", "extract": "np.extract(b, x)", "place": "np.place(x.copy(), b, [1.0, 2.0])",
    "put": "np.put(x.copy(), j, y)", "putmask": "np.putmask(x.copy(), b, y)", "copyto": "np.copyto(x.copy(), y)",
    "copyto where": "np.copyto(x.copy(), y, where=b)", "nonzero": "np.nonzero(b)", "flatnonzero": "np.flatnonzero(b)",
    "argwhere": "np.argwhere(b)", "take": "np.take(x, j)", "delete": "np.delete(x, 5)",
    "insert": "np.insert(x, 5, 1.0)",
    "append": "np.append(x, y)", "resize": "np.resize(x, 150_000)", "trim_zeros": "np.trim_zeros(x)",
    "unravel_index": "np.unravel_index(k, (10, 100))",
    "ravel_multi_index": "np.ravel_multi_index((k, k), (1000, 1000))",
    "fill_diagonal": "np.fill_diagonal(m.copy(), 1.0)", "pad": "np.pad(m, 2)", "pad reflect": "np.pad(m, 2, 'reflect')",
    "roll": "np.roll(x, 10)", "rot90": "np.rot90(m).copy()", "flip": "np.flip(x).copy()", "tile": "np.tile(x, 2)",
    "repeat": "np.repeat(x, 2)", "column_stack": "np.column_stack([x, y])", "dstack": "np.dstack([x, y])",
    "hstack": "np.hstack([x, y])", "block": "np.block([x, y])", "triu": "np.triu(m)", "tril": "np.tril(m)",
    "kron": "np.kron(x, y[:4])", "meshgrid": "np.meshgrid(x[:300], y[:300])[0].copy()",
    "require": "np.require(x, 'float64', ['C'])", "ascontiguousarray": "np.ascontiguousarray(m.T)",
    # Order and sets.
    "sort": "np.sort(x)", "argsort": "np.argsort(x)", "partition": "np.partition(x, 1000)",
    "argpartition": "np.argpartition(x, 1000)", "lexsort": "np.lexsort((x, k))",
    "searchsorted": "np.searchsorted(s, x)",
    "sort_complex": "np.sort_complex(z)", "unique": "np.unique(k)", "intersect1d": "np.intersect1d(k, i)",
    "union1d": "np.union1d(k, i)", "setdiff1d": "np.setdiff1d(k, i)", "setxor1d": "np.setxor1d(k, i)",
    "isin": "np.isin(k, i[:100])",
    # Making.
    "logspace": "np.logspace(0, 3, x.size)", "geomspace": "np.geomspace(1, 1000, x.size)",
    "linspace": "np.linspace(0, 1, x.size)", "indices": "np.indices((300, 300))", "tri": "np.tri(300)",
    "fromfunction": "np.fromfunction(lambda a, b: a + b, (300, 300))", "hanning": "np.hanning(x.size)",
    "hamming": "np.hamming(x.size)", "blackman": "np.blackman(x.size)", "bartlett": "np.bartlett(x.size)",
    "kaiser": "np.kaiser(x.size, 5.0)", "diagflat": "np.diagflat(x[:300])", "mgrid": "np.mgrid[0:300, 0:300]",
    "shares_memory": "np.shares_memory(x[::2], x[1::2])", "may_share_memory": "np.may_share_memory(x, y)",
    "apply_along_axis": "np.apply_along_axis(sum, 1, m[:200])",
    # Random numbers.

    **{name: f"np.random.default_rng(1).{name}({''.join(f'{value}, ' for value in given)}size=x.size)"
       for name, given in {
        "noncentral_chisquare": (3.0, 2.0), "logistic": (), "chisquare": (3.0,), "standard_t": (4.0,), "f": (4.0, 6.0),
        "pareto": (3.0,), "weibull": (2.0,), "power": (2.0,), "rayleigh": (), "wald": (1.0, 2.0), "laplace": (),
        "gumbel": (), "lognormal": (), "triangular": (0.0, 1.0, 2.0), "vonmises": (0.0, 2.0), "zipf": (2.5,),
        "geometric": (0.3,), "hypergeometric": (20, 30, 10), "logseries": (0.4,), "negative_binomial": (5, 0.4),
        "standard_cauchy": (), "poisson": (3.0,), "binomial": (10, 0.3), "normal": (), "uniform": (),
        "exponential": (), "gamma": (2.0,), "beta": (2.0, 3.0),
    }.items()},
}  # fmt: skip


def finished(result):
    """A result, computed."""
    for item in result if isinstance(result, tuple | list) else (result,):
        if hasattr(item, "block"):
            item.block()


def batch_seconds(call, n_calls):
    """Seconds of one call, of several in a row."""
    start = time.perf_counter()
    for _ in range(n_calls):
        finished(call())
    return (time.perf_counter() - start) / n_calls


def times(text, n):
    """(our seconds, NumPy's) of an expression on arrays of `n` elements."""
    rng = numpy.random.default_rng(0)
    values = {name: make(rng, n) for name, make in INPUTS.items()}
    ours = {name: nd4py.array(x) for name, x in values.items()}  # each library reads memory of its own
    code = compile(text, text, "eval")
    calls = [lambda names=names: eval(code, names) for names in ({"np": nd4py, **ours}, {"np": numpy, **values})]
    for call in calls:  # what is imported and made at a first call is not what a call takes
        finished(call())
    n_calls = [max(1, min(200, int(BATCH_SECONDS / max(batch_seconds(call, 1), 1e-7)))) for call in calls]
    turns = [[batch_seconds(call, count) for call, count in zip(calls, n_calls, strict=True)] for _ in range(BATCHES)]
    return tuple(min(turn[k] for turn in turns) for k in range(2))


def main():
    """Time the names that were asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--over", type=float, default=0.0)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    form = (
        "| `{}` | {:.0f} | {:.0f} | {:.2f} | {:.0f} | {:.0f} | {:.2f} |"
        if options.table
        else ("{:24} {:9.1f} {:9.1f} {:6.2f}   {:9.1f} {:9.1f} {:6.2f}")
    )
    with numpy.errstate(all="ignore"):
        for name in options.names or CALLS:
            cells = [v * 1e6 for n in SIZES for v in times(CALLS[name], n)]
            ratios = (cells[0] / cells[1], cells[2] / cells[3])
            if max(ratios) >= options.over:
                print(form.format(name, *cells[:2], ratios[0], *cells[2:], ratios[1]), flush=True)


if __name__ == "__main__":
    main()
