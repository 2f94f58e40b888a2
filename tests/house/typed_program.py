"""Calls as users write them, which type checkers accept; the program runs, too."""

# ruff: noqa: B018

import io

import numpy as np

import nd4py as nd
from nd4py import nn, zoo

x = nd.ones((2, 3))
y = nd.ones((2, 3))
n = np.ones((2, 3))


def f(z: nd.NDArray) -> nd.NDArray:
    return nd.sum(z * z)


nd.zeros([2, 3])
nd.zeros((2, 3), dtype=np.float32)
nd.ones(3, dtype=np.dtype("int8"))
nd.full([2], 1.0, dtype="float16")
nd.empty(np.int64(3))
nd.zeros(x.shape)
nd.reshape(x, [3, 2])
x.reshape([3, 2])
x.reshape(3, 2)
x.reshape((3, -1))
nd.broadcast_to(y[0], [2, 3])
a1: nd.NDArray = x + np.float32(1)
a2: nd.NDArray = x + n
a4: nd.NDArray = 1 - x
nd.sum(x, axis=(0, 1))
nd.sum(x, axis=[0, 1])
x.sum(axis=0, keepdims=True)
nd.add(x, 1)
nd.add(x, n)
nd.exp(n)
s: float = x[0, 0].item() + 1
rows = x.tolist()
rows[0]
g: nd.NDArray = nd.grad(f)(x)
v, h = nd.value_and_grad(f)(x)
v.item()
h.shape
nd.concat([x, y])
nd.stack((x, y))
for row in x:
    row.sum()
float(x[0, 0])
int(x[0, 0])
x[0] = [1, 2, 3]
x[0] = 5
x[x > 0] = np.zeros(6)
x[0, 1:] = n[0, 1:]
x[[0, 1]]
x[nd.asarray([0, 1])]
x[np.asarray([0, 1])]
x[..., None]
nd.where(x > 0, x, 0)
nd.where(x > 0, 0.0, n)
nd.clip(x, 0, 1)
i, j = nd.nonzero(x)
nd.random.normal(shape=[2, 3])
nd.random.Generator(3).normal(0.0, 1.0, shape=(2,))
len(x)
x.T @ x
x @ np.ones((3, 3))
nd.asarray(x, dtype=float)
nd.asarray([[1, 2], [3, 4]])
nd.append([1, 2], [[3], [4]])
nd.interp(2.5, [1, 2, 3], [10, 20, 30])
nd.linalg.solve([[3.0, 1.0], [1.0, 2.0]], [9, 8])
nd.concatenate(([True], x[0] > 0, [False]))
nd.convolve([1, 2, 3], [0, 1, 0.5])
nd.searchsorted([160, 170], x)
nd.atleast_2d(5).shape
nd.vstack([x, y, [1, 2, 3]])
first, second = nd.atleast_1d(1, 2)
nd.euler_gamma * 2
nd.asarray(n)
if nd.any(x > 0):
    pass
if x[0, 0] > 0:
    pass
b1: nd.NDArray = x == y
b2: nd.NDArray = x != 1
x.astype(np.int32)
x.astype(int)
x.astype("float32", copy=False)
nd.meshgrid(x[0], x[0])[0].shape
q, r = nd.linalg.qr(x)
nd.linalg.qr(x).Q
nd.linalg.svd(x)[1]
u, sv, vt = nd.linalg.svd(x)
np.asarray(x)
np.sin(x)
nd.pad(x, ((1, 1), (0, 0)))
nd.pad(x, 1)
nd.transpose(x, [1, 0])
x.transpose(1, 0)
nd.einsum("ij,kj->ik", x, y)
nd.isdtype(x.dtype, "real floating")
nd.finfo("float32").eps + 1.0
nd.take(x, [0, 1], axis=1)
nd.split(x, 3, axis=1)
nd.mean(x, axis=-1).reshape(-1)
nd.quantile(x, [0.1, 0.5], axis=0)
abs(x)
-x
x //= 2
x += n
with nd.threads(1):
    pass
with nd.workspace("w"):
    pass
file = io.BytesIO()
nd.save(file, x)
x.shape[0] + 1
nd.linspace(0, 1, 5)
nd.arange(3)
nd.arange(0, 1, 0.1)
round(x[0, 0].item(), 2)
x.to_device("cpu")
nd.one_hot([0, 1], 3)
nd.histogram(x, bins=[0.0, 1.0])
w = nd.capture(lambda z: z + 1.0)
w(x).shape
net = nn.MultiLayerNetwork(
    [
        nn.ConvolutionLayer(3, 8, 1, 1, activation="relu"),
        nn.ConvolutionLayer((3, 3), 8, stride=(2, 2), l2=1e-4),
        nn.DepthwiseConvolution2D(3, 2, 1),
        nn.SeparableConvolution2D(3, n_out=4),
        nn.SubsamplingLayer("max", 2, 2),
        nn.BatchNormalization(0.9),
        nn.DenseLayer(16, "relu", dropout=0.5),
        nn.OutputLayer(3, "softmax", loss="mcxent"),
    ],
    input_type=nn.InputType.convolutional(28, 28, 1),
    updater=nn.Adam(1e-3),
)
score: float = net.score((nd.ones((2, 1, 28, 28)), nd.one_hot([0, 1], 3)))
sequences = nn.MultiLayerNetwork(
    [nn.Convolution1D(3, 8, 1), nn.LSTM(4), nn.RnnOutputLayer(2)], input_type=nn.InputType.recurrent(5)
)
zoo.LeNet(n_classes=3).init(seed=1).num_params()
nn.ZeroPaddingLayer(1)
nn.ZeroPaddingLayer((1, 2, 0, 1))
nn.Cropping1D((0, 1))
nn.Upsampling2D(2)
nn.SpaceToBatchLayer(2)
