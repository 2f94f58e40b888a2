"""Random programs: steps drawn one after the other, each for the arrays that the model holds by then."""

import random

from . import changing, computing, making, running, scoping, sharing
from .model import Model
from .steps import Step
from .subject import FindingError
from .support import DifferenceError

# group -> instructions with their weights; "looks" and "views" belong to every program.
GROUPS = {
    "make": making.MAKE,
    "looks": making.LOOKS,
    "views": making.VIEWS,
    "overlap": changing.OVERLAP,
    "assign": changing.ASSIGN,
    "masks": changing.MASKS,
    "out": changing.OUT,
    "maps": computing.MAPS,
    "reduce": computing.REDUCE,
    "moves": computing.MOVES,
    "products": computing.PRODUCTS,
    "gradients": computing.GRADIENTS,
    "exports": sharing.EXPORTS,
    "scopes": scoping.SCOPES,
    "close": scoping.CLOSE,
    "threads": running.THREADS,
    "deferral": running.DEFERRAL,
    "mistakes": running.MISTAKES,
}
ALWAYS = ("make", "looks", "views")


class Maker:
    """A program in the making."""

    def __init__(self, seed, only=()):
        self.random = random.Random(seed)
        self.model = Model()
        self.steps, self.expected = [], []
        self.group = ""
        self.n_variables = 0
        groups = [name for name in GROUPS if not only or name in only]
        # Programs about a few things at a time find more than programs about everything.
        if not only and self.random.random() < 0.8:
            groups = self.random.sample(groups, self.random.randint(2, 7))
        self.groups = [*ALWAYS, *(name for name in groups if name not in ALWAYS)]
        self.uses_threads = "threads" in groups
        self.most = self.random.choice((8, 30, 30, 30, 300, 3000)) if self.random.random() < 0.985 else 300_000

    # What instructions call.

    def new(self):
        self.n_variables += 1
        return self.n_variables

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *choices):
        return self.random.choice(choices)

    def variables(self, suits=None, is_foreign=False, is_dead=False):
        """Variables whose NumPy array `suits`."""
        model = self.model
        return [
            variable
            for variable in model.variables()
            if (is_foreign is None or (variable in model.foreign) == is_foreign)
            and model.is_dead(variable) == is_dead
            and (suits is None or suits(model[variable]))
        ]

    def variable(self, suits=None, **which):
        """One of them, recent ones more often; None where there is none."""
        found = self.variables(suits, **which)
        if not found:
            return None
        if self.chance(0.5):
            found = found[-4:]
        return self.random.choice(found)

    def shape(self, variable):
        return self.model[variable].shape

    def n_elements(self):
        return sum(self.model[v].size for v in self.variables(is_foreign=None))

    def add(self, text, model="", look=None, within=""):
        """Append a step.  Raises FindingError where nd4py and NumPy disagree about it on fresh copies."""
        thread = self.random.choice((0, 0, 1, 2)) if self.uses_threads else 0
        step = Step(text, model, look, thread, self.group, within)
        self.steps.append(step)
        try:
            self.expected.append(self.model.run(step))
        except DifferenceError as fault:
            raise FindingError(len(self.steps) - 1, f"on fresh copies: {fault}") from None

    # The program.

    def program(self):
        """Steps and what is expected of them."""
        self.group = "make"
        for _ in range(self.random.randint(1, 3)):
            making.make(self)
        for _ in range(self.random.choice((5, 10, 20, 40, 60))):
            self.group = self.random.choice(self.groups)
            instructions, weights = zip(*GROUPS[self.group], strict=True)
            self.random.choices(instructions, weights)[0](self)
        self.group = "looks"
        for variable in self.variables(is_foreign=None):
            making.look(self, variable)
        return self.steps, self.expected
