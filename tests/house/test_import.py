"""`import nd4py` loads what a first call needs; the rest is imported at its first use, in whatever order."""

import os
import subprocess
import sys

import pytest

MOST_MODULES = 209  # beyond those of `import numpy`, packages among them; Python 3.11 has 209
# Of these that are shared objects, each of which takes a fifth of a millisecond; Python 3.11 has 108.
MOST_LIBRARIES = 108
NAMESPACES = ("fft", "linalg", "memory", "random", "testing")
# What a program that saves nothing, draws no random numbers and has no device never needs.
NEVER = {
    "array", "fractions", "hashlib", "heapq", "json", "lzma", "multiprocessing", "random", "secrets", "statistics",
    "sysconfig", "tempfile", "tracemalloc", "zipfile", "nd4py.cuda", "nd4py.data", "nd4py.nn", "nd4py.parallel",
    "nd4py.keras", "nd4py.onnx", "nd4py.serve", "nd4py.sklearn", "nd4py.torch", "nd4py.train", "nd4py.zoo",
    "nd4py.api.environment", "nd4py.api.fft", "nd4py.api.images", "nd4py.api.sorting", "nd4py.api.statistics",
    "nd4py.api.files.npy", "nd4py.api.linalg", "nd4py.api.memory", "nd4py.api.random",
    "nd4py.cpu.conv", "nd4py.cpu.index", "nd4py.cpu.linalg", "nd4py.cpu.matmul", "nd4py.cpu.onednn",
    "nd4py.cpu.random", "nd4py.cpu.scan", "nd4py.cpu.sort", "nd4py._spec.render",
}  # fmt: skip


def run(program, **variables):
    """What a program prints in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | variables, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_import_loads_few_modules():
    program = """
import sys, numpy
before = set(sys.modules)
import nd4py
for name in set(sys.modules) - before:
    print(f"{name}={getattr(sys.modules[name], '__file__', None)}")
"""
    loaded = dict(line.split("=") for line in run(program))
    assert not NEVER & loaded.keys()
    assert len(loaded) <= MOST_MODULES
    assert sum(path.endswith(".so") for path in loaded.values()) <= MOST_LIBRARIES


def test_import_does_without_slow_modules():
    """Hidden from it, since an interpreter with packages that are edited in place has imported them before."""
    hidden = ("ipaddress", "pathlib", "tempfile", "urllib.parse")
    run(f"import sys, numpy; sys.modules.update(dict.fromkeys({hidden})); import nd4py; nd4py.ones(3) + 1")


@pytest.mark.parametrize("name", ["cuda", "data", "nn", "parallel", "sklearn", "train"])
def test_a_package_is_imported_at_its_first_use(name):
    """`nd.nn.DenseLayer` works after `import nd4py as nd` alone, as in PyTorch."""
    program = f"""
import nd4py as nd, sys
assert "nd4py.{name}" not in sys.modules
assert nd.{name}.__all__ and "{name}" in dir(nd)
assert nd.{name} is sys.modules["nd4py.{name}"]
import nd4py.{name} as again
assert nd.{name} is again
"""
    run(program)


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_is_one_module_before_and_after_its_first_use(name):
    program = f"""
import nd4py as nd, sys, types
from nd4py import {name} as early
import nd4py.{name}
assert nd.{name} is early is nd4py.{name} is sys.modules["nd4py.{name}"]
assert type(early) is types.ModuleType and repr(early) and "nd4py.api.{name}" not in sys.modules
public = early.__all__
assert set(public) <= set(dir(early)) and early.__doc__
assert nd.{name} is early and not {{"__getattr__", "__dir__"}} & set(vars(early))
inner = sys.modules["nd4py.api.{name}"]
assert all(vars(early)[each] is getattr(inner, each) for each in public)
from nd4py.{name} import *
print(len(public))
"""
    assert int(run(program)[0]) > 5


def test_a_network_is_the_first_to_draw():
    program = """
import nd4py.nn, sys
assert "nd4py.api.random" not in sys.modules
from nd4py import api
assert api.random.Generator(3) and api.random is sys.modules["nd4py.api.random"]
"""
    run(program)


@pytest.mark.parametrize("name", NAMESPACES)
def test_names_that_are_not_there_are_refused(name):
    program = f"""
import nd4py as nd
assert not hasattr(nd.{name}, "__path__") and not hasattr(nd.{name}, "no_such") and not hasattr(nd.{name}, "no_such")
try:
    nd.{name}.no_such
except AttributeError as error:
    print(error)
"""
    assert " ".join(run(program)) == f"module 'nd4py.{name}' has no attribute 'no_such'"


def test_a_function_is_one_object_however_it_is_found():
    """The package, `api` and the methods of arrays import its file at whichever first use comes first."""
    for first in ("nd.std", "api.std", "(nd.ones(3).std(), nd.std)[1]"):
        program = f"""
import sys, nd4py as nd
from nd4py import api
assert "nd4py.api.statistics" not in sys.modules and not hasattr(nd, "no_such") and not hasattr(api, "no_such")
found = {first}
from nd4py import std
assert found is nd.std is api.std is std is vars(nd)["std"] and api.var is nd.var
"""
        run(program)


def test_tools_see_all_names_at_once():
    program = """
