"""CUDA source of the kernels of each row and dtype.  They are instances of hand-written skeletons.

Design: no operation has CUDA text of its own.  A skeleton (kernels/*.cu) says how threads share the work of a family; a
row gives its functor, which the CPU's loops use too; an instance is one line that names both, and the kernel under a
plain name: `add_float32_packets`.  The same text goes to NVRTC, to nvcc and to the simulator of the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .. import dtypes
from ..dtypes import DTypeRow
from ..op import Op
from . import row_render

# Threads of a block, as the kernels are built for them.
MAP_THREADS = 256
REDUCE_THREADS = 256
# Products and fused sums of several steps round as the steps alone would; denormal numbers are kept.
EXACT = ("--fmad=false",)
MAP_VARIANTS = {
    "packets": ("DenseArguments", "map_dense<{body}, PACKET<{body}>, true>"),
    "dense": ("DenseArguments", "map_dense<{body}, 1, false>"),
    "rows": ("StridedArguments", "map_strided<{body}, PACKET<{body}>, false>"),
    "strided": ("StridedArguments", "map_strided<{body}, 1, false>"),
    "wide": ("StridedArguments", "map_strided<{body}, 1, true>"),
    "tiled": ("TiledArguments", "map_tiled<{body}>"),
}


# Variants that are compiled together with the one that is launched first; all others alone: NVRTC takes 0.1 s for a
# module of one kernel, 0.5 s for one of all variants of a row (of reductions 0.3 s and 1 s).
Groups = dict[str, tuple[str, ...]]
MAP_GROUPS: Groups = {"packets": ("packets", "dense"), "dense": ("packets", "dense")}
REDUCE_GROUPS: Groups = {"blocks": ("blocks", "merge"), "columns": ("columns", "merge")}
GROUPS: dict[str, Groups] = {"map": MAP_GROUPS, "reduce": REDUCE_GROUPS, "argreduce": REDUCE_GROUPS}


@dataclass(frozen=True)
class KernelText:
    """Instances of one skeleton.

    name: for messages and file names, such as "add_float32"
    skeleton: the file in kernels/ that is included before them
    functors: what stands between the two: structs of rows and chains
    instances: the lines that make kernels
    symbols: (variant, name of the kernel)
    options: further options of the compiler
    """

    name: str
    skeleton: str
    functors: tuple[str, ...]
    instances: str
    symbols: tuple[tuple[str, str], ...]
    options: tuple[str, ...] = EXACT


def translation_unit(texts: Iterable[KernelText]) -> str:
    """One .cu file with the kernels of several texts of one skeleton."""
    texts = tuple(texts)
    skeletons = sorted({text.skeleton for text in texts})
    functors = dict.fromkeys(functor for text in texts for functor in text.functors)
    includes = "".join(f'#include "{skeleton}"\n' for skeleton in skeletons)
    structs = f"namespace ops {{\n{chr(10).join(functors)}\n}}\n" if functors else ""
    return includes + structs + "".join(text.instances for text in texts)


def cuda_dtypes(op: Op) -> tuple[str, ...]:
    """The dtypes a row has CUDA kernels for; () where its column `cuda` says why there are none."""
    return () if op.cuda else op.dtypes


def kernel(name: str, threads: int, arguments: str, function: str) -> str:
    """The line that makes one kernel."""
    return f"ND_KERNEL({name}, {threads}, {arguments}, {function})\n"


def map_instances(
    name: str, body: str, functors: tuple[str, ...], variants: Iterable[str], options: tuple[str, ...] = EXACT
) -> KernelText:
    """The kernels of one body of map.cu."""
    alias, lines, symbols = f"{name}_body", "", []
    for variant in variants:
        arguments, function = MAP_VARIANTS[variant]
        lines += kernel(f"{name}_{variant}", MAP_THREADS, arguments, function.format(body=alias))
        symbols.append((variant, f"{name}_{variant}"))
    return KernelText(name, "map.cu", functors, f"using {alias} = {body};\n{lines}", tuple(symbols), options)


def map_text(op: Op, dtype: str, variants: Iterable[str] = tuple(MAP_VARIANTS)) -> KernelText:
    """The kernels of a map row.  A row that selects takes halves as words of their size, as on the CPU."""
    row = dtypes.BY_NAME[dtype]
    cpp = dtypes.BY_NAME[row_render.HALF_WORD].cpp if op.selects and row.compute != dtype else row.cpp
    functors = (row_render.map_functor(op),)
    return map_instances(f"{op.name}_{dtype}", f"RowBody<ops::op_{op.name}, {cpp}>", functors, variants)


def cast_text(source: str, target: str, variants: Iterable[str] = tuple(MAP_VARIANTS)) -> KernelText:
    """The kernels that convert one dtype to another."""
    types = f"{dtypes.BY_NAME[source].cpp}, {dtypes.BY_NAME[target].cpp}"
    return map_instances(f"cast_{source}_{target}", f"CastBody<{types}>", (), variants)


WORDS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "Word16"}


def copy_text(itemsize: int, variants: Iterable[str] = tuple(MAP_VARIANTS)) -> KernelText:
    """The kernels that copy elements of one size, whatever they are."""
    word = WORDS[itemsize]
    return map_instances(f"copy_{itemsize}", f"CastBody<{word}, {word}>", (), variants)


def fill_text(itemsize: int, variants: Iterable[str] = ("packets", "dense", "strided", "wide")) -> KernelText:
    """The kernels that fill with one element, whose bytes stand where a row's scalars would."""
    return map_instances(f"fill_{itemsize}", f"FillBody<{WORDS[itemsize]}>", (), variants)


