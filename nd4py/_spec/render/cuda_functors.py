"""CUDA source of kernels without a functor: scans, matrix products, pooling and others.

Each function is a template of a skeleton over the element's dtype, or over a word of its size where elements are only
moved.  A row of the family "custom" has kernels of its own, or names a row or one of `FUNCTIONS` that does its work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .. import dtypes
from ..op import ALL as ANY_TYPE
from ..op import FLOAT, HALVES, INTEGER, NUMERIC, Kernels, Op
from ..ops import OPS
from . import row_render
from .cuda_kernels import EXACT, GROUPS, WORDS, Groups, KernelText, kernel, map_text, reduce_text

REAL_FLOATS = FLOAT + HALVES
SCAN_THREADS, GATHER_THREADS, MASK_THREADS, RANDOM_THREADS, PRODUCT_THREADS, POOL_THREADS = (
    128,
    256,
    1024,
    256,
    256,
    256,
)
SHUFFLE_THREADS = 256
SCAN_VARIANTS = {
    "each": "scan_each<{body}>",
    "blocks": "scan_blocks<{body}>",
    "totals": "scan_totals<{body}>",
    "carry": "scan_carry<{body}>",
}


def scan_text(op: Op, dtype: str, variants: Iterable[str] | None = None) -> KernelText:
    """The kernels of a scan; those that join accumulators only where the row can merge them."""
    wanted = (*SCAN_VARIANTS, "pull") if variants is None else tuple(variants)
    row, name = dtypes.BY_NAME[dtype], f"{op.name}_{dtype}"
    compute = dtypes.BY_NAME[row.compute]
    accumulator = dtypes.BY_NAME[row.accumulate if op.accumulate == "wide" else compute.name]
    types = f"{row.cpp}, {accumulator.cpp}, {row_render.result_type(op, row).cpp}"
    lines, symbols = f"using {name}_body = RowScan<ops::op_{op.name}, {types}>;\n", []
    for variant in SCAN_VARIANTS if op.merge else ("each",):
        if variant not in wanted:
            continue
        function = SCAN_VARIANTS[variant].format(body=f"{name}_body")
        lines += kernel(f"{name}_{variant}", SCAN_THREADS, "ScanArguments", function)
        symbols.append((variant, f"{name}_{variant}"))
    if row.kind == "real floating" and "pull" in wanted:
        lines += kernel(f"{name}_pull", SCAN_THREADS, "ScanGradientArguments", f"scan_pull<{name}_body>")
        symbols.append(("pull", f"{name}_pull"))
    return KernelText(name, "scan.cu", (row_render.scan_functor(op),), lines, tuple(symbols))


# As GROUPS of render_cuda: what is compiled together with the variant that is launched first.
SCAN_GROUPS: Groups = {"totals": ("totals", "carry", "blocks")}
FUNCTION_GROUPS: Groups = {
    "count": ("count", "sum"),
    "links": ("links", "follow"),
    "sample_links": ("sample_links", "sample_follow"),
}


@dataclass(frozen=True)
class Function:
    """A template of a skeleton.

    variants: (name of the kernel's variant, template with {T} for the element and {A} for what sums are carried in)
    moves: elements are only moved, so T is a word of their size
    dtypes: that it takes
    options: of the compiler
    """

    skeleton: str
    arguments: str
    threads: int
    variants: tuple[tuple[str, str], ...]
    dtypes: tuple[str, ...]
    moves: bool = False
    options: tuple[str, ...] = EXACT


def same_name(*names: str) -> tuple[tuple[str, str], ...]:
    """Variants whose templates are called like them."""
    return tuple((name, f"{name}<{{T}}>") for name in names)


EVERY_TYPE = tuple(row.name for row in dtypes.DTYPES)
FUSED: tuple[str, ...] = ()  # long sums of products, which gain from fused steps

# Distributions drawn element by element: the body in random.cu, and the dtypes of its numbers.
RANDOM_BODIES = {
    "uniform": ("Uniform<{T}>", FLOAT),
    "normal": ("Normal<{T}>", FLOAT),
    "exponential": ("LocationScale<{T}, Exponential>", FLOAT),
    "laplace": ("LocationScale<{T}, Laplace>", FLOAT),
    "gumbel": ("LocationScale<{T}, Gumbel>", FLOAT),
    "truncated_normal": ("Single<{T}, Tried<TruncatedNormalTrial>>", FLOAT),
    "gamma": ("Single<{T}, Tried<GammaTrial<true, false>>>", FLOAT),
    "beta": ("Single<{T}, Beta>", FLOAT),
    "poisson": ("Single<{T}, Poisson>", ("int64",)),
    "binomial": ("Single<{T}, Binomial>", ("int64",)),
    "categorical": ("Categorical", ("int64",)),
    "bernoulli": ("Bernoulli", ("bool",)),
}


def random_function(body: str, taken: tuple[str, ...]) -> Function:
    """The kernel that fills with the numbers of a body."""
    return Function("random.cu", "RandomArguments", RANDOM_THREADS, (("fill", f"fill_random<{body}>"),), taken)


FUNCTIONS = {
    "gather": Function(
        "gather.cu", "GatherArguments", GATHER_THREADS,
        (*same_name("take", "take_along", "put", "put_apart"), ("numbers", "numbers_from_front")), EVERY_TYPE,
        moves=True,
    ),
    "add_at": Function("gather.cu", "GatherArguments", GATHER_THREADS, same_name("add_at"), NUMERIC + HALVES),
    "mask": Function(
        "gather.cu", "MaskArguments", MASK_THREADS,
        (("count", "mask_count"), ("sum", "mask_sum"), ("indices", "mask_indices"),
         ("compress", "mask_compress<{T}>"), ("expand", "mask_expand<{T}>")),
        EVERY_TYPE, moves=True,
    ),
    **{name: random_function(body, dtypes) for name, (body, dtypes) in RANDOM_BODIES.items()},
    "integers": Function(
        "random.cu", "RandomArguments", RANDOM_THREADS,
        (("narrow", "fill_random<Integers<{T}, SameRange>>"), ("wide", "fill_random<WideIntegers<{T}, SameRange>>")),
        INTEGER, moves=True,
    ),
    "indices": Function(
        "random.cu", "RandomArguments", RANDOM_THREADS,
        (("narrow", "fill_random<Integers<{T}, FirstIndices>>"),
         ("wide", "fill_random<WideIntegers<{T}, FirstIndices>>"),
         ("sample", "fill_random<WideIntegers<{T}, LastIndices>>")), ("int64",),
    ),
    "multinomial": Function(
        "random.cu", "RandomArguments", RANDOM_THREADS, (("fill", "multinomial_rows"),), ("int64",)
    ),
    "shuffle": Function(
        "shuffle.cu", "ShuffleArguments", SHUFFLE_THREADS,
        (("links", "shuffle_links<1>"), ("follow", "shuffle_follow<1>"),
         ("sample_links", "shuffle_links<-1>"), ("sample_follow", "shuffle_follow<-1>")), ("int64",),
    ),
    "matmul": Function(
        "matmul.cu", "ProductArguments", PRODUCT_THREADS, (("tiles", "matmul<{T}, {A}>"),), ANY_TYPE + HALVES,
        options=FUSED,
    ),
    "conv2d": Function(
        "conv.cu", "WindowArguments", PRODUCT_THREADS,
        same_name("conv_forward", "conv_input_gradient", "conv_weight_gradient", "image_to_columns"), REAL_FLOATS,
        options=FUSED,
    ),
    "pool2d": Function(
        "pool.cu", "WindowArguments", POOL_THREADS,
        same_name("max_pool", "average_pool", "max_pool_gradient", "average_pool_gradient"), REAL_FLOATS,
    ),
    "normalize": Function(
        "normalize.cu", "NormalizeArguments", 256,
        tuple(
            (f"{name}_{size}", f"{name}<{{T}}, {threads}>")
            for name in ("softmax", "log_softmax", "standardize")
            for size, threads in (("short", 32), ("long", 256))
        ),
        REAL_FLOATS,
    ),
    **{
        op.name: Function(own.file, own.arguments, own.threads, same_name(*own.templates), op.dtypes)
        for op in OPS
        if isinstance(own := op.kernels, Kernels)
    },
}  # fmt: skip

# The functions that do the work of a custom row on CUDA; the other custom rows say in their column `cuda` why not.
ROW_FUNCTIONS = {op.name: op.name if isinstance(op.kernels, Kernels) else op.kernels for op in OPS if op.kernels}


def function_text(name: str, dtype: str, variants: Iterable[str] | None = None) -> KernelText:
    """The kernels of a function for one dtype.  Raises KeyError for an unknown name."""
    function, row = FUNCTIONS[name], dtypes.BY_NAME[dtype]
    element = WORDS[row.itemsize] if function.moves else row.cpp
    lines, symbols = "", []
    for variant, template in function.variants:
        if variants is None or variant in variants:
            symbol = f"{name}_{dtype}_{variant}"
            types = {"T": element, "A": sum_type(row)}
            lines += kernel(symbol, function.threads, function.arguments, template.format(**types))
            symbols.append((variant, symbol))
    return KernelText(f"{name}_{dtype}", function.skeleton, (), lines, tuple(symbols), function.options)


def sum_type(row: dtypes.DTypeRow) -> str:
    """What a matrix product's sums are carried in: its own type, floats for halves."""
    return dtypes.BY_NAME[row.compute].cpp


def custom_text(op: Op, dtype: str, variants: Iterable[str] | None = None) -> KernelText:
    """The kernels that do the work of a custom row."""
    return function_text(ROW_FUNCTIONS[op.name], dtype, variants)


FAMILIES: dict[str, Callable[..., KernelText]] = {
    "map": map_text,
    "reduce": reduce_text,
    "argreduce": reduce_text,
    "scan": scan_text,
    "custom": custom_text,
}


def row_text(op: Op, dtype: str, variant: str | None = None) -> KernelText:
    """The kernels of a row for one dtype: all, or those that launches beginning with `variant` need."""
    if variant is None:
        return FAMILIES[op.family](op, dtype)
    groups = {**GROUPS, "scan": SCAN_GROUPS, "custom": FUNCTION_GROUPS}[op.family]
    return FAMILIES[op.family](op, dtype, groups.get(variant, (variant,)))
