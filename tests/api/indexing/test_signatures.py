"""Signatures of vectorize, as NumPy's."""

import numpy as np
import pytest

import nd4py as nd

A, B = np.arange(24.0).reshape(2, 4, 3), np.asarray([1.0, -2.0, 0.5])
CALLS = {
    "dot": ("(n),(n)->()", lambda np: lambda a, b: (a * b).sum(), (A, B)),
    "matrix": ("(m,n),(n)->(m)", lambda np: lambda a, b: a @ b, (A, B)),
    "two results": ("(n)->(),(n)", lambda np: lambda a: (a.max(), a * 2), (A,)),
    "new axis": ("(n)->(k)", lambda np: lambda a: np.convolve(a, np.ones(2)), (A,)),
    "no axes": ("(),()->()", lambda np: lambda a, b: a + b, (A[0], A[0, :, :1])),
    "broadcast": ("(n),(n)->()", lambda np: lambda a, b: a @ b, (A[:, None], A[:1])),
    "spaces": (" ( m , n ) , (n) -> (m) ", lambda np: lambda a, b: a @ b, (A, B)),
}


@pytest.mark.parametrize("name", CALLS)
def test_parts_of_arrays(name):
    signature, function, arrays = CALLS[name]
    got = nd.vectorize(function(nd), signature=signature)(*arrays)
    want = np.vectorize(function(np), signature=signature)(*arrays)
    got, want = (found if isinstance(found, tuple) else (found,) for found in (got, want))
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(one), other)


def test_excluded_arguments_and_dtypes():
    called = nd.vectorize(lambda a, k: a * k, signature="(n)->(n)", excluded=[1], otypes=["float32"])
    assert called(A, 2).dtype == "float32"
    np.testing.assert_allclose(np.asarray(called(A, 2)), A * 2)


@pytest.mark.parametrize("signature", ["n->n", "(n)", "(n)->", "(n))->()", 3, "(n)->(n)->()"])
def test_other_forms(signature):
    with pytest.raises(ValueError, match="signature must have the form"):
        nd.vectorize(nd.sum, signature=signature)


@pytest.mark.parametrize(
    "signature, function, arguments",
    [
        ("(n),(n)->()", nd.add, (A,)),
        ("(n),(n)->()", nd.vecdot, (A, B[:2])),
        ("(m,n)->()", nd.sum, (B,)),
        ("(n)->(),()", nd.sum, (A,)),
        ("(n)->(n)", nd.sum, (A,)),
        ("(n)->()", nd.sum, (A[:0],)),
    ],
)
def test_mistakes(signature, function, arguments):
    with pytest.raises(ValueError, match="vectorize"):
        nd.vectorize(function, signature=signature)(*arguments)
