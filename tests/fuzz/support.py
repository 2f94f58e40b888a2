"""What the lines of a program call beside nd4py and NumPy: data, looks, and the rules that the model needs.

A printed program imports these names, so that it runs by itself.
"""

import functools
import threading

import ml_dtypes
import numpy as np

import nd4py as nd

REFUSALS = (TypeError, ValueError, IndexError, OverflowError, nd.WorkspaceError)  # what nd4py documents
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 5e-324, 1e-310, 1e-40, 6e-8, 65504.0, 3e38, 1.7e308, 0.5, 2.0)
EXTREME = (0, 1, -1, 2, -(2**63), 2**63 - 1, 2**31 - 1, -(2**31), 127, -128, 255, 32767)


class DifferenceError(AssertionError):
    """What nd4py did and what it should have done."""


def data(shape, dtype, flavor="count", seed=0):
    """A NumPy array of `shape`: numbers counted from `seed`, small whole ones, normal ones, or special values."""
    n = int(np.prod(shape, dtype=np.int64))
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if flavor == "count":
        values = np.arange(seed, seed + n) % 251
    elif flavor == "small":
        values = rng.integers(-4, 5, n)
    elif flavor == "special":
        values = rng.choice(np.array(EXTREME if dtype.kind in "iu" else SPECIAL, dtype=object), n)
        values = np.array([int(v) for v in values], dtype=object) if dtype.kind in "iu" else values.astype(float)
    else:
        values = rng.normal(0, 3, n)
    with np.errstate(all="ignore"):
        if dtype.kind in "iu":
            bits = 8 * dtype.itemsize
            whole = [int(v) % 2**bits for v in values]
            return np.array(whole, dtype=f"u{dtype.itemsize}").view(dtype).reshape(shape)
        if dtype.kind == "b":
            return (np.asarray(values) > 0).reshape(shape)
        if dtype.kind == "c":
            other = np.asarray(values, dtype=float)[::-1]
            return (np.asarray(values, dtype=float) + 1j * other).astype(dtype).reshape(shape)
        return np.asarray(values, dtype=float).astype(dtype).reshape(shape)


def frozen(x):
    """`x`, which is read-only from now on."""
    x.setflags(write=False)
    return x


def fresh(x):
    """The values of a NumPy array in memory of their own, with its strides: results keep the order of operands."""
    first, behind = np.lib.array_utils.byte_bounds(x)
    memory = np.zeros(behind - first, dtype="uint8")
    offset = x.__array_interface__["data"][0] - first
    copied = np.ndarray(x.shape, x.dtype, buffer=memory, offset=offset if x.size else 0, strides=x.strides)
    copied[...] = x
    return nd.asarray(copied)


def values_of(x):
    """What an array of nd4py holds, as a NumPy array whose axes lie in the same order."""
    return np.array(np.asarray(x), copy=True)


def agreed(ours, reference=None, ulp=0.0, rtol=0.0, size=None, where=True):
    """The values of `ours`, which nd4py computed on fresh copies.

    Raises DifferenceError where NumPy's differ by more than `ulp` units in the last place, or a share of `rtol` of the
    largest value, or 64 units of `size`; zeros may differ in sign here.  Where `where` is False nothing is compared.
    """
    got = values_of(ours)
    if reference is not None:
        want = np.asarray(reference)
        if got.shape != want.shape:
            raise DifferenceError(f"shape {got.shape}, NumPy's {want.shape}")
        if got.dtype != want.dtype and not (ulp or rtol or size is not None):
            raise DifferenceError(f"{got.dtype}, NumPy's {want.dtype}")
        if is_far(got, want, ulp, rtol, size, where):
            raise DifferenceError(f"values of {got.dtype}: {show(got)}\nNumPy's of {want.dtype}: {show(want)}")
    return got


