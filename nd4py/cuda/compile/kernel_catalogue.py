"""Catalogue of kernels: source and kernel names for each row of the table and dtype.

A catalogue entry is text alone; a driver compiles it (`Driver.module_load`), and `nd4py.cuda.launch.geometry` says how
its kernels are launched.  Headers stand in the source itself, so that its digest is that of everything it is made from.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ..._spec.ops import BY_NAME
from ..._spec.render import cuda_chains, cuda_functors, cuda_kernels
from ..._spec.render.cuda_kernels import KernelText
from ..driver.driver import KernelModule

INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.M)
PRAGMA_ONCE = re.compile(r"^#pragma once\n", re.M)
ACCUMULATOR_BYTES = 32  # the widest accumulator of any row


@dataclass(frozen=True)
class Kernels:
    """A module and its kernels: `symbols[variant]` is the name of one."""

    module: KernelModule
    symbols: dict[str, str]


def sources_folder() -> Path:
    """Where the kernels' sources are: in the package in a wheel, in kernels/ in the repository."""
    package = Path(__file__).parents[1]
    packaged = package / "sources"
    return packaged if packaged.is_dir() else package.parents[1] / "kernels"


@cache
def source_paths() -> dict[str, Path]:
    """The files of the kernels' sources by their names, whichever folder they are in."""
    return {path.name: path for path in sources_folder().rglob("*.[ch]*")}


@cache
def read_source(name: str) -> str:
    """The text of one file of the kernels' sources."""
    return source_paths()[name].read_text(encoding="utf-8")


def inlined(text: str) -> str:
    """`text` with every included file of ours in its place, each once."""
    seen: set[str] = set()

    def replace(found: re.Match[str]) -> str:
        name = found[1]
        if name in seen:
            return ""
        seen.add(name)
        return INCLUDE.sub(replace, PRAGMA_ONCE.sub("", read_source(name)))

    return INCLUDE.sub(replace, text)


def kernels_of(name: str, texts: tuple[KernelText, ...]) -> Kernels:
    """One module with the kernels of several texts, which share their options; symbols of the last one win."""
    source = inlined(cuda_kernels.translation_unit(texts))
    options = texts[0].options
    digest = hashlib.sha256("\0".join([source, *options]).encode()).hexdigest()
    symbols = {variant: symbol for text in texts for variant, symbol in text.symbols}
    return Kernels(KernelModule(name, source, (), options, digest), symbols)


def group_of(family: str, variant: str | None) -> tuple[tuple[str, ...], ...]:
    """The arguments that limit a text to the kernels which launches beginning with `variant` need."""
    return () if variant is None else (cuda_kernels.GROUPS[family].get(variant, (variant,)),)


@cache
def row_kernels(name: str, dtype: str, variant: str | None = None) -> Kernels:
    """The kernels of a row: all, or only those that launches beginning with `variant` need, which compile faster.

    Raises KeyError for no row, TypeError with the reason where it has no kernels for the dtype.
    """
    op = BY_NAME[name]
    if dtype not in cuda_kernels.cuda_dtypes(op):
        raise TypeError(f"{name} of {dtype} has no CUDA kernels: {op.cuda or 'the operation does not take this dtype'}")
    text = cuda_functors.row_text(op, dtype, variant)
    return kernels_of(text.name, (text,))


@cache
def cast_kernels(source: str, target: str, variant: str | None = None) -> Kernels:
    """The kernels that convert elements from one dtype to another; `variant` as for `row_kernels`."""
    text = cuda_kernels.cast_text(source, target, *group_of("map", variant))
    return kernels_of(text.name, (text,))


@cache
def copy_kernels(itemsize: int, variant: str | None = None) -> Kernels:
    """The kernels that copy elements of 1, 2, 4, 8 or 16 bytes between layouts; `variant` as for `row_kernels`."""
    text = cuda_kernels.copy_text(itemsize, *group_of("map", variant))
    return kernels_of(text.name, (text,))


@cache
def fill_kernels(itemsize: int, variant: str | None = None) -> Kernels:
    """The kernels that fill with one element of 1, 2, 4, 8 or 16 bytes; `variant` as for `row_kernels`."""
    text = cuda_kernels.fill_text(itemsize, *group_of("map", variant))
    return kernels_of(text.name, (text,))


@lru_cache(maxsize=256)
def chain_kernels(chain: cuda_chains.Chain, variant: str | None = None) -> Kernels:
    """The kernels of a chain whose results are written; `variant` as for `row_kernels`.

    Raises NotCombinableError with the step and the reason.
    """
    text = cuda_chains.chain_text(chain, *group_of("map", variant))
    return kernels_of(text.name, (text,))


@lru_cache(maxsize=256)
def chain_reduce_kernels(chain: cuda_chains.Chain, reduction: str, variant: str | None = None) -> Kernels:
    """The kernels of a reduction of a chain's only result; `variant` as for `row_kernels`.

    Raises NotCombinableError with the step and the reason.
    """
    op = BY_NAME[reduction]
    text = cuda_chains.chain_reduce_text(chain, op, *group_of("reduce", variant))
    return kernels_of(text.name, (text,))


@cache
def function_kernels(name: str, dtype: str, variant: str | None = None) -> Kernels:
    """The kernels of a function of `nd4py._spec.render.cuda_functors`, such as "uniform"; `variant` as for
    `row_kernels`.

    Raises KeyError for an unknown name, TypeError for a dtype it does not take.
    """
    if dtype not in cuda_functors.FUNCTIONS[name].dtypes:
        raise TypeError(f"{name} of {dtype} has no CUDA kernels: it does not take this dtype")
    wanted = None if variant is None else cuda_functors.FUNCTION_GROUPS.get(variant, (variant,))
    text = cuda_functors.function_text(name, dtype, wanted)
    return kernels_of(text.name, (text,))
