"""Programs that were written for NumPy give the same with `import nd4py as np`.

Many of them are from exercises and tutorials; each leaves its results in `r`.
"""

import warnings

import numpy
import pytest

import nd4py as nd

PROGRAMS = """
Z = np.zeros(10)
Z[4] = 1
r = Z

Z = np.arange(9).reshape(3, 3)
r = Z[::-1]

r = np.nonzero([1, 2, 0, 0, 4, 0])

Z = np.ones((10, 10))
Z[1:-1, 1:-1] = 0
r = Z

Z = np.diag(1 + np.arange(4), k=-1)
r = Z

Z = np.zeros((8, 8), dtype=int)
Z[1::2, ::2] = 1
Z[::2, 1::2] = 1
r = Z

r = np.unravel_index(99, (6, 7, 8))

Z = np.arange(11)
Z[(3 < Z) & (Z < 8)] *= -1
r = Z

Z = np.linspace(0, 1, 11, endpoint=False)[1:]
r = Z

X, Y = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 4))
r = np.sqrt(X ** 2 + Y ** 2)

X = np.arange(8)
Y = X + 0.5
C = 1.0 / np.subtract(X.reshape(-1, 1), Y)
r = np.linalg.det(C)

Z = np.arange(100)
v = 42.3
index = np.abs(Z - v).argmin()
r = Z[index]

Z = np.arange(20.0).reshape(10, 2)
X, Y = np.atleast_2d(Z[:, 0], Z[:, 1])
r = np.sqrt((X - X.T) ** 2 + (Y - Y.T) ** 2)

Z = np.arange(10, dtype='int32')
Y = Z.view('float32')
Y[:] = Z
r = Y

Z = np.arange(9).reshape(3, 3)
r = [(i, int(v)) for i, v in np.ndenumerate(Z)]

X, Y = np.meshgrid(np.linspace(-1, 1, 10), np.linspace(-1, 1, 10))
D = np.sqrt(X * X + Y * Y)
G = np.exp(-(D ** 2 / (2.0 * 1.0 ** 2)))
r = G

n = 10
p = 3
Z = np.zeros((n, n))
np.put(Z, np.arange(p * 3), 1)
r = Z

X = np.arange(12.0).reshape(3, 4)
r = X - X.mean(axis=1, keepdims=True)

Z = np.asarray([[3, 1], [1, 2], [2, 9]])
r = Z[Z[:, 1].argsort()]

A = np.ones(3)
B = np.ones(3) * 2
np.add(A, B, out=B)
np.divide(A, 2, out=A)
np.negative(A, out=A)
np.multiply(A, B, out=A)
r = A

X = [1, 2, 3, 4, 5, 6]
I = [1, 3, 9, 3, 4, 1]
r = np.bincount(I, X)

D = np.arange(10.0)
S = np.asarray([0, 0, 1, 1, 2, 2, 0, 1, 2, 0])
r = np.bincount(S, weights=D) / np.bincount(S)

Z = np.arange(1, 15)
r = np.lib.stride_tricks.sliding_window_view(Z, 4)

Z = np.arange(25).reshape(5, 5)
Z[[0, 1]] = Z[[1, 0]]
r = Z

Z = np.arange(10)
r = np.cumsum(Z, dtype=float)
r[3:] = r[3:] - r[:-3]
r = r[2:] / 3

def moving_average(a, n=3):
    ret = np.cumsum(a, dtype=float)
    ret[n:] = ret[n:] - ret[:-n]
    return ret[n - 1:] / n
r = moving_average(np.arange(20))

a = np.asarray([1, 2, 3])
b = np.asarray([4, 5, 6])
r = (np.concatenate((a, b)), np.vstack((a, b)), np.hstack((a, b)), np.stack((a, b), axis=1), np.r_[a, b], np.c_[a, b])

x = np.arange(6).reshape(2, 3)
r = (np.delete(x, 1, axis=1), np.insert(x, 1, 9, axis=1), np.append(x, [[7, 8, 9]], axis=0))

r = np.where(np.arange(10) > 5, np.arange(10), -1)

x = np.arange(10.0)
r = np.piecewise(x, [x < 3, x >= 3], [lambda x: -x, lambda x: x ** 2])

r = np.select([np.arange(6) < 2, np.arange(6) > 3], [np.arange(6), np.arange(6) ** 2], default=42)

y = np.vectorize(lambda a, b: a - b if a > b else a + b)
r = y([1, 2, 3, 4], 2)

x = np.array([[1, 2], [3, 4]], dtype=float)
r = (np.linalg.inv(x) @ x, x.T, x.dot(x), np.trace(x), x.flatten(), x.ravel(order='F'))

r = np.histogram([1, 2, 1, 3, 3, 3], bins=[0, 1, 2, 3])

x = np.linspace(0, 2 * np.pi, 8)
r = np.interp(np.pi / 3, x, np.sin(x))

r = np.fromfunction(lambda i, j: i == j, (3, 3), dtype=int)

x = np.arange(12).reshape(3, 4)
r = (np.split(x, 2, axis=1), np.array_split(x, 3), np.hsplit(x, 2))

x = np.asarray([3, 1, 2])
x.sort()
r = x

x = np.arange(10)
r = (x[x % 2 == 0], x[::-1], x[-3:], x[[1, 3, 5]], np.take(x, [0, 2]))

A = np.eye(3)
A[np.diag_indices(3)] = [1, 2, 3]
r = A

A = np.zeros((3, 3))
A[np.triu_indices(3)] = np.arange(6)
r = A

A = np.arange(9.0).reshape(3, 3)
np.fill_diagonal(A, 0)
r = A

r = np.apply_along_axis(np.sum, 1, np.arange(6).reshape(2, 3))

x = np.arange(16).reshape(4, 4)
r = x.reshape(2, 2, 2, 2).swapaxes(1, 2).reshape(4, 2, 2)

r = np.tile([[0, 1], [1, 0]], (2, 2))

r = np.percentile([1, 2, 3, 4], [25, 50, 75])

r = (np.outer([1, 2], [3, 4]), np.kron([1, 2], [1, 1]), np.cross([1, 0, 0], [0, 1, 0]), np.inner([1, 2], [3, 4]))

w = np.lexsort(([1, 2, 1], [3, 2, 1]))
r = w

x = np.array([1.5, np.nan, 2.0])
r = (np.nanmean(x), np.isnan(x), np.nan_to_num(x), np.nansum(x))

x = np.array([1, 2, 3])
y = np.array([1.0, 2.0, 3.0])
r = np.allclose(x, y)

r = np.array([[1, 2], [3, 4]])[np.ix_([0, 1], [1])]

r = (np.clip(np.arange(10), 2, 6), np.diff([1, 4, 9]), np.gradient(np.array([1.0, 4.0, 9.0])))

it = np.nditer(np.arange(3))
r = [int(v) for v in it]

for i in np.ndindex(2, 2):
    pass
r = i

x = np.zeros((2, 3), dtype=np.float32)
r = (x.shape, x.ndim, x.size, x.itemsize, x.nbytes, x.T.shape)

x = np.arange(5)
x[2:4] = 10
x += 1
r = (x, x.sum(), x.mean(), x.std(), x.max(), x.argmax(), x.cumsum())

r = (np.full((2, 2), 7), np.empty_like([1, 2]).shape, np.identity(2), np.logspace(0, 2, 3))

r = (np.argsort([3, 1, 2])[::-1], np.sort([[3, 1], [2, 4]], axis=0), np.searchsorted([1, 2, 3], 2.5))

rng = np.random.default_rng(0)
r = (rng.normal(size=3).shape, rng.integers(0, 5, 4).shape, rng.random((2, 2)).shape)

r = (np.einsum('ij,jk->ik', np.ones((2, 3)), np.ones((3, 2))), np.tensordot(np.ones((2, 3)), np.ones((3, 2)), axes=1))

x = np.array([1, 2, 3])
r = (x == [1, 2, 3], x > 2, (x > 1).any(), (x > 0).all(), np.logical_and(x > 1, x < 3))

r = (np.pad([1, 2], (1, 2)), np.pad([[1]], 1, mode='constant', constant_values=5),
     np.roll([1, 2, 3], 1), np.rot90([[1, 2], [3, 4]]), np.flip([1, 2]))

r = (np.copy([1, 2]), np.array([1, 2], copy=True), np.asarray([1.0]).astype(int))

r = np.loadtxt(['1,2', '3,4'], delimiter=',')

r = (str(np.array([1.0, 2.0])), np.array2string(np.array([1, 2])))

with np.errstate(divide='ignore'):
    r = np.array([1.0]) / 0

x = np.array([1, 2, 3, 4])
r = (x.reshape(-1, 2), x[:, None], x[None, :], np.expand_dims(x, 0), np.squeeze(x[None]))

r = (np.linalg.norm([3, 4]), np.linalg.solve([[2, 0], [0, 2]], [2, 4]),
     np.linalg.eigvalsh([[2, 0], [0, 3]]), np.linalg.matrix_rank(np.eye(3)))

r = (np.convolve([1, 2, 3], [0, 1, 0.5]), np.polyval([1, 0, 2], 3), np.trapezoid([1, 2, 3]))

r = (int(np.sum([1, 2, 3])), float(np.mean([1.0, 2.0])), len(np.arange(3)), list(np.arange(3)) == [0, 1, 2])

x = np.arange(6).reshape(2, 3)
r = ([row.tolist() for row in x], x.tolist(), x.min(axis=0), np.ptp(x))
"""


def result_of(program, np):
    """What a program leaves in `r`."""
    names = {"np": np}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about NaN and division by 0
        exec(program, names)
    return names["r"]


def assert_same(got, want):
    """Equal numbers and shapes; lists and tuples item by item."""
    if isinstance(want, list | tuple):
        assert len(got) == len(want)
        for one, expected in zip(got, want, strict=True):
            assert_same(one, expected)
    elif isinstance(want, str):
        assert got == want
    else:
        got = numpy.asarray(got)
        assert got.shape == numpy.shape(want)
        numpy.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS.strip().split("\n\n"))
def test_programs_give_the_same(program):
    assert_same(result_of(program, nd), result_of(program, numpy))
