"""Compile kernels for the simulator: g++, the shim in front of the unchanged source, and a cache by content."""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
COMPILER = os.environ.get("CXX", "g++")
SHARED = ("-std=c++17", "-fPIC", "-shared")
RUNTIME = (*SHARED, "-O2")
# Traps for what a GPU would refuse or get wrong without a word: misaligned packets, places outside an array.
MODULE = (*SHARED, "-fvisibility=hidden", "-fno-gnu-unique", "-ffp-contract=off", "-fwrapv", "-w")
CHECKED = (
    *MODULE, "-O1", "-fsanitize=alignment,bounds,integer-divide-by-zero,shift-exponent",
    "-fsanitize-undefined-trap-on-error",
)  # fmt: skip
ANNOUNCED = "-fsanitize=thread"  # accesses to memory are, so that another thread may run before each
TORN = (*CHECKED, ANNOUNCED)  # for the schedule of that name
QUICK = (*MODULE, "-O0")  # half the time to compile, for kernels whose skeleton is checked elsewhere


class CompilationError(RuntimeError):
    """g++ refused a source; the text is its own."""


def cache_folder():
    """Where compiled modules are kept: $ND4PY_SIMULATOR_CACHE, else a folder of the user's among temporary files."""
    folder = os.environ.get("ND4PY_SIMULATOR_CACHE") or f"{tempfile.gettempdir()}/nd4py-simulator-{os.getuid()}"
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


def compile_module(module, flags=CHECKED):
    """The shared object of a `KernelModule`; `flags` are CHECKED or QUICK.  Raises CompilationError."""
    folders = [f"-I{folder}" for folder in module.include_folders]
    defines = [option for option in module.options if option.startswith("-D")]
    shim = HERE / "cuda_simulator.h"
    return compiled(module.name, module.source, [*flags, *folders, *defines], module.digest, shim)


def compile_runtime():
    """The shared object that switches fibers and reports errors.  Raises CompilationError."""
    text = (HERE / "cuda_simulator.cpp").read_text()
    headers = "".join((HERE / name).read_text() for name in ("accesses.h", "fibers.h", "rooms.h"))
    return compiled("runtime", text, [*RUNTIME, f"-I{HERE}"], headers, HERE / "cuda_simulator.h")


def compiled(name, text, flags, digest, header):
    """`text` after `header`, from the cache or newly compiled; atomically, for processes that run side by side."""
    content = "\0".join([text, digest, header.read_text(), COMPILER, *flags])
    path = cache_folder() / f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:24]}.so"
    if path.exists():
        return path
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source, result = Path(folder) / "module.cpp", Path(folder) / "module.so"
        source.write_text(text)
        command = [COMPILER, *flags, "-include", str(header)]
        if ANNOUNCED in flags:  # linked apart, without the library of the race detector: the runtime stands for it
            run_compiler(name, [*command, "-c", "-o", f"{folder}/module.o", str(source)])
            run_compiler(name, [COMPILER, "-shared", "-o", str(result), f"{folder}/module.o"])
        else:
            run_compiler(name, [*command, "-o", str(result), str(source)])
        os.replace(result, path)
    return path


def run_compiler(name, command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompilationError(f"{name}: {command[0]} said:\n{done.stderr[:4000]}")


def load_copy(path):
    """Load a copy of a shared object, so that loading it again makes another set of global variables."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        return ctypes.CDLL(shutil.copy(path, folder))