def reduce_body(op: Op, row: DTypeRow, source: str = "") -> str:
    """The C++ type that reduces elements of one dtype; halves are taken as floats.

    source: the C++ type they come from, "" for an array
    """
    if op.family == "argreduce":
        return f"ArgBody<ops::op_{op.name}, {row.cpp}>"
    compute = dtypes.BY_NAME[row.compute]
    accumulator = dtypes.BY_NAME[row.accumulate if op.accumulate == "wide" else compute.name]
    types = [row.cpp, accumulator.cpp, row_render.result_type(op, row).cpp, *([source] if source else [])]
    return f"RowReduction<ops::op_{op.name}, {', '.join(types)}>"


def accumulator_bytes(op: Op, dtype: str) -> int:
    """Bytes of an accumulator of a reduction or a scan; a best element stands beside its index."""
    row = dtypes.BY_NAME[dtype]
    if op.family == "argreduce":
        return 16
    return dtypes.BY_NAME[row.accumulate if op.accumulate == "wide" else row.compute].itemsize


REDUCE_VARIANTS = {
    "lines": "reduce_lines<{body}>",
    "blocks": "reduce_blocks<{body}>",
    "columns": "reduce_columns<{body}>",
    "merge": "reduce_merge<{body}>",
}


def reduce_text(op: Op, dtype: str, variants: Iterable[str] = tuple(REDUCE_VARIANTS)) -> KernelText:
    """The kernels of a reduction, or of where the best element of a line stands."""
    functor = row_render.argreduce_functor(op) if op.family == "argreduce" else row_render.reduce_functor(op)
    return reduce_instances(f"{op.name}_{dtype}", reduce_body(op, dtypes.BY_NAME[dtype]), (functor,), variants)


def reduce_instances(name: str, body: str, functors: tuple[str, ...], variants: Iterable[str]) -> KernelText:
    """The kernels of one body of reduce.cu."""
    lines, symbols = "", []
    for variant in variants:
        function = REDUCE_VARIANTS[variant].format(body=f"{name}_body")
        lines += kernel(f"{name}_{variant}", REDUCE_THREADS, "ReduceArguments", function)
        symbols.append((variant, f"{name}_{variant}"))
    return KernelText(name, "reduce.cu", functors, f"using {name}_body = {body};\n{lines}", tuple(symbols))
