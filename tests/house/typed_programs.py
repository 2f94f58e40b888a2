"""Programs that type checkers must accept: the calls of the tests, those of the documentation, and one of users."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "tests/house/typed_program.py"
# Other libraries' types are theirs; what is told apart by isinstance, or must raise, is no example of types.
NOT_CHECKED = re.compile(r"import (?!nd4py|numpy|pytest)|isinstance\(.*nd\.float|raises\(")


def calls_of_functions():
    """A call of every function, from `namespace_calls`, with arrays that `a` makes: the program, and how many."""
    tree = ast.parse((ROOT / "tests/support/namespace_calls.py").read_text())
    tables = (ast.Dict, ast.DictComp, ast.Lambda)
    inputs = [node for node in tree.body if isinstance(node, ast.Assign) and not isinstance(node.value, tables)]
    calls = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda) and len(node.args.args) == 2]
    named = [ast.unparse(call) for call in calls if {"nd", "a"} & names_used(call)]
    called = [text for text in named if text.startswith("nd.")]
    head = "from typing import Any\nimport numpy as np\nimport nd4py as nd\nclass Make:\n    device: str\n"
    head += "    def __call__(self, x: Any) -> nd.NDArray:\n        raise NotImplementedError\na = Make()\n"
    text = head + "".join(f"{ast.unparse(node)}\n" for node in inputs if "nd" not in names_used(node))
    return text + "\n".join(called), len(called)


def names_used(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def write_documentation(folder):
    """Write the programs of README and docs that are checked, a file each; their paths."""
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        parts = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
        programs = ["\n".join(parts)] if page.parent.name == "tutorials" else parts
        for number, program in enumerate(programs):
            if not NOT_CHECKED.search(program):
                (folder / f"{page.stem.replace('-', '_')}_{number}.py").write_text(program)
    return sorted(map(str, folder.glob("*.py")))
