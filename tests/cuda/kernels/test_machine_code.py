"""Where machine code comes from, with a compiler and without one."""

import pytest

from nd4py.cuda.compile import disk_cache, packed_kernels
from nd4py.cuda.compile.kernel_catalogue import row_kernels
from nd4py.cuda.compile.machine_code import machine_code
from nd4py.cuda.driver.driver import DeviceError

HOPPER = (9, 0)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of which nothing is kept."""
    monkeypatch.setenv("ND4PY_CUDA_CACHE", str(tmp_path))
    monkeypatch.setattr(packed_kernels, "pack_path", lambda: tmp_path / "none.zip")
    return row_kernels("add", "float32", "dense").module


def compiler(version):
    """A compiler whose code says what it is of."""
    return lambda module, architecture: f"{module.name} {architecture} {version}".encode()


def refuse(module, architecture):
    raise AssertionError("nothing is compiled")


def test_code_is_compiled_once_for_each_compiler_and_architecture(module):
    for version in ("13.0", "13.5"):
        for capability, architecture in (HOPPER, "sm_90"), ((10, 0), "sm_100"):
            want = f"{module.name} {architecture} {version}".encode()
            assert machine_code(module, capability, version, compiler(version)) == want
            assert machine_code(module, capability, version, refuse) == want


def test_without_a_compiler_the_latest_code_on_disk_runs(module):
    for version in ("13.9", "13.10", "12.9"):
        machine_code(module, HOPPER, version, compiler(version))
    assert machine_code(module, HOPPER, None, refuse).endswith(b" 13.10")
    path = next(disk_cache.folder().glob("*/*-13.10.cubin"))
    path.write_bytes(path.read_bytes()[:-1])
    assert machine_code(module, HOPPER, None, refuse).endswith(b" 13.9")


def test_without_a_compiler_and_without_code_the_wheel_is_named(module):
    machine_code(module, HOPPER, "13.5", compiler("13.5"))
    with pytest.raises(DeviceError, match=rf"{module.name}.*NVRTC is not installed: pip install nvidia-cuda-nvrtc"):
        machine_code(module, (8, 0), None, refuse)


def test_what_does_not_compile_is_not_kept(module):
    def fail(module, architecture):
        raise DeviceError("no C++")

    with pytest.raises(DeviceError, match=r"no C\+\+"):
        machine_code(module, HOPPER, "13.5", fail)
    assert machine_code(module, HOPPER, "13.5", compiler("13.5"))
