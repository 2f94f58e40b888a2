"""Settings every test runs under, made before nd4py is imported."""

import gc
import os
import signal
import sys
import zlib

# Waiting threads sleep instead of spinning: the suite runs on machines whose cores are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Shells start jobs in the background, and all that these start, without the interrupts that tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Plots are written to files; no display is needed.
os.environ.setdefault("MPLBACKEND", "Agg")

import pytest
from hypothesis import settings

import nd4py as nd
from nd4py.cpu.isa.isa import active, supported

# Times vary with the neighbours on a shared machine, so no example fails for being slow.
settings.register_profile("nd4py", deadline=None, print_blob=True)
settings.load_profile("nd4py")


# Files of few tests that take ten seconds to a minute.  They are run first: at the end one process would wait for them.
LONG_FILES = {
    *("test_wrong_arguments.py", "test_build.py", "test_documentation.py", "test_train_checkpoints.py"),
    *("test_device_standard.py", "test_typing.py", "test_nn_interrupts.py", "test_examples_lenet_digits.py"),
    *("test_inference_processes.py", "test_pyright.py", "test_combination_rows.py", "test_node_cases.py"),
    *("test_interrupts.py", "test_fuzz.py", "test_damaged_models.py", "test_serve_soak.py"),
}


def pytest_configure(config):
    """Files go to processes in the order that they are collected in, not those of most tests first."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc):
    """With `-k word`, make no items of parameters that do not have the word: 58,000 items take ten seconds.

    pytest looks at every item it is left, so the tests that run are those that it would choose itself.
    """
    word, test = metafunc.config.getoption("keyword").lower(), metafunc.definition
    names = (test.nodeid, *vars(test.obj), *(mark.name for mark in test.iter_markers()))
    if word.isidentifier() and not any(word in name.lower() for name in names):
        metafunc._calls = [call for call in metafunc._calls if word in call.id.lower()]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of the cases of a test marked `sampled(n)` about one in n runs by default; the others are slow.

    Which ones follows from their names, so that every parameter's values are among them.
    """
    has_named_cases = any("[" in argument for argument in config.args)
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and not has_named_cases and zlib.crc32(item.name.encode()) % mark.args[0]:
            item.add_marker("slow")
    items.sort(key=lambda item: item.path.name not in LONG_FILES)


@pytest.fixture(autouse=True, scope="module")
def what_pytest_keeps_is_frozen():
    """Tests look for what they leave behind with `gc.collect`, which is slow if it walks over all items and reports."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def frequent_switches():
    """Threads take turns so often that another one can interrupt a short step anywhere."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture(params=supported())
def instruction_set(request):
    """Each instruction set of this processor in turn."""
    before = active()
    nd.select_instruction_set(request.param)
    yield request.param
    nd.select_instruction_set(before)
