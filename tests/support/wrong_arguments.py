"""Everything public with every kind of wrong argument, in every place.

`python wrong_arguments.py NAME ...` runs the calls of these names (all that `names()` gives for none) with each
argument in turn, given or left to its default, replaced by what no caller should give.  It prints what is neither a
result nor an error of the right class in words of our own.  `--share 0.2 --seed 7` before the names tries a part of
the kinds, drawn anew for each argument.
"""

import argparse
import asyncio
import contextlib
import enum
import faulthandler
import functools
import importlib
import inspect
import io
import os
import random
import re
import resource
import signal
import tempfile
import threading

import numpy as np
import public_calls
import training_calls
from namespace_calls import CALLS

import nd4py as nd
from nd4py import parallel
from nd4py._spec.ops import ALL
from nd4py.data.normalizers import NotFittedError

SECONDS = 10  # more than any call takes; one that ends later hangs
ADDRESS_SPACE = 3 << 30
IN_WORDS = (
    TypeError, ValueError, IndexError, BufferError, NotImplementedError, MemoryError, OverflowError, nd.WorkspaceError,
    OSError, FloatingPointError, NotFittedError, nd.CaptureError, nd.cuda.CudaUnavailable, ImportError,
)  # fmt: skip
# Errors in words of nd4py's whose bases are those of faults too.
NOT_FAULTS = (ValueError, TypeError, NotFittedError, nd.CaptureError)
# Messages of C and Python for arguments that were not checked.
OF_C = re.compile(r"too large to convert to (C|int)|cannot fit|math range|integer division result|maximum recursion")
IN_PYTHONS = re.compile(
    r"unsupported operand|object is not|not supported between|takes \d|unexpected keyword|an integer is required|"
    r"cannot be interpreted as an integer|must be real number,|bad operand|unhashable|not enough values|"
    r"too many values|list index|tuple index|cannot convert float|' object has no|argument of type|list indices|"
    r"must be str|has no len|too large to convert to float|the JSON object must"
)
MODULES = (
    "nd4py", "nd4py.linalg", "nd4py.fft", "nd4py.random", "nd4py.api.memory", "nd4py.nn", "nd4py.data", "nd4py.train",
    "nd4py.parallel", "nd4py.zoo", "nd4py.onnx", "nd4py.keras", "nd4py.serve",
)  # fmt: skip
# What only holds what the library itself puts into it.
RECORDS = {
    nd.CombineStatistics, nd.PendingProgram, nd.OperationRecord, nd.OperationTotals,
    nd.memory.CacheStatistics, nd.memory.Limits, nd.memory.MemoryRecording,
    nd.memory.PoolStatistics, nd.memory.ThreadStatistics, nd.__array_namespace_info__().__class__,
    training_calls.nn.NetworkMemoryReport, training_calls.data.Split, training_calls.nn.GradientFailure,
    training_calls.nn.ParameterCheck, training_calls.nn.GradientCheckReport, training_calls.nn.History,
    training_calls.train.Statistics, training_calls.train.EarlyStoppingResult, training_calls.nn.Prediction,
    parallel.DaskRound,
}  # fmt: skip
HUGE = ("2**31", "2**62", "2**63", "2**70", "10**400", "10**5000")
# Where a huge number is a right one that takes its time.
AS_LONG_AS_ASKED = {
    ("nn.MultiLayerNetwork.fit", "epochs"): HUGE,
    ("nn.ComputationGraph.fit", "epochs"): HUGE,
    ("nn.MultiLayerNetwork.fit", "y"): HUGE,  # epochs by their place
    ("nn.ComputationGraph.fit", "y"): HUGE,
    **{
        (f"nn.{network}.{method}", "epochs"): HUGE
        for network in ("MultiLayerNetwork", "ComputationGraph")
        for method in ("pretrain", "pretrain_layer")
    },
    ("nn.TransferLearningHelper.fit_featurized", "epochs"): HUGE,
    ("nn.TransferLearningHelper.fit_featurized", "labels"): HUGE,
    ("parallel.ParallelWrapper.fit", "epochs"): HUGE,
    ("parallel.ParallelWrapper.fit", "labels"): HUGE,  # epochs by their place
    ("parallel.DaskTrainer.fit", "epochs"): HUGE,
    ("random.bernoulli", "size"): HUGE,
    ("random.bernoulli", "shape"): HUGE,
}
# Errors of classes that tell of a fault of ours; those that are a ValueError or a TypeError as well do not.
FAULTS = (KeyError, AttributeError, ZeroDivisionError, RecursionError, UnboundLocalError, UnicodeError)


