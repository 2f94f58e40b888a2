"""Print the table of habits in docs/performance.md: `python docs/scripts/measure_habits.py`.

Each time is the lowest of many calls, so that other busy processes count as little as can be.
"""

import time

import nd4py as nd


def lowest_us(call, n_calls):
    """The lowest time of a call, in microseconds, after one that is not counted."""
    call()
    times = []
    for _ in range(n_calls):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def line_of_ten(x):
    """Ten turns of three small operations."""
    for _ in range(10):
        x = nd.tanh(x * 1.1 + 0.1)
    return x


def habits():
    """(what, how it is often written, in which time, how to write it, in which time)."""
    rng = nd.random.Generator(seed=1)
    x, half = rng.normal(size=4_000_000, dtype="float32"), rng.normal(size=4_000_000, dtype="float32").astype("float16")
    m, n = rng.normal(size=(2000, 2000)), rng.normal(size=(2000, 2000))
    turned = n.T.copy()
    small, rows, w = rng.normal(size=64), rng.normal(size=(1000, 8)), rng.normal(size=8)
    graph = nd.capture(line_of_ten)

    def row(r):
        return nd.tanh(r @ w)

    def waiting():
        y = (x * 2).block()
        y = (y + 1).block()
        return nd.sqrt(nd.abs(y).block()).block()

    yield (
        "four operations on 4 million float32",
        "`.block()` after each",
        waiting,
        "one expression",
        (lambda: nd.sqrt(nd.abs(x * 2 + 1)).block()),
    )
    yield "`nd.exp` of 4 million numbers", "float32", lambda: nd.exp(x).block(), "float16", lambda: nd.exp(half).block()
    yield (
        "two matrices of 2,000 rows added",
        "`m + n.T`",
        lambda: (m + n.T).block(),
        "`m + turned`, a copy",
        (lambda: (m + turned).block()),
    )
    yield (
        "30 operations on 64 numbers",
        "as they are",
        lambda: line_of_ten(small).block(),
        "`nd.capture`",
        (lambda: graph(small).block()),
    )
    yield (
        "`nd.tanh(r @ w)` for 1,000 rows",
        "a loop",
        lambda: [row(r) for r in rows],
        "`nd.vmap`",
        (lambda: nd.vmap(row)(rows).block()),
    )
    yield (
        "the same",
        "a loop",
        lambda: [row(r) for r in rows],
        "one product, `rows @ w`",
        (lambda: nd.tanh(rows @ w).block()),
    )


def main():
    """Print the lines of the table."""
    for what, slow, slow_call, fast, fast_call in habits():
        before, after = lowest_us(slow_call, 30), lowest_us(fast_call, 30)
        print(f"| {what} | {slow} | {before:,.0f} us | {fast} | {after:,.0f} us | {before / after:.1f} |")


if __name__ == "__main__":
    main()
