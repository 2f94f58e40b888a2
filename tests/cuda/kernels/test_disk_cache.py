"""Compiled kernels on disk: whole files or none, and a limit."""

import os

import pytest

from nd4py.cuda.compile import disk_cache


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ND4PY_CUDA_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def test_what_was_stored_is_loaded(folder):
    key = disk_cache.key_of("source", "sm_90")
    assert disk_cache.load(key, "13.0") is None
    disk_cache.store(key, "13.0", b"machine code")
    assert disk_cache.load(key, "13.0") == b"machine code"
    assert [path.suffix for path in folder.glob("*/*")] == [".cubin"]


def test_versions_of_the_compiler(folder):
    key, other = disk_cache.key_of("source"), disk_cache.key_of("other source")
    assert disk_cache.versions_of(key) == []
    for version in ("13.0", "9.2", "13.10"):
        disk_cache.store(key, version, version.encode())
    disk_cache.store(other, "14.0", b"of another")
    assert disk_cache.versions_of(key) == ["13.10", "13.0", "9.2"]
    assert disk_cache.load(key, "9.2") == b"9.2"
    assert disk_cache.load(key, "14.0") is None


def test_keys_differ_where_a_part_does():
    keys = {disk_cache.key_of(*parts) for parts in (("a", "b"), ("ab", ""), ("a", "c"), ("a",))}
    assert len(keys) == 4


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: b"", lambda c: c[:40] + b"x" + c[41:]])
def test_damaged_files_are_removed(folder, damage):
    key = disk_cache.key_of("source")
    disk_cache.store(key, "13.0", b"machine code of some length")
    path = disk_cache.path_of(key, "13.0")
    path.write_bytes(damage(path.read_bytes()))
    assert disk_cache.load(key, "13.0") is None
    assert not path.exists()


def test_the_limit_removes_what_was_read_longest_ago(folder, monkeypatch):
    keys = [disk_cache.key_of(str(i)) for i in range(4)]
    for i, key in enumerate(keys):
        disk_cache.store(key, "13.0", bytes(1000))
        os.utime(disk_cache.path_of(key, "13.0"), (i, i))
    assert disk_cache.load(keys[0], "13.0") is not None  # read now
    monkeypatch.setenv("ND4PY_CUDA_CACHE_BYTES", "2500")
    disk_cache.store(keys[1], "13.0", bytes(1000))
    assert [disk_cache.path_of(key, "13.0").exists() for key in keys] == [True, True, False, False]


def test_a_wrong_limit_names_the_variable(folder, monkeypatch):
    monkeypatch.setenv("ND4PY_CUDA_CACHE_BYTES", "many")
    with pytest.raises(ValueError, match="ND4PY_CUDA_CACHE_BYTES"):
        disk_cache.limit_bytes()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ND4PY_CUDA_CACHE", str(tmp_path / "file"))
    disk_cache.store(disk_cache.key_of("a"), "13.0", b"code")
    assert disk_cache.load(disk_cache.key_of("a"), "13.0") is None


def test_folders(monkeypatch, tmp_path):
    monkeypatch.delenv("ND4PY_CUDA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk_cache.folder() == tmp_path / "nd4py" / "cuda"
    assert disk_cache.limit_bytes() == 256 * 2**20
