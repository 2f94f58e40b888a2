"""Device names, the default device, and copies between the host and devices.

Families of devices besides the host are imported when their first device is asked for.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.devices import Backend, backends, refuse_device
from ..._core.graphs.launch_recording import is_capturing
from ..._core.lazy_modules import LazyModule
from ..._spec.dtypes import DEFAULT_INT
from ..autodiff.nodes import is_array as is_array
from ..conversion import empty, with_values
from ..creation import fresh as fresh
from .device_operations import filled_beside as filled_beside
from .device_operations import rules_for, watch_default

if TYPE_CHECKING:
    from ...cpu.elementwise import arange
    from ..autodiff import view_gradients
else:
    view_gradients = LazyModule("nd4py._exec.autodiff.view_gradients", globals())
    arange = LazyModule("nd4py.cpu.elementwise.arange", globals())

FAMILIES = {"cuda": "nd4py.cuda"}
BOTH_SILENT = (0, -1)  # the priorities of CPU and GPU when none is set

scope: ContextVar[str | None] = ContextVar("nd4py_device", default=None)
process_default = "cpu"
why = "the default"
is_decided = False  # whether the environment was asked
is_chosen = False  # whether anybody ever chose a default device; it is the host's until then


def backend_of(device: str) -> Backend:
    """The family of a device name other than "cpu", imported now if it was not.  Raises ValueError for no such name."""
    family = device.partition(":")[0] if isinstance(device, str) else type_name(device)
    if family not in FAMILIES:
        raise ValueError(f"device {device!r} is not available; there are 'cpu' and 'cuda:0' and so on")
    backend: Backend = importlib.import_module(FAMILIES[family]).backend
    return backend


def is_traced(x: Any) -> bool:
    """Whether an array stands for others, those of a batch or of a recording, so that nobody can see its elements."""
    return rules_for((x,)) is not None


def to_check(x: Any) -> Any:
    """The array whose elements a check of arguments looks at: of a recorded one that of the example, since what is
    written of the recording does not check."""
    rules = rules_for((x,))
    return x if rules is None else rules.to_check(x)


def refuse_traced(x: Any) -> None:
    """Raises the error of a function that has to see the elements of an array that stands for others."""
    if is_traced(x):
        refuse_device(x)


def are_plain(*arrays: Any) -> bool:
    """Whether the elements of all arrays may be looked at now, by the host: they lie in its memory and have no
    gradients, and no graph is captured."""
    return not is_capturing() and all(type(x) is NDArray and x.node is None for x in arrays)


def check_device(device: str | None) -> None:
    """Raises ValueError for a device that does not exist, CudaUnavailable with the reason where CUDA is not."""
    if device is not None and device != "cpu":
        backend_of(device).device_number(device)


def to_device(x: Any, device: str, stream: Any) -> Any:
    """`x` on a device; itself where it is there.  Raises ValueError for a device that does not exist.

    stream: an object with `scope()`, such as `nd4py.cuda.Stream`, whose work the copy becomes; None for this thread's.
    """
    if stream is not None:
        if not hasattr(stream, "scope"):
            raise ValueError(f"to_device: stream must be None or a nd4py.cuda.Stream, given {stream!r}")
        with stream.scope():
            return to_device(x, device, None)
    if not is_array(x):
        raise TypeError(f"to_device: an nd4py array, given {type_name(x)}")
    y = copied(x, device)
    return y if y is x or x.node is None else view_gradients.record_move(x, y)


def copied(x: Any, device: str) -> Any:
    """The elements of `x` on a device, without a node; itself where it is there."""
    if device == "cpu":
        return x if isinstance(x, NDArray) else backends[type(x)].to_host(x)
    backend = backend_of(device)
    number = backend.device_number(device)
    if isinstance(x, NDArray):
        return backend.from_host(with_values(x), number)
    return x if backend.device_of(x) == number else backend.to_peer(x, number)


# The default device.


def choose() -> None:
    """From now on the default device may be another one than the host."""
    global is_chosen
    is_chosen = True
    watch_default()


def default_device() -> str:
    """The device of arrays made without `device=`."""
    given = scope.get()
    if given is not None:
        return given
    if not is_decided:
        apply_priorities()
    return process_default


def set_default_device(device: str) -> str:
    """Make arrays on `device` from now on, in all threads, where `device=` is not given; returns the one before.

    Raises ValueError for a device that does not exist, CudaUnavailable with the reason where CUDA is not available.
    Returns that name.

    >>> nd.set_default_device("cpu")
    'cpu'
    >>> nd.ones(2).device
    'cpu'
    """
    global process_default, why, is_decided
    check_device(device)
    if not is_decided:
        apply_priorities()
    before = process_default
    choose()
    process_default, why, is_decided = device, "set_default_device", True
    return before


def on_requested_device(x: Any, device: str | None) -> Any:
    """An array made in host memory, on the device that is asked for or else on the default one."""
    device = default_device() if device is None else device
    return fresh(x) if device == "cpu" else to_device(x, device, None)


def beside(x: NDArray, given: NDArray) -> NDArray:
    """`given`, which was made on the host, where `x` is; as it is where it is on a device already."""
    if type(x) not in backends or type(given) in backends:
        return given
    moved: NDArray = to_device(given, x.device, None)
    return moved


def numbers_beside(x: NDArray, start: int, stop: int, step: int = 1, dtype: str = DEFAULT_INT) -> NDArray:
    """start, start + step ... up to but not including `stop`, where `x` is.  step: 1 or -1; dtype: int64 or float64."""
    numbers = empty(max((stop - start) * step, 0), dtype)
    fill = arange.fill_whole if dtype == DEFAULT_INT else arange.fill_real
    fill(numbers, start, step)
    return beside(x, numbers)


def device_scope(device: str) -> AbstractContextManager[str]:
    """Make arrays on `device` inside, in this thread, where `device=` is not given.

    Raises ValueError for a device that does not exist, CudaUnavailable with the reason where CUDA is not available.
    Returns a context manager that gives the name of the device.

    >>> with nd.device("cpu"):
    ...     x = nd.zeros(3)
    """
    check_device(device)
    return scope_of(device)


@contextmanager
def scope_of(device: str) -> Iterator[str]:
    """The scope of a device that exists."""
    choose()
    token = scope.set(device)
    try:
        yield device
    finally:
        scope.reset(token)


def priorities(environment: Any) -> tuple[int, int]:
    """BACKEND_PRIORITY_CPU and BACKEND_PRIORITY_GPU.  Raises ValueError for one that is no whole number."""
    found = []
    for name, silent in zip(("BACKEND_PRIORITY_CPU", "BACKEND_PRIORITY_GPU"), BOTH_SILENT, strict=True):
        text = environment.get(name, "").strip()
        try:
            found.append(int(text) if text else silent)
        except ValueError:
            raise ValueError(f"{name}: a whole number, given {text!r}") from None
    return found[0], found[1]


def apply_priorities() -> None:
    """Choose the device that the environment asks for: the higher priority wins, the CPU wins ties.

    Warns, with the reason, where the GPU has priority but there is none.
    """
    global process_default, why, is_decided
    cpu, gpu = priorities(os.environ)
    given = f"BACKEND_PRIORITY_CPU is {cpu}, BACKEND_PRIORITY_GPU {gpu}"
    chosen, reason = "cpu", "the default" if (cpu, gpu) == BOTH_SILENT else given
    if gpu > cpu:
        try:
            backend_of("cuda").device_number("cuda:0")
            chosen = "cuda:0"
        except RuntimeError as error:
            reason = f"{given}, but there is {error}"
            warnings.warn(f"arrays are made on the CPU: {reason}", RuntimeWarning, stacklevel=4)
    process_default, why, is_decided = chosen, reason, True


def explanation() -> str:
    """The default device and why it is that one, for people."""
    device = default_device()
    return f"{device} ({'nd.device' if scope.get() is not None else why})"


def devices() -> tuple[str, ...]:
    """All devices: "cpu" first.  Looks for others, which imports their libraries."""
    return ("cpu", *(name for family in FAMILIES for name in backend_of(family).device_names()))


def helpers_in_use() -> list[str]:
    """The libraries that take over work on devices, in words."""
    return [text for backend in backends.values() if (text := backend.helpers())]


def apply_environment() -> None:
    """Nothing to choose where the environment says nothing; a wrong value is an error at once."""
    global is_decided
    is_decided = priorities(os.environ) == BOTH_SILENT
    if not is_decided:
        choose()


apply_environment()
