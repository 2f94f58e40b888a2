"""The pack: the commonest kernels, compiled by nvcc before there is a device.

`nd4py.cuda.compile.packed_kernels` reads it.

    ND4PY_CUDA_FATBIN=1 pip wheel .    # a wheel with the pack
    python kernels/pack.py             # the pack of the nd4py that is installed

Design: what is common is said in a few words about the table's rows; every other kernel is compiled when it is met, as
without a pack.
"""

import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nd4py._spec.ops import OPS
from nd4py._spec.render.cuda_kernels import cuda_dtypes
from nd4py.cuda.compile.kernel_catalogue import cast_kernels, copy_kernels, fill_kernels, row_kernels
from nd4py.cuda.compile.packed_kernels import pack_path
from nd4py.cuda.driver.driver import COMPILER_OPTIONS, KernelModule

TARGETS = (
    "-gencode=arch=compute_80,code=sm_80",
    "-gencode=arch=compute_90,code=sm_90",
    "-gencode=arch=compute_100,code=[sm_100,compute_100]",
)
LAYOUTS = ("packets", "rows", "strided")  # dense, broadcast, anything: variants of map.cu
SHAPES = ("blocks", "columns")  # long lines, and short ones beside each other: variants of reduce.cu


def common_modules() -> Iterator[KernelModule]:
    """The modules of the pack, as launches ask for them: float32 everywhere, operators in every layout."""
    for row in OPS:
        dtypes = cuda_dtypes(row)
        if row.family == "map" and row.operator:
            for dtype in {"float32", "float16", "int64"}.intersection(dtypes):
                yield from (row_kernels(row.name, dtype, layout).module for layout in LAYOUTS)
        elif row.family == "map" and "float32" in dtypes:
            yield row_kernels(row.name, "float32", "packets").module
        elif row.family == "reduce" and "float32" in dtypes:
            yield from (row_kernels(row.name, "float32", shape).module for shape in SHAPES)
    for itemsize in (2, 4, 8):
        yield from (copy_kernels(itemsize, layout).module for layout in LAYOUTS)
        yield fill_kernels(itemsize, "packets").module
    for source, target in (("float32", "float16"), ("float16", "float32"), ("bool", "float32"), ("int64", "float32")):
        yield cast_kernels(source, target, "packets").module


def nvcc() -> str:
    """The path of nvcc.  Raises RuntimeError where it is not found."""
    found = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if found is None:
        raise RuntimeError("kernels are packed by nvcc, which was not found: put CUDA's bin folder on PATH")
    return found


def fat_binary(module: KernelModule, compiler: str) -> bytes:
    """The machine code of a module for all targets.  Raises RuntimeError with the compiler's words."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "module.cu", Path(folder) / "module.fatbin"
        source.write_text(module.source, encoding="utf-8")
        command = [compiler, "-fatbin", *COMPILER_OPTIONS, *module.options, *TARGETS, "-o", str(target), str(source)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(f"module {module.name!r} does not compile: {result.stderr}")
        return target.read_bytes()


def write_pack(path: Path, modules: Iterable[KernelModule], jobs: int) -> int:
    """Compile modules, so many at a time, and write the pack, whole or not at all; returns its bytes.

    Raises RuntimeError where nvcc is missing, or with its words.
    """
    compiler = nvcc()
    by_digest = {module.digest: module for module in modules}
    with ThreadPoolExecutor(jobs) as pool:
        codes = list(pool.map(lambda module: fat_binary(module, compiler), by_digest.values()))
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as pack:
        for digest, code in zip(by_digest, codes, strict=True):
            pack.writestr(digest, code)
    os.replace(part, path)
    return path.stat().st_size


if __name__ == "__main__":
    size = write_pack(pack_path(), common_modules(), os.cpu_count() or 1)
    print(f"{pack_path()}: {size / 2**20:.1f} MiB")
