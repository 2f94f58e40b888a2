"""Kernels compiled ahead: found by digest, never those of other sources, and asked for as launches do."""

import importlib.util
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from nd4py.cuda.compile import packed_kernels
from nd4py.cuda.compile.kernel_catalogue import row_kernels

specification = importlib.util.spec_from_file_location("pack", Path(__file__).parents[3] / "kernels/pack.py")
packing = importlib.util.module_from_spec(specification)
specification.loader.exec_module(packing)

FAT_BINARY = (0xBA55ED50).to_bytes(4, "little")  # how the files of nvcc begin


@pytest.fixture
def pack(tmp_path, monkeypatch):
    """The path at which a pack is looked for."""
    path = tmp_path / "kernels.zip"
    monkeypatch.setattr(packed_kernels, "pack_path", lambda: path)
    return path


def write(path, members):
    with zipfile.ZipFile(path, "w") as file:
        for name, code in members.items():
            file.writestr(name, code)


def test_modules_are_found_by_digest(pack):
    digest = row_kernels("add", "float32", "packets").module.digest
    write(pack, {digest: b"code of add"})
    before = packed_kernels.used
    assert packed_kernels.load(digest, (9, 0)) == b"code of add"
    assert packed_kernels.used == before + 1
    other = row_kernels("subtract", "float32", "packets").module.digest
    assert packed_kernels.load(other, (9, 0)) is None
    assert packed_kernels.used == before + 1


def test_devices_older_than_the_pack_get_nothing_from_it(pack):
    write(pack, {"digest": b"code"})
    assert packed_kernels.load("digest", (7, 5)) is None
    assert packed_kernels.load("digest", (8, 0)) == b"code"


def test_no_pack_is_no_error(pack):
    assert packed_kernels.load("digest", (9, 0)) is None


@pytest.mark.parametrize("content", [b"", b"no zip file at all", b"PK\x03\x04 begins like one"])
def test_what_is_no_pack_is_left_alone(pack, content):
    pack.write_bytes(content)
    assert packed_kernels.load("digest", (9, 0)) is None


def test_damaged_members_are_left_alone(pack):
    write(pack, {"digest": b"code " * 100})
    content = bytearray(pack.read_bytes())
    content[60] ^= 0xFF  # in the member's data: its checksum is wrong now
    pack.write_bytes(content)
    assert packed_kernels.load("digest", (9, 0)) is None


def test_the_common_modules_are_those_that_launches_ask_for():
    digests = [module.digest for module in packing.common_modules()]
    assert len(digests) == len(set(digests)) > 200
    for name, variant in (("add", "dense"), ("exp", "packets"), ("sum", "blocks")):
        assert row_kernels(name, "float32", variant).module.digest in digests


def test_without_nvcc_there_is_no_pack_and_a_word(pack, monkeypatch):
    monkeypatch.setattr(packing.shutil, "which", lambda *_, **__: None)
    with pytest.raises(RuntimeError, match="nvcc, which was not found"):
        packing.write_pack(pack, [], 1)
    assert not pack.exists()


def has_nvcc():
    try:
        return bool(packing.nvcc())
    except RuntimeError:
        return False


@pytest.mark.skipif(not has_nvcc(), reason="no nvcc: install the CUDA toolkit")
def test_nvcc_makes_a_pack(pack):
    module = row_kernels("add", "float32", "packets").module
    size = packing.write_pack(pack, [module, module], 2)
    assert size == pack.stat().st_size
    code = packed_kernels.load(module.digest, (9, 0))
    assert code.startswith(FAT_BINARY)
    assert zipfile.ZipFile(pack).namelist() == [module.digest]
    assert not list(pack.parent.glob("*.part"))


@pytest.mark.skipif(not has_nvcc(), reason="no nvcc: install the CUDA toolkit")
def test_a_module_that_does_not_compile_leaves_no_pack(pack):
    broken = replace(row_kernels("add", "float32", "packets").module, source="this is no C++")
    with pytest.raises(RuntimeError, match="add_float32.* does not compile"):
        packing.write_pack(pack, [broken], 1)
    assert not pack.exists()
