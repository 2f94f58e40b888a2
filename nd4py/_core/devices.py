"""Backends: what a family of devices has to offer, and the families that are known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol


class UnsupportedOnDevice(NotImplementedError):  # noqa: N818 - it says what happened
    """An operation has no kernel for a device; the text says why and what to do.  Never answered by a silent copy.

    >>> issubclass(nd.cuda.UnsupportedOnDevice, NotImplementedError)
    True
    """


class Backend(Protocol):
    """A family of devices, as dispatch sees it.  Operands are arrays of its own type, or the bytes of one element.

    Every method raises UnsupportedOnDevice where there is no kernel, and the driver's errors.
    """

    family: str  # of its device names, "cuda" of "cuda:0"
    functions: Mapping[str, Callable[..., Any]]  # by the name that `nd4py._exec.dispatch.by_backend` asks for
    rules: Any  # what takes whole calls over in place of this class (`nd4py._exec.batching`), or None

    def helpers(self) -> str:
        """The libraries in use that take over work from the backend's own kernels, in words; empty for none."""

    def device_names(self) -> tuple[str, ...]:
        """The devices there are; () where none can be used."""

    def device_number(self, name: str) -> int:
        """The number of a device.  Raises ValueError for a name without one, and the reason where there are none."""

    def device_of(self, x: Any) -> int:
        """The number of the device that an array is on."""

    def dtype_number(self, x: Any) -> int:
        """The number of an array's dtype in the table."""

    def empty(self, shape: tuple[int, ...], number: int, device: int) -> Any:
        """An uninitialised array."""

    def with_node(self, x: Any, node: Any) -> Any:
        """A view of an array that carries a node of the tape, or none."""

    def prepare_to_write(self, x: Any) -> None:
        """Run what is going to read the memory of an array, before it is written."""

    def shares(self, x: Any, y: Any) -> bool:
        """Whether two arrays may have a byte in common."""

    def from_host(self, x: Any, device: int) -> Any:
        """A copy of a host's array."""

    def to_host(self, x: Any) -> Any:
        """A copy on the host, once the device has computed it."""

    def to_peer(self, x: Any, device: int) -> Any:
        """A copy on another device of the family."""

    def defer(
        self,
        op: int,
        number: int,
        operands: tuple[Any, ...],
        params: tuple[float, ...],
        shape: tuple[int, ...],
        device: int,
        result: int,
        condition: int,
        n_out: int,
    ) -> list[Any] | None:
        """The deferred results, of dtype `result`, of what `run_row` would run; None where it must run now.

        condition: the operand that is a bool, or -1
        """

    def defer_in_place(
        self,
        op: int,
        number: int,
        operands: tuple[Any, ...],
        shape: tuple[int, ...],
        target: Any,
        result: int,
        condition: int,
    ) -> bool:
        """Whether a row without parameters that writes over `target`, its first operand, was deferred."""

    def defer_conversion(self, x: Any, number: int) -> Any:
        """`x` as dtype `number`, deferred; None where it must be converted now."""

    def flush(self, every_thread: bool = False) -> None:
        """Launch what this thread has deferred, or every thread."""

    def synchronize(self) -> None:
        """Wait for all devices."""

    def combine_counts(self) -> tuple[int, int, int, int, int, int, int]:
        """As `nd4py._exec.lazy.materialize.combine_counts`."""

    def deferred_program(self, x: Any) -> dict[str, Any] | None:
        """The program of a deferred array, as `nd4py._core.lazy.deferred_program` describes it."""

    def run_row(
        self, op: int, number: int, operands: tuple[Any, ...], params: tuple[float, ...], outputs: list[Any]
    ) -> None:
        """A map row on operands that broadcast to the shape of the outputs, computed as dtype `number`."""

    def reduce(self, op: int, x: Any, axes: tuple[int, ...], number: int, is_held: bool = True) -> Any:
        """A reduction row, its result of dtype `number`, or of dtype index for the position of the best element.

        is_held: whether there are other references to `x`
        """

    def scan(self, op: int, x: Any, axis: int, include_initial: bool) -> Any:
        """The running results of a row along an axis, with the first value before them if asked for."""

    def matmul(self, x1: Any, x2: Any, batch: tuple[int, ...]) -> Any:
        """The products of stacks of matrices of one dtype, whose shapes without the last two axes broadcast to
        `batch`."""

    def take(self, x: Any, indices: Any, sizes: tuple[int, int, int]) -> Any:
        """The elements that dense int64 indices name along the middle axis of dense (outer, n, inner).

        Raises IndexError for an index out of range, or lets whoever reads the elements raise it.
        """

    def convert(self, x: Any, number: int) -> Any:
        """A C-ordered copy as dtype `number`."""

    def write(self, target: Any, value: Any) -> None:
        """Fill an array with an array that broadcasts to it, or with the bytes of one element of its dtype."""

    def from_dlpack(self, x: Any, copy: bool | None) -> Any:
        """An array over the memory of an object with `__dlpack__` on a device of the family."""

    def falls_back(self, name: str) -> bool:
        """Whether operation `name` without a kernel may run on the host, copied there and back; counts that it does."""


RECORDER = "nd4py.api.environment.function_recordings"  # calls functions that are exported, which may be of ours
backends: dict[type, Backend] = {}  # by the type of their arrays


def register(array_type: type, backend: Backend) -> None:
    """Make a family of devices known."""
    backends[array_type] = backend


def ways_on(function: str) -> str:
    """What to do where a function has no kernel, in words."""
    return (
        f"x.to_device('cpu') computes it on the host, nd4py.cuda.on_host({function}, x) does so for one call, "
        "nd4py.cuda.fallback('host') to run such operations on the host"
    )


def ways() -> str:
    """`ways_on` for the function of the namespace that was called."""
    return ways_on(asked_function())


def refuse_device(x: Any) -> None:
    """Raises UnsupportedOnDevice for an array on a device, where only the host's can be used."""
    if type(x) in backends:
        name = asked_function()
        if (rules := backends[type(x)].rules) is not None:
            raise rules.refusal(name)
        raise UnsupportedOnDevice(f"{name} computes on the host, and an array given is on {x.device}; {ways_on(name)}")


def asked_function(otherwise: str = "this function") -> str:
    """The function of the namespace that the user called, by the frames on the stack: only errors ask for it."""
    frame = sys._getframe()
    name = otherwise
    while frame.f_back is not None:
        frame = frame.f_back
        module = frame.f_globals.get("__name__", "")
        if module == RECORDER:
            break
        if module.startswith("nd4py.api.") and "<locals>" not in frame.f_code.co_qualname:
            name = public_name(module, frame.f_code.co_name)
        elif not module.startswith(("nd4py.", "contextlib")):
            break  # a program, which may have been called by another function of ours
    return name


def public_name(module: str, function: str) -> str:
    """What people call a function of a module below `nd4py.api`."""
    folder = module.split(".")[2]
    return f"nd4py.{folder}.{function}" if folder in ("linalg", "fft", "random") else f"nd4py.{function}"
