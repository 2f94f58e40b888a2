"""What a graph cannot repeat is refused with the line it stands in, and leaves nothing behind."""

import contextlib
import inspect

import numpy as np
import pytest

import nd4py as nd

OUTSIDE = nd.ones(4)
GENERATOR = nd.random.Generator(1)


def caught(x):
    with contextlib.suppress(RuntimeError):
        float(x[0])
    return x + 1


REFUSED = {
    "float": lambda x: x * float(x[0]),
    "int": lambda x: x * int(x[0]),
    "bool": lambda x: x if x[0] > 0 else -x,
    "item": lambda x: x * x[0].item(),
    "tolist": lambda x: x * x.tolist()[0],
    "numpy": lambda x: x + np.asarray(x * 2),
    "buffer": lambda x: x * memoryview(x * 2)[0],
    "dlpack": lambda x: x + nd.from_dlpack(np.from_dlpack(x)),
    "address": lambda x: x + (x * 2).address,
    "text": lambda x: x + len(str(x)),
    "in": lambda x: x + (1.0 in x),
    "decomposition": lambda x: nd.linalg.qr(nd.eye(4) * x)[0] + 1,
    "nonzero": lambda x: nd.nonzero(x)[0],
    "unique": lambda x: nd.unique_values(x),
    "mask": lambda x: x[x > 0],
    "empty mask": lambda x: x[x < 0].sum(),
    "index list": lambda x: x[nd.asarray([0, 1])],
    "scatter outside": lambda x: nd.put_along_axis(OUTSIDE, nd.argsort(x), x, axis=0),
    "scatter to input": lambda x: nd.put_along_axis(x, nd.argsort(x), x, axis=0),
    "random": lambda x: x + GENERATOR.normal(size=4),
    "numbers": lambda x: x + nd.asarray([1.0, 2.0, 3.0, 4.0]),
    "constant": lambda x: x + nd.constant(2.0),
    "write outside": lambda x: OUTSIDE.__iadd__(1),
    "fill outside": lambda x: OUTSIDE.__setitem__(slice(None), x),
    "out outside": lambda x: nd.add(x, 1, out=OUTSIDE),
    "write to input": lambda x: x.__iadd__(1),
    "view of input": lambda x: x[1:].__imul__(2),
    "masked write of several": lambda x: (lambda y: (y.__setitem__(y > 0, x[:4]), y)[1])(x * 2),
    "partly written": lambda x: (lambda y: (y.__setitem__(slice(1, None), x[1:]), y)[1])(nd.empty(4)),
    "caught": caught,
    "linalg": lambda x: nd.linalg.inv(nd.eye(4) * x),
    "fft": lambda x: nd.abs(nd.fft.fft(x)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    x = nd.ones(4)
    with pytest.raises(nd.CaptureError, match=r"nd4py\.capture: ") as refused:
        nd.capture(REFUSED[name], x)
    assert "test_graph_refusals.py, line " in str(refused.value) or "array.address" in str(refused.value)
    assert OUTSIDE.tolist() == [1.0] * 4
    assert x.tolist() == [1.0] * 4
    with nd.workspace("after"):  # new arrays are where they belong again
        assert (x + 1).workspace.id == "after"
    assert float((x * 2).sum()) == 8.0


def test_the_line_is_that_of_the_program():
    def function(x):
        y = nd.unique_values(x)
        return y + 1

    line = inspect.getsourcelines(function)[1] + 1
    with pytest.raises(nd.CaptureError, match=rf"nd4py\.unique_values in .*, line {line} "):
        nd.capture(function, nd.ones(4))


def test_what_the_function_raises_is_raised():
    def function(x):
        raise KeyError("mine")

    graph = nd.capture(function)
    with pytest.raises(KeyError, match="mine"):
        graph(nd.ones(3))
    assert float(nd.ones(3).sum()) == 3.0


def test_arrays_that_leave_a_capture_are_released():
    kept = []
    nd.capture(lambda x: kept.append(x + 1) or x * 2, nd.ones(3))
    with pytest.raises(nd.WorkspaceError, match="capture"):
        kept[0] + 1


def test_a_capture_inside_a_capture_is_refused():
    with pytest.raises(RuntimeError, match="captures a graph already"):
        nd.capture(lambda x: nd.capture(lambda x: x + 1, x)(x), nd.ones(3))
    assert nd.capture(lambda x: x + 1, nd.ones(3))(nd.ones(3)).tolist() == [2.0] * 3


def test_tracked_inputs_and_results_are_refused():
    graph = nd.capture(lambda x: (x * x).sum())
    with pytest.raises(TypeError, match="being differentiated"):
        nd.grad(graph)(nd.ones(3))


@pytest.mark.parametrize("item", [[1.0], object(), {}])
def test_other_inputs_are_refused(item):
    with pytest.raises(TypeError, match="takes arrays, numbers and text"):
        nd.capture(lambda x: x)(item)


def test_no_function():
    with pytest.raises(TypeError, match="a function is needed"):
        nd.capture(3)
