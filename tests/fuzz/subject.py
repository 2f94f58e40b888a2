"""nd4py's run of a program, and the verdict."""

import contextlib
import queue
import threading
import warnings

import numpy as np

import nd4py as nd

from . import support
from .model import NAMES, Model
from .steps import compiled


class FindingError(Exception):
    """A fault: which step, and what was wrong."""

    def __init__(self, position, message):
        super().__init__(f"step {position}: {message}")
        self.position, self.message = position, message


class Hand:
    """A Python thread that runs one line after the other as it is told to."""

    def __init__(self):
        self.orders, self.answers = queue.SimpleQueue(), queue.SimpleQueue()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while (call := self.orders.get()) is not None:
            try:
                self.answers.put((True, call()))
            except BaseException as error:
                error.__traceback__ = None
                self.answers.put((False, error))
            call = None

    def do(self, call):
        self.orders.put(call)
        is_result, value = self.answers.get()
        if not is_result:
            raise value
        return value

    def close(self):
        self.orders.put(None)
        self.thread.join()


class Scopes:
    """The workspaces of the program's threads; what stays open is closed at the end."""

    def __init__(self):
        self.stack = {}

    def entered(self, scope):
        scope.__enter__()
        self.stack.setdefault(threading.get_ident(), []).append(scope)

    def leave(self):
        own = self.stack.get(threading.get_ident())
        if own:
            own.pop().__exit__(None, None, None)

    def close(self):
        while self.stack.get(threading.get_ident()):
            with contextlib.suppress(Exception):
                self.leave()
        nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def expectations(steps):
    """What the model says of each step.  Raises FindingError where nd4py and NumPy disagree about one operation."""
    model, found = Model(), []
    for position, step in enumerate(steps):
        try:
            found.append(model.run(step))
        except support.DifferenceError as fault:
            raise FindingError(position, f"on fresh copies: {fault}") from None
    return found


def run(steps, expected):
    """Run the program in nd4py.  Raises FindingError at the first step that does not what is expected of it."""
    scopes = Scopes()
    names = dict(NAMES, np=np, nd=nd, scopes=scopes)
    hands, missing = {}, set()
    try:
        for position, (step, want) in enumerate(zip(steps, expected, strict=True)):
            if want.outcome == "skipped" or missing.intersection(step.used):
                missing.update(step.defined)
                continue
            check(position, step, want, lambda step=step: perform(step, names, hands), missing)
    finally:
        for hand in hands.values():
            hand.do(scopes.close)
            hand.close()
        scopes.close()


def perform(step, names, hands):
    """What the step's line gives (the values, for a look), run in the step's thread."""

    def call():
        with np.errstate(all="ignore"):
            if step.look is None:
                exec(compiled(step.ours()), names)
                return None
            return eval(compiled(step.ours(), "eval"), names)

    if not step.thread:
        return call()
    if step.thread not in hands:
        hands[step.thread] = Hand()
    return hands[step.thread].do(call)


def check(position, step, want, call, missing):
    try:
        got = call()
    except support.DifferenceError as fault:
        raise FindingError(position, str(fault)) from None
    except nd.WorkspaceError as error:
        missing.update(step.defined)
        if want.outcome not in ("released", "either", "refused"):
            raise FindingError(position, f"WorkspaceError: {error}") from None
    except support.REFUSALS as error:
        missing.update(step.defined)
        if want.outcome != "refused":
            raise FindingError(position, f"{type(error).__name__}: {error}") from None
    except Exception as error:
        raise FindingError(position, f"an undocumented {type(error).__name__}: {error}") from None
    else:
        if want.outcome == "released":
            raise FindingError(position, "an array of a scope that ended was used, and nothing was raised")
        if want.outcome == "refused":
            raise FindingError(position, "the model refuses this, and nd4py does it")
        if step.look is not None:
            try:
                support.same(got, want.values, f"a{step.look}")
            except support.DifferenceError as fault:
                raise FindingError(position, str(fault)) from None


def verdict(steps):
    """What is wrong with nd4py's run of the program, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run(steps, expectations(steps))
        except FindingError as finding:
            return finding
    return None
