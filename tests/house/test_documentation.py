"""What the documentation shows is true: its programs run, and its generated pages match the package."""

import ast
import importlib.util
import inspect
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FunctionType

import pytest
from house_rules import FORMER_WORDS
from public_objects import failures, public_objects

import nd4py as nd
from nd4py.api.absent_names import instead

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
TUTORIALS = DOCS / "tutorials"  # a page is one program there, which test_tutorials.py runs
OURS = {"nd4py", "numpy", "pytest", *sys.stdlib_module_names}


def blocks(path, language):
    """The fenced blocks of one language in a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)


def clients(program):
    """The libraries that a program imports beside nd4py and what it needs."""
    nodes = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [node.module if isinstance(node, ast.ImportFrom) else alias.name for node in nodes for alias in node.names]
    return {name.partition(".")[0] for name in names} - OURS


PROGRAMS = [
    pytest.param(program, id=f"{path.stem}-{position}")
    for path in PAGES
    if path.parent != TUTORIALS
    for position, program in enumerate(blocks(path, "python"))
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, for programs that write files, with the tests in it, for those that read some."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_words_are_those_of_the_field(page):
    assert not [line[0] for line in re.finditer(FORMER_WORDS, page.read_text(encoding="utf-8"), re.M)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_in_the_text_exist(page):
    """Such as `nd.random.normal(...)` in a sentence or a table."""
    for name in set(re.findall(r"`(?:with )?nd\.(\w+(?:\.\w+)*)", page.read_text(encoding="utf-8"))):
        found = nd
        if name in instead():  # left out on purpose, which pages say
            continue
        for part in name.split("."):
            assert hasattr(found, part), f"nd.{name}"
            found = getattr(found, part)


@pytest.mark.parametrize("program", [program for program in PROGRAMS if not clients(program.values[0])])
def test_program_runs(program, folder, capsys):
    """The examples in docstrings of what a program defines are run too."""
    names = {"__name__": "__main__"}
    exec(compile(program, "<documentation>", "exec"), names)
    own = [(name, found) for name, found in names.items() if isinstance(found, type | FunctionType)]
    own = [(name, found) for name, found in own if found.__module__ == "__main__"]
    for _, found in own:
        found.__module__ = "documentation"  # in "__main__" doctest looks for their source
    assert failures(own, names) == 0, capsys.readouterr().out


@pytest.mark.parametrize("program", [program for program in PROGRAMS if clients(program.values[0])])
def test_program_with_other_libraries_runs(program, folder):
    """In a process of its own: some libraries are configured before they are imported."""
    missing = [name for name in clients(program) if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr


def test_readme_opens_with_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, *_ = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    assert first[0] == "sh"
    commands = first[1].strip().splitlines()
    assert len(commands) == 2
    assert "nd4py.examples.lenet_digits" in commands[0]
    assert " -m pytest" in commands[1]


@pytest.mark.parametrize(
    "name",
    ["render_operations", "render_array_api", "render_cuda_support", "render_numpy_names", "render_pytorch_names"],
)
def test_generated_page_is_up_to_date(name, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS / "scripts"), *sys.path])
    if name == "render_pytorch_names":
        pytest.importorskip("torch")
    render = runpy.run_path(str(DOCS / "scripts" / f"{name}.py"))
    page = render["TARGET"].read_text(encoding="utf-8")
    for library, told in (("numpy", "render_numpy_names"), ("torch", "render_pytorch_names")):
        version = ".".join(sys.modules[library].__version__.split(".")[:2]) if name == told else ""
        if version and version not in page.partition("## ")[0]:
            pytest.skip(f"made from the names of another {library} than {version}")
    assert page == render["page"](), f"run `python docs/scripts/{name}.py`"


def test_reference_describes_every_name_once():
    public_names = runpy.run_path(str(DOCS / "scripts" / "public_names.py"))
    found = Counter(public_names["described"]())
    by_hand = {
        f"nd4py.{name}" for name in ("NDArray", "e", "euler_gamma", "inf", "nan", "newaxis", "pi", "polynomial")
    }  # in arrays.md and, NumPy's classes of polynomials, in statistics.md
    wanted = Counter(
        name.replace(".api.memory", ".memory")
        for name, each in public_objects()
        if not inspect.ismodule(each) and not name.startswith("nd4py.lib.") and name not in by_hand
    )
    assert found == wanted


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
    assert not [target for target in targets if not (path.parent / target).exists()]
