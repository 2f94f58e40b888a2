"""The libraries that compile what they run: numexpr, Numba, torch.compile, JAX, and onnxruntime for networks."""

import hashlib
import importlib
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from peer_libraries import CannotError, Library, Torch, blas_threads


class Numexpr(Library):
    """numexpr, which evaluates text over NumPy's arrays in blocks on threads of its own."""

    name = "numexpr"
    no_dtypes = ("bfloat16", "float16")

    @contextmanager
    def threads(self, n_threads):
        before = self.module.set_num_threads(n_threads)
        try:
            yield
        finally:
            self.module.set_num_threads(before)

    def calls(self, text, setup, arrays):
        if "xp." in text and "evaluate(" not in text:
            raise CannotError("no such function")
        call = text if "evaluate(" in text else f'evaluate("{text}")'
        self.names["evaluate"] = self.module.evaluate
        return super().calls(call, setup, arrays)


class Numba(Library):
    """Numba: a function of NumPy's arrays, jitted with parallel=True and compiled before it is timed.

    Compiled functions are kept in a folder of temporary files, where the next run finds them.
    """

    name = "numba"
    no_dtypes = ("bfloat16", "float16")

    def __init__(self):
        self.folder = Path(tempfile.gettempdir()) / f"peers_numba_{os.getuid()}"
        self.folder.mkdir(mode=0o700, exist_ok=True)
        os.environ.setdefault("NUMBA_CACHE_DIR", str(self.folder / "cache"))
        sys.path.append(str(self.folder))
        super().__init__()

    @contextmanager
    def threads(self, n_threads):
        before = self.module.get_num_threads()
        self.module.set_num_threads(n_threads)
        try:
            with blas_threads(n_threads):  # its matrix products call SciPy's
                yield
        finally:
            self.module.set_num_threads(before)

    def calls(self, text, setup, arrays):
        names = ", ".join(arrays)
        self.names["f"] = self.function(text, names)
        return super().calls(f"f({names})", "", arrays)

    def function(self, text, names):
        """`text`, an expression or the body of a function, as a jitted function; Numba caches those of files alone."""
        body = text if "\n" in text else f"return {text}"
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        source = (
            "import math\n\nimport numpy as np\nimport numpy as xp\nfrom numba import njit, prange\n\n\n"
            f"@njit(parallel=True, cache=True)\ndef f({names}):\n{lines}\n"
        )
        module = f"work_{hashlib.sha1(source.encode()).hexdigest()[:16]}"
        path = self.folder / f"{module}.py"
        if not path.exists():
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_text(source)
            partial.rename(path)
        importlib.invalidate_caches()
        return importlib.import_module(module).f


class Compiled(Torch):
    """PyTorch with the expression handed to torch.compile; compiled in the first call, which is not timed."""

    name = "compiled"
    package = "torch"
    families = ("chains", "foreign", "rows", "vectors", "networks")

    def calls(self, text, setup, arrays):
        if "xp.compile" in setup:  # of a network, whose calls are not compiled once more
            return super().calls(text, setup, arrays)
        names = ", ".join(arrays)
        scope = dict(self.names)
        exec(f"{setup}\ndef f({names}):\n    return {text}", scope)
        # Shapes as they are: after a second size of one text, PyTorch would compile for any.
        self.names["f"] = self.module.compile(scope["f"], dynamic=False)
        return super().calls(f"f({names})", "", arrays)


class Onnxruntime(Library):
    """onnxruntime, which runs ONNX models on NumPy's arrays; a model is made in the setup of a row."""

    name = "onnxruntime"
    families = ("networks",)
    obeys_affinity_only = True


class Jax(Library):
    """JAX on the CPU: the expression jitted, and waited for."""

    name = "jax"
    modules = ("jax", "jax.nn", "jax.numpy", "jax.scipy.special", "jax.lax")
    obeys_affinity_only = True

    def __init__(self):
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        super().__init__()
        self.module.config.update("jax_enable_x64", True)
        self.names["xp"] = self.names["jnp"] = self.names.pop("numpy")

    def from_numpy(self, array, dtype):
        return self.module.numpy.array(array, dtype=dtype, copy=True)

    def to_numpy(self, result):
        array = np.asarray(result)
        return array.astype(np.float32) if array.dtype.name == "bfloat16" else array

    def calls(self, text, setup, arrays):
        if text == "step()":  # the setup has jitted it, and it waits for a number
            return super().calls(text, setup, arrays)
        names = ", ".join(arrays)
        scope = dict(self.names)
        exec(f"def f({names}):\n" + "\n".join(f"    {line}" for line in (*setup.splitlines(), f"return {text}")), scope)
        self.names["f"] = f = self.module.jit(scope["f"])
        is_tuple = isinstance(f(**arrays), tuple | list)
        call = f"jax.block_until_ready(f({names}))" if is_tuple else f"f({names}).block_until_ready()"
        return super().calls(call, "", arrays)
