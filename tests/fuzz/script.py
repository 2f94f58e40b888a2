"""A program as a Python script that runs by itself and ends with the fault."""

HEAD = """\
# {title}
# Run it in the root of the repository: {environment} PYTHONPATH=.:tests python this_file.py
from fuzz.steps import Step
from fuzz.subject import expectations, run

steps = [
    # nd4py's line; model=: NumPy's, where they differ ($3 is variable 3, @3 a fresh array of nd4py with its values).
"""
TAIL = """\
]
run(steps, expectations(steps))
"""


def script(steps, title, mode):
    """The text of the script."""
    environment = " ".join(f"{name}={value}" for name, value in mode.items())
    lines = "".join(f"    {written(step)},\n" for step in steps)
    return HEAD.format(title=title.replace("\n", "\n# "), environment=environment) + lines + TAIL


def written(step):
    given = [repr(step.text)]
    for name in ("model", "look", "thread", "within"):
        value = getattr(step, name)
        if value not in ("", None, 0) or (name == "look" and value is not None):
            given.append(f"{name}={value!r}")
    return f"Step({', '.join(given)})"


def plain(steps):
    """The lines that nd4py runs, for people to read."""
    lines = []
    for step in steps:
        line = step.ours() if step.look is None else f"look at a{step.look}: {step.ours()}"
        lines.append(f"  {line}" + (f"    # thread {step.thread}" if step.thread else ""))
    return "\n".join(lines)
