"""Where the system makes no threads: everything runs on fewer, and says so once."""

import os
import subprocess
import sys

import pytest

NOBODY = 54321  # limits on processes do not bind root

LIMITS = {
    "processes": "resource.setrlimit(resource.RLIMIT_NPROC, (made, made))",
    "addresses": "resource.setrlimit(resource.RLIMIT_AS, (space + ROOM, space + ROOM))",
}

PROLOGUE = """
import ctypes, os, resource, sys, threading, warnings
warnings.simplefilter("always")
def limit():
    if os.getuid() == 0 and KIND == "processes":
        os.setresuid({user}, {user}, 0)
        ctypes.CDLL(None).setfsuid(0)  # modules that are imported later may lie where only root can read
    made = 1
    with open("/proc/self/statm") as file:
        space = int(file.read().split()[0]) * resource.getpagesize()
    {limit}
"""

NETWORK = """
layers = [nn.DenseLayer(800, activation="tanh"), nn.OutputLayer(10, activation="softmax")]
net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(800), updater=nn.Adam(0.01))
net.fit(DataSet(nd.ones((1000, 800)), nd.eye(10)[nd.arange(1000) % 10]), epochs=3)
assert bool(nd.all(nd.isfinite(net.params())))
"""

WORK = {
    "elementwise": "x = nd.linspace(0, 1, 2_000_000); assert abs(float(nd.sum(nd.sin(x) * 0 + 1)) - 2_000_000) < 1e-3",
    "product": "a = nd.ones((1200, 1200)); assert float((a @ a)[3, 4]) == 1200",
    "complex product": "a = nd.ones((400, 400), dtype='complex128'); assert complex((a @ a)[3, 4]) == 400",
    "sort": "assert float(nd.sort(-nd.linspace(0, 1, 1_000_000))[0]) == -1",
    "random": "assert abs(float(nd.mean(nd.random.Generator(1).uniform(shape=(2_000_000,)))) - 0.5) < 0.01",
    "linalg": "nd.linalg.inv(nd.eye(3)); assert abs(float(nd.linalg.inv(nd.eye(1500) * 2)[0, 0]) - 0.5) < 1e-9",
    "eigenvalues": "assert abs(float(nd.linalg.eigh(nd.ones((64, 1, 1)) * nd.eye(60) * 2)[0][0, 0]) - 2) < 1e-9",
    "convolution": "assert float(nd.conv2d(nd.ones((8, 16, 64, 64)), nd.ones((32, 16, 3, 3)))[0, 0, 5, 5]) == 144",
    "network": NETWORK,
    "threads": """
results = []
def work():
    a = nd.ones((600, 600))
    for _ in range(5): results.append(float((a @ a)[1, 1]))
others = []
for _ in range(N_OTHERS):
    try:
        other = threading.Thread(target=work); other.start(); others.append(other)
    except RuntimeError: pass
work()
for other in others: other.join()
assert set(results) == {600.0}
""",
    "growing teams": """
for n in (1, 2, 8, 3, 16, 2, 16):
    with nd.threads(n):
        a = nd.ones((600, 600)); assert float((a @ a)[1, 1]) == 600
        assert float(nd.sum(nd.exp(nd.zeros(3_000_000)))) == 3_000_000
""",
}


def run(kind, before, program, room=1 << 28, **variables):
    environment = {**os.environ, "OMP_NUM_THREADS": "8", "OPENBLAS_NUM_THREADS": "1", **variables}
    text = PROLOGUE.format(user=NOBODY, limit=LIMITS[kind].replace("ROOM", str(room)))
    return subprocess.run(
        [sys.executable, "-c", f"KIND = {kind!r}; N_OTHERS = 3{text}{before}\n{program}\nprint('whole')"],
        capture_output=True, text=True, timeout=120, check=False, env=environment,
    )  # fmt: skip


def check(done, is_short=True):
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("whole\n")
    n_warnings = done.stderr.count("RuntimeWarning: nd4py works on fewer threads")
    assert n_warnings == is_short, done.stderr


@pytest.mark.parametrize("case", WORK)
def test_work_under_a_limit_on_processes(case):
    done = run(
        "processes", "import nd4py as nd\nfrom nd4py import nn\nfrom nd4py.data import DataSet\nlimit()", WORK[case]
    )
    check(done, is_short=True)


@pytest.mark.parametrize("case", ["elementwise", "sort", "growing teams"])
def test_work_under_a_limit_on_addresses(case):
    """Room for some stacks of 64 MiB, and for the work."""
    done = run("addresses", "import nd4py as nd\nlimit()", WORK[case], room=300 << 20, OMP_STACKSIZE="64M")
    check(done)


@pytest.mark.parametrize("case", ["elementwise", "sort"])
def test_import_under_a_limit(case):
    done = run("addresses", "limit()\nimport nd4py as nd", WORK[case], room=700 << 20, OMP_STACKSIZE="128M")
    check(done)


def test_threads_come_back_when_they_can_be_made():
    program = """
import time
soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
a = nd.ones((600, 600))
a @ a
before = len(os.listdir("/proc/self/task"))
resource.setrlimit(resource.RLIMIT_NPROC, (hard, hard))
time.sleep(1.1)
a @ a
assert len(os.listdir("/proc/self/task")) > before, (before, os.listdir("/proc/self/task"))
"""
    with_room = LIMITS["processes"].replace("(made, made)", "(made, 4096)")
    text = PROLOGUE.format(user=NOBODY, limit=with_room)
    done = subprocess.run(
        [sys.executable, "-c", f"KIND = 'processes'{text}\nimport nd4py as nd\nlimit()\n{program}\nprint('whole')"],
        capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "OMP_NUM_THREADS": "4"},
    )  # fmt: skip
    check(done)


def test_no_warning_without_a_limit():
    done = run("processes", "import nd4py as nd", WORK["growing teams"])
    check(done, is_short=False)
