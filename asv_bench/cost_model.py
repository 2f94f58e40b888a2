"""Measure what an element of every map row costs on one thread, and write nd4py/_spec/costs.py, which the gate reads.

    python asv_bench/cost_model.py

A build afterwards puts what it wrote to use.

Operands of 20,000 elements stay in L2, so that arithmetic is measured and not memory.  Rows that cost little more than
moving their bytes are left out: the gate reckons those by their bytes.
"""

import statistics
import time
from pathlib import Path

import nd4py as nd
from nd4py._exec.dispatch.dispatch import call
from nd4py._exec.dispatch.row_table import row_number
from nd4py._spec.dtypes import BY_NAME
from nd4py._spec.ops import LOOPS

N = 20_000
ROUNDS = 9  # over all rows, medians of which are written: the machine may be busy in some
TYPES = ("float32", "float64", "int32", "int64", "complex64", "complex128")
TARGET = Path(__file__).parents[1] / "nd4py/_spec/costs.py"
PICOSECONDS_PER_BYTE = 8
HEADER = '''"""Cost of an element of each map row on one thread, in picoseconds.  Written by asv_bench/cost_model.py.

A row or dtype that is not listed costs what moving its bytes does.
"""

PICOSECONDS_PER_BYTE = {per_byte}
PICOSECONDS = {{
{rows}}}
'''


def operands(op, dtype):
    """Random operands inside the row's domain."""
    domains = op.domain if isinstance(op.domain[0], tuple) else [op.domain] * len(op.args)
    random = nd.random.Generator(1)
    return tuple(random.uniform(low, high, N).astype(dtype) for low, high in domains)


def picoseconds(op, dtype):
    """The shortest of several batches, per element."""
    inputs, number = operands(op, dtype), row_number(op.name)
    values = tuple(0.5 if default is None else default for _, default in op.params)
    out = call(number, inputs, values, None)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(5):
            call(number, inputs, values, out)
        times.append((time.perf_counter() - start) / (5 * N))
    return min(times) * 1e12


def bytes_moved(op, dtype):
    """Bytes of one element of every operand."""
    return BY_NAME[dtype].itemsize * (len(op.args) + len(op.outputs))


def main():
    rows = [(op, dtype) for op in LOOPS if op.family == "map" for dtype in TYPES if dtype in op.types]
    with nd.threads(1):
        rounds = [[picoseconds(op, dtype) for op, dtype in rows] for _ in range(ROUNDS)]
    dear = {op.name: {} for op, _ in rows}
    for (op, dtype), costs in zip(rows, zip(*rounds, strict=True), strict=True):
        cost = round(statistics.median(costs))
        if cost > 2 * PICOSECONDS_PER_BYTE * bytes_moved(op, dtype):
            dear[op.name][dtype] = cost
    cells = {name: ", ".join(f'"{dtype}": {cost}' for dtype, cost in costs.items()) for name, costs in dear.items()}
    lines = [f'    "{name}": {{{text}}},\n' for name, text in cells.items() if text]
    TARGET.write_text(HEADER.format(per_byte=PICOSECONDS_PER_BYTE, rows="".join(lines)))


if __name__ == "__main__":
    main()
