"""Kernels are CUDA: NVRTC compiles them for real GPUs, and the machine code is what it should be.

A fixed sample by default; `ND4PY_CUDA_TESTS=all` compiles every row and dtype, for two generations of GPUs.
"""

import re

import nvrtc
import pytest
from kernel_bench import EVERYTHING

from nd4py._spec import dtypes
from nd4py._spec.ops import ALL
from nd4py._spec.render import cuda_kernels
from nd4py._spec.render.cuda_chains import Chain, Step
from nd4py._spec.render.cuda_functors import FUNCTIONS, function_text, row_text
from nd4py.cuda.compile.kernel_catalogue import (
    cast_kernels,
    chain_kernels,
    chain_reduce_kernels,
    copy_kernels,
    fill_kernels,
    function_kernels,
    kernels_of,
    row_kernels,
)


def chain(dtype):
    """A product, a sum, a comparison, a choice and a conversion."""
    steps = (
        Step("multiply", dtype, (0, 1)),
        Step("add", dtype, (3, 2)),
        Step("less", dtype, (3, 4)),
        Step("where", dtype, (5, 3, 4)),
        Step("", dtype, (6,), "float64"),
    )
    return Chain((dtype,) * 3, (), steps, (6, 7))


def reduced_chain(dtype):
    """The same without what more than one output needs."""
    whole = chain(dtype)
    return Chain(whole.leaves, (), whole.steps[:4], (6,))


SAMPLE = {
    "sm_90": [
        ("row", "add", "float32"), ("row", "adam_step", "float32"),
        ("row", "tanh", "complex64"), ("row", "floor_divide", "int8"), ("row", "sum", "float16"),
        ("row", "argmin", "bfloat16"), ("row", "cumulative_sum", "float32"),
        ("function", "gather", "complex128"), ("function", "mask", "int32"), ("function", "normal", "float64"),
        ("function", "integers", "uint16"), ("function", "gamma", "float32"), ("function", "binomial", "int64"),
        ("function", "shuffle", "int64"), ("function", "matmul", "float32"), ("function", "conv2d", "float16"),
        ("function", "pool2d", "float32"), ("function", "normalize", "bfloat16"), ("cast", "float16", "bool"),
        ("chain", "", "float16"), ("reduced", "sum", "float32"),
    ],
    "sm_80": [
        ("row", "multiply_add", "bfloat16"), ("row", "max", "float32"), ("row", "cumulative_prod", "int64"),
        ("function", "add_at", "complex64"), ("function", "exponential", "float32"),
        ("function", "multinomial", "int64"), ("function", "truncated_normal", "float64"), ("copy", "", "16"),
        ("fill", "", "2"),
    ],
}  # fmt: skip
# Kernels that must move 16 bytes at once: {module: (kernel, loads, stores)}
PACKETS = {
    ("add", "float32"): ("packets", 2, 1),
    ("add", "int8"): ("rows", 2, 1),
    ("adam_step", "float16"): ("packets", 3, 3),
    ("sum", "float32"): ("blocks", 1, 0),
    ("max", "bfloat16"): ("lines", 1, 0),
}


@pytest.fixture(scope="module")
def library():
    found = nvrtc.find_library()
    if found is None:
        pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc")
    return found


@pytest.fixture
def disassembler():
    if nvrtc.find_disassembler() is None:
        pytest.skip("no disassembler: pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm")


def kernels_named(kind, name, dtype):
    """An entry of the catalogue."""
    return {
        "row": lambda: row_kernels(name, dtype),
        "function": lambda: function_kernels(name, dtype),
        "cast": lambda: cast_kernels(name, dtype),
        "chain": lambda: chain_kernels(chain(dtype)),
        "reduced": lambda: chain_reduce_kernels(reduced_chain(dtype), name),
        "copy": lambda: copy_kernels(int(dtype)),
        "fill": lambda: fill_kernels(int(dtype)),
    }[kind]()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "architecture, entry",
    [pytest.param(a, e, id="-".join([a, *e])) for a, entries in SAMPLE.items() for e in entries],
)
def test_a_sample_compiles(library, architecture, entry):
    kernels = kernels_named(*entry)
    cubin = nvrtc.compiled(library, kernels.module, architecture)
    for symbol in kernels.symbols.values():
        assert symbol.encode() in cubin


