"""What the build says when something is missing, and what keeps a stale build from running."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

STALE = """
import sys, types
package = types.ModuleType("nd4py")
package.__path__ = [sys.argv[1]]
sys.modules["nd4py"] = package
import nd4py._spec.render as render
render.table_hash = lambda: "another table"
import nd4py.cpu.isa
"""


def run(*command, **environment):
    """The result of a command run in the root of the repository."""
    environment = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_a_missing_compiler_is_named(tmp_path):
    command = [sys.executable, "setup.py", "build_ext", "--build-temp", str(tmp_path), "--build-lib", str(tmp_path)]
    result = run(*command, CC="/bin/false", CXX="/bin/false")
    assert result.returncode != 0
    assert "nd4py needs a C++17 compiler such as g++" in result.stderr


def test_loops_of_another_table_are_refused():
    result = run(sys.executable, "-c", STALE, str(ROOT / "nd4py"))
    assert "the compiled loops do not match nd4py/_spec/ops.py; rebuild" in result.stderr


def test_the_build_contains_what_this_machine_needs():
    import nd4py as nd

    config = nd.config()
    assert config["instruction set"] in config["usable instruction sets"]
    assert config["operations"] >= 90
