"""Chains of eight operations, with and without a sum at the end, on memory of different owners.

To nd4py it makes a difference who else can write to an operand: its own arrays, arrays that were made of NumPy's and
that nobody else holds, and such arrays whose NumPy arrays the caller still holds.  To its peers these are all alike.
"""

from .chains import CHAINS
from .elementwise import LARGE
from .inputs import between
from .work import Work

EIGHT = {
    "8 with sqrt": "xp.maximum((xp.sqrt(xp.abs(x * y - z)) - x) * z, y) + x",
    "8 cheap": CHAINS["8 cheap"].translate(str.maketrans("abc", "xyz")),
}
# Statements that make nd4py's operands of the copies it is given.
MEMORY = {
    "own memory": "",
    "NumPy's memory, dropped": "x, y, z = (xp.asarray(np.array(v)) for v in (x, y, z))",
    # A global variable, since those of the function around a call end before it.
    "NumPy's memory, held": "global held\nheld = [np.array(v) for v in (x, y, z)]\nx, y, z = map(xp.asarray, held)",
}


def row(name, memory, has_sum):
    """A chain on memory of one owner."""
    text = EIGHT[name]
    numexpr = text.replace("xp.", "")
    spell = {"numexpr": f'evaluate("sum({numexpr})")' if has_sum else numexpr}
    return Work(
        "foreign",
        f"{'sum of ' if has_sum else ''}{name} float32, {memory}",
        f"({text}).sum()" if has_sum else text,
        between((-1.0, 1.0), (0.5, 1.5), (0.0, 1.0), names="x y z"),
        (LARGE,),
        spell=spell,
        setup={"nd4py": MEMORY[memory]},
        tolerance=1e-3,
        is_core=name == "8 with sqrt",
    )


def rows():
    for name in EIGHT:
        for has_sum in (False, True):
            for memory in MEMORY:
                yield row(name, memory, has_sum)
