"""Workspaces in mapped files."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd

ROOT = Path(__file__).parents[2]


def mapped(**settings):
    return nd.WorkspaceConfiguration(policy_location="mmap", policy_learning="none", **settings)


def test_content_stays_from_scope_to_scope(tmp_path):
    path = tmp_path / "arena"
    ws = nd.Workspace("mapped", mapped(temp_file_path=str(path), initial_size=1 << 20))
    assert (ws.current_size, ws.initial_block_size, path.stat().st_size) == (1 << 20,) * 3  # nothing is added
    with ws:
        x = nd.empty(1000)
        assert set(x.tolist()) == {0.0}
        x[...] = 7.0
    with ws:
        assert set(nd.empty(1000).tolist()) == {7.0}
    with pytest.raises(nd.WorkspaceError):
        x.tolist()
    assert set(np.fromfile(path, "float64", 1000)) == {7.0}


def test_file_is_used_as_it_is(tmp_path):
    path = tmp_path / "arena"
    np.arange(100.0).tofile(path)
    ws = nd.Workspace("existing", mapped(temp_file_path=str(path)))
    assert ws.current_size == 800
    with ws:
        assert nd.empty(100).tolist() == list(range(100))
    ws.destroy()
    assert path.stat().st_size == 800


def test_file_is_made_longer_not_shorter(tmp_path):
    path = tmp_path / "arena"
    np.arange(100.0).tofile(path)
    assert nd.Workspace("longer", mapped(temp_file_path=str(path), initial_size=8000)).current_size == 8000
    assert path.stat().st_size == 8000
    assert nd.Workspace("part", mapped(temp_file_path=str(path), initial_size=80)).current_size == 80
    assert path.stat().st_size == 8000


def test_file_can_be_deleted_after_destroying(tmp_path):
    path = tmp_path / "arena"
    ws = nd.Workspace("deleted", mapped(temp_file_path=str(path), initial_size=4096))
    with ws:
        nd.ones(10)
    ws.destroy()
    assert str(path) not in Path("/proc/self/maps").read_text()
    path.unlink()


def test_exported_memory_outlives_the_workspace(tmp_path):
    path = tmp_path / "arena"
    ws = nd.Workspace("exported", mapped(temp_file_path=str(path), initial_size=4096))
    with ws:
        seen = np.asarray(nd.full(3, 5.0))
    ws.destroy()
    assert seen.tolist() == [5.0] * 3


def test_temporary_file_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ws = nd.Workspace("temporary", mapped(initial_size=1 << 16))
    with ws:
        assert nd.ones(100).is_attached()
        assert "nd4py-workspace-" in Path("/proc/self/maps").read_text()
    assert list(tmp_path.iterdir()) == []
    ws.destroy()
    assert "nd4py-workspace-" not in Path("/proc/self/maps").read_text()


def test_file_is_sparse_until_it_is_used(tmp_path):
    path = tmp_path / "arena"
    ws = nd.Workspace("sparse", mapped(temp_file_path=str(path), initial_size=1 << 32))
    assert path.stat().st_blocks < 100
    with ws:
        nd.ones(1000)
    assert path.stat().st_blocks * 512 <= 20 << 20


def test_what_does_not_fit_spills():
    ws = nd.Workspace("small", mapped(initial_size=1024))
    with ws:
        nd.empty(64)
        outside = nd.ones(1000)
        assert (outside.is_attached(), ws.spilled_size >= 8000, ws.current_size) == (True, True, 1024)
        assert nd.empty(64).is_attached()


def test_new_file_needs_a_size(tmp_path):
    for settings in ({}, {"temp_file_path": str(tmp_path / "arena")}):
        with pytest.raises(ValueError, match="needs an initial_size"):
            nd.Workspace("empty", mapped(**settings))
    assert list(tmp_path.iterdir()) == []


def test_file_that_cannot_be_opened(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        nd.Workspace("nowhere", mapped(temp_file_path=str(tmp_path / "no" / "arena"), initial_size=4096))


def test_circular_file_has_one_block():
    ws = nd.Workspace("circular", mapped(initial_size=4096, policy_reset="endofbuffer_reached", overallocation_limit=2))
    for value in range(5):
        with ws:
            x = nd.full(16, value)
        assert x.tolist() == [value] * 16


PROGRAM = """
import resource, sys
import nd4py as nd
if sys.argv[2:]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
config = nd.WorkspaceConfiguration(policy_location="mmap", policy_learning="none", initial_size=64 << 20,
                                   temp_file_path=sys.argv[1])
try:
    ws = nd.Workspace("limited", config)
except OSError as error:
    sys.exit(f"when made: {error.strerror}")
with ws:
    small = nd.full(1000, 5.0)
    before = ws.host_offset, ws.cycle_allocations
    try:
        nd.empty(7 << 20)
    except OSError as error:
        assert (ws.host_offset, ws.cycle_allocations) == before
        assert set(small.tolist()) == {5.0}
        sys.exit(f"when used: {error.strerror}")
"""


def ending(*command):
    """The last words of a program that ends with an error, and not by a signal."""
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert result.returncode == 1, (result.returncode, result.stderr)
    return result.stderr.strip()


def test_file_that_may_not_grow(tmp_path):
    assert ending(sys.executable, "-c", PROGRAM, str(tmp_path / "arena"), "1000000") == "when made: File too large"


def test_full_disk_is_an_error_and_not_a_signal(tmp_path):
    """On a file system of its own, where we may mount one."""
    mount = f'mount -t tmpfs -o size=32m none {tmp_path} && exec "$@"'
    namespace = ["unshare", "--mount", "sh", "-c", mount, "sh"]
    if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    assert ending(*namespace, sys.executable, "-c", PROGRAM, str(tmp_path / "arena")).startswith("when used: No space")


def test_full_disk_leaves_the_scope_as_it_was(monkeypatch):
    def refuse(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    ws = nd.Workspace("full", mapped(initial_size=64 << 20))
    with ws:
        x = nd.full(1000, 5.0)
        before = ws.host_offset, ws.cycle_allocations, ws.n_arrays
        with monkeypatch.context() as patch:
            patch.setattr(os, "posix_fallocate", refuse)
            with pytest.raises(OSError, match="No space left"):
                nd.empty(6 << 20)
        assert (ws.host_offset, ws.cycle_allocations, ws.n_arrays) == before
        y = nd.full(6 << 20, 6.0)
        assert (x[999].item(), y[-1].item(), ws.spilled_size) == (5.0, 6.0, 0)


def test_descriptors_are_closed():
    before = len(os.listdir("/proc/self/fd"))
    for number in range(10):
        nd.Workspace(f"file {number}", mapped(initial_size=4096)).destroy()
    assert len(os.listdir("/proc/self/fd")) == before
