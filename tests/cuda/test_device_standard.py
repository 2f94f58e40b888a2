"""A sample of the tests of the array API standard, on arrays of a simulated device.

The tests themselves are those of tests/standard; here their functions run in a process whose subject makes arrays on
the device, in every layout they use.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Files, and which of their tests.  Elementwise tests are sampled by operation: each kernel is compiled for the
# simulator once, which takes seconds.
SAMPLES = {
    "test_elementwise.py": "(test_values and (add- or less- or exp-) and (float32 or int16)) or that_equal",
    "test_operators.py": "float32 and (add or sub or lt)",
    "test_manipulation.py": "permute_dims or expand_dims or squeeze or moveaxis or matrix_transpose or flip",
    "test_statistics.py": "(sum or max) and float32 and not cumulative",
    "test_creation.py": "zeros or ones or full or arange or linspace or eye or empty",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name):
    environment = {**os.environ, "ND4PY_TEST_SUBJECT": "device_subject"}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), str(ROOT / "tests" / "cuda"), environment.get("PYTHONPATH", "")]
    )
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-qx", "-pno:cacheprovider", f"tests/standard/{name}", "-k", SAMPLES[name]],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout[-3000:]
    assert " passed" in found.stdout
