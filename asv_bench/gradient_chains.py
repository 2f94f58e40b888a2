"""Gradients of chains with op combination and without, in turns: the table of docs/chains.md.

OMP_WAIT_POLICY=passive python asv_bench/gradient_chains.py
"""

import statistics
import time

import numpy as np

import nd4py as nd

FUNCTIONS = {
    "tanh(x) * x + 1": lambda x, w, b: nd.tanh(x) * x + 1,
    "square(x * w - b)": lambda x, w, b: nd.square(x * w - b),
    "x * sigmoid(x) * w": lambda x, w, b: x * nd.sigmoid(x) * w,
    "relu(x + b) * w": lambda x, w, b: nd.relu(x + b) * w,
    "((x * w + b - x) * b + w - b) * x + w": lambda x, w, b: ((x * w + b - x) * b + w - b) * x + w,
}
SIZES = {100_000: 200, 1_000_000: 60}  # elements, and calls


def seconds(call, operands):
    """Seconds of one call whose results are looked at."""
    start = time.perf_counter()
    value, gradients = call(*operands)
    float(value)
    for gradient in gradients:
        gradient.block()
    return time.perf_counter() - start


def ratio(function, n, dtype, n_calls):
    """The median time with combination over the median time without it."""
    random = np.random.default_rng(1)
    operands = [nd.array(random.uniform(-2, 2, n).astype(dtype), copy=True) for _ in range(3)]
    call = nd.value_and_grad(lambda *x: function(*x).sum(), argnums=(0, 1, 2))
    times = {True: [], False: []}
    for _ in range(n_calls):
        for is_combined, taken in times.items():
            with nd.combine(is_combined):
                seconds(call, operands)  # wakes the threads
                taken.append(seconds(call, operands))
    return statistics.median(times[True]) / statistics.median(times[False])


if __name__ == "__main__":
    for name, function in FUNCTIONS.items():
        cells = [f"{ratio(function, n, t, SIZES[n]):.2f}" for n in SIZES for t in ("float32", "float64")]
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