class Hang(BaseException):
    """A call took too long."""


class Recorder:
    """The namespace, whose last call is kept: (function, args, keywords)."""

    def __init__(self, target, kept):
        self._target, self._kept = target, kept

    def __getattr__(self, name):
        found = getattr(self._target, name)
        if inspect.ismodule(found):
            return Recorder(found, self._kept)
        if not callable(found) or isinstance(found, type | nd.DType):
            return found

        def call(*args, **keywords):
            if name not in ("asarray", "ones", "zeros") or not self._kept:
                self._kept.append((found, args, keywords))
            return found(*args, **keywords)

        return call


class OnHost:
    """Makes operands for `CALLS`."""

    device = "cpu"

    def __call__(self, x):
        return nd.asarray(x, copy=True)


def closed():
    """An array whose memory was given back."""
    x = nd.ones(3)
    x.close()
    return x


def outlived():
    """An array of a workspace whose scope ended."""
    with nd.workspace("wrong arguments"):
        return nd.ones(3)


def of_another_thread():
    """An array of a scope that another thread has left."""
    made = []

    def work():
        with nd.workspace("elsewhere"):
            made.append(nd.ones(3))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return made[0]


WRONG = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "-1": lambda: -1,
    "7": lambda: 7,
    "2**31": lambda: 2**31,
    "2**62": lambda: 2**62,
    "2**63": lambda: 2**63,
    "2**70": lambda: 2**70,
    "-2**63": lambda: -(2**63),
    "-2**70": lambda: -(2**70),
    "10**400": lambda: 10**400,
    "10**5000": lambda: 10**5000,
    "1.5": lambda: 1.5,
    "-0.0": lambda: -0.0,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1j": lambda: 1j,
    "a string": lambda: "x",
    "a name": lambda: "float32",
    "bytes": lambda: b"x",
    "a path to nowhere": lambda: "nowhere/file.zip",
    "a folder": lambda: "folder",
    "a NUL": lambda: "\0",
    "a device": lambda: "cuda:99",
    "an object": lambda: object(),
    "a type": lambda: int,
    "a function": lambda: len,
    "an empty list": list,
    "an empty tuple": lambda: (),
    "a dict": lambda: {"x": 1},
    "a set": lambda: {1, 2},
    "a slice": lambda: slice(None),
    "Ellipsis": lambda: ...,
    "a pair of strings": lambda: ("a", "b"),
    "a pair": lambda: (0, 0),
    "a huge pair": lambda: (2**70, -(2**70)),
    "a wide pair": lambda: (2**40, 2**40),
    "a pair of floats": lambda: (0.5, float("nan")),
    "a nested list": lambda: [[1, [2]], 3],
    "a generator": lambda: (i for i in range(3)),
    "a dtype": lambda: nd.float32,
    "a NumPy array": lambda: np.arange(6.0).reshape(2, 3),
    "NumPy strings": lambda: np.asarray(["a", "b"]),
    "NumPy dates": lambda: np.asarray(["2020-01-01"], "M8[D]"),
    "a NumPy scalar": lambda: np.float32(2),
    "no elements": lambda: nd.ones((0,)),
    "no axes": lambda: nd.asarray(2.0),
    "33 items": lambda: (1,) * 33,
    "32 axes": lambda: nd.ones((1,) * 32),
    "five axes": lambda: nd.ones((1, 2, 3, 2, 1)),
    "no rows": lambda: nd.ones((0, 3)),
    "bools": lambda: nd.asarray([True, False, True]),
    "uint64": lambda: nd.asarray([1, 2, 2**64 - 1]),
    "int8": lambda: nd.asarray([1, -2, 3], dtype="int8"),
    "half": lambda: nd.ones((3, 4), dtype="bfloat16"),
    "complex": lambda: nd.asarray([1j, 2.0, 3.0]),
    "NaNs": lambda: nd.asarray([float("nan")] * 3),
    "read-only": lambda: nd.broadcast_to(nd.asarray(1.0), (3, 3)),
    "closed": closed,
    "outlived": outlived,
    "another thread's": of_another_thread,
}


