"""Write docs/operations.md from the table of operations: `python docs/scripts/render_operations.py`."""

from pathlib import Path

from nd4py._spec.op import Op
from nd4py._spec.ops import OPS

TARGET = Path(__file__).parents[1] / "operations.md"
HEAD = """# Operations

Made from `nd4py/_spec/ops.py` by `docs/scripts/render_operations.py`; change the rows, not this page.
Every elementwise operation also takes `out=`; every reduction takes `axis=None` (all axes, one axis or a tuple) and
`keepdims=False`. In the formulas `C` is the type the operation computes in. "yes" under gradient means that `nd.grad`
goes through it.
"""
FAMILIES = {
    "map": "Elementwise",
    "reduce": "Reductions",
    "argreduce": "Positions",
    "scan": "Running results",
    "custom": "Irregular operations",
}


def signature(op: Op) -> str:
    """How the operation is called, `clip(x, low, high)`."""
    params = [name if default is None else f"{name}={default}" for name, default in op.params]
    return f"{op.name}({', '.join([*op.args, *params])})"


def formula(op: Op) -> str:
    """The C++ expression of a map row: one, or one per output."""
    if isinstance(op.expr, dict):
        return ", ".join(f"{name} = {expr}" for name, expr in op.expr.items())
    return str(op.expr)


def line(op: Op) -> str:
    """One row of the page; a bar would end a cell and a star make text bold, so both are escaped."""
    has_gradient = "yes" if any(op.vjp) else ""
    cells = [
        f"`{signature(op)}`",
        op.doc.replace("*", "\\*"),
        f"`{formula(op)}`" if op.family == "map" else "",
        has_gradient,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page() -> str:
    """The whole text of operations.md."""
    text = HEAD
    for family, title in FAMILIES.items():
        members = [op for op in OPS if op.family == family]
        text += f"\n## {title} ({len(members)})\n\n| call | meaning | formula | gradient |\n|---|---|---|---|\n"
        text += "".join(line(op) + "\n" for op in members)
    return text


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