def is_far(got, want, ulp, rtol, size, where):
    """Whether values differ by more than the tolerance; NaN equals NaN."""
    if got.dtype.kind in "biu" and want.dtype.kind in "biu":
        return not np.array_equal(got, want)
    with np.errstate(all="ignore"):
        precise = np.result_type(want.dtype if want.dtype.name != "bfloat16" else np.float32, np.float64)
        wide, wanted = got.astype(precise), want.astype(got.dtype).astype(precise)
        equal = (wide == wanted) | (np.isnan(wide) & np.isnan(wanted))
        equal |= ~np.asarray(where)
        if equal.all():
            return False
        name = {"complex64": "float32", "complex128": "float64"}.get(got.dtype.name, got.dtype.name)
        if got.dtype.kind in "biu":
            return True
        limits = ml_dtypes.finfo(name)
        if size is not None and not np.isfinite(size):
            return False  # sums that overflow, or hold NaN, in one order and not in the other
        sizes = np.maximum(np.abs(wanted), float(limits.smallest_normal))
        scale = float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))
        allowed = ulp * float(limits.eps) * sizes + rtol * max(scale, 1.0) + 64 * float(limits.eps) * (size or 0.0)
        return not np.all(equal | (np.abs(wide - wanted) <= allowed))


def within(x, low, high):
    """Where the elements of `x` lie in the domain of a row."""
    return (x >= low) & (x <= high)


def summed(x):
    """What the size of a sum's rounding errors is measured by."""
    with np.errstate(all="ignore"):
        total = float(np.sum(np.abs(x.astype(np.float64))))
    return total if total < 1e30 else np.inf


def refuse():
    """What the model does with a request that is wrong whatever the arrays are."""
    raise ValueError("a wrong request")


def closed(x):
    """Close an array if it may be; it can be used no more."""
    if x.closeable:
        x.close()
        try:
            x + 1
        except ValueError:
            return
        raise DifferenceError("a closed array was used, and nothing was raised")


def show(x, most=12):
    flat = np.asarray(x).reshape(-1)
    return f"{flat[:most].tolist()}{' ...' if flat.size > most else ''} of shape {np.shape(x)}"


def same(got, want, label=""):
    """Raises DifferenceError unless NumPy arrays have one dtype, one shape, and the same bits, NaN aside."""
    if got.dtype != want.dtype or got.shape != want.shape:
        raise DifferenceError(f"{label} is {got.dtype} {got.shape}, not {want.dtype} {want.shape}")
    if got.tobytes() == want.tobytes():
        return
    if got.dtype.kind not in "fcV":
        equal = got == want
    else:
        parts = {"complex64": np.float32, "complex128": np.float64}.get(got.dtype.name)
        g, w = (np.ascontiguousarray(x).view(parts) if parts else x for x in (got, want))
        equal = ((g == w) & (np.signbit(g) == np.signbit(w))) | (np.isnan(g) & np.isnan(w))
    if not np.all(equal):
        positions = np.flatnonzero(~np.asarray(equal).reshape(-1))
        raise DifferenceError(
            f"{label} holds {show(got)}\nand should hold {show(want)}\nfirst difference at {positions[:5].tolist()}"
        )


@functools.cache
def converts(source, target):
    """Whether an assignment converts from one dtype to the other."""
    try:
        nd.zeros((), dtype=target)[...] = nd.zeros((), dtype=source)
    except TypeError:
        return False
    return True


@functools.cache
def writes(source, target):
    """Whether out= takes an array of `target` for a result of `source`."""
    try:
        if source == "bool":
            nd.equal(nd.zeros(()), nd.zeros(()), out=nd.zeros((), dtype=target))
        else:
            nd.add(nd.zeros((), dtype=source), nd.zeros((), dtype=source), out=nd.zeros((), dtype=target))
    except TypeError:
        return False
    return True


@functools.cache
def refusal_of(value, target):
    """The class of the error that assigning a Python scalar raises; None = it is assigned."""
    try:
        nd.zeros((), dtype=target)[...] = eval(value, {"nan": np.nan, "inf": np.inf})
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)
    return None


