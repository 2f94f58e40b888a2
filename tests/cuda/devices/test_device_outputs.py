"""Arrays that results are written to: those that the host takes are taken on devices and in batches, and no others."""

import numpy as np
import pytest

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")

DTYPES = ["bool", "uint8", "int32", "float32", "float64", "complex64"]


def written(where, x, dtype, shape):
    """What stands in an array of a dtype after a sum was written to it, or the error."""
    ours = nd.asarray(x, device=where)
    return outcome(lambda out: nd.add(ours, ours, out=out), nd.zeros(shape, dtype=dtype, device=where))


def written_in_batches(x, dtype, shape):
    batches = nd.zeros((2, *shape), dtype=dtype)
    found = outcome(lambda out: nd.vmap(lambda a, b: nd.add(a, a, out=b))(nd.asarray(np.stack([x, x])), out), batches)
    return found[0] if isinstance(found, list) else found


def outcome(write, out):
    try:
        write(out)
    except (TypeError, ValueError) as error:
        return type(error), str(error).partition(": ")[2]  # sums of bools are another row
    return out.to_device("cpu").tolist()


@pytest.mark.parametrize("shape", [(4,), (2,)], ids=str)
@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", DTYPES)
def test_out_is_taken_or_refused_as_on_the_host(source, target, shape):
    x = np.array([1, 0, 2, 5]).astype(source)
    expected = written("cpu", x, target, shape)
    assert written("cuda:0", x, target, shape) == expected
    assert written_in_batches(x, target, shape) == expected
