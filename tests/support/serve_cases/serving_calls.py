"""A good call of everything public of `nd4py.serve`, for `training_calls`."""

import atexit
from contextlib import ExitStack
from functools import cache

from public_calls import call, saved

from nd4py import serve

from .served import serving_process, small_network


def small_file():
    """The file of a small network."""
    return saved("small.zip", small_network().save)


def ending():
    """An application that was told to end."""
    application = serve.Application({"small": small_file()}, settings=serve.Settings(port=0))
    application.begin_to_end()
    return application


@cache
def address():
    """Where a server listens, in a process of its own, as long as the tests run."""
    stack = ExitStack()
    atexit.register(stack.close)
    # Without a log, which nobody reads: a server stands still when the pipe is full.
    _, port = stack.enter_context(serving_process("--model", f"small={small_file()}", "--access-log", ""))
    return f"http://127.0.0.1:{port}"


SERVE = {
    "Settings": lambda: call(serve.Settings, port=8080, rate=1.0, max_rows=8),
    "Application": lambda: call(serve.Application, {"small": small_file()}),
    "Application.begin_to_end": lambda: call(ending().begin_to_end),
    "run": lambda: call(serve.run, ending()),
    "load_test": lambda: call(serve.load_test, address(), rate=10.0, seconds=0.1),
    "LoadReport": lambda: call(serve.LoadReport, rate=1.0, seconds=1.0, latencies=(0.1,), statuses={200: 1}),
    "LoadReport.latency": lambda: call(serve.LoadReport(1.0, 1.0, (0.1,)).latency, 0.5),
}
