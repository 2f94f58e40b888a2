"""One line per vertex: what the tests of `nn` run over, beside the tables of `cases`."""

from dataclasses import dataclass

import numpy as np

from nd4py import nn

ROWS, SEQUENCES, IMAGES = (6, 4), (2, 3, 4), (2, 2, 4, 4)


@dataclass(frozen=True)
class VertexCase:
    """A vertex, the shapes of the arrays that it is given, and what should come of them."""

    vertex: nn.Vertex
    shapes: tuple  # rows (batch, n), sequences (batch, length, n) or images (batch, channels, height, width)
    reference: object  # (one NumPy array for each shape) -> the output

    @property
    def given(self):
        """The types of the inputs."""
        return tuple(type_of(shape) for shape in self.shapes)


def type_of(shape):
    """The type of arrays of a shape."""
    if len(shape) == 2:
        return nn.InputType.feed_forward(shape[1])
    if len(shape) == 3:
        return nn.InputType.recurrent(shape[2], shape[1])
    return nn.InputType.convolutional(shape[2], shape[3], shape[1])


def attention(queries, keys):
    scores = np.einsum("bqd,bkd->bqk", queries, keys) / np.sqrt(queries.shape[2])
    weights = np.exp(scores) / np.exp(scores).sum(axis=2, keepdims=True)
    return weights @ keys


def length_of(a):
    """The Euclidean length of each row."""
    return np.sqrt((a**2).sum(axis=1, keepdims=True) + 1e-8)


VERTICES = (
    VertexCase(nn.ElementWiseVertex("add"), (ROWS,) * 3, lambda a, b, c: a + b + c),
    VertexCase(nn.ElementWiseVertex("subtract"), (ROWS,) * 2, lambda a, b: a - b),
    VertexCase(nn.ElementWiseVertex("product"), (ROWS,) * 3, lambda a, b, c: a * b * c),
    VertexCase(nn.ElementWiseVertex("average"), (ROWS,) * 3, lambda a, b, c: (a + b + c) / 3),
    VertexCase(nn.ElementWiseVertex("max"), (ROWS,) * 3, lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    VertexCase(nn.MergeVertex(), (ROWS,) * 2, lambda a, b: np.concatenate([a, b], axis=1)),
    VertexCase(nn.SubsetVertex(1, 3), (ROWS,), lambda a: a[:, 1:3]),
    VertexCase(nn.StackVertex(), (ROWS,) * 2, lambda a, b: np.concatenate([a, b], axis=0)),
    VertexCase(nn.UnstackVertex(1, 2), (ROWS,), lambda a: a[3:]),
    VertexCase(nn.ScaleVertex(-2.5), (ROWS,), lambda a: -2.5 * a),
    VertexCase(nn.ShiftVertex(0.5), (ROWS,), lambda a: a + 0.5),
    VertexCase(nn.L2Vertex(eps=1e-8), (ROWS,) * 2, lambda a, b: length_of(a - b)),
    VertexCase(nn.L2NormalizeVertex(eps=1e-8), (ROWS,), lambda a: a / length_of(a)),
    VertexCase(nn.ReshapeVertex((2, 2)), (ROWS,), lambda a: a.reshape(-1, 2, 2)),
    VertexCase(nn.PreprocessorVertex("feed_forward"), (ROWS,), lambda a: a),
    VertexCase(nn.LastTimeStepVertex(), (SEQUENCES,), lambda a: a[:, -1]),
    VertexCase(nn.ReverseTimeSeriesVertex(), (SEQUENCES,), lambda a: a[:, ::-1]),
    VertexCase(
        nn.DuplicateToTimeSeriesVertex(), ((2, 4), SEQUENCES), lambda a, b: np.repeat(a[:, None], b.shape[1], axis=1)
    ),
    VertexCase(nn.DotProductAttentionVertex(), (SEQUENCES,) * 2, attention),
    VertexCase(nn.PoolHelperVertex(), (IMAGES,), lambda a: a[:, :, 1:, 1:]),
)
