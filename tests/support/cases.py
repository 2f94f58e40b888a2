"""One line per layer, vertex, activation, loss, updater, schedule and initializer: what the tests of `nn` run over.

A new one is added to its list in nd4py and to its table here, or in `nn_cases`, which this file has the rest of;
`test_nn_cases.py` fails while either is missing.  Calls with wrong arguments are made from the same tables.
References are NumPy, and the pieces of mathematics they need stand at the top.
"""

import math
from dataclasses import dataclass

import numpy as np
from nn_cases.losses import (
    LOSS_OBJECTS,
    MORE_ACTIVATIONS,
    MORE_NAMED_LOSSES,
    LossCase,
    cross_entropy,
    sigmoid,
    softmax,
    softplus,
    xent,
)
from nn_cases.updaters import SCHEDULES, UPDATERS
from nn_cases.vertices import VERTICES

from nd4py import nn

__all__ = ["SCHEDULES", "UPDATERS", "VERTICES", "sigmoid", "softmax"]

erf = np.vectorize(math.erf)


def rational_tanh(x):
    a = np.abs(2 * x / 3)
    return 1.7159 * np.sign(x) * (1 - 1 / (1 + a + a**2 + 1.41645 * a**4))


ACTIVATIONS = {
    "cube": lambda x: x**3,
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "gelu": lambda x: x * (1 + erf(x / math.sqrt(2))) / 2,
    "hard_sigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "hard_tanh": lambda x: np.clip(x, -1, 1),
    "identity": lambda x: x,
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "mish": lambda x: x * np.tanh(softplus(x)),
    "rational_tanh": rational_tanh,
    "rectified_tanh": lambda x: np.maximum(np.tanh(x), 0),
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "selu": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    "sigmoid": sigmoid,
    "softmax": softmax,
    "softplus": softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "swish": lambda x: x * sigmoid(x),
    "tanh": np.tanh,
    "threshold_relu": lambda x: np.where(x > 1, x, 0),
} | MORE_ACTIVATIONS


def kl_divergence(labels, y):
    return (labels * np.log(labels / y)).sum(1)


def cosine(labels, y):
    return -(labels * y).sum(1) / np.sqrt((labels**2).sum(1) * (y**2).sum(1))


def squares(labels, y):
    return ((labels - y) ** 2).sum(1)


LOSSES = {
    "mse": LossCase(lambda t, y: ((t - y) ** 2).mean(1)),
    "squared_loss": LossCase(squares),
    "l2": LossCase(squares, "tanh"),
    "mae": LossCase(lambda t, y: np.abs(t - y).mean(1)),
    "mean_absolute_error": LossCase(lambda t, y: np.abs(t - y).mean(1), "tanh"),
    "l1": LossCase(lambda t, y: np.abs(t - y).sum(1)),
    "mape": LossCase(lambda t, y: 100 * np.abs((t - y) / t).mean(1), labels="positive"),
    "msle": LossCase(lambda t, y: (np.log((1 + y) / (1 + t)) ** 2).mean(1), "sigmoid", "positive"),
    "xent": LossCase(xent, "sigmoid", "bits"),
    "mcxent": LossCase(cross_entropy, "softmax", "one-hot"),
    "negative_log_likelihood": LossCase(cross_entropy, "softmax", "distribution"),
    "sparse_mcxent": LossCase(cross_entropy, "softmax", "numbers"),
    "kl_divergence": LossCase(kl_divergence, "softmax", "distribution"),
    "reconstruction_crossentropy": LossCase(kl_divergence, "softmax", "distribution"),
    "cosine_proximity": LossCase(cosine),
    "hinge": LossCase(lambda t, y: np.maximum(0, 1 - t * y).sum(1), labels="signs"),
    "squared_hinge": LossCase(lambda t, y: (np.maximum(0, 1 - t * y) ** 2).sum(1), labels="signs"),
    "poisson": LossCase(lambda t, y: (y - t * np.log(y)).sum(1), "softplus", "positive"),
    "wasserstein": LossCase(lambda t, y: (t * y).mean(1), labels="signs"),
} | MORE_NAMED_LOSSES
# Pairs beside the tables' own that take another path through the code.
MORE_LOSSES = (
    ("xent", LossCase(xent, "softmax", "bits")),
    ("mcxent", LossCase(cross_entropy, "sigmoid", "one-hot")),
    *LOSS_OBJECTS,
)


