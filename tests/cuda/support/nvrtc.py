"""NVRTC through ctypes: compile kernels for real GPUs on machines without one; and the PyPI disassembler."""

import ctypes
import hashlib
import os
import subprocess
import sysconfig
import tempfile
from functools import lru_cache
from pathlib import Path

from simulator.compiler import cache_folder

from nd4py.cuda.driver.driver import COMPILER_OPTIONS


@lru_cache(maxsize=1)
def find_library():
    """NVRTC as the nvidia-cuda-nvrtc wheel installs it, or None."""
    folder = Path(sysconfig.get_paths()["purelib"])
    path = max(folder.glob("nvidia/*/lib/libnvrtc.so.*"), default=None)
    if path is None:
        return None
    for builtins in path.parent.glob("libnvrtc-builtins.so.*"):  # some wheels of NVRTC cannot find them by themselves
        ctypes.CDLL(str(builtins))
    return ctypes.CDLL(str(path))


@lru_cache(maxsize=1)
def find_disassembler():
    """cuobjdump of the nvidia-cuda-cuobjdump wheel (with nvidia-cuda-nvdisasm), or None.

    ND4PY_CUOBJDUMP names another one.
    """
    folder = Path(sysconfig.get_paths()["purelib"])
    path = os.environ.get("ND4PY_CUOBJDUMP") or max(folder.glob("nvidia/*/bin/cuobjdump"), default=None)
    return Path(path) if path else None


def compiled(library, module, architecture):
    """The cubin of a `KernelModule`, kept by content as the simulator's modules are.

    Raises RuntimeError with NVRTC's own words.
    """
    version = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(*map(ctypes.byref, version))
    content = "\0".join(
        [module.source, architecture, *COMPILER_OPTIONS, *module.options, *(str(n.value) for n in version)]
    )
    path = cache_folder() / f"{module.name}-{hashlib.sha256(content.encode()).hexdigest()[:24]}.cubin"
    if not path.exists():
        cubin = compiled_anew(library, module, architecture)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(cubin)
        os.replace(file.name, path)
    return path.read_bytes()


def compiled_anew(library, module, architecture):
    """What NVRTC makes of a module.  Raises RuntimeError with NVRTC's own words."""
    program = ctypes.c_void_p()
    name = f"{module.name}.cu".encode()
    assert library.nvrtcCreateProgram(ctypes.byref(program), module.source.encode(), name, 0, None, None) == 0
    try:
        options = [f"--gpu-architecture={architecture}", *COMPILER_OPTIONS, *module.options]
        texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if library.nvrtcCompileProgram(program, len(options), texts) != 0:
            raise RuntimeError(read(library, program, "ProgramLog").decode())
        return read(library, program, "CUBIN")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def read(library, program, what):
    """The "ProgramLog" or "CUBIN" of a program."""
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.raw


def disassembled(cubin, path):
    """{kernel: its machine code as text}; `path` is where the cubin may be written."""
    path.write_bytes(cubin)
    tool = find_disassembler()
    environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
    text = subprocess.run([tool, "-sass", path], capture_output=True, text=True, check=True, env=environment).stdout
    functions = text.split("Function : ")[1:]
    return {function.split("\n", 1)[0].strip(): function for function in functions}


def resources(cubin, path):
    """{kernel: {"REG": ..., "STACK": ..., "LOCAL": ...}}, registers and bytes of each kernel."""
    path.write_bytes(cubin)
    text = subprocess.run(
        [find_disassembler(), "-res-usage", path], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {}
    for line, numbers in zip(text, text[1:], strict=False):
        if "Function " in line and "REG:" in numbers:
            fields = [field.split(":") for field in numbers.split() if field.count(":") == 1]
            found[line.split("Function ")[1].rstrip(":").strip()] = {name: int(value) for name, value in fields}
    return found
