"""What the suites share: inputs for the rows of the table, and the numbers of threads to compare."""

from contextlib import nullcontext

import nd4py as nd
from nd4py._spec.ops import OPS

ROWS = {op.name: op for op in OPS}
FLOATS = ["float32", "float64"]
N_THREADS = [1, 0]  # 0 = all
# (elements, threads): in a level-2 cache on one thread, in memory on all.  Every pair of sizes and threads would be
# thousands of benchmarks, more than a quick run has minutes for.
PLACES = [(100_000, 1), (10_000_000, 0)]


def rows(family):
    """The names of one family's rows, in table order."""
    return [op.name for op in OPS if op.family == family]


class Threaded:
    """A suite whose calls run on a given number of threads; the scope stands outside what is timed."""

    scope = nullcontext()

    def limit_threads(self, n_threads):
        """Enter the scope for `n_threads` threads until `teardown`, 0 meaning all."""
        self.scope = nd.threads(n_threads) if n_threads else nullcontext()
        self.scope.__enter__()

    def teardown(self, *params):
        self.scope.__exit__(None, None, None)


def require(op, dtype):
    """Tell asv to skip (NotImplementedError) a row that has no loop for `dtype`."""
    if dtype not in op.types:
        raise NotImplementedError(f"{op.name}: no {dtype} loop")


def inputs_for(op, dtype, shape):
    """One filled array per operand, inside the row's domain."""
    domains = op.domain if isinstance(op.domain[0], tuple) else [op.domain] * len(op.args)
    random = nd.random.Generator(1)
    return [random.uniform(low, high, shape, dtype="float64").astype(dtype) for low, high in domains]


def params_for(op):
    """Values for the row's keyword scalars; those without a default get 0.5."""
    return {name: 0.5 if default is None else default for name, default in op.params}


def outputs_for(op, dtype, shape):
    """Filled result arrays: one, or a tuple of them."""
    made = tuple(nd.zeros(shape, dtype="bool" if op.result == "bool" else dtype) for _ in op.outputs)
    return made[0] if len(made) == 1 else made