def sample_labels(kind, n_examples, n_out, rng):
    """Labels of a kind that `LossCase.labels` names, as a NumPy array."""
    numbers = rng.integers(0, n_out, n_examples)
    return {
        "real": rng.normal(size=(n_examples, n_out)),
        "positive": rng.uniform(0.5, 3.0, (n_examples, n_out)),
        "one-hot": np.eye(n_out)[numbers],
        "bits": rng.integers(0, 2, (n_examples, n_out)).astype(float),
        "signs": rng.choice([-1.0, 1.0], (n_examples, n_out)),
        "distribution": rng.dirichlet(np.ones(n_out) * 2, n_examples),
        "numbers": numbers,
    }[kind]


def dense_labels(labels, n_out):
    """The rows that class numbers stand for; other labels as they are."""
    return np.eye(n_out)[labels] if labels.ndim == 1 else labels


# First weights of a parameter with fan_in 40 and fan_out 60: (variance, limit), limit None where there is none.
FAN_IN, FAN_OUT = 40, 60
INITIALIZERS = {
    "xavier": (2 / 100, None),
    "xavier_uniform": (2 / 100, math.sqrt(6 / 100)),
    "xavier_fan_in": (1 / 40, None),
    "xavier_legacy": (1 / 100, None),
    "normal": (1 / 40, None),
    "lecun_normal": (1 / 40, None),
    "lecun_uniform": (1 / 40, math.sqrt(3 / 40)),
    "relu": (2 / 40, None),
    "relu_uniform": (2 / 40, math.sqrt(6 / 40)),
    "sigmoid_uniform": (16 * 2 / 100, 4 * math.sqrt(6 / 100)),
    "uniform": (1 / 120, 1 / math.sqrt(40)),
    "var_scaling_normal_fan_in": (1 / 40, 2 * math.sqrt(1 / 40) / 0.8796),
    "var_scaling_normal_fan_out": (1 / 60, 2 * math.sqrt(1 / 60) / 0.8796),
    "var_scaling_normal_fan_avg": (1 / 50, 2 * math.sqrt(1 / 50) / 0.8796),
    "var_scaling_uniform_fan_in": (1 / 40, math.sqrt(3 / 40)),
    "var_scaling_uniform_fan_out": (1 / 60, math.sqrt(3 / 60)),
    "var_scaling_uniform_fan_avg": (1 / 50, math.sqrt(3 / 50)),
    "glorot_normal": (2 / 100, None),
    "glorot_uniform": (2 / 100, math.sqrt(6 / 100)),
    "he_normal": (2 / 40, None),
    "he_uniform": (2 / 40, math.sqrt(6 / 40)),
    "orthogonal": (1 / 400, None),  # 300 columns of length 1
    "truncated_normal": ((0.05 * 0.87963) ** 2, 0.1),
    "zero": (0, 0),
    "ones": (0, 1),
    "identity": None,  # not random: has a test of its own
}

ROWS, IMAGES = nn.InputType.feed_forward(6), nn.InputType.convolutional(7, 6, 2)
VOLUMES = nn.InputType.convolutional_3d(2, 3, 4, 2)
NUMBER, NUMBERS = nn.InputType.feed_forward(1), nn.InputType.feed_forward(5)
SEQUENCES, FRAMES = nn.InputType.recurrent(6, 5), nn.InputType.recurrent(16, 3)
STEPS = nn.InputType.recurrent(4, 5)


@dataclass(frozen=True)
class LayerCase:
    """A layer, what it is given, and what should come of it."""

    layer: nn.Layer
    given: nn.InputType
    output: tuple  # shape of one example
    n_params: int = 0
    whole: int = 0  # its input are whole numbers below this one, if it is not 0
    n_examples: int = 3  # of a batch that it is given
    n_outputs: int = 3  # examples that come out

    def inputs(self, rng):
        """A batch of inputs, as a NumPy array."""
        shape = (self.n_examples, *self.given.shape)
        return rng.integers(0, self.whole, shape).astype(float) if self.whole else rng.normal(size=shape)


