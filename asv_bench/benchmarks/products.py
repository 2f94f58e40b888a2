"""Matrix products and convolutions, the operations that spend arithmetic rather than bandwidth."""

import nd4py as nd

from . import FLOATS, N_THREADS, Threaded

SIZES = [(64, 64, 64), (512, 512, 512), (2048, 2048, 2048), (128, 800, 500), (2000, 784, 10), (100_000, 32, 32)]
# name: (batch, channels, size, filters, kernel), and the arguments of conv2d
CONVOLUTIONS = {
    "LeNet 1": ((128, 1, 28, 20, 5), {}),
    "LeNet 2": ((128, 20, 12, 50, 5), {}),
    "ResNet 64": ((8, 64, 56, 64, 3), {"padding": 1}),
    "ResNet 256": ((8, 256, 14, 256, 3), {"padding": 1}),
    "ResNet 256 to 1024": ((8, 256, 14, 1024, 1), {}),
    "strided": ((8, 64, 56, 128, 3), {"padding": 1, "stride": 2}),
    "dilated": ((8, 64, 56, 64, 3), {"padding": 2, "dilation": 2}),
}
VOLUMES = {
    "conv3d": lambda x, w: nd.conv3d(x, w, padding=1),
    "conv_transpose3d": lambda x, w: nd.conv_transpose3d(x, w, padding=1),
    "max_pool3d": lambda x, w: nd.max_pool3d(x, 2),
    "avg_pool3d": lambda x, w: nd.avg_pool3d(x, 2),
}


class TimeMatmul:
    """(m, k) @ (k, n) with each operand as it lies or transposed."""

    params = [SIZES, ["nn", "tn", "nt"], FLOATS]
    param_names = ["m, k, n", "layout", "dtype"]

    def setup(self, sizes, layout, dtype):
        m, k, n = sizes
        random = nd.random.Generator(1)
        self.a = (
            random.normal(size=(m, k), dtype=dtype) if layout[0] == "n" else random.normal(size=(k, m), dtype=dtype).T
        )
        self.b = (
            random.normal(size=(k, n), dtype=dtype) if layout[1] == "n" else random.normal(size=(n, k), dtype=dtype).T
        )

    def time_matmul(self, sizes, layout, dtype):
        self.a @ self.b


class TimeVecdot:
    """Dot products, from those that are all call to those that wait for memory."""

    params = [[10, 1_000, 100_000, 1_000_000, 10_000_000], FLOATS]
    param_names = ["n", "dtype"]

    def setup(self, n, dtype):
        self.x = nd.random.Generator(1).normal(size=n, dtype=dtype)

    def time_vecdot(self, n, dtype):
        nd.vecdot(self.x, self.x)


class TimeProduct(Threaded):
    """Batches, vectors and halves, on one thread and on all."""

    params = [
        [((256, 64, 64), (256, 64, 64)), ((4096, 4096), (4096,)), ((512, 512), (512, 512))],
        [*FLOATS, "float16", "bfloat16"],
        N_THREADS,
    ]
    param_names = ["shapes", "dtype", "n_threads"]

    def setup(self, shapes, dtype, n_threads):
        random = nd.random.Generator(1)
        self.a, self.b = (random.normal(size=shape, dtype="float32").astype(dtype) for shape in shapes)
        self.limit_threads(n_threads)

    def time_matmul(self, shapes, dtype, n_threads):
        self.a @ self.b


class TimeVectors(Threaded):
    """Products of two vectors, of a few elements to more than the caches hold."""

    params = [[10, 1000, 100_000, 10_000_000], FLOATS, N_THREADS]
    param_names = ["n", "dtype", "n_threads"]

    def setup(self, n, dtype, n_threads):
        self.a, self.b = nd.ones(n, dtype=dtype), nd.ones(n, dtype=dtype)
        self.limit_threads(n_threads)

    def time_matmul(self, n, dtype, n_threads):
        self.a @ self.b


class TimeConvolution(Threaded):
    """conv2d forward, and forward with both gradients."""

    params = [list(CONVOLUTIONS), N_THREADS]
    param_names = ["layer", "n_threads"]

    def setup(self, layer, n_threads):
        (batch, channels, size, filters, kernel), self.keywords = CONVOLUTIONS[layer]
        random = nd.random.Generator(1)
        self.x = random.normal(size=(batch, channels, size, size), dtype="float32")
        self.w = random.normal(size=(filters, channels, kernel, kernel), dtype="float32")
        self.gradients = nd.grad(lambda x, w: nd.sum(nd.conv2d(x, w, **self.keywords)), argnums=(0, 1))
        self.limit_threads(n_threads)

    def time_forward(self, layer, n_threads):
        nd.conv2d(self.x, self.w, **self.keywords)

    def time_gradients(self, layer, n_threads):
        self.gradients(self.x, self.w)


class TimeVolumes(Threaded):
    """Convolution and pooling of volumes, forward."""

    params = [list(VOLUMES), N_THREADS]
    param_names = ["function", "n_threads"]

    def setup(self, function, n_threads):
        random = nd.random.Generator(1)
        self.x = random.normal(size=(2, 16, 16, 32, 32), dtype="float32")
        self.w = random.normal(size=(16, 16, 3, 3, 3), dtype="float32")
        self.call = VOLUMES[function]
        self.limit_threads(n_threads)

    def time_call(self, function, n_threads):
        self.call(self.x, self.w)


class TimePooling(Threaded):
    """max_pool2d and avg_pool2d, 2 x 2, of LeNet's first feature maps."""

    params = [["max_pool2d", "avg_pool2d"], N_THREADS]
    param_names = ["op", "n_threads"]

    def setup(self, op, n_threads):
        self.x = nd.random.Generator(1).normal(size=(128, 20, 24, 24), dtype="float32")
        self.call = getattr(nd, op)
        self.gradient = nd.grad(lambda x: nd.sum(self.call(x, (2, 2))))
        self.limit_threads(n_threads)

    def time_forward(self, op, n_threads):
        self.call(self.x, (2, 2))

    def time_gradient(self, op, n_threads):
        self.gradient(self.x)
