"""The debug mode finds what it should, in a process of its own; off, it is not there."""

import os
import subprocess
import sys

import pytest

import nd4py as nd

BEGIN = "import ctypes, sys, nd4py as nd\nfault = lambda at: setattr(ctypes.c_char.from_address(at), 'value', b'x')\n"


def run(code, **environment):
    """A fresh interpreter in the debug mode: (what it prints, what it says on stderr)."""
    environment = {**os.environ, "ND4PY_DEBUG_MEMORY": "1", **environment}
    command = [sys.executable, "-c", BEGIN + code]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip(), result.stderr.strip()


SOUND = """
a = nd.ones((150, 150))
for _ in range(3):
    b = nd.sort(nd.exp(a @ a * 1e-4).ravel())[::2]
    nd.linalg.solve(nd.eye(20), nd.ones(20)); nd.softmax(a); a.sum(axis=0); nd.cumulative_sum(b)
with nd.workspace("step"):
    c = (a + a).detach()
nd.workspace_manager.destroy_all_workspaces_for_current_thread()
print(nd.memory.check() > 0)
"""


def test_sound_programs_are_left_alone():
    assert run(SOUND) == ("True", "")


FAULTS = {
    "written behind its end": "x = nd.ones(10); fault(x.address + 80); ",
    "written before its start": "x = nd.ones(10); fault(x.address - 1); ",
    "written after it was freed": "x = nd.ones(100_000); a = x.address; del x; fault(a + 8000); ",
}


@pytest.mark.parametrize("what", FAULTS)
def test_faults_are_found_with_their_line(what):
    code = f"""
{FAULTS[what]}
try:
    nd.memory.check()
except nd.memory.MemoryFaultError as error:
    print(error)
print(nd.memory.check() >= 0)
"""
    out, err = run(code)
    assert f"1 memory faults, see stderr; the last: {what}: block" in out
    assert out.endswith("True")
    assert f"nd4py memory fault: {what}: block" in err
    assert "made at <string>:4" in err


def test_faults_are_found_when_a_block_is_freed():
    out, err = run("x = nd.ones(1000); fault(x.address + 8000); del x; print('goes on')")
    assert out == "goes on"
    assert "written behind its end" in err


def test_faults_are_found_when_a_block_is_used_again():
    _, err = run("x = nd.ones(1000); a = x.address; del x; fault(a + 100); y = nd.ones(1000); assert y.address == a")
    assert "written after it was freed" in err


def test_freeing_twice_is_found():
    code = """
from nd4py._mem.pool.pool_measures import free_twice
free_twice(1000)
print("goes on")
"""
    out, err = run(code)
    assert out == "goes on"
    assert "was freed twice, or was never a block" in err


def test_leaks_are_reported_at_exit():
    code = """
import itertools
x = nd.ones(12_345)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(x))
"""
    _, err = run(code)
    assert "1 blocks of 98760 bytes together were never freed" in err
    assert "made at <string>:5" in err


def test_random_requests_in_debug_mode():
    code = """
from nd4py._mem.pool.pool_measures import Exchange
exchange = Exchange(256, 4096)
exchange.run(4, 2000)
print(exchange.n_faults)
del exchange
nd.memory.check()
"""
    assert run(code) == ("0", "")
    out, err = run(code.replace("4, 2000)", "4, 2000, planted=700)"))
    assert (out, err) == ("1", "")  # within the block, which only the test itself can know


def test_limits_hold_in_debug_mode():
    code = """
try:
    nd.empty(2_000_000)
except MemoryError as error:
    print("maxbytes is" in str(error))
nd.empty(1_000_000); print(nd.memory.stats().taken_bytes <= 10 * 2**20)
"""
    assert run(code, ND4PY_MAXBYTES="10M")[0].split() == ["True", "True"]


def test_summary_names_lines_in_debug_mode():
    out, _ = run("x = [nd.ones(1000) for _ in range(3)]\nprint(nd.memory.summary())")
    assert "3 arrays" in out
    assert "<string>:3" in out


def test_off_it_refuses_to_check():
    code = "import nd4py as nd\ntry:\n    nd.memory.check()\nexcept RuntimeError as error:\n    print(error)"
    environment = {name: text for name, text in os.environ.items() if name != "ND4PY_DEBUG_MEMORY"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "set ND4PY_DEBUG_MEMORY=1 before nd4py is imported" in result.stdout


def test_it_is_no_error_in_this_process():
    assert issubclass(nd.memory.MemoryFaultError, RuntimeError)