def recorded(name):
    """(function, args, keywords) of every call that `namespace_calls.CALLS[name]` makes."""
    kept = []
    CALLS[name](Recorder(nd, kept), OnHost())
    last = name.rpartition(".")[2]
    return [each for each in kept if getattr(each[0], "__name__", last) == last or len(kept) == 1]


def prepared(name):
    """The same of the calls that are not made of arrays alone."""
    made = {**public_calls.CALLS, **training_calls.CALLS}[name]()
    return [(made.func, made.args, made.keywords)]


def names():
    """What there is to call."""
    return [*CALLS, *public_calls.CALLS, *training_calls.CALLS]


def calls_of(name):
    """(function, bound arguments) of every good call of a name."""
    for function, args, keywords in recorded(name) if name in CALLS else prepared(name):
        try:
            signature = inspect.signature(function)
        except ValueError:
            continue
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        yield function, bound


def underlying(function):
    """What a method binds; of NDArray also its own, before which another one stands once a class was derived."""
    if getattr(function, "__wrapped__", None) is not None and hasattr(nd.NDArray, getattr(function, "__name__", "")):
        function = function.__wrapped__
    while hasattr(function, "__func__"):
        function = function.__func__
    return function


def takes_arguments(function):
    """Whether anything can be wrong; what Python says of classes without a signature is that they cannot be called."""
    if function is nd.NDArray:
        return False  # as in a process where no class was derived
    try:
        return bool(inspect.signature(function).parameters)
    except ValueError:
        return False


def is_of_nd4py(function):
    """Whether a method is not one that Python gives a class."""
    return "nd4py" in (getattr(function, "__module__", None) or "nd4py")


def is_abstract(cls):
    """Whether there are no objects of the class itself."""
    return inspect.isabstract(cls) or getattr(cls, "_is_protocol", False)


def public():
    """(name, function or class) of all that can be called with arguments."""
    for package in MODULES:
        module = importlib.import_module(package)
        for name in module.__all__:
            found = getattr(module, name)
            label = f"{package}.{name}"
            if not callable(found) or isinstance(found, nd.DType):
                continue
            if not inspect.isclass(found):
                yield label, found
            elif not (issubclass(found, BaseException | enum.Enum) or found in RECORDS or is_abstract(found)) and (
                not issubclass(found, nd.generic)  # kinds of dtypes, of which there are no objects
            ):
                yield label, found
                yield from methods_of(found, label)


def methods_of(cls, label):
    """(name, method) of the public methods, with an object in front of the arguments or without."""
    for name in dir(cls):
        method = inspect.getattr_static(cls, name)
        found = getattr(cls, name)
        if name.startswith("_") or inspect.isclass(found) or not callable(found) or not is_of_nd4py(found):
            continue
        is_bound = isinstance(method, staticmethod | classmethod)
        if takes_arguments(found if is_bound else functools.partial(found, None)):
            yield f"{label}.{name}", found


def uncalled():
    """The names of what is public, takes arguments, and has no call."""
    called = {underlying(function) for name in names() for function, _ in calls_of(name)}
    called |= {underlying(nd.NDArray.resize)}  # it always raises, to say what to use
    return [name for name, found in public() if takes_arguments(found) and underlying(found) not in called]


def consume(result):
    """Enter scopes, start iterators and end threads that a call gives."""
    if hasattr(result, "__enter__"):
        with result:
            pass
    elif hasattr(result, "__next__"):
        next(result, None)
    if inspect.iscoroutine(result):
        asyncio.run(result)
    if hasattr(result, "shutdown"):
        result.shutdown()


