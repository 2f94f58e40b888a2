"""Random numbers on a device, with the same bits as the host's."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeAlias

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DEFAULT_INT, DTYPES, NUMBER
from ..._spec.render.cuda_functors import SHUFFLE_THREADS
from ..array.device_array import DeviceArray, empty_on_device
from ..array.transfer import fill_bytes, from_host
from ..device_families import kernels_of
from ..launch.function_launches import linear, random_launch
from ..launch.kernel_arguments import RandomArguments, ShuffleArguments
from ..launch.launch_configuration import config
from ..launch.submit import submit
from ..sort.device_sort import argsort

__all__ = ["random_stream"]

Reserve: TypeAlias = Callable[[int], tuple[int, int]]  # (seed, offset) of so many blocks of random bits
Drawn: TypeAlias = float | DeviceArray | NDArray

INT = NUMBER[DEFAULT_INT]
BLOCK_BYTES = 16  # of random bits
WORD_SPAN = 2**32  # the numbers that 32 random bits choose among
WORD = 2**64
# Elements that are made of one block; the others have a position of their own.
LANES = {"exponential": 2, "laplace": 2, "gumbel": 2, "categorical": 2, "bernoulli": 4}


class DeviceStream:
    """The draws of `nd4py.cpu.random.random.Stream` on a device, from the same positions in the stream.

    reserve: takes blocks from the stream.  Arrays among the parameters hold float64, one number for each element, on
    the device; tables made on the host are copied there.
    """

    def __init__(self, reserve: Reserve, device: int) -> None:
        self.reserve, self.device = reserve, device

    def draw(self, name: str, shape: tuple[int, ...], number: int, *parameters: Drawn) -> DeviceArray:
        """Numbers of a distribution; each parameter is a float, or float64 values for the elements in C order."""
        y = empty_on_device(shape, number, self.device)
        lanes = BLOCK_BYTES // y.itemsize if name in ("uniform", "normal") else LANES.get(name, 1)
        arguments, used = self._arguments(y, -(-y.size // lanes)), [y]
        for i, parameter in enumerate(parameters):
            if isinstance(parameter, float):
                arguments.params[i] = parameter
            else:
                used.append(self._values(parameter))
                arguments.values[i] = used[-1].address
        return self._run(name, "fill", arguments, lanes, used)

    def beta(self, shape: tuple[int, ...], number: int, a: Drawn, b: Drawn) -> DeviceArray:
        """Beta distributed numbers; parameters as for draw."""
        return self.draw("beta", shape, number, a, b)

    def integers(self, shape: tuple[int, ...], number: int, low: int, span: int) -> DeviceArray:
        """Numbers low, low + 1, ... low + span - 1, modulo 2**64, of any integer dtype; span 0 means 2**64."""
        y = empty_on_device(shape, number, self.device)
        variant, lanes = ("narrow", 4) if 0 < span <= WORD_SPAN else ("wide", 2)
        arguments = self._arguments(y, -(-y.size // lanes))
        arguments.low, arguments.span = low % WORD, span % WORD
        return self._run("integers", variant, arguments, lanes, [y])

    def categorical(self, shape: tuple[int, ...], sums: DeviceArray | NDArray) -> DeviceArray:
        """Columns of the rows of `sums`, cumulated probabilities; the rows belong to elements in turn."""
        y, table = empty_on_device(shape, INT, self.device), self._values(sums)
        arguments = self._arguments(y, -(-y.size // LANES["categorical"]))
        arguments.table, arguments.low, arguments.span = table.address, *sums.shape
        return self._run("categorical", "fill", arguments, LANES["categorical"], [y, table])

    def multinomial(self, shape: tuple[int, ...], n: float, shares: DeviceArray | NDArray) -> DeviceArray:
        """Counts that add up to n along the last axis; `shares` are probabilities among a category and later ones."""
        y, table = empty_on_device(shape, INT, self.device), self._values(shares)
        arguments = self._arguments(y, y.size)
        arguments.n, arguments.span = prod(shape[:-1]), shape[-1]
        arguments.params[0], arguments.table = n, table.address
        return self._run("multinomial", "fill", arguments, 1, [y, table])

    def permutation(self, n: int) -> DeviceArray:
        """The numbers 0 ... n - 1 in random order."""
        variant, lanes = ("narrow", 4) if n <= WORD_SPAN else ("wide", 2)
        return self._shuffled(n, variant, lanes, 0, "")

    def sample(self, population: int, n: int) -> DeviceArray:
        """`n` different numbers of 0 ... population - 1 in random order, in memory that grows with n alone."""
        return self._shuffled(n, "sample", 2, population, "sample_")

    def _shuffled(self, n: int, variant: str, lanes: int, population: int, kind: str) -> DeviceArray:
        """The steps of a shuffle: the indices they draw, and where their chains end (kernels/cuda/shuffle.cu)."""
        drawn = empty_on_device((n,), INT, self.device)
        arguments = self._arguments(drawn, -(-n // lanes))
        arguments.span = population
        self._run("indices", variant, arguments, lanes, [drawn])
        order, *rest = argsort(drawn, False), *(empty_on_device((n,), INT, self.device) for _ in range(3))
        neighbours, movers, y = rest
        if n == 0:
            return y
        fill_bytes(movers, 0xFF)
        steps = ShuffleArguments(
            drawn=drawn.address, order=order.address, neighbours=neighbours.address, movers=movers.address,
            y=y.address, n=n,
        )  # fmt: skip
        kernels = kernels_of("shuffle", DEFAULT_INT, f"{kind}links")
        for name in ("links", "follow"):
            launch = linear(f"{kind}{name}", n, SHUFFLE_THREADS, steps, config.maximum_grid_size)
            submit(self.device, kernels, launch, [drawn, order, *rest])
        return y

    def _values(self, x: DeviceArray | NDArray) -> DeviceArray:
        return from_host(x, self.device) if isinstance(x, NDArray) else dense(x)

    def _arguments(self, y: DeviceArray, n_blocks: int) -> RandomArguments:
        """For elements that take so many blocks of random bits, which no later draw will use."""
        seed, offset = self.reserve(n_blocks)
        return RandomArguments(y=y.address, n=y.size, seed=seed, offset=offset)

    def _run(self, name: str, variant: str, arguments: RandomArguments, lanes: int, used: list[Any]) -> DeviceArray:
        y: DeviceArray = used[0]
        if arguments.n:
            launch = random_launch(variant, arguments, lanes, config.maximum_grid_size)
            submit(self.device, kernels_of(name, DTYPES[y.number].name, variant), launch, used)
        return y


random_stream = DeviceStream  # under the name that `nd4py._exec.random_source` asks for