def cast(value, target):
    """What an assignment to `target` stores of `value`, as a copy: NumPy 2.4 overwrites what it still has to read where
    parts of one axis with different steps meet, x[14:27] = x[2:39:3].  Raises TypeError where nd4py refuses to convert.
    """
    if isinstance(value, bool | int | float | complex):
        if error := refusal_of(repr(value), target.dtype.name):
            raise error(f"{value} does not fit {target.dtype}")
    elif not converts(value.dtype.name, target.dtype.name):
        raise TypeError(f"{value.dtype} does not convert to {target.dtype}")
    with np.errstate(all="ignore"):
        values = np.asarray(value)
        if values.dtype.kind in "fV" and target.dtype.kind in "iu":  # NumPy does not say what becomes of NaN
            limits = np.iinfo(target.dtype)
            values = np.clip(np.nan_to_num(values.astype("longdouble"), nan=0.0), limits.min, limits.max)
        values = values.astype(target.dtype)
    return values.reshape(()) if values.size == 1 else values  # axes of one element fit everywhere


def into(target, values):
    """Values that are stored in `target`, whose dtype and shape they need to have."""
    if values.shape != target.shape:
        raise ValueError(f"shape {values.shape} is not that of out, {target.shape}")
    if not writes(values.dtype.name, target.dtype.name):
        raise TypeError(f"{values.dtype} is not the dtype of out, {target.dtype}")
    return values.astype(target.dtype)


def together(*calls):
    """What functions return that run at the same time, each in a thread of its own.  Raises what one of them raised."""
    found = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def run(position):
        try:
            start.wait(60)
            found[position] = (True, calls[position]())
        except BaseException as error:
            found[position] = (False, error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for is_result, value in found:
        if not is_result:
            raise value
    return tuple(value for _, value in found)


def raced(n, is_ring=False, is_written=False):
    """A thread computes on an array of a scope, which ends meanwhile, and the next scope begins: the result is right or
    a WorkspaceError, and what the next scope makes is untouched.
    """
    ring = {"policy_reset": "endofbuffer_reached", "overallocation_limit": 1, "initial_size": 8 * n + 4096}
    workspace = nd.Workspace("raced", nd.WorkspaceConfiguration(**ring if is_ring else {"initial_size": 8 * n + 4096}))
    found = []

    def work(x, started):
        started.set()
        try:
            found.append(float(nd.sum(nd.square(x, out=x) if is_written else nd.sqrt(x))))
        except nd.WorkspaceError:
            found.append(None)
        except Exception as error:
            found.append(error)

    for _ in range(3):
        with workspace:
            started = threading.Event()
            thread = threading.Thread(target=work, args=(nd.full((n,), 4.0), started))
            thread.start()
            started.wait()
        for _ in range(2 if is_ring else 1):
            with workspace:
                later = nd.zeros((n,))
                thread.join(0.002)
                left = values_of(nd.sum(later))
        thread.join()
        if left != 0 or found[-1] not in (None, 16.0 * n if is_written else 2.0 * n):
            raise DifferenceError(f"a sum of {found[-1]!r} and zeros that add up to {left}")
    workspace.destroy()


def shared(chosen, slope, x):
    """The gradient of max and min at `x`: those chosen share the slope, a number or one for each, equally."""
    share = chosen / np.count_nonzero(chosen) * slope
    return share if share.shape == x.shape else np.sum(share, keepdims=True)


def slopes(f, *inputs, step=1e-5):
    """The gradient of `f` at its first input by differences, in float64."""
    x = np.array(inputs[0], dtype=np.float64)
    result = np.zeros(x.shape)
    with np.errstate(all="ignore"):
        for position in np.ndindex(x.shape):
            up, down = x.copy(), x.copy()
            up[position] += step
            down[position] -= step
            result[position] = (float(f(up, *inputs[1:])) - float(f(down, *inputs[1:]))) / (2 * step)
    return result
