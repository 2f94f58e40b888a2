"""What the documentation shows is true: its programs run, and the page of operations matches the table."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(path, language):
    """The fenced blocks of one language in a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)


PROGRAMS = [
    pytest.param(program, id=f"{path.stem}-{position}")
    for path in PAGES
    for position, program in enumerate(blocks(path, "python"))
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_runs(program, capsys):
    exec(compile(program, "<documentation>", "exec"), {"__name__": "__main__"})


def test_readme_opens_with_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, *_ = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    assert first[0] == "sh"
    commands = first[1].strip().splitlines()
    assert len(commands) == 2
    assert "nd4py.examples.lenet_digits" in commands[0]
    assert commands[1].endswith("-m pytest")


def test_page_of_operations_is_up_to_date():
    render = runpy.run_path(str(ROOT / "docs" / "render_operations.py"))
    page = render["TARGET"].read_text(encoding="utf-8")
    assert page == render["page"](), "run `python docs/render_operations.py`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
    assert not [target for target in targets if not (path.parent / target).exists()]
