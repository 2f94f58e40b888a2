"""Tests import what the extra `test` installs; those in tests/clients also what its own extra does."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Written by hand, beside a library that tests do not need.
MAKERS = {"make_keras_files.py", "keras_cases.py", "keras_functional_cases.py", "keras_models.py"}


def name_of(requirement):
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def installed_by(extra):
    """The distributions that nd4py and an extra of it bring, and what those need themselves."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras, found = project["optional-dependencies"], set()
    waiting = [*project["dependencies"], *extras[extra]]
    while waiting:
        requirement = waiting.pop()
        name = name_of(requirement)
        if name == "nd4py":
            waiting += [line for each in re.search(r"\[(.*)\]", requirement)[1].split(",") for line in extras[each]]
        elif name not in found:
            found.add(name)
            try:
                needed = metadata.requires(name) or []
            except metadata.PackageNotFoundError:
                continue
            waiting += [line for line in needed if "extra ==" not in line]
    return found


def imported(path):
    """The libraries that are needed to import a file, with the line of each."""
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Import):
            yield from ((alias.name.partition(".")[0], statement.lineno) for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            yield statement.module.partition(".")[0], statement.lineno


def missing(paths, extra):
    """Each import of a library that the extra does not bring, as file:line: library."""
    brought, distributions = installed_by(extra), metadata.packages_distributions()
    ours = {"nd4py"} | {path.stem for top in ("tests", "asv_bench") for path in ROOT.glob(f"{top}/**/*")}
    for path in paths:
        for name, line in imported(path):
            if name in ours or name in sys.stdlib_module_names:
                continue
            if not brought & {name_of(each) for each in distributions.get(name, [name])}:
                yield f"{path}:{line}: {name}"


def test_tests_import_what_the_extra_test_installs():
    paths = [path for path in ROOT.glob("tests/**/*.py") if "clients" not in path.parts and path.name not in MAKERS]
    assert len(paths) > 300
    assert not list(missing(paths, "test"))


@pytest.mark.parametrize("line", ["import pandas as pd", "from zarr.storage import X", "import no_such_library"])
def test_another_library_is_found(line, tmp_path):
    (tmp_path / "test_it.py").write_text(f"import os\nimport numpy as np\nimport cases\n{line}\n")
    assert [each.rpartition(":")[2].strip() for each in missing([tmp_path / "test_it.py"], "test")] == [
        line.split()[1].partition(".")[0]
    ]
