"""CUDA source of chains: several steps as one kernel of chain.cu or reduce.cu.

A step is a row of the table or a conversion.

Design: a step is the very body that runs alone (`RowBody`, `CastBody` of kernels/cuda/row_body.cuh), on elements as
they are stored; what lies between two steps is such an element.  So a chain gives the bits of its steps by
construction, for any mixture of dtypes.  Rejected: chains of one dtype in its compute type, which left out casts,
comparisons and `where`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from .. import dtypes
from ..op import Op
from ..ops import BY_NAME
from . import row_render
from .cuda_kernels import (
    MAP_THREADS,
    REDUCE_VARIANTS,
    KernelText,
    cuda_dtypes,
    kernel,
    reduce_body,
    reduce_instances,
)

MAX_OPERANDS, MAX_VALUES, MAX_STEPS = 16, 32, 64
CHAIN_VARIANTS = {
    "packets": ("DenseChainArguments", "chain_dense<{chain}, {chain}::width, true>"),
    "dense": ("DenseChainArguments", "chain_dense<{chain}, 1, false>"),
    "rows": ("StridedChainArguments", "chain_strided<{chain}, {chain}::width, false>"),
    "strided": ("StridedChainArguments", "chain_strided<{chain}, 1, false>"),
    "wide": ("StridedChainArguments", "chain_strided<{chain}, 1, true>"),
}


@dataclass(frozen=True)
class Step:
    """A map row over values, or a conversion where `row` is "".

    dtype: that the row computes in, or that is converted
    operands: numbers of values
    target: dtype of a conversion's result
    """

    row: str
    dtype: str
    operands: tuple[int, ...]
    target: str = ""

    @property
    def results(self) -> tuple[str, ...]:
        """The dtypes of its results."""
        if not self.row:
            return (self.target,)
        op = BY_NAME[self.row]
        return (row_render.result_type(op, dtypes.BY_NAME[self.dtype]).name,) * len(op.outputs)


@dataclass(frozen=True)
class Chain:
    """Steps over arrays and scalars.  Values are numbered: arrays, scalars, then the results of the steps.

    leaves, scalars: their dtypes
    outputs: numbers of the values that are written; one where a reduction ends the chain
    """

    leaves: tuple[str, ...]
    scalars: tuple[str, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]

    @property
    def value_dtypes(self) -> tuple[str, ...]:
        """The dtype of every value."""
        return (*self.leaves, *self.scalars, *(name for step in self.steps for name in step.results))


class NotCombinableError(ValueError):
    """A chain cannot become one kernel; the text says which step, and why."""


def words_of(dtype: str) -> int:
    """Words of 8 bytes that a scalar of a dtype takes among a chain's values."""
    return -(-dtypes.BY_NAME[dtype].itemsize // 8)


def check_chain(chain: Chain) -> None:
    """Raises NotCombinableError for what one kernel cannot do."""
    n_values = len(chain.leaves) + len(chain.scalars)
    n_words = sum(map(words_of, chain.scalars))
    for i, step in enumerate(chain.steps):
        reason, n_operands = "", 1
        if step.row:
            op = BY_NAME[step.row]
            n_operands = len(op.args)
            n_words += len(op.params)
            if op.family != "map":
                reason = "only elementwise rows combine"
            elif step.dtype not in cuda_dtypes(op):
                reason = op.cuda or f"it does not take {step.dtype}"
        if not reason and (len(step.operands) != n_operands or not all(0 <= k < n_values for k in step.operands)):
            reason = f"operands {step.operands} are not {n_operands} of the {n_values} values before it"
        if reason:
            raise NotCombinableError(f"step {i}, {step.row or 'conversion'}: {reason}")
        n_values += len(step.results)
    n_operands = len(chain.leaves) + len(chain.outputs)
    if not (1 <= len(chain.steps) <= MAX_STEPS and n_operands <= MAX_OPERANDS and n_words <= MAX_VALUES):
        raise NotCombinableError(
            f"{len(chain.steps)} steps over {n_operands} arrays with {n_words} words of scalars: a chain has 1 to "
            f"{MAX_STEPS} steps, at most {MAX_OPERANDS} arrays and {MAX_VALUES} words"
        )


def chain_text(chain: Chain, variants: Iterable[str] = tuple(CHAIN_VARIANTS)) -> KernelText:
    """The kernels of a chain whose outputs are written.  Raises NotCombinableError."""
    name, functors, struct = chain_struct(chain, RUN)
    lines, symbols = "", []
    for variant in variants:
        arguments, function = CHAIN_VARIANTS[variant]
        lines += kernel(f"{name}_{variant}", MAP_THREADS, arguments, function.format(chain=name))
        symbols.append((variant, f"{name}_{variant}"))
    return KernelText(name, "chain.cu", functors, struct + lines, tuple(symbols))


def chain_reduce_text(chain: Chain, reduction: Op, variants: Iterable[str] = tuple(REDUCE_VARIANTS)) -> KernelText:
    """The kernels of a reduction of a chain's only output, which is never stored.

    Raises NotCombinableError, for a reduction too that is none or does not take the dtype.
    """
    dtype = chain.value_dtypes[chain.outputs[0]]
    if reduction.family != "reduce" or dtype not in cuda_dtypes(reduction):
        raise NotCombinableError(f"{reduction.name} of {dtype} cannot end a chain: only reductions of that dtype can")
    name, functors, struct = chain_struct(chain, MADE)
    row = dtypes.BY_NAME[dtype]
    body = reduce_body(reduction, row, f"ChainSource<{name}, {row.cpp}>")
    functors = (*functors, row_render.reduce_functor(reduction))
    text = reduce_instances(f"{reduction.name}_of_{name}", body, functors, variants)
    return KernelText(text.name, text.skeleton, text.functors, struct + text.instances, text.symbols)


RUN = """  template <int N, bool Aligned>
  ND_DEVICE static void run(char* const* addresses, long long constant, const double* values) {{
{packets}{outputs}#pragma unroll
    for (int j = 0; j < N; ++j) apply(values{elements}{results});
{stores}  }}
"""
MADE = """  template <int N, bool Aligned>
  ND_DEVICE static packet<{made}, N, Aligned> made(char* const* addresses, long long constant, const double* values) {{
{packets}{outputs}#pragma unroll
    for (int j = 0; j < N; ++j) apply(values{elements}{results});
    return y0;
  }}
"""


def chain_struct(chain: Chain, access: str) -> tuple[str, tuple[str, ...], str]:
    """(its name, the functors of its rows, the struct); `access`: how operands are read and results go."""
    check_chain(chain)
    digest = hashlib.sha256(repr(chain).encode()).hexdigest()[:16]
    name, ops = f"chain_{digest}", [BY_NAME[step.row] for step in chain.steps if step.row]
    types = [dtypes.BY_NAME[dtype].cpp for dtype in chain.value_dtypes]
    n_in, outputs = len(chain.leaves), [types[value] for value in chain.outputs]
    sizes = [dtypes.BY_NAME[chain.value_dtypes[value]].itemsize for value in (*range(n_in), *chain.outputs)]
    arguments = "".join(f", {types[k]} v{k}" for k in range(n_in))
    arguments += "".join(f", {made}* y{i}" for i, made in enumerate(outputs))
    reading = "".join(
        f"    packet<{types[k]}, N, Aligned> x{k};\n    load_packet(addresses[{k}], constant >> {k} & 1, x{k});\n"
        for k in range(n_in)
    )
    text = access.format(
        packets=reading, made=outputs[0],
        outputs="".join(f"    packet<{made}, N, Aligned> y{i};\n" for i, made in enumerate(outputs)),
        elements="".join(f", x{k}.element[j]" for k in range(n_in)),
        results="".join(f", &y{i}.element[j]" for i in range(len(outputs))),
        stores="".join(
            f"    *(packet<{made}, N, Aligned>*)addresses[{n_in + i}] = y{i};\n" for i, made in enumerate(outputs)
        ),
    )  # fmt: skip
    struct = (
        f"struct {name} {{\n  static constexpr int n_in = {n_in}, n_out = {len(outputs)}, "
        f"width = {16 // max(sizes)};\n"
        f"  ND_DEVICE static constexpr int itemsize(int k) {{\n"
        f"    constexpr int sizes[] = {{{', '.join(map(str, sizes))}}};\n    return sizes[k];\n  }}\n"
        f"  ND_DEVICE static void apply([[maybe_unused]] const double* values{arguments}) {{\n{apply_body(chain)}  }}\n"
        f"{text}}};\n"
    )
    return name, tuple(dict.fromkeys(map(row_render.map_functor, ops))), struct


def apply_body(chain: Chain) -> str:
    """The steps on the elements at one index."""
    names = list(chain.value_dtypes)
    text, word, value = "", 0, len(chain.leaves)
    for dtype in chain.scalars:
        text += f"    const auto v{value} = value_at<{dtypes.BY_NAME[dtype].cpp}>(values + {word});\n"
        word, value = word + words_of(dtype), value + 1
    for i, step in enumerate(chain.steps):
        text += step_text(step, i, value, word)
        for k, dtype in enumerate(step.results):
            text += f"    const auto v{value + k} = element_of<{dtypes.BY_NAME[dtype].cpp}>(r{i}[{k}]);\n"
        value += len(step.results)
        word += len(BY_NAME[step.row].params) if step.row else 0
    assert value == len(names)
    return text + "".join(f"    *y{i} = v{value};\n" for i, value in enumerate(chain.outputs))


def step_text(step: Step, i: int, value: int, word: int) -> str:
    """One step: its operands in a{i}, its results in r{i}; its scalars begin at `word`."""
    row = dtypes.BY_NAME[step.dtype]
    if not step.row:
        target = dtypes.BY_NAME[step.target].cpp
        return (
            f"    const {row.cpp} a{i}[] = {{v{step.operands[0]}}};\n    {target} r{i}[1];\n"
            f"    CastBody<{row.cpp}, {target}>::apply(values, r{i}, a{i}, false);\n"
        )
    op = BY_NAME[step.row]
    # A row that selects takes halves as words of their size, as alone.
    cpp = dtypes.BY_NAME[row_render.HALF_WORD].cpp if op.selects and row.compute != row.name else row.cpp
    body = f"RowBody<ops::op_{op.name}, {cpp}>"
    operands = [
        f"{cpp}()" if name == "condition" else f"element_of<{cpp}>(v{k})"
        for name, k in zip(op.args, step.operands, strict=True)
    ]
    flag = f"v{step.operands[op.args.index('condition')]}" if "condition" in op.args else "false"
    return (
        f"    const {cpp} a{i}[] = {{{', '.join(operands)}}};\n    {body}::Out r{i}[{len(op.outputs)}];\n"
        f"    {body}::apply(values + {word}, r{i}, a{i}, {flag});\n"
    )