LAYERS = (
    LayerCase(nn.DenseLayer(4), ROWS, (4,), 28),
    LayerCase(nn.DenseLayer(4, "tanh", has_bias=False), IMAGES, (4,), 336),
    LayerCase(nn.OutputLayer(3), ROWS, (3,), 21),
    LayerCase(nn.ActivationLayer("tanh"), ROWS, (6,)),
    LayerCase(nn.ActivationLayer("softmax"), IMAGES, (2, 7, 6)),
    LayerCase(nn.DropoutLayer(0.5), IMAGES, (2, 7, 6)),
    LayerCase(nn.DropoutLayer(nn.AlphaDropout(0.2)), ROWS, (6,)),
    LayerCase(nn.DenseLayer(4, nn.LeakyReLU(0.2)), STEPS, (5, 4), 20),
    LayerCase(nn.OutputLayer(3, loss=nn.FocalLoss(1.0), loss_weights=(1.0, 2.0, 0.5)), ROWS, (3,), 21),
    LayerCase(nn.RnnOutputLayer(3), STEPS, (5, 3), 15),
    LayerCase(nn.LossLayer("mse", "tanh"), ROWS, (6,)),
    LayerCase(nn.RnnLossLayer("xent", "sigmoid"), STEPS, (5, 4)),
    LayerCase(nn.CnnLossLayer("mcxent", "softmax"), IMAGES, (2, 7, 6)),
    LayerCase(nn.CenterLossOutputLayer(3), ROWS, (3,), 39),
    LayerCase(nn.OCNNOutputLayer(4, 0.3, "tanh"), ROWS, (1,), 29),
    LayerCase(nn.Yolo2OutputLayer(((1.0, 2.0), (3.0, 1.5))), nn.InputType.convolutional(3, 4, 14), (14, 3, 4)),
    LayerCase(nn.ConvolutionLayer((3, 2), 5), IMAGES, (5, 5, 5), 65),
    LayerCase(nn.ConvolutionLayer(3, 5, stride=2, padding=1, has_bias=False), IMAGES, (5, 4, 3), 90),
    LayerCase(nn.ConvolutionLayer(2, 3, dilation=(2, 3), activation="tanh"), IMAGES, (3, 5, 3), 27),
    LayerCase(nn.ConvolutionLayer(3, 4, convolution_mode="same"), IMAGES, (4, 7, 6), 76),
    LayerCase(nn.ConvolutionLayer((2, 4), 4, (2, 3), convolution_mode="same"), IMAGES, (4, 4, 2), 68),
    LayerCase(nn.ConvolutionLayer((3, 2), 4, (2, 2), convolution_mode="strict"), IMAGES, (4, 3, 3), 52),
    LayerCase(nn.ConvolutionLayer(3, 4, padding=1, groups=2, activation="tanh"), IMAGES, (4, 7, 6), 40),
    LayerCase(nn.Convolution3D(2, 3), VOLUMES, (3, 1, 2, 3), 51),
    LayerCase(nn.Convolution3D((2, 2, 1), 4, (1, 1, 3), (1, 0, 0), groups=2), VOLUMES, (4, 3, 2, 2), 20),
    LayerCase(nn.Convolution3D(3, 2, 2, dilation=(1, 1, 2), convolution_mode="same"), VOLUMES, (2, 1, 2, 2), 110),
    LayerCase(nn.Deconvolution2D(2, 3, activation="tanh"), IMAGES, (3, 8, 7), 27),
    LayerCase(nn.Deconvolution2D((3, 2), 4, (2, 3), (1, 0), (1, 2), groups=2), IMAGES, (4, 13, 18), 28),
    LayerCase(nn.Deconvolution2D((2, 5), 3, (3, 2), convolution_mode="same", has_bias=False), IMAGES, (3, 21, 12), 60),
    LayerCase(nn.Deconvolution3D(2, 3, (2, 1, 2), convolution_mode="strict"), VOLUMES, (3, 4, 4, 8), 51),
    LayerCase(nn.Deconvolution3D(3, 2, (1, 2, 3), convolution_mode="same"), VOLUMES, (2, 2, 6, 12), 110),
    LayerCase(nn.SubsamplingLayer(), IMAGES, (2, 3, 3)),
    LayerCase(nn.SubsamplingLayer("avg", 3, 2, padding=1), IMAGES, (2, 4, 3)),
    LayerCase(nn.SubsamplingLayer("avg", 2, 1, convolution_mode="same"), IMAGES, (2, 7, 6)),
    LayerCase(nn.SubsamplingLayer("max", 2, 2, convolution_mode="same"), IMAGES, (2, 4, 3)),
    LayerCase(nn.SubsamplingLayer("max", 3, 2, padding=1), IMAGES, (2, 4, 3)),
    LayerCase(nn.SubsamplingLayer("sum", (3, 2), 2, padding=(1, 0)), IMAGES, (2, 4, 3)),
    LayerCase(nn.SubsamplingLayer("sum"), IMAGES, (2, 3, 3)),
    LayerCase(nn.SubsamplingLayer("pnorm", 3, 1, convolution_mode="same", pnorm=3), IMAGES, (2, 7, 6)),
    LayerCase(nn.SubsamplingLayer("pnorm", 2, pnorm=1), IMAGES, (2, 3, 3)),
    LayerCase(nn.Subsampling3DLayer(), VOLUMES, (2, 1, 1, 2)),
    LayerCase(nn.Subsampling3DLayer("avg", (3, 2, 3), (1, 1, 2), (1, 0, 1)), VOLUMES, (2, 2, 2, 2)),
    LayerCase(nn.Subsampling3DLayer("sum", 2, 1, convolution_mode="same"), VOLUMES, (2, 2, 3, 4)),
    LayerCase(nn.Subsampling3DLayer("pnorm", (1, 3, 2), pnorm=3), VOLUMES, (2, 1, 1, 2)),
    LayerCase(nn.ElementWiseMultiplicationLayer(activation="tanh"), ROWS, (6,), 12),
    LayerCase(nn.FrozenLayer(nn.DenseLayer(4, "tanh")), ROWS, (4,), 28),
    LayerCase(nn.LSTM(4), SEQUENCES, (5, 4), 176),
    LayerCase(nn.LSTM(4, "softsign", "hard_sigmoid", recurrent_weight_init=nn.Orthogonal()), SEQUENCES, (5, 4), 176),
    LayerCase(nn.GravesLSTM(4, forget_gate_bias_init=0.5), SEQUENCES, (5, 4), 188),
    LayerCase(nn.GRU(4), SEQUENCES, (5, 4), 136),
    LayerCase(nn.GRU(4, "softsign", reset_after=False), SEQUENCES, (5, 4), 132),
    LayerCase(nn.SimpleRnn(4), SEQUENCES, (5, 4), 44),
    LayerCase(nn.SimpleRnn(4, "elu"), SEQUENCES, (5, 4), 44),
    LayerCase(nn.Bidirectional(nn.LSTM(4)), SEQUENCES, (5, 8), 352),
    LayerCase(nn.Bidirectional(nn.GRU(4), "mul"), SEQUENCES, (5, 4), 272),
    LayerCase(nn.Bidirectional(nn.LastTimeStep(nn.SimpleRnn(4)), "average"), SEQUENCES, (4,), 88),
    LayerCase(nn.LastTimeStep(nn.Bidirectional(nn.SimpleRnn(4), "add")), SEQUENCES, (4,), 88),
    LayerCase(nn.TimeDistributed(nn.DenseLayer(4)), SEQUENCES, (5, 4), 28),
    LayerCase(
        nn.TimeDistributed(nn.ConvolutionLayer(2, 3), nn.InputType.convolutional_flat(4, 4, 1)), FRAMES, (3, 27), 15
    ),
    LayerCase(nn.MaskLayer(), SEQUENCES, (5, 6)),
    LayerCase(nn.MaskZeroLayer(nn.SimpleRnn(4), 1.0), SEQUENCES, (5, 4), 44),
    LayerCase(nn.RepeatVector(3), ROWS, (3, 6)),
    LayerCase(nn.SelfAttentionLayer(4, 2, 3), SEQUENCES, (5, 4), 132),
    LayerCase(nn.SelfAttentionLayer(project_input=False), SEQUENCES, (5, 6)),
    LayerCase(nn.LearnedSelfAttentionLayer(4, 2, n_queries=3), SEQUENCES, (3, 4), 106),
    LayerCase(nn.LearnedSelfAttentionLayer(project_input=False, n_queries=3), SEQUENCES, (3, 6), 18),
    LayerCase(nn.RecurrentAttentionLayer(4, 2), SEQUENCES, (5, 4), 108),
    LayerCase(nn.MultiHeadAttention(4, 2), SEQUENCES, (5, 4), 104),
    LayerCase(nn.MultiHeadAttention(6, 3, causal=True, has_bias=False), SEQUENCES, (5, 6), 144),
    LayerCase(nn.TransformerEncoderLayer(2, 7, "gelu"), SEQUENCES, (5, 6), 289),
    LayerCase(nn.TransformerEncoderLayer(3, norm_first=True, causal=True), SEQUENCES, (5, 6), 510),
    LayerCase(nn.EmbeddingLayer(9, 4, has_bias=True), NUMBER, (4,), 40, whole=9),
    LayerCase(nn.EmbeddingSequenceLayer(9, 4, "tanh"), NUMBERS, (5, 4), 36, whole=9),
    LayerCase(nn.PositionEmbeddingLayer(7), SEQUENCES, (5, 6), 42),
    LayerCase(nn.PositionEncodingLayer(), SEQUENCES, (5, 6)),
    LayerCase(nn.DepthwiseConvolution2D(3, activation="tanh"), IMAGES, (2, 5, 4), 20),
    LayerCase(nn.DepthwiseConvolution2D((2, 3), 3, (2, 1), 1, (2, 1), has_bias=False), IMAGES, (6, 4, 6), 36),
    LayerCase(nn.SeparableConvolution2D(3, 2, 2, convolution_mode="same", n_out=5), IMAGES, (5, 4, 3), 61),
    LayerCase(nn.Upsampling2D((2, 3)), IMAGES, (2, 14, 18)),
    LayerCase(nn.ZeroPaddingLayer((1, 0, 2, 3)), IMAGES, (2, 8, 11)),
    LayerCase(nn.Cropping2D((1, 2)), IMAGES, (2, 5, 2)),
    LayerCase(nn.Upsampling1D(3), STEPS, (15, 4)),
    LayerCase(nn.Upsampling3D((1, 2, 3)), VOLUMES, (2, 2, 6, 12)),
    LayerCase(nn.ZeroPadding1DLayer((1, 2)), STEPS, (8, 4)),
    LayerCase(nn.ZeroPadding3DLayer((1, 0, 2, 0, 0, 3)), VOLUMES, (2, 3, 5, 7)),
    LayerCase(nn.Cropping1D((1, 2)), STEPS, (2, 4)),
    LayerCase(nn.Cropping3D((0, 1, 1)), VOLUMES, (2, 2, 1, 2)),
    LayerCase(nn.SpaceToBatchLayer(2, (0, 1, 0, 0)), IMAGES, (2, 4, 3), n_outputs=12),
    LayerCase(nn.BatchToSpaceLayer((1, 2), (0, 1)), IMAGES, (2, 7, 10), n_examples=6),
    LayerCase(nn.PrimaryCapsules(3, 6, 3), IMAGES, (12, 3), 114),
    LayerCase(nn.PrimaryCapsules(2, 4, (2, 3), 1, activation="relu", has_bias=False), IMAGES, (48, 2), 48),
    LayerCase(nn.CapsuleLayer(3, 2), STEPS, (3, 2), 120),
    LayerCase(nn.CapsuleLayer(2, 5, routings=1, has_bias=True), STEPS, (2, 5), 210),
    LayerCase(nn.CapsuleStrengthLayer(), STEPS, (5,)),
    LayerCase(nn.AutoEncoder(4, "tanh"), ROWS, (4,), 34),
    LayerCase(nn.AutoEncoder(4, "sigmoid", corruption_level=0.0, loss="xent"), STEPS, (5, 4), 24),
    LayerCase(nn.VariationalAutoencoder(2, (5,), (4, 3), "tanh"), ROWS, (2,), 134),
    LayerCase(
        nn.VariationalAutoencoder(2, (), (3,), "softplus", "tanh", reconstruction_distribution="bernoulli"),
        *(STEPS, (5, 2), 45),
    ),
    LayerCase(nn.PReLULayer(), ROWS, (6,), 6),
    LayerCase(nn.PReLULayer((2, 3)), IMAGES, (2, 7, 6), 2),
    LayerCase(nn.PReLULayer((1,), weight_init="zero"), STEPS, (5, 4), 4),
    LayerCase(nn.LocallyConnected1D(3, 4, stride=2, padding=1, activation="tanh"), STEPS, (3, 4), 148),
    LayerCase(nn.LocallyConnected1D(2, 3, convolution_mode="causal", has_bias=False), STEPS, (5, 3), 120),
    LayerCase(nn.LocallyConnected2D((3, 2), 5, (2, 1), (1, 0), activation="tanh"), IMAGES, (5, 4, 5), 1205),
    LayerCase(nn.LocallyConnected2D(2, 3, dilation=(2, 3), has_bias=False), IMAGES, (3, 5, 3), 360),
    *(LayerCase(nn.GlobalPoolingLayer(kind), IMAGES, (2,)) for kind in ("max", "avg", "sum", "pnorm")),
    LayerCase(nn.GlobalPoolingLayer("pnorm", 3), STEPS, (4,)),
    LayerCase(nn.BatchNormalization(), IMAGES, (2, 7, 6), 8),
    LayerCase(nn.BatchNormalization(lock_gamma_beta=True), ROWS, (6,), 12),
    LayerCase(nn.LayerNormalization(), IMAGES, (2, 7, 6), 4),
    LayerCase(nn.RMSNormalization(), IMAGES, (2, 7, 6), 2),
    LayerCase(nn.GroupNormalization(3), ROWS, (6,), 12),
    LayerCase(nn.GroupNormalization(2), IMAGES, (2, 7, 6), 4),
    LayerCase(nn.LocalResponseNormalization(n=2), IMAGES, (2, 7, 6)),
    LayerCase(nn.Convolution1D(3, 4, stride=2, padding=1, activation="tanh"), STEPS, (3, 4), 52),
    LayerCase(nn.Convolution1D(2, 3, dilation=2, convolution_mode="causal", has_bias=False), STEPS, (5, 3), 24),
    LayerCase(nn.Convolution1D(3, 6, groups=2), STEPS, (3, 6), 42),
    LayerCase(nn.Subsampling1DLayer("avg", 3, 2, 1), STEPS, (3, 4)),
    LayerCase(nn.Subsampling1DLayer("sum", 2, 1), STEPS, (4, 4)),
    LayerCase(nn.Subsampling1DLayer("pnorm", 3, 2, convolution_mode="same"), STEPS, (3, 4)),
    LayerCase(nn.Subsampling1DLayer("max", 3, 1, convolution_mode="causal"), STEPS, (5, 4)),
    LayerCase(nn.SpaceToDepthLayer(2), nn.InputType.convolutional(4, 6, 2), (8, 2, 3)),
    LayerCase(nn.DepthToSpaceLayer(2), nn.InputType.convolutional(2, 3, 8), (2, 4, 6)),
)


