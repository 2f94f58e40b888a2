"""Where values of arrays on devices leave the tape: refused as on the host."""

import pickle

import numpy as np
import pytest

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")

EXITS = {
    "float": lambda x: float(x[0]),
    "int": lambda x: int(x[0]),
    "complex": lambda x: complex(x[0]),
    "round": lambda x: round(x[0]),
    "item": lambda x: x[0].item(),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "pickle": lambda x: pickle.dumps(x),
    "__dlpack__": lambda x: x.__dlpack__(),
    "__dlpack__ to the host": lambda x: x.__dlpack__(dl_device=(1, 0), max_version=(1, 0)),
    "nd.from_dlpack": nd.from_dlpack,
    "__cuda_array_interface__": lambda x: x.__cuda_array_interface__,
    "numpy.asarray of its copy": lambda x: np.asarray(x.to_device("cpu")),
}
QUERIES = {
    "repr": repr,
    "str": str,
    "format": lambda x: f"{x[0]:.2f}",
    "if": lambda x: bool(x[0] > 1.0),
    "bool": lambda x: bool(x[0]),
    "argmax": lambda x: nd.argmax(x).item(),
    "stop_gradient": lambda x: nd.stop_gradient(x).tolist(),
}


@pytest.mark.parametrize("make", [lambda x: x, lambda x: x * 1.0, lambda x: x[:]], ids=["leaf", "result", "view"])
@pytest.mark.parametrize("name", EXITS)
def test_an_exit_refuses_in_words(name, make):
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda x: nd.sum(x) if EXITS[name](make(x)) is None else nd.sum(x))(nd.ones(3, device="cuda:0"))


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered(name):
    values, answers = nd.asarray([1.5, -2.0, 0.5], device="cuda:0"), []
    nd.grad(lambda x: nd.sum(x) if answers.append(QUERIES[name](x * 1.0)) is None else x)(values)
    assert answers == [QUERIES[name](values * 1.0)]


def test_the_way_to_the_host_keeps_the_gradient():
    g = nd.grad(lambda x: nd.sum(nd.square(x.to_device("cpu"))))(nd.asarray([1.5, -2.0], device="cuda:0"))
    assert g.tolist() == [3.0, -4.0]


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ["max", "min", "prod", "nanmax", "nanprod", "max_of_absolutes", "std"])
def test_ties_and_zeros_as_on_the_host(name, axis):
    x = nd.asarray(np.random.default_rng(1).integers(-1, 2, (3, 4)).astype("float32"))
    g = nd.grad(lambda x: nd.sum(getattr(nd, name)(x, axis=axis)))
    got = g(nd.asarray(x, device="cuda:0"))
    np.testing.assert_allclose(np.asarray(got.to_device("cpu")), np.asarray(g(x)), rtol=1e-6)
