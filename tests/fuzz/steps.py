"""The steps of a program: one line of Python for nd4py, one for the model, and what the two lines name."""

import functools
import re
from dataclasses import dataclass

VARIABLE = re.compile(r"([$@])(\d+)")
NUMBER = re.compile(r"(?<![\w$@.\"'])-?\d+(?![\w.\"'])")


@dataclass(frozen=True)
class Step:
    """One step.  In both lines `$3` is variable 3; in the model's, `@3` is a fresh array of nd4py with its values.

    text: what nd4py runs; the name `xp` stands for nd4py, in the model's line for NumPy.
    model: what the model runs; "" = the same text.
    look: the variable whose values are compared, None = none; then `text` is an expression that gives them.
    thread: the thread that runs it, 0 = the main one.
    group: the part of the fuzzer that made it.
    within: a context manager around nd4py's line, such as "nd.threads(1)".
    """

    text: str
    model: str = ""
    look: int | None = None
    thread: int = 0
    group: str = ""
    within: str = ""

    @property
    def defined(self):
        """The variables that it makes."""
        return tuple(int(name) for name in re.findall(r"\$(\d+)(?=(?:, \$\d+)* = )", self.text.partition("lambda")[0]))

    @property
    def used(self):
        """The variables that must be there."""
        found = dict.fromkeys(int(name) for _, name in VARIABLE.findall(self.text + " " + self.model))
        return tuple(name for name in found if name not in self.defined)

    @property
    def numbers(self):
        return [int(text) for text in NUMBER.findall(self.text)]

    def with_number(self, position, value):
        """The same step with another number at that position, in both lines; None where the lines do not match."""
        before = self.numbers[position]
        if not self.model:
            return self.replaced(text=replace_number(self.text, position, value))
        models = [int(text) for text in NUMBER.findall(self.model)]
        if models.count(before) == self.numbers.count(before):
            rank = self.numbers[:position].count(before)
            in_model = [i for i, number in enumerate(models) if number == before][rank]
            model = replace_number(self.model, in_model, value)
            return self.replaced(text=replace_number(self.text, position, value), model=model)
        return None

    def replaced(self, **changes):
        return Step(**({name: getattr(self, name) for name in self.__dataclass_fields__} | changes))

    def ours(self):
        """The line for nd4py."""
        line = VARIABLE.sub(r"a\2", self.text).replace("xp.", "nd.")
        return f"with {self.within}: {line}" if self.within else line

    def models(self):
        """The line for the model."""
        line = (self.model or self.text).replace("xp.", "np.")
        return VARIABLE.sub(lambda m: f"n{m[2]}" if m[1] == "$" else f"fresh(n{m[2]})", line)


def replace_number(text, position, value):
    found = list(NUMBER.finditer(text))[position]
    return text[: found.start()] + str(value) + text[found.end() :]


@functools.lru_cache(20_000)
def compiled(line, mode="exec"):
    return compile(line, "<program>", mode)
