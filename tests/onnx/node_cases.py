"""The cases of operators that come with the onnx package, run by nd4py."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

import nd4py as nd

LIST = Path(__file__).with_name("refused_cases.txt")
N_RUNS = 4  # the third is captured as a graph where that can be, the fourth repeats it
# Two results of 16 bits that are rounded in another order differ by two units in the last place.
SHORT_TOLERANCES = {"float16": 2 * 2.0**-10, "bfloat16": 2 * 2.0**-7}
# Their zeros are what is left of rounding in float32, 1.9e-7.
NEAR_ZERO = {"test_dft_inverse": 1e-6, "test_dft_inverse_opset19": 1e-6}


@cache
def node_cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases divide by zero on purpose when they are made
        return load_model_tests(kind="node")


def refused():
    """The names of the cases that are refused, and why."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def outcome(case):
    """ "passes", "refused", or what went wrong."""
    try:
        model = nd.onnx.load(case.model)
    except NotImplementedError:
        return "refused"
    try:
        for inputs, outputs in case.data_sets:
            for _ in range(N_RUNS):
                found = model.run([as_array(x) for x in inputs])
            assert len(found) == len(outputs), f"{len(found)} outputs, not {len(outputs)}"
            for x, y in zip(found, outputs, strict=True):
                assert_same(x, as_array(y), case)
    except Exception as error:  # whatever it is, the report names the case
        return f"{type(error).__name__}: {error}"
    return "passes"


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def assert_same(found, wanted, case):
    if isinstance(wanted, (list, tuple)):
        assert isinstance(found, list)
        assert len(found) == len(wanted)
        for x, y in zip(found, wanted, strict=True):
            assert_same(x, y, case)
    elif wanted is None:
        assert found is None
    else:
        x, y = np.asarray(found), np.asarray(wanted)
        y = y.astype(x.dtype) if y.dtype.kind in "OUT" else y
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        if x.dtype.kind in "biuO":
            np.testing.assert_array_equal(x, y)
            return
        rtol = max(case.rtol, SHORT_TOLERANCES.get(str(found.dtype), 0))
        wide = np.complex128 if x.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(x.astype(wide), y.astype(wide), rtol=rtol, atol=NEAR_ZERO.get(case.name, case.atol))


def rewrite_list():
    """Write the list anew, after operators were added: PYTHONPATH=. python tests/onnx/node_cases.py"""
    lines = ["# Cases of the onnx package that are refused when they are loaded, and why.  Made by node_cases.py."]
    for case in node_cases():
        try:
            nd.onnx.load(case.model)
        except NotImplementedError as error:
            reasons = str(error).partition(": not supported: ")[2].split("; ")
            what = dict.fromkeys(reason.partition("': ")[2] or reason.partition("' of ")[2] for reason in reasons)
            lines.append(f"{case.name}\t{'; '.join(what)}")
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    rewrite_list()
