"""One class per library: how it takes an array, limits its threads, and runs an expression of `peer_work`.

Design: an expression is text, compiled into a loop of its own, so that ten elements are timed without the call of a
function around them.  In it `xp` is the library, other names are those of the row's arrays.
"""

import os
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from itertools import repeat

import numpy as np

LOOP = """
def make({names}):
{setup}
    def once({bound}):
        {once}
    def batch(n_calls, {bound}):
        for _ in repeat(None, n_calls):
            {text}
    return once, batch
"""


class CannotError(Exception):
    """The library does not offer this work; the message says why."""


class Library:
    """A library whose functions run as they are called."""

    name = ""
    package = ""  # what is imported, where it has another name
    families: tuple[str, ...] = ()  # of work that it takes part in; all if empty
    modules: tuple[str, ...] = ()  # further ones that may be installed, under the last part of their names
    no_dtypes: tuple[str, ...] = ()  # those of `peer_work` that the library lacks
    obeys_affinity_only = False  # it uses every core that its process may run on

    def __init__(self):
        self.module = import_module(self.package_name())
        self.names = {"xp": self.module, "repeat": repeat, "np": np}
        for name in self.modules:
            if find_spec(name.partition(".")[0]):
                self.names[name.rpartition(".")[2]] = import_module(name)

    @classmethod
    def package_name(cls):
        """What is imported."""
        return cls.package or cls.name

    def from_numpy(self, array, dtype):
        """The library's own copy of a NumPy array, as `dtype`."""
        return array.astype(dtype)

    def to_numpy(self, result):
        """A result as a NumPy array."""
        return np.asarray(result)

    def threads(self, n_threads):
        """A scope in which the library uses so many threads."""
        return nullcontext()

    def calls(self, text, setup, arrays):
        """`once()`, which returns the result, and `batch(n)`, which computes it n times.

        text: an expression, or a statement that changes the first of `arrays`, which are {name: array}.
        """
        first = next(iter(arrays))
        source = LOOP.format(
            names=", ".join(arrays),
            bound=", ".join(f"{name}={name}" for name in arrays),
            setup="\n".join(f"    {line}" for line in setup.splitlines()),
            once=f"return {text}" if is_expression(text) else f"{text}; return {first}",
            text=text,
        )
        scope = dict(self.names)
        exec(compile(source, f"<{self.name}: {text}>", "exec"), scope)
        return scope["make"](**arrays)


def is_expression(text):
    """Whether `text` has a value."""
    try:
        compile(text, "", "eval")
    except SyntaxError:
        return False
    return True


class Nd4py(Library):
    """nd4py itself."""

    name = "nd4py"

    def from_numpy(self, array, dtype):
        return self.module.asarray(array, copy=True).astype(dtype, copy=False)

    def to_numpy(self, result):
        result = self.module.asarray(result)
        return np.asarray(result.astype("float32") if result.dtype == self.module.bfloat16 else result)

    def threads(self, n_threads):
        return self.module.threads(n_threads)

    def calls(self, text, setup, arrays):
        """Deferred results are waited for: a result that is dropped is never computed."""
        if is_expression(text) and (waiting := self.waiting(text, super().calls(text, setup, arrays)[0]())):
            text = waiting
        return super().calls(text, setup, arrays)

    def waiting(self, text, result):
        """`text` with the wait for its result; "" where that is not deferred."""
        results = result if isinstance(result, tuple | list) else (result,)
        arrays = [array for array in results if isinstance(array, self.module.NDArray)]
        if all(self.module.explain(array) is None for array in arrays):
            return ""
        return f"({text}).block()" if result is arrays[0] else f"[array.block() for array in {text}]"


class Uncombined(Nd4py):
    """nd4py whose operations run one by one."""

    name = "uncombined"
    package = "nd4py"
    families = ("chains", "rows")

    def __init__(self):
        os.environ["ND4PY_COMBINE"] = "0"
        super().__init__()


class Passive(Nd4py):
    """nd4py whose waiting threads sleep at once; its peers are as they are."""

    name = "passive"
    package = "nd4py"
    families = ("vectors",)

    def __init__(self):
        os.environ["OMP_WAIT_POLICY"] = "passive"
        super().__init__()


class Numpy(Library):
    """NumPy, whose own loops run on one thread; its BLAS is limited where threadpoolctl is installed.

    SciPy stands in for the functions that NumPy lacks.
    """

    name = "numpy"
    modules = ("scipy", "scipy.special")
    no_dtypes = ("bfloat16",)

    def threads(self, n_threads):
        return blas_threads(n_threads)


def blas_threads(n_threads):
    """A scope in which the BLAS libraries of this process use so many threads; without threadpoolctl, all they have."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(n_threads, user_api="blas")


class Torch(Library):
    """PyTorch, eager, on the CPU."""

    name = "torch"
    modules = ("torch", "torch.nn.functional")

    def from_numpy(self, array, dtype):
        return self.module.from_numpy(array.copy()).to(getattr(self.module, dtype))

    def to_numpy(self, result):
        result = self.module.as_tensor(result).detach()
        return (result.float() if result.dtype == self.module.bfloat16 else result).numpy()

    @contextmanager
    def threads(self, n_threads):
        before = self.module.get_num_threads()
        self.module.set_num_threads(n_threads)
        try:
            yield
        finally:
            self.module.set_num_threads(before)