# Names that begin an error of the function called so; `asarray` says that an argument cannot become an array.
FUNCTIONS = {row.name for row in ALL} | {
    name for module in (nd, nd.linalg, nd.fft) for name in module.__all__ if inspect.isroutine(getattr(module, name))
} - {"asarray"}


def own_names(name, function, bound):
    """What may stand in front of an error of a call: the function's name, or a parameter's; any for layers and what
    else computes in steps, and for those that call functions they are given."""
    if name in training_calls.CALLS or any(
        callable(value) for each in bound.arguments.values() for value in (each if type(each) is tuple else (each,))
    ):
        return FUNCTIONS
    called = re.split(r"[ ,]", name.rpartition(".")[2])[0]
    return {called, getattr(function, "__name__", called), *bound.signature.parameters}


def verdict(call, own=FUNCTIONS):
    """What is wrong with how a call ends, or None."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # ours is for what is found
            consume(call())
    except Hang:
        return "does not end"
    except Exception as error:
        words = str(error)
        is_fault = isinstance(error, FAULTS) and not isinstance(error, NOT_FAULTS)
        is_wordless = not re.search(r"\w", words) or OF_C.search(words) or IN_PYTHONS.search(words)
        if is_fault or is_wordless or not isinstance(error, IN_WORDS):
            return f"{type(error).__name__}: {error}"
        if words.partition(": ")[0] in FUNCTIONS - own:
            return f"the name of another function: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def replaced(bound, name, value):
    """(args, keywords) with one argument replaced; of several that a function collects, the first."""
    parameter = bound.signature.parameters[name]
    changed = dict(bound.arguments)
    if parameter.kind is parameter.VAR_POSITIONAL:
        changed[name] = (value, *changed[name][1:])
    elif parameter.kind is not parameter.VAR_KEYWORD:
        changed[name] = value
    arguments = inspect.BoundArguments(bound.signature, changed)
    return arguments.args, arguments.kwargs


LIMITS = nd.memory.limits()


def restore():
    """Settings of the process as they were."""
    nd.memory.set_limits(LIMITS.maxbytes, LIMITS.maxphysicalbytes, LIMITS.cache_bytes, LIMITS.cacheable_length)
    nd.memory.set_report_path(None)
    with contextlib.suppress(RuntimeError):
        nd.memory.stop_recording()
    nd.set_default_device("cpu")
    nd.helpers(True)
    nd.set_panic(None)
    nd.workspace_manager.set_debug_mode(nd.WorkspaceDebugMode.DISABLED)
    nd.workspace_manager.set_default_configuration(nd.WorkspaceConfiguration())
    while (scope := nd.workspace_manager.current_workspace()) is not None:
        scope.__exit__(None, None, None)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def wrong_ends(name, wanted=lambda: True):
    """(argument, kind, what is wrong) of every call that ends as none should."""
    for number in range(len(list(calls_of(name)))):
        parameters = list(calls_of(name))[number][1].signature.parameters
        for parameter in parameters:
            for kind, make in WRONG.items():
                if not wanted() or kind in AS_LONG_AS_ASKED.get((name, parameter), ()):
                    continue
                function, bound = list(calls_of(name))[number]
                args, keywords = replaced(bound, parameter, make())
                found = verdict(functools.partial(function, *args, **keywords), own_names(name, function, bound))
                if name in public_calls.CALLS:
                    restore()
                if found:
                    yield parameter, kind, found


def stop(signum, frame):
    """Ends a call that hangs in Python."""
    raise Hang


if __name__ == "__main__":
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    signal.signal(signal.SIGALRM, stop)
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.mkdir("folder")
        for each in asked.names or names():
            faulthandler.dump_traceback_later(120, exit=True)
            for argument, kind, found in wrong_ends(each, lambda: draw.random() < asked.share):
                print(f"{each}({argument}={kind}): {found}", flush=True)