def lenet(**settings):
    """The tutorial's network: 431,080 parameters."""
    layers = [
        nn.ConvolutionLayer(kernel_size=(5, 5), n_out=20),
        nn.SubsamplingLayer("max", kernel_size=(2, 2), stride=(2, 2)),
        nn.ConvolutionLayer(kernel_size=(5, 5), n_out=50),
        nn.SubsamplingLayer("max", kernel_size=(2, 2), stride=(2, 2)),
        nn.DenseLayer(500, "relu"),
        nn.OutputLayer(10, "softmax", loss="negative_log_likelihood"),
    ]
    defaults = {"updater": nn.Nesterovs(0.01, 0.9), "weight_init": "xavier", "l2": 5e-4, "seed": 123}
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional_flat(28, 28, 1), **(defaults | settings))


def small_network(**settings):
    """Two dense layers on rows of 4 numbers, 3 classes, float64."""
    layers = [nn.DenseLayer(5, "tanh"), nn.OutputLayer(3)]
    defaults = {"input_type": nn.InputType.feed_forward(4), "updater": nn.Sgd(0.1), "seed": 7, "dtype": "float64"}
    return nn.MultiLayerNetwork(settings.pop("layers", layers), **(defaults | settings))


def small_batch(n_examples=8, seed=3):
    """Features (n, 4) and one-hot labels (n, 3) for `small_network`, as NumPy arrays."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_examples, 4)), np.eye(3)[rng.integers(0, 3, n_examples)]
