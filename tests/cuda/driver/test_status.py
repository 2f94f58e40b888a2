"""What nd4py.cuda says where there is no CUDA, and which device the environment chooses."""

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
import simulated_devices
from stub_driver import StubDriver

import nd4py as nd
from nd4py._exec.device import placement
from nd4py.cuda.driver.driver import RoutineMissing
from nd4py.cuda.driver.driver_choice import driver_of_this_machine, use_driver
from nd4py.cuda.driver.status import CudaUnavailable, status

status_module = sys.modules[status.__module__]  # the function has taken its name in nd4py.cuda


@pytest.fixture
def fresh_status():
    """`status()` asked anew, and once more for others afterwards."""
    status_module.found_here.cache_clear()
    yield
    status_module.found_here.cache_clear()


def pretend(monkeypatch, **runtime):
    """A CuPy whose runtime has these functions."""
    cupy = types.ModuleType("cupy")
    cupy.__version__ = "0"
    cupy.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(**runtime), nvrtc=types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(status_module.importlib.util, "find_spec", lambda name: name)
    return cupy


def refuse(*_):
    raise RuntimeError("cudaErrorInsufficientDriver: too old")


def test_without_cupy(monkeypatch, fresh_status):
    monkeypatch.setattr(status_module.importlib.util, "find_spec", lambda name: None)
    found = status()
    assert not found.available
    assert "pip install 'nd4py[cuda13]'" in found.reason
    with pytest.raises(CudaUnavailable, match="CuPy is not installed"):
        driver_of_this_machine()


def test_a_broken_cupy(monkeypatch, fresh_status):
    monkeypatch.setattr(status_module.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(status_module.importlib, "import_module", refuse)
    assert status().reason == "CuPy cannot be imported: RuntimeError: cudaErrorInsufficientDriver: too old"


def test_no_driver(monkeypatch, fresh_status):
    pretend(monkeypatch, getDeviceCount=refuse)
    assert status() == (False, 0, "cudaErrorInsufficientDriver: too old", "0", False)


def test_no_device(monkeypatch, fresh_status):
    pretend(monkeypatch, getDeviceCount=lambda: 0).cuda.nvrtc.getVersion = lambda: (13, 0)
    assert status() == (False, 0, "the driver works but finds no CUDA device", "0", True)


def test_devices_without_a_compiler(monkeypatch, fresh_status):
    pretend(monkeypatch, getDeviceCount=lambda: 4)
    assert status() == (True, 4, "", "0", False)


def test_arrays_on_a_device_that_is_not_there(monkeypatch, fresh_status):
    monkeypatch.setattr(status_module.importlib.util, "find_spec", lambda name: None)
    before = use_driver(None)
    assert before is None
    assert not nd.cuda.is_available()
    assert nd.__array_namespace_info__().devices() == ("cpu",)
    for ask in (
        lambda: nd.zeros(3, device="cuda:0"),
        lambda: nd.asarray([1.0]).to_device("cuda"),
        nd.cuda.attach,
        nd.cuda.use_for_cupy,
    ):
        with pytest.raises(CudaUnavailable, match="no CUDA device: CuPy is not installed"):
            ask()


@pytest.mark.parametrize(
    "environment, expected",
    [({}, (0, -1)), ({"BACKEND_PRIORITY_GPU": "100"}, (0, 100)), ({"BACKEND_PRIORITY_CPU": " 7 "}, (7, -1))],
)
def test_priorities(environment, expected):
    assert placement.priorities(environment) == expected


@pytest.mark.parametrize("name", ["BACKEND_PRIORITY_CPU", "BACKEND_PRIORITY_GPU"])
def test_a_priority_that_is_no_number_is_an_error(name):
    with pytest.raises(ValueError, match=rf"{name}: a whole number, given 'high'"):
        placement.priorities({name: "high"})


def run(program, **environment):
    """What a program prints in a process of its own."""
    found = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    return found.stdout + found.stderr


SHOW = "import nd4py as nd; print(nd.zeros(2).device); nd.show_config()"


def test_the_cpu_wins_ties():
    said = run(SHOW, BACKEND_PRIORITY_CPU="5", BACKEND_PRIORITY_GPU="5")
    assert said.startswith("cpu\n")
    assert "cpu (BACKEND_PRIORITY_CPU is 5, BACKEND_PRIORITY_GPU 5)" in said
    assert "Warning" not in said


def test_a_gpu_that_is_wanted_but_missing_is_told_once(monkeypatch):
    if status().available:
        pytest.skip("there is a CUDA device")
    said = run(SHOW, BACKEND_PRIORITY_GPU="100")
    assert "cpu\n" in said
    assert said.count("RuntimeWarning: arrays are made on the CPU: BACKEND_PRIORITY_CPU is 0") == 1
    assert "no CUDA device" in said


def test_importing_looks_for_no_device():
    program = "import sys, nd4py.cuda; nd4py.cuda.config; print('cupy' in sys.modules)"
    assert run(program).strip() == "False"


def test_on_a_gpu_routines_can_be_said_to_be_missing(monkeypatch):
    """What tests say of the simulator's library holds for a GPU's too."""
    monkeypatch.setattr(simulated_devices, "driver_of_this_machine", StubDriver)
    driver = simulated_devices.RealDriver()
    assert driver.run_routine("sort", [], [], {}, 0) == (-1, True)
    driver.gemm(None, 0)
    assert driver.driver.counts == {"run_routine": 1, "gemm": 1}
    driver.missing_routines = {"sort", "gemm", "all_reduce"}
    for ask in (
        lambda: driver.run_routine("sort", [], [], {}, 0),
        lambda: driver.gemm(None, 0),
        lambda: driver.communicator_create([0]),
    ):
        with pytest.raises(RoutineMissing):
            ask()
    assert driver.driver.counts == {"run_routine": 1, "gemm": 1}


def test_the_tests_of_this_folder_can_run_on_a_gpu():
    """Devices come from `default_driver`, but for what is about the simulator itself."""
    own = {"test_kernel_simulator.py", "test_several_devices.py", "test_status.py", "simulated_devices.py", "driver.py"}
    files = [path for path in Path(__file__).parents[1].rglob("*.py") if path.name not in own]
    assert [path.name for path in files if "SimulatorDriver(" in path.read_text()] == []
