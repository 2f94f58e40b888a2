"""`nd.info` prints what is known of functions, classes, arrays and names."""

import io

import pytest

import nd4py as nd


def printed(*args):
    """What it writes to a file."""
    stream = io.StringIO()
    nd.info(*args, output=stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    "item", [nd.add, nd.linalg.svd, nd.vectorize, nd.grad, nd.NDArray, nd.linalg, "linalg.svd", "add"]
)
def test_descriptions_are_printed(item):
    found = item
    if isinstance(item, str):
        found = nd
        for part in item.split("."):
            found = getattr(found, part)
    assert found.__doc__.splitlines()[0].strip() in printed(item)


def test_functions_have_their_arguments():
    assert printed(nd.linalg.svd).startswith("svd(x")


@pytest.mark.parametrize("x", [nd.zeros((2, 3)), nd.ones(4, dtype="int8")[::2], nd.asarray(1j)])
def test_arrays_are_described(x):
    text = printed(x)
    for known in (x.dtype.name, str(x.shape), str(x.strides), x.device):
        assert known in text


def test_an_array_that_was_released_is_told():
    with nd.workspace("info"):
        x = nd.ones(3)
    with pytest.raises(nd.WorkspaceError, match="closed"):
        printed(x)


def test_without_an_object_it_describes_itself(capsys):
    nd.info()
    assert capsys.readouterr().out.startswith("info(")


def test_what_is_unknown_is_said():
    assert printed("no_such.name") == "nd4py has nothing named 'no_such.name'\n"
    with pytest.raises(TypeError, match="info: output must be an open file, given int"):
        nd.info(nd.add, output=5)
