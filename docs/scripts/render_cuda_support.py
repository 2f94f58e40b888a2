"""Write docs/cuda-support.md from the table of operations: `python docs/scripts/render_cuda_support.py`."""

from pathlib import Path

from nd4py._spec.dtypes import DTYPES
from nd4py._spec.ops import OPS
from nd4py._spec.render.cuda_functors import FUNCTIONS, ROW_FUNCTIONS
from nd4py._spec.render.cuda_kernels import cuda_dtypes

TARGET = Path(__file__).parents[1] / "cuda-support.md"
HEAD = """# What runs on CUDA

Made from `nd4py/_spec/ops.py` by `docs/scripts/render_cuda_support.py`; change the rows, not this page.
Kernels are made from the same rows as the CPU's loops: their functors are the same text. Half types are computed in
float32, and sums of floats are carried in float64, as on the CPU; results repeat bit for bit, whatever the device.
Only products of floating matrices are a library's, cuBLAS's, where it is installed (`cuda.md`).
Gradients of operations are rows too and have kernels for the floating dtypes of their operation.

A chain of elementwise operations becomes one kernel, with a reduction at its end if there is one, and gives the bits of
its steps one by one. The tests run all kernels without a GPU: in a simulator that finds missing barriers, wrong
addresses and results that depend on the order of threads, and through NVRTC, whose machine code is read
(`pytest tests/cuda`; with `ND4PY_CUDA_TESTS=all` every row is compiled, with `ND4PY_CUDA_TESTS_ON=gpu` kernels run on
this machine's GPU, and with them all tests of `tests/cuda` that need no simulator).
"""


def dtype_list(names: tuple[str, ...]) -> str:
    """All, or all but a few, or the names."""
    missing = [row.name for row in DTYPES if row.name not in names]
    if not missing:
        return "every dtype"
    if len(missing) <= 3:
        return f"every dtype but {', '.join(missing)}"
    return ", ".join(name for name in (row.name for row in DTYPES) if name in names)


def kernels_table() -> str:
    """Operations that have kernels, by the dtypes they take."""
    groups: dict[str, list[str]] = {}
    for op in OPS:
        if dtypes := cuda_dtypes(op):
            taken = dtypes if op.family != "custom" else FUNCTIONS[ROW_FUNCTIONS[op.name]].dtypes
            groups.setdefault(dtype_list(taken), []).append(f"`{op.name}`")
    lines = [f"| {dtypes} | {', '.join(names)} |" for dtypes, names in groups.items()]
    return "\n".join(["| dtypes | operations |", "|---|---|", *lines])


def reasons_table() -> str:
    """Operations without a kernel of their own, by how they run."""
    groups: dict[str, list[str]] = {}
    for op in OPS:
        if op.cuda:
            groups.setdefault(op.cuda, []).append(f"`{op.name}`")
    lines = [f"| {', '.join(names)} | {reason} |" for reason, names in groups.items()]
    return "\n".join(["| operations | how they run there |", "|---|---|", *lines])


def page() -> str:
    """The whole text of cuda-support.md."""
    return (
        f"{HEAD}\n## Operations with kernels\n\n{kernels_table()}\n\n"
        "Beside the rows: conversions between all dtypes, copies of any layout, fills, elements of masks, `softmax`,\n"
        "`log_softmax` and `layer_norm` of the last axis (others are brought there), gradients of convolutions,\n"
        "pooling, scans and elements that were taken, all distributions of `nd.random`, and permutations and samples,\n"
        "with the bits of the CPU.\n\n"
        f"## Operations without a kernel of their own\n\nThey run on devices all the same.\n\n{reasons_table()}\n"
    )


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
