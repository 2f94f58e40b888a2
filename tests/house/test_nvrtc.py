"""The rows are valid CUDA: NVRTC compiles each one for each of its dtypes, on machines without a GPU too."""

import ctypes
import re
import sysconfig
from pathlib import Path

import pytest

from nd4py._spec import dtypes
from nd4py._spec.ops import ALL
from nd4py._spec.render import row_render

KERNELS = Path(__file__).parents[2] / "kernels/math"
OPTIONS = (
    *("--gpu-architecture=compute_90", "--std=c++17"),
    *(f"--include-path={folder}" for folder in (KERNELS, KERNELS / "complex")),
)
HEADER = '#include "scalar.h"\n#include "types.h"\n#include "complex_math.h"\n' + row_render.functors()

# NVRTC has no standard headers, hence no int32_t.
CUDA_NAMES = {
    "bool": "bool", "float32": "float", "float64": "double",
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "complex64": "nd_complex<float>", "complex128": "nd_complex<double>",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
}  # fmt: skip


def find_library():
    """NVRTC as the nvidia-cuda-nvrtc wheel installs it, or None."""
    folder = Path(sysconfig.get_paths()["purelib"])
    return max(folder.glob("nvidia/*/lib/libnvrtc.so.*"), default=None)


@pytest.fixture(scope="module")
def nvrtc():
    path = find_library()
    if path is None:
        pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc")
    for builtins in path.parent.glob("libnvrtc-builtins.so.*"):  # some wheels of NVRTC cannot find them by themselves
        ctypes.CDLL(str(builtins))
    return ctypes.CDLL(str(path))


def read_text(nvrtc, program, what):
    """The `what` ("ProgramLog", "PTX") of a program."""
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, text)
    return text.value.decode()


def compile_cuda(nvrtc, source):
    """The PTX of `source`; fails the test with NVRTC's own words."""
    program = ctypes.c_void_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"rows.cu", 0, None, None) == 0
    try:
        options = (ctypes.c_char_p * len(OPTIONS))(*(option.encode() for option in OPTIONS))
        if nvrtc.nvrtcCompileProgram(program, len(options), options) != 0:
            pytest.fail(read_text(nvrtc, program, "ProgramLog"))
        return read_text(nvrtc, program, "PTX")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def map_kernel(op, dtype):
    """A kernel that computes one element of every output."""
    c = CUDA_NAMES[dtype]
    operands = ", ".join(f"x[{i}] != ({c})0" if name == "condition" else f"x[{i}]" for i, name in enumerate(op.args))
    return (
        f"__global__ void {op.name}_{dtype}(const {c}* x, ops::op_{op.name}::out<{c}>* y, const {c}* params)"
        f" {{ ops::op_{op.name}::apply<{c}>(params, y, {operands}); }}\n"
    )


def reduce_kernel(op, dtype):
    """A kernel that reduces two elements, each from a start of its own."""
    row = dtypes.BY_NAME[dtype]
    a, struct = CUDA_NAMES[row.accumulate if op.accumulate == "wide" else dtype], f"ops::op_{op.name}"
    start = f"{struct}::init<{a}>()"
    return (
        f"__global__ void {op.name}_{dtype}(const {CUDA_NAMES[dtype]}* x, {a}* y) {{\n"
        f"  {a} left = {struct}::step<{a}>({start}, ({a})x[0]), right = {struct}::step<{a}>({start}, ({a})x[1]);\n"
        f"  y[0] = {struct}::finish<{a}>({struct}::merge<{a}>(left, right), 2); }}\n"
    )


def argreduce_kernel(op, dtype):
    """A kernel that compares two elements."""
    c = CUDA_NAMES[dtype]
    better = f"ops::op_{op.name}::better<{c}>"
    return f"__global__ void {op.name}_{dtype}(const {c}* x, bool* y) {{ y[0] = {better}(x[0], x[1]); }}\n"


KERNEL_OF = {"map": map_kernel, "reduce": reduce_kernel, "argreduce": argreduce_kernel}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", CUDA_NAMES)
def test_every_row_compiles(nvrtc, dtype):
    ops = [op for op in ALL if op.family in KERNEL_OF and dtype in op.types]
    ptx = compile_cuda(nvrtc, HEADER + "".join(KERNEL_OF[op.family](op, dtype) for op in ops))
    assert ptx.count(".entry") == len(ops)


def test_float32_rows_compute_in_float32(nvrtc):
    """A literal without its C(...) would make doubles; CUDA's own sin, cos and tan use them for huge angles."""
    ops = [op for op in ALL if op.family == "map" and "float32" in op.types]
    ops = [op for op in ops if not re.search(r"\b(sin|cos|tan|sinc|sinc_slope)\(", str(op.expr))]
    ptx = compile_cuda(nvrtc, HEADER + "".join(map_kernel(op, "float32") for op in ops))
    kernels = dict(zip((op.name for op in ops), ptx.split(".entry ")[1:], strict=True))
    assert [name for name, text in kernels.items() if ".f64" in text] == []


def test_random_numbers_compile(nvrtc):
    """The generator of the CPU is the generator of the GPU."""
    source = """
    #include "philox.h"
    __global__ void draw(float* u, double* z, nd_wide* i) {
      PhiloxBlock block = philox_block(1, threadIdx.x, 0);
      uniform_lanes(block, u);
      normal_lanes(block, z);
      i[0] = bounded(wide_of(block.word[1], block.word[0]), 0, 1, threadIdx.x, 10);
      i[1] = bounded_word(block.word[3], 3, 1, threadIdx.x, 10);
    }
    """
    assert compile_cuda(nvrtc, source).count(".entry") == 1


def test_a_wrong_expression_is_reported(nvrtc):
    with pytest.raises(pytest.fail.Exception, match="no_such_function"):
        compile_cuda(nvrtc, HEADER + "__global__ void wrong(float* y) { y[0] = no_such_function(y[0]); }")
