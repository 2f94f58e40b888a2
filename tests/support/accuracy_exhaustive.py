"""The worst error of an elementary function over every float32, or over many random float64.

    python tests/support/accuracy_exhaustive.py sin cos                  every float32, a few minutes for each function
    python tests/support/accuracy_exhaustive.py --step 257 sin           every 257th
    python tests/support/accuracy_exhaustive.py --dtype float64 sin      10 million points, half of them of random bits

Without names, all functions of one operand.  --isa v3 chooses the instruction set.
"""

import argparse

import numpy as np
from accuracy_reference import FUNCTIONS, dense, edges, random_bits, ulps, wanted

import nd4py as nd

AT_ONCE = 1 << 20


def every_float32(step):
    """All bit patterns, or every `step`-th, a block at a time."""
    for start in range(0, 1 << 32, AT_ONCE * step):
        yield [
            np.arange(start, min(start + AT_ONCE * step, 1 << 32), step, dtype=np.uint64).astype(np.uint32).view("f4")
        ]


def many_float64(function, step):
    """Edges, and as many dense points as random bits."""
    yield edges(function, "float64")
    for seed in range(max(1, 10 // step)):
        yield dense(function, "float64", AT_ONCE // 2, seed)
        yield random_bits(function, "float64", AT_ONCE // 2, seed + 1000)


def reference_of(function, operands):
    """float32 against double where NumPy has the function; that is exact enough and several times faster."""
    if operands[0].dtype == np.float32 and isinstance(function.reference, np.ufunc):
        with np.errstate(all="ignore"):
            return function.reference(*[x.astype(np.float64) for x in operands]).astype(np.longdouble)
    return wanted(function, operands)


def worst(name, dtype, step):
    """(largest error, the operands it was found at)."""
    function, largest, where = FUNCTIONS[name], -1.0, None
    for operands in every_float32(step) if dtype == "float32" else many_float64(function, step):
        got = np.asarray(getattr(nd, name)(*[nd.asarray(x) for x in operands]))
        error = ulps(got, reference_of(function, operands))
        i = int(error.argmax())
        if error[i] > largest:
            largest, where = float(error[i]), [float(x[i]) for x in operands]
    return largest, where


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--dtype", choices=["float32", "float64"], default="float32")
    parser.add_argument("--step", type=int, default=1, help="try every STEP-th")
    parser.add_argument("--isa", help="instruction set: v4, v3, v2 or generic")
    arguments = parser.parse_args()
    if arguments.isa:
        nd.select_instruction_set(arguments.isa)
    one_operand = [name for name, function in FUNCTIONS.items() if len(function.dense) == 1]
    for name in arguments.names or one_operand:
        if name not in FUNCTIONS:
            parser.error(f"{name}: unknown; choose from {', '.join(FUNCTIONS)}")
        if arguments.dtype == "float32" and name not in one_operand:
            parser.error(f"{name} takes two operands: every pair would be 2^64 of them; use --dtype float64")
        error, where = worst(name, arguments.dtype, arguments.step)
        print(f"{name:10} {arguments.dtype}  {error:.3f} ulp at {', '.join(map(repr, where))}", flush=True)


if __name__ == "__main__":
    main()