import inspect, nd4py as nd
members = dict(inspect.getmembers(nd))
assert set(nd.__all__) <= set(dir(nd)) and set(nd.__all__) <= members.keys()
assert all(members[name] is getattr(nd, name) for name in nd.__all__)
for module in (nd.fft, nd.linalg, nd.memory, nd.random):
    assert set(module.__all__) <= dict(inspect.getmembers(module)).keys()
"""
    run(program)


def test_an_upcall_that_is_misspelt_or_missing_fails_at_import():
    program = """
import nd4py
from nd4py._core.upcalls import check_filled, fill
for wrong in ({"asarry": nd4py.asarray}, {"asarray": None}):
    try:
        fill(**wrong)
        check_filled()
    except (AttributeError, NotImplementedError) as error:
        print(type(error).__name__)
"""
    assert run(program) == ["AttributeError", "NotImplementedError"]


FIRST_USES = (
    "nd.linalg.inv(nd.eye(2))", "nd.fft.fft(nd.ones(4))", "nd.random.normal(shape=3)", "nd.memory.stats()",
    "nd.sort(nd.ones(4))", "nd.searchsorted(nd.arange(4), nd.arange(3))", "nd.unique_values(nd.ones(4))",
    "nd.repeat(nd.ones(4), nd.arange(4))", "nd.correlate(nd.ones(4), nd.ones(2))",
    "nd.conv2d(nd.ones((1, 1, 4, 4), dtype='float32'), nd.ones((1, 1, 2, 2), dtype='float32'))",
    "nd.max_pool2d(nd.ones((1, 1, 4, 4), dtype='float32'), 2)", "nd.take_along_axis(nd.ones(4), nd.arange(2))",
    "nd.histogram(nd.ones(4))", "nd.quantile(nd.ones(4), 0.5)", "nd.show_config()", "nd.isin(nd.ones(2), nd.ones(2))",
    "nd.save(io.BytesIO(), nd.ones(3))", "nd.einsum('ij->ji', nd.ones((2, 2)))", "nd.explain(nd.ones(30000) + 1)",
)  # fmt: skip
FIRST_USE = f"""
import contextlib, io, os, pickle, sys, threading, warnings
import nd4py as nd
def work():
    with contextlib.redirect_stdout(io.StringIO()):
        for use in USES:
            eval(use, {{"nd": nd, "io": io}})
USES = {FIRST_USES!r}
"""


def test_many_threads_use_everything_first():
    """Each begins elsewhere, and they take turns as often as the interpreter lets them."""
    run(
        FIRST_USE
        + """
sys.setswitchinterval(1e-5)
n, failures = 8, []
start = threading.Barrier(n)
def one(number):
    try:
        start.wait()
        for use in USES[number * 2:] + USES[:number * 2]:
            eval(use, {"nd": nd, "io": io}) if "show" not in use else None
    except BaseException as error:
        failures.append((number, repr(error)))
threads = [threading.Thread(target=one, args=(number,)) for number in range(n)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not failures, failures
"""
    )


@pytest.mark.parametrize(
    "around",
    [
        "with nd.workspace('first'):\n    work()",
        "nd.value_and_grad(lambda x: (work(), x.sum())[1])(nd.ones(3))",
        "child = os.fork()\nif not child:\n    work()\n    os._exit(0)\nassert os.waitpid(child, 0)[1] == 0\nwork()",
        "with nd.combine(False), nd.threads(1):\n    work()",
    ],
    ids=["workspace", "gradient", "fork", "one thread"],
)
def test_first_use_within(around):
    run(f"{FIRST_USE}\n{around}")


def test_a_child_of_fork_that_draws_first_has_a_seed_of_its_own():
    program = """
import os, nd4py as nd
parent, child = os.pipe()
if not os.fork():
    os.write(child, str(nd.random.get_state()["seed"]).encode())
    os._exit(0)
os.wait()
assert int(os.read(parent, 100)) != nd.random.get_state()["seed"]
"""
    run(program)


def test_functions_that_come_later_are_pickled_by_name():
    program = """
import pickle, nd4py as nd
for function in (nd.sort, nd.conv2d, nd.linalg.svd, nd.fft.fft, nd.random.Generator, nd.memory.stats, nd.save):
    assert pickle.loads(pickle.dumps(function)) is function
print(*(pickle.loads(pickle.dumps(nd.random.Generator(3))).state.values()))
"""
    assert run(program) == ["3", "0"]


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_number_of_elements_to_combine_from_is_none(text):
    assert run("import nd4py as nd; print(float(nd.ones(3).sum()))", ND4PY_COMBINE_FROM=text) == ["3.0"]


def test_text_in_place_of_a_number_of_elements_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", "import nd4py"],
        env=os.environ | {"ND4PY_COMBINE_FROM": "many"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode
    assert "ND4PY_COMBINE_FROM: a whole number of elements, given 'many'" in done.stderr
