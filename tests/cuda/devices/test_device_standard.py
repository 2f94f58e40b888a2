"""A sample of the tests of the array API standard, on arrays of a simulated device.

The tests themselves are those of tests/standard; here their functions run in a process whose subject makes arrays on
the device, in every layout they use.  What has no kernels raises UnsupportedOnDevice: `namespace_calls.UNSUPPORTED`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Files, and which of their tests.  Elementwise tests are sampled by operation: each kernel is compiled for the
# simulator once, which takes a third of a second.
SAMPLES = {
    "test_array_object.py": "conversions or rank_zero or namespace or more_than_four",
    "test_creation.py": "not (int8 or int16 or uint or complex64 or without_a_copy)",
    "test_elementwise.py": "(test_values and (add- or less- or exp-) and (float32 or int16)) or that_equal",
    "test_indexing.py": "float64 and (get or masks or integer_arrays or test_take) or wrong_indices or overlapping",
    "test_inspection_and_dtypes.py": "test_astype and (float64 or bool or refuses or copies)",
    "test_linalg.py": "(matmul or tensordot or vecdot or diagonals) and float64",
    "test_manipulation.py": "not (int8 or int16 or uint or complex64 or float16 or float32)",
    "test_operators.py": "float32 and (add or sub or lt)",
    "test_searching_sorting_sets.py": "int32 or (float64 and (extremes or nonzero or unique))",
    "test_statistics.py": "float64 and not scans and not nothing",
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name):
    environment = {**os.environ, "ND4PY_TEST_SUBJECT": "device_subject"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-qx", "-pno:cacheprovider", f"tests/standard/{name}", "-k", SAMPLES[name]],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout[-3000:]
    assert " passed" in found.stdout
