"""Operations that take seconds, one of every kind: what is made before, and what is to be interrupted."""

FIT = """
from nd4py import nn
from nd4py.data import DataSet
net = nn.MultiLayerNetwork([nn.DenseLayer(2000, activation="tanh"), nn.OutputLayer(10, activation="softmax")],
                           input_type=nn.InputType.feed_forward(2000), updater=nn.Adam(0.01))
data = DataSet(nd.ones((2000, 2000), dtype="float32"), nd.eye(10, dtype="float32")[nd.arange(2000) % 10])
"""
NORMAL = "a = nd.random.Generator(1).normal(shape=({},))"
# Name: (what is made before, one operation that takes more than half a second on two threads)
LONG = {
    # Products.
    "product": ("a = nd.ones((5000, 5000))", "a @ a"),
    "product of singles": ("a = nd.ones((7000, 7000), dtype='float32')", "a @ a"),
    "complex product": ("a = nd.ones((2500, 2500), dtype='complex128')", "a @ a"),
    "product of transposed": ("a = nd.ones((5000, 5000))", "nd.einsum('ki,kj->ij', a, a)"),
    "product of integers": ("a = nd.ones((2000, 2000), dtype='int64')", "a @ a"),
    "product of bytes": ("a = nd.ones((4000, 4000), dtype='int8')", "a @ a"),
    "product of bools": ("a = nd.ones((4000, 4000), dtype='bool')", "a @ a"),
    "product of halves": ("a = nd.ones((6000, 6000), dtype='float16')", "a @ a"),
    "long sums": ("a = nd.broadcast_to(nd.ones((400, 1)), (400, 300_000)).copy()", "a @ a.mT"),
    "long complex sums": ("a = nd.ones((60, 3_000_000), dtype='complex128')", "a @ a.mT"),
    "stack of products": ("a = nd.broadcast_to(nd.ones((64, 64)), (400_000, 64, 64)); b = nd.ones((64, 64))", "a @ b"),
    "einsum": ("a = nd.ones((1200, 1200, 40)); b = nd.ones((1200, 1200, 40))", "nd.einsum('ijk,jlk->ilk', a, b)"),
    "vectors": ("a = nd.ones((30_000_000,))", "nd.vecdot(nd.broadcast_to(a, (200, a.size)), a)"),
    # Elementwise.
    "elementwise": ("a = nd.linspace(0.1, 9, 60_000_000)", "nd.pow(a, 2.3).block()"),
    "elementwise with out": ("a = nd.linspace(0.1, 9, 60_000_000); b = nd.empty(a.shape)", "nd.pow(a, 1.7, out=b)"),
    "in place": ("a = nd.linspace(0.1, 9, 60_000_000)", "nd.pow(a, a, out=a).block()"),
    "broadcast": ("a = nd.linspace(0.1, 9, 20_000)", "nd.pow(a[:, None], a[None, :4000]).block()"),
    "copies across": ("a = nd.broadcast_to(nd.ones((1, 9000, 1000)), (12, 9000, 1000))",
                      "nd.permute_dims(a, (0, 2, 1)).copy()"),
    "chain": ("a = nd.linspace(0.1, 9, 60_000_000)", "(nd.sin(a) * nd.exp(a) + nd.tan(a)).block()"),
    "chain of rows": ("a = nd.ones((100_000, 1000))", "(nd.exp(a) / nd.sum(nd.exp(a), axis=1, keepdims=True)).block()"),
    "chain with a reduction": ("a = nd.linspace(0.1, 9, 100_000_000)", "float(nd.sum(nd.sin(a) * nd.pow(a, 1.3)))"),
    # Reductions and scans.
    "sum": ("a = nd.broadcast_to(nd.ones((1_000_000,)), (8000, 1_000_000))", "float(nd.sum(a))"),
    "sum of columns": ("a = nd.broadcast_to(nd.ones((1_000_000,)), (8000, 1_000_000))", "nd.sum(a, axis=0).block()"),
    "where the largest is": ("a = nd.broadcast_to(nd.ones((1_000_000,)), (8000, 1_000_000))", "nd.argmax(a, axis=1)"),
    "variance": ("a = nd.broadcast_to(nd.ones((1_000_000,)), (4000, 1_000_000))", "nd.var(a, axis=1).block()"),
    "softmax": ("a = nd.ones((120_000, 1000))", "nd.softmax(a, axis=-1).block()"),
    "scan": ("a = nd.broadcast_to(nd.ones((1,), dtype='int8'), (150_000_000,))", "nd.cumulative_prod(a)"),
    "complex scan": ("a = nd.broadcast_to(nd.ones((1,), dtype='complex128'), (60_000_000,))", "nd.cumulative_prod(a)"),
    "scan of rows": ("a = nd.ones((100, 1000_000))", "nd.log_cumulative_sum_exp(a, axis=1)"),
    "scan of columns": ("a = nd.ones((1500, 40_000))", "nd.log_cumulative_sum_exp(a, axis=0)"),
    "scan of tall columns": ("a = nd.ones((600_000, 200))", "nd.log_cumulative_sum_exp(a, axis=0)"),
    "median": (NORMAL.format(30_000_000), "nd.median(a)"),
    "histogram": (NORMAL.format(20_000_000),
                  "nd.histogram(nd.broadcast_to(a, (20, a.size)), bins=nd.linspace(-3, 3, 900) ** 3)"),
    # Order.
    "sort": (NORMAL.format(40_000_000), "nd.sort(a)"),
    "sort of integers": ("a = nd.random.Generator(1).integers(-10**17, 10**17, shape=(40_000_000,))", "nd.sort(a)"),
    "argsort": (NORMAL.format(25_000_000), "nd.argsort(a)"),
    "sort of rows": ("a = nd.random.Generator(1).normal(shape=(60_000, 1000))", "nd.sort(a)"),
    "unique": (NORMAL.format(25_000_000), "nd.unique_inverse(a)"),
    "counts": (NORMAL.format(25_000_000), "nd.unique_counts(a)"),
    "search": ("a = nd.linspace(0, 1, 4_000_000); q = nd.random.Generator(1).uniform(shape=(30_000_000,))",
               "nd.searchsorted(a, q)"),
    # Indices and masks.
    "take": ("a = nd.ones(30_000_000); i = (nd.arange(100_000_000) * 7919) % 30_000_000", "nd.take(a, i)"),
    "assignment by index": ("a = nd.ones(30_000_000); i = (nd.arange(60_000_000) * 7919) % 30_000_000", "a[i] = 2.0"),
    "sums by index": ("a = nd.ones(30_000_000); i = (nd.arange(60_000_000) * 7919) % 30_000_000",
                      "nd.index_add(a, i, nd.ones(60_000_000))"),
    "mask": ("a = nd.broadcast_to(nd.arange(1000), (500_000, 1000)); m = a % 3 == 0", "a[m]"),
    # Random numbers.
    "gammas": ("g = nd.random.Generator(1)", "g.gamma(0.5, 1.0, (60_000_000,))"),
    "normals": ("g = nd.random.Generator(1)", "g.normal(shape=(200_000_000,))"),
    "permutation": ("g = nd.random.Generator(1)", "g.permutation(60_000_000)"),
    # Networks.
    "convolution": ("x = nd.ones((64, 64, 112, 112)); w = nd.ones((128, 64, 3, 3))", "nd.conv2d(x, w)"),
    "convolution of points": ("x, w = (nd.ones(s, dtype='float32') for s in ((64, 256, 112, 112), (512, 256, 1, 1)))",
                              "nd.conv2d(x, w)"),
    "gradient of a convolution": (
        "x, w = nd.ones((48, 64, 112, 112), dtype='float32'), nd.ones((128, 64, 3, 3), dtype='float32')",
        "nd.grad(lambda w: nd.sum(nd.conv2d(x, w)))(w)"),
    "pooling": ("x = nd.broadcast_to(nd.ones((1, 1, 1000, 1000)), (40, 30, 1000, 1000))", "nd.max_pool2d(x, 3)"),
    # Linear algebra.
    "inverses": ("a = nd.eye(64) + nd.zeros((60_000, 64, 64))", "nd.linalg.inv(a)"),
    "inverse": ("a = nd.eye(4000) + nd.zeros((4000, 4000))", "nd.linalg.inv(a)"),
    "cholesky": ("a = nd.eye(8000) + nd.zeros((8000, 8000))", "nd.linalg.cholesky(a)"),
    "transforms": ("a = nd.ones((20_000, 4096))", "nd.fft.fft(a)"),
    # All of one program, whose operations are short.
    "fit": (FIT, "net.fit(data, epochs=100_000)"),
}  # fmt: skip
