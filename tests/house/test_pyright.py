"""Pyright, which editors use, accepts what mypy accepts, and finds mistakes.

It runs as basedpyright's `standard` mode, which has pyright's checks, in wheels that bring all they need.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typed_programs import WRITTEN, calls_of_functions, write_documentation

ROOT = Path(__file__).parents[2]
MISTAKES = {
    "nd.zeros('three')": "reportArgumentType",
    "nd.exponential(1)": "reportAttributeAccessIssue",
    "nd.ones(3).transposed": "reportAttributeAccessIssue",
    "nd.ones(3) @ 'x'": "reportOperatorIssue",
    "nd.sum(nd.ones(3), axes=0)": "reportCallIssue",
    "nd.grad(3.0)": "reportArgumentType",
}


def errors_in(folder):
    """What pyright says about the programs in a folder: (file, line, rule, message) of each error."""
    pytest.importorskip("basedpyright", reason="basedpyright is not installed: pip install basedpyright")
    # Examples are short: they do not look whether what may be None is there.
    lenient = dict.fromkeys(("reportOptionalMemberAccess", "reportPossiblyUnboundVariable"), "none")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], **lenient}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    told = json.loads(done.stdout)
    assert told["summary"]["filesAnalyzed"] == len(list(folder.glob("*.py"))), done.stderr
    return [
        (Path(each["file"]).name, each["range"]["start"]["line"], each.get("rule"), each["message"])
        for each in told["generalDiagnostics"]
        if each["severity"] == "error"
    ]


def test_valid_programs_are_accepted(tmp_path):
    assert len(write_documentation(tmp_path)) > 40
    (tmp_path / "typed_program.py").write_text(WRITTEN.read_text())
    (tmp_path / "calls.py").write_text(calls_of_functions()[0])
    assert errors_in(tmp_path) == []


def test_mistakes_are_found(tmp_path):
    (tmp_path / "mistakes.py").write_text("import nd4py as nd\n" + "\n".join(MISTAKES))
    found = [(line, rule) for _, line, rule, _ in errors_in(tmp_path)]
    assert found == list(enumerate(MISTAKES.values(), 1))
