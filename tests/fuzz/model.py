"""The model: runs a program in NumPy, and writes down what nd4py has to do at each step."""

import math
import re
from dataclasses import dataclass

import numpy as np

import nd4py as nd

from . import support
from .steps import compiled

NAMES = {name: getattr(support, name) for name in dir(support) if not name.startswith("_")}

DELETED = re.compile(r"\bdel \$(\d+)")


@dataclass
class Expected:
    """What a step has to do: "done", "refused" (with a documented error), "released" (WorkspaceError), "skipped"
    (a variable is missing), or "either" (the values, or WorkspaceError).
    """

    outcome: str
    values: np.ndarray | None = None


class Scope:
    """A workspace that a thread has entered, or, without a name, the scope out of all workspaces."""

    def __init__(self, name, is_ring=False):
        self.name, self.is_ring, self.is_open = name, is_ring, True
        self.is_handed = False  # another thread may have run what was deferred in it, whose results lie in no workspace

    @property
    def is_kept(self):
        """Whether arrays may still be there after the scope."""
        return self.is_ring or self.is_handed


class Model:
    """Values, and for each variable the scope that its memory belongs to."""

    def __init__(self):
        self.names = dict(NAMES, math=math, np=np, nd=nd, model=self)
        self.homes = {}  # variable -> Scope or None
        self.foreign = set()  # variables that are NumPy arrays in nd4py's run
        self.doubtful = set()  # variables made of arrays that may be gone
        self.stacks = {}  # thread -> scopes, innermost last
        self.thread = 0

    # What the generator asks.

    def __getitem__(self, variable):
        return self.names[f"n{variable}"]

    def variables(self):
        return self.homes.keys()

    def is_dead(self, variable):
        home = self.homes[variable]
        return home is not None and not home.is_open and not home.is_kept

    def is_doubtful(self, variable):
        """Whether nd4py may refuse it; what is made of it may be missing."""
        home = self.homes[variable]
        return variable in self.doubtful or (home is not None and not home.is_open and home.is_kept)

    def stack(self, thread=None):
        return self.stacks.setdefault(self.thread if thread is None else thread, [])

    # What lines of the model call.

    def enter(self, name, is_ring=False):
        """A scope that is open already is entered once more, or borrowed."""
        found = [scope for scope in self.stack() if name and scope.name == name]
        self.stack().append(found[0] if found else Scope(name, is_ring))

    def leave(self):
        if self.stack():
            scope = self.stack().pop()
            if all(scope is not other for other in self.stack()):
                scope.is_open = False

    def home(self):
        """The scope that a new array belongs to."""
        scope = self.stack()[-1] if self.stack() else None
        return scope if scope is not None and scope.name else None

    # Running.

    def run(self, step):
        """What nd4py has to do.  Raises DifferenceError where nd4py and NumPy disagree about a single operation."""
        used = step.used
        if any(variable not in self.homes for variable in used):
            return Expected("skipped")
        self.thread = step.thread
        for thread, stack in self.stacks.items():
            if thread != step.thread or "together(" in step.text:
                for scope in stack:
                    scope.is_handed = True
        if any(self.is_dead(variable) for variable in used):
            return Expected("released")
        doubtful = any(self.is_doubtful(variable) for variable in used)
        if doubtful and not step.defined and step.look is None:
            return Expected("skipped")  # a write that might be refused leaves doubt about values
        try:
            with np.errstate(all="ignore"):
                exec(compiled(step.models()), self.names)
        except support.DifferenceError:
            raise
        except support.REFUSALS:
            return Expected("refused")
        for variable in DELETED.findall(step.text):
            del self.homes[int(variable)]
        for variable in step.defined:
            self.adopt(variable, used, step)
            if doubtful:
                self.doubtful.add(variable)
        values = self[step.look].copy() if step.look is not None else None
        return Expected("either" if doubtful else "done", values)

    def adopt(self, variable, used, step):
        """A new variable belongs where the memory does that it shares, or else to the current scope."""
        value = self[variable]
        if not isinstance(value, np.ndarray):
            value = self.names[f"n{variable}"] = np.asarray(value)
        if re.match(rf"\${variable} = (np\.|data|frozen)", step.text):
            self.foreign.add(variable)
            self.homes[variable] = None
            return
        shared = [other for other in used if other in self.homes and root(self[other]) is root(value)]
        is_outside = any(way in step.text for way in ("together(", ".detach()", "nd.asarray(data(", "nd.frombuffer("))
        self.homes[variable] = self.homes[shared[0]] if shared else None if is_outside else self.home()


def root(x):
    """The array that owns the memory."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    return x
