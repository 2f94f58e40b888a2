"""The files of .github and of pre-commit: they can be read, and name what exists; every rule can fail."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
requirements = runpy.run_path(str(ROOT / ".ci/extras"))["requirements"]
WORKFLOWS = {path.name: path.read_text() for path in sorted((ROOT / ".github/workflows").glob("*.yml"))}
FORMS = [path for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]

GOOD = """
name: tests
on: [push]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
      - run: python -m pip install -e ".[test]" && .ci/run && python .ci/extras dev
      - run: python -m pytest tests/house
"""
# What breaks each rule: (a text of the workflow above, what stands there instead).
BROKEN = {
    "permissions_are_small": ("contents: read", "contents: write"),
    "jobs_end": ("    timeout-minutes: 5\n", ""),
    "actions_are_pinned": ("checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd", "checkout@v6"),
    "scripts_hold_no_words_of_strangers": ("pytest tests", "pytest ${{ github.event.pull_request.title }} tests"),
    "paths_exist": ("tests/house", "tests/houses"),
    "extras_exist": ('".[test]"', '".[test,gone]"'),
    "modules_exist": ("-m pytest", "-m tests.gone"),
}


def jobs_of(text):
    return yaml.safe_load(text)["jobs"].items()


def scripts_of(text):
    """What the steps of a workflow run."""
    return [step["run"] for _, job in jobs_of(text) for step in job["steps"] if "run" in step]


def permissions_are_small(text):
    """A workflow may read the sources; what else a job may do is said by the job."""
    if yaml.safe_load(text).get("permissions") != {"contents": "read"}:
        yield "the workflow may do more than read"


def jobs_end(text):
    return [name for name, job in jobs_of(text) if not 0 < job.get("timeout-minutes", 0) <= 240]


def actions_are_pinned(text):
    """To a commit: what a tag means can be changed by whoever takes over an account.  The version stands behind it."""
    used = re.findall(r"uses: *(.*)", text)
    return [line for line in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+(\.\d+)*", line)]


def scripts_hold_no_words_of_strangers(text):
    """The title or the branch of a pull request would be run by the shell; such words go through `env`."""
    return [script for script in scripts_of(text) if re.search(r"\$\{\{[^}]*\b(github\.event|head_ref)\b", script)]


def paths_exist(text):
    named = re.findall(r"(?<![\w/.-])((?:tests|docs|\.ci|asv_bench|kernels)/[\w./-]+)", "\n".join(scripts_of(text)))
    return [path for path in named if not (ROOT / path).exists()]


def extras_exist(text):
    scripts = "\n".join(scripts_of(text))
    named = [name for each in re.findall(r'-e "\.\[(.*?)\]"', scripts) for name in each.split(",")]
    named += [name for each in re.findall(r"\.ci/extras ([\w -]+)", scripts) for name in each.split()]
    return [name for name in named if name not in EXTRAS]


def modules_exist(text):
    """Those of this repository that are run by `python -m`."""
    named = re.findall(r"-m (tests\.[\w.]+)", "\n".join(scripts_of(text)))
    return [name for name in named if not (ROOT / name.replace(".", "/")).exists()]


RULES = [
    permissions_are_small, jobs_end, actions_are_pinned, scripts_hold_no_words_of_strangers, paths_exist, extras_exist,
    modules_exist,
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_workflows_keep(rule):
    assert len(WORKFLOWS) >= 4
    assert {name: found for name, text in WORKFLOWS.items() if (found := list(rule(text)))} == {}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_finds_what_breaks_it(rule):
    good, bad = BROKEN[rule.__name__]
    assert good in GOOD
    assert not list(rule(GOOD))
    assert list(rule(GOOD.replace(good, bad)))


def test_tests_run_on_three_systems_and_every_python():
    matrix = yaml.safe_load(WORKFLOWS["tests.yml"])["jobs"]["platforms"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    promised = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.M)
    assert matrix["python"] == promised


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_a_tool_of_the_extra_dev_on_some_files(hook):
    tools = {re.match(r"[\w-]+", line)[0].removesuffix("-py") for line in requirements("dev")}
    assert hook["language"] == "system"
    assert hook["entry"].split()[0] in tools
    folders = ("nd4py", "kernels", "tests", ".github")
    files = [str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*.*")]
    assert any(re.search(hook.get("files", ""), name) for name in files)


def test_extras_are_printed_with_what_they_name():
    printed = list(requirements("dev"))
    assert {"pre-commit>=4", "ruff", "furo", "httpx"} <= set(printed)
    assert not [line for line in printed if line.startswith("nd4py")]
    with pytest.raises(KeyError, match="gone"):
        list(requirements("gone"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_something(path):
    form = yaml.safe_load(path.read_text())
    assert {"name", "description", "labels", "body"} == set(form)
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_the_commands_of_the_day_name_what_exists():
    [commands, *_] = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "CONTRIBUTING.md").read_text(), re.M | re.S)
    build, everything, some = commands.splitlines()
    assert "setup.py -q build_ext --inplace" in build
    assert "pytest" in everything
    assert (ROOT / re.search(r"tests/\S+", some)[0]).is_dir()


def test_what_security_says_is_tried_is_there():
    named = re.findall(r"`((?:tests|\.ci)/[\w./-]+)`", (ROOT / "SECURITY.md").read_text())
    assert len(named) > 10
    assert not [name for name in named if not (ROOT / name).exists()]