ROWS = [
    (architecture, row.name, family)
    for architecture in ("sm_80", "sm_90")
    for row in dtypes.DTYPES
    for family in ("map", "reduce", "argreduce", "scan")
]


@pytest.mark.parametrize("architecture, dtype, family", ROWS if EVERYTHING else [])
def test_every_row_compiles(library, architecture, dtype, family):
    rows = [op for op in ALL if op.family == family and dtype in cuda_kernels.cuda_dtypes(op)]
    variants = {"map": (("packets", "strided"),)}.get(family, ())
    for first in range(0, len(rows), 40):
        texts = tuple(
            cuda_kernels.map_text(op, dtype, *variants) if family == "map" else row_text(op, dtype)
            for op in rows[first : first + 40]
        )
        nvrtc.compiled(library, kernels_of(f"{family}_{dtype}", texts).module, architecture)


@pytest.mark.parametrize("name", FUNCTIONS if EVERYTHING else [])
def test_every_function_compiles(library, name):
    texts = tuple(function_text(name, dtype) for dtype in FUNCTIONS[name].dtypes)
    nvrtc.compiled(library, kernels_of(name, texts).module, "sm_80")


def test_wrong_text_is_reported(library):
    text = cuda_kernels.KernelText("wrong", "map.cu", (), "__global__ void f() { no_such_function(); }\n", ())
    with pytest.raises(RuntimeError, match="no_such_function"):
        nvrtc.compiled(library, kernels_of("wrong", (text,)).module, "sm_90")


@pytest.mark.parametrize("entry", PACKETS, ids="-".join)
def test_packets_are_moved_by_one_instruction(library, disassembler, entry, tmp_path):
    variant, loads, stores = PACKETS[entry]
    kernels = row_kernels(*entry)
    code = nvrtc.disassembled(nvrtc.compiled(library, kernels.module, "sm_90"), tmp_path / "module.cubin")
    text = code[kernels.symbols[variant]]
    assert len(re.findall(r"\bLDG\.E\.128", text)) >= loads
    assert len(re.findall(r"\bSTG\.E\.128", text)) >= stores


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "entry",
    [("row", "amsgrad_step", "float32"), ("row", "sum", "float64"), ("row", "argmax", "int8"), ("row", "sum", "int8"),
     ("row", "cumulative_sum", "int32"), ("function", "matmul", "float64"), ("function", "pool2d", "float16")],
    ids="-".join,
)  # fmt: skip
def test_nothing_is_kept_in_local_memory(library, disassembler, entry, tmp_path):
    """Arrays of a thread lie in registers; a stack would go through main memory."""
    cubin = nvrtc.compiled(library, kernels_named(*entry).module, "sm_90")
    used = nvrtc.resources(cubin, tmp_path / "module.cubin")
    assert used
    for kernel, sizes in used.items():
        assert sizes["STACK"] == 0, kernel
        assert sizes["LOCAL"] == 0, kernel
    assert not re.search(r"\b(LDL|STL)\b", "".join(nvrtc.disassembled(cubin, tmp_path / "again.cubin").values()))


def test_records_of_lines_lie_in_constant_memory(library, disassembler, tmp_path):
    """Among the arguments, in bank 0, and read from there: not in a table of the module, bank 3, nor on a stack."""
    kernels = row_kernels("sum", "float32")
    cubin = nvrtc.compiled(library, kernels.module, "sm_90")
    code = nvrtc.disassembled(cubin, tmp_path / "module.cubin")
    used = nvrtc.resources(cubin, tmp_path / "again.cubin")
    for symbol in kernels.symbols.values():
        assert "c[0x0]" in code[symbol]
        assert "c[0x3]" not in code[symbol]
        assert used[symbol]["STACK"] == used[symbol]["LOCAL"] == 0
