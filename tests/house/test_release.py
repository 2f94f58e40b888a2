"""What a release checks: the changelog, the pinned tools, and that two builds have the same bytes."""

import io
import json
import re
import runpy
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import nd4py as nd

ROOT = Path(__file__).parents[2]
RELEASE = runpy.run_path(str(ROOT / ".ci/release"))
CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-01-31

### Added

- Something.

## [1.1.0] - 2025-12-01

- Older.
"""


def test_the_version_stands_in_one_place():
    assert RELEASE["version"]() == nd.__version__
    written = [
        str(path.relative_to(ROOT))
        for pattern in ("*.toml", "*.py", "nd4py/**/*.py", ".ci/**/*")
        for path in ROOT.glob(pattern)
        if path.is_file() and re.search(rf"version.*\b{re.escape(nd.__version__)}\b", path.read_text(), re.I)
    ]
    assert written == ["nd4py/__init__.py"]


def test_a_changelog_that_may_be_released():
    faults = RELEASE["faults"]
    assert not list(faults("1.2.0", CHANGELOG))
    assert not list(faults("1.2.0", CHANGELOG, "v1.2.0"))
    assert not list(faults("1.2.0rc1", CHANGELOG.replace("1.2.0", "1.2.0rc1"), "v1.2.0rc1"))


@pytest.mark.parametrize("version, tag, change, words", [
    ("1.2", None, ("1.2.0", "1.2"), "is not like"),
    ("1.2.0", "v1.2.1", ("", ""), r"the tag v1\.2\.1 is not v1\.2\.0"),
    ("1.3.0", None, ("", ""), r"no section \[1\.3\.0\]"),
    ("1.1.0", None, ("", ""), "directly below"),
    ("1.2.0", None, ("## [Unreleased]", "## [Coming]"), "must begin with"),
    ("1.2.0", None, ("## [Unreleased]\n", "## [Unreleased]\n\n- More.\n"), "move what stands under"),
    ("1.2.0", None, ("### Added\n\n- Something.\n", ""), "nothing in it"),
    ("1.2.0", None, (" - 2026-01-31", ""), "must end in a date"),
    ("1.2.0", None, ("2026-01-31", "2026-31-01"), "must end in a date"),
])  # fmt: skip
def test_a_changelog_that_may_not(version, tag, change, words):
    [found] = RELEASE["faults"](version, CHANGELOG.replace(*change), tag)
    assert re.search(words, found)


def archive(path, names, mtime, mode, uid):
    with tarfile.open(path, "w:gz") as file:
        for name in names:
            member = tarfile.TarInfo(name)
            member.mtime, member.mode, member.uid, member.size = mtime, mode, uid, 3
            file.addfile(member, io.BytesIO(b"abc"))
    return path


def test_source_distributions_come_to_have_the_same_bytes(tmp_path):
    first = archive(tmp_path / "a.tar.gz", ["n/x", "n/y"], 1, 0o600, 0)
    second = archive(tmp_path / "b.tar.gz", ["n/y", "n/x"], 2, 0o664, 7)
    assert RELEASE["differences"](first, second) == ["(the archive)"]
    for path in (first, second):
        RELEASE["even_out"](path, 10)
    assert not RELEASE["differences"](first, second)
    assert RELEASE["members"](first) == {"n/x": b"abc", "n/y": b"abc"}
    with tarfile.open(first) as file:
        assert {(member.mtime, member.mode, member.uid) for member in file} == {(10, 0o644, 0)}


def test_what_differs_is_named(tmp_path):
    for name, content in (("a", b"1"), ("b", b"2")):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as file:
            file.writestr("same.py", b"")
            file.writestr("n/_map.so", content)
            file.writestr(f"only_{name}.py", b"")
    found = RELEASE["differences"](tmp_path / "a.whl", tmp_path / "b.whl")
    assert found == ["n/_map.so", "only_a.py", "only_b.py"]


def test_the_list_of_what_is_inside_has_the_version():
    contents = '{"components": [], "metadata": {"component": {"name": "nd4py"}}}'
    found = json.loads(RELEASE["with_version"](contents))
    assert found["metadata"]["component"] == {"name": "nd4py", "version": nd.__version__}


@pytest.mark.parametrize("name", ["build", "release"])
def test_tools_are_pinned_by_hashes(name):
    text = (ROOT / f".ci/requirements/{name}.txt").read_text()
    pins = re.findall(r"^[a-z].*?(?=^[a-z#]|\Z)", text, re.M | re.S)
    assert pins
    assert not [pin for pin in pins if not re.match(r"[\w.-]+==\S+", pin) or "--hash=sha256:" not in pin]
    wanted = re.findall(r"^[a-z][\w-]*", (ROOT / f".ci/requirements/{name}.in").read_text(), re.M)
    assert set(wanted) <= {re.match(r"[\w.-]+?(?===)", pin)[0] for pin in pins}
    assert not re.search(r"https?://|--index", text)


def test_pinned_tools_are_those_that_source_builds_may_use():
    requires = re.search(r"^requires = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(), re.M)[1]
    pinned = dict(re.findall(r"^([\w.-]+)==([\d.]+)", (ROOT / ".ci/requirements/build.txt").read_text(), re.M))
    ranges = re.findall(r'"(\w+)(?:>=([\d.]+))?"', requires)
    assert len(ranges) == 3
    for name, least in ranges:
        assert name in pinned
        if least:
            assert [*map(int, pinned[name].split("."))] >= [*map(int, least.split("."))]


def test_the_recipe_for_conda_needs_what_the_project_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    recipe = re.sub(r"\{%.*?%\}", "", (ROOT / ".ci/conda/meta.yaml").read_text())
    needed = yaml.safe_load(re.sub(r"\{\{.*?\}\}", "x", recipe))["requirements"]
    plain = [line.replace(" ", "").replace("libopenblas", "scipy-openblas32") for line in needed["run"]]
    assert sorted(plain) == sorted(
        ["python" + project["project"]["requires-python"], *project["project"]["dependencies"]]
    )
    assert set(project["build-system"]["requires"]) <= {line.replace(" ", "") for line in needed["host"]}
