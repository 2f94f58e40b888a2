"""The catalogue is whole: every row has kernels or says why not, and host and device agree about what they pass."""

import ctypes
import re
import subprocess

import pytest
from simulator.compiler import COMPILER

from nd4py._spec import dtypes
from nd4py._spec.ops import ALL, BY_NAME, OPS
from nd4py._spec.render import cuda_kernels, cuda_structs
from nd4py._spec.render.cuda_chains import Chain, Step
from nd4py._spec.render.cuda_functors import FUNCTIONS, ROW_FUNCTIONS, row_text
from nd4py._spec.render.cuda_kernels import cuda_dtypes
from nd4py.cuda.compile.kernel_catalogue import (
    cast_kernels,
    chain_kernels,
    copy_kernels,
    fill_kernels,
    function_kernels,
    kernels_of,
    read_source,
    row_kernels,
    source_paths,
    sources_folder,
)
from nd4py.cuda.launch import kernel_arguments
from nd4py.cuda.launch.kernel_arguments import Divisor

STRUCTS = {
    name: value
    for name, value in vars(kernel_arguments).items()
    if isinstance(value, type) and issubclass(value, ctypes.Structure)
}
SKELETONS = sorted(path.name for path in sources_folder().rglob("*.cu"))


@pytest.mark.parametrize("op", ALL, ids=lambda op: op.name)
def test_every_row_has_kernels_or_says_why_not(op):
    if op.cuda:
        assert op.family == "custom", "rows with loops of their own have a skeleton"
        assert cuda_dtypes(op) == ()
    elif op.family == "custom":
        assert set(FUNCTIONS[ROW_FUNCTIONS[op.name]].dtypes) >= set(op.types)
    else:
        for dtype in op.dtypes:
            assert row_text(op, dtype).symbols


def test_functions_of_rows_belong_to_rows_without_a_reason():
    assert set(ROW_FUNCTIONS) == {op.name for op in OPS if op.family == "custom" and not op.cuda}


def test_names_of_kernels_are_unique():
    texts = [row_text(op, dtype) for op in ALL if op.family != "custom" for dtype in cuda_dtypes(op)]
    names = [symbol for text in texts for _, symbol in text.symbols]
    assert len(names) == len(set(names))


def test_no_skeleton_names_an_operation():
    """Skeletons say how work is shared; what is computed stands in rows.  Templates of custom rows are functions."""
    rows = {op.name for op in OPS if op.family != "custom"}
    for skeleton in SKELETONS:
        code = re.sub(r"//[^\n]*", "", read_source(skeleton))
        found = rows & set(re.findall(r"\bop_(\w+)", code))
        assert not found, f"{skeleton}: {found}"


def test_the_digest_is_that_of_everything_in_the_source(monkeypatch):
    from nd4py.cuda.compile import kernel_catalogue

    text = cuda_kernels.map_text(BY_NAME["add"], "float32")
    before = kernels_of("add", (text,)).module
    assert before == row_kernels("add", "float32").module.__class__(**vars(before))
    assert '#include "' not in before.source
    monkeypatch.setattr(
        kernel_catalogue, "read_source", lambda name: read_source(name) + ("// changed\n" if name == "scalar.h" else "")
    )
    after = kernels_of("add", (text,)).module
    assert after.digest != before.digest


def test_chains_of_equal_steps_are_one_entry():
    def chain(dtype):
        return Chain((dtype, dtype), (), (Step("multiply", dtype, (0, 1)), Step("add", dtype, (2, 1))), (3,))

    assert chain_kernels(chain("float32")) is chain_kernels(chain("float32"))
    assert chain_kernels(chain("float32")).module.digest != chain_kernels(chain("float64")).module.digest


@pytest.mark.parametrize(
    "kernels, variants",
    [
        (lambda: row_kernels("add", "float32", "dense"), {"packets", "dense"}),
        (lambda: row_kernels("add", "float32", "tiled"), {"tiled"}),
        (lambda: row_kernels("sum", "float16", "lines"), {"lines"}),
        (lambda: row_kernels("argmax", "int8", "columns"), {"columns", "merge"}),
        (lambda: row_kernels("cumulative_sum", "int8", "totals"), {"totals", "carry", "blocks"}),
        (lambda: row_kernels("cumulative_sum", "float32", "pull"), {"pull"}),
        (lambda: row_kernels("max_pool2d", "float32", "max_pool"), {"max_pool"}),
        (lambda: function_kernels("mask", "int8", "count"), {"count", "sum"}),
        (lambda: cast_kernels("int8", "bool", "strided"), {"strided"}),
        (lambda: copy_kernels(8, "rows"), {"rows"}),
        (lambda: fill_kernels(8, "packets"), {"packets", "dense"}),
        (lambda: chain_kernels(Chain(("float32",), (), (Step("exp", "float32", (0,)),), (1,)), "wide"), {"wide"}),
    ],
)
def test_a_module_may_hold_only_what_a_launch_needs(kernels, variants):
    assert set(kernels().symbols) == variants
    assert kernels().module.source.count("\nND_KERNEL(") == len(variants)


def test_a_function_refuses_a_dtype():
    with pytest.raises(TypeError, match="uniform of int32 has no CUDA kernels"):
        function_kernels("uniform", "int32")


def test_structs_are_those_of_the_kernels(tmp_path):
    """The same names at the same positions with the same sizes, by the C++ compiler's own account."""
    lines = []
    for name, struct in STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, *_ in struct._fields_:
            lines.append(
                f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name}*)0)->{field}));'
            )
    source = tmp_path / "layout.cpp"
    texts = cuda_structs.texts(source_paths()["launch_arguments.cuh"].parent)
    of_kernels = cuda_structs.arguments_of("".join(texts[1:]))
    definitions = "".join(f"struct {name} {{\n{body}}};\n" for name, body in of_kernels)
    source.write_text(
        f'#include <cstddef>\n#include <cstdio>\n#include "{source_paths()["launch_arguments.cuh"]}"\n{definitions}'
        f"int main() {{\n{chr(10).join(lines)}\n}}\n"
    )
    subprocess.run([COMPILER, "-o", tmp_path / "layout", source], check=True)
    told = subprocess.run([tmp_path / "layout"], capture_output=True, text=True, check=True).stdout.splitlines()
    ours = []
    for name, struct in STRUCTS.items():
        ours.append(f"{name} {ctypes.sizeof(struct)}")
        ours += [
            f"{name}.{field} {getattr(struct, field).offset} {getattr(struct, field).size}"
            for field, *_ in struct._fields_
        ]
    assert told == ours
    header = re.findall(r"^struct (\w+) \{", texts[0], re.M)
    assert sorted([*header, *(name for name, _ in of_kernels)]) == sorted(STRUCTS)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 10, 641, 65535, 65536, 1_000_003, 2**31 - 1, 2**31])
def test_divisors_divide(size):
    divisor = Divisor.of(size)
    positions = {0, 1, size - 1, size, size + 1, 2 * size - 1, 2 * size, 3 * size + 1, 2**31 - 1, 2**31 - 2}
    for n in positions:
        if 0 <= n < 2**31:
            high = n * divisor.multiplier >> 32
            assert (high + n) % 2**32 >> divisor.shift == n // size, n


def test_every_dtype_is_known_to_the_kernels():
    """A new dtype row needs a C++ type that the skeletons can load: a cast to each other one says so."""
    for row in dtypes.DTYPES:
        assert cuda_kernels.cast_text(row.name, row.name).symbols
