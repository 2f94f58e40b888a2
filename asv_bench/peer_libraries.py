"""One class per library: how it takes an array, limits its threads and spells the operations of `peer_work`."""

from contextlib import contextmanager, nullcontext
from importlib import import_module


def unit(seconds):
    """Seconds in the unit that people read."""
    for factor, name in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {name}"
    return f"{seconds:.3g} s"


class Library:
    """A library whose functions have NumPy's names; anything not named here is looked up in its module."""

    name = ""

    def __init__(self):
        try:
            self.module = import_module(self.name)
        except ImportError as error:
            raise SystemExit(f"peers: {self.name} cannot be imported ({error}); choose others with --libs") from error

    def __getattr__(self, name):
        return getattr(self.module, name)

    def sum(self, x, axis):
        return self.module.sum(x, axis=axis)

    def max(self, x, axis):
        return self.module.max(x, axis=axis)

    def cumulative_sum(self, x, axis):
        return self.module.cumulative_sum(x, axis=axis)

    def concat(self, arrays, axis):
        return self.module.concat(arrays, axis=axis)

    def stack(self, arrays, axis):
        return self.module.stack(arrays, axis=axis)

    def cast(self, x, dtype):
        return x.astype(dtype)


class Nd4py(Library):
    """nd4py itself."""

    name = "nd4py"

    def from_numpy(self, array):
        return self.module.asarray(array, copy=True)

    def threads(self, n_threads):
        return self.module.threads(n_threads)

    def contiguous(self, x):
        return self.module.ascontiguous(x)

    def unique(self, x):
        return self.module.unique_values(x)


class Numpy(Library):
    """NumPy, whose own loops run on one thread; its BLAS is limited where threadpoolctl is installed."""

    name = "numpy"

    def __init__(self):
        super().__init__()
        self.blas = numpy_blas()

    def from_numpy(self, array):
        return array.copy()

    def threads(self, n_threads):
        return self.blas.limit(limits=n_threads) if self.blas else nullcontext()

    def contiguous(self, x):
        return self.module.ascontiguousarray(x)


def numpy_blas():
    """threadpoolctl's hold on NumPy's own BLAS, not on those of its peers; None without threadpoolctl."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    controller = ThreadpoolController()
    paths = [library["filepath"] for library in controller.info() if "numpy" in library["filepath"]]
    return controller.select(filepath=paths)


class Torch(Library):
    """PyTorch, eager, on the CPU."""

    name = "torch"

    def from_numpy(self, array):
        return self.module.from_numpy(array.copy())

    @contextmanager
    def threads(self, n_threads):
        before = self.module.get_num_threads()
        self.module.set_num_threads(n_threads)
        try:
            yield
        finally:
            self.module.set_num_threads(before)

    def sum(self, x, axis):
        return x.sum() if axis is None else x.sum(dim=axis)

    def max(self, x, axis):
        return x.amax(dim=axis)

    def cumulative_sum(self, x, axis):
        return x.cumsum(dim=axis)

    def concat(self, arrays, axis):
        return self.module.concat(arrays, dim=axis)

    def stack(self, arrays, axis):
        return self.module.stack(arrays, dim=axis)

    def repeat(self, x, count):
        return x.repeat_interleave(count)

    def contiguous(self, x):
        return x.contiguous()

    def cast(self, x, dtype):
        return x.to(getattr(self.module, dtype))


LIBRARIES = {library.name: library for library in (Nd4py, Numpy, Torch)}
