"""Parts: the vertices of a graph, added one after another by what they read."""

from __future__ import annotations

from typing import Any

from nd4py import nn

Sizes = int | tuple[int, int]


class Parts:
    """The vertices of a graph so far; every method adds some and returns the name of the last.

    epsilon, decay: of batch normalization    activation: behind it, and of `plain` convolutions
    """

    def __init__(self, *, epsilon: float = 1e-5, decay: float = 0.9, activation: Any = "relu") -> None:
        self.vertices: dict[str, nn.Node] = {}
        self.epsilon, self.decay, self.activation = epsilon, decay, activation

    def add(self, name: str, vertex: Any, *reads: str) -> str:
        """A layer or vertex that reads others."""
        assert name not in self.vertices, name
        self.vertices[name] = nn.Node(vertex, reads)
        return name

    def plain(self, name: str, read: str, n_out: int, kernel: Sizes, stride: int = 1, **settings: Any) -> str:
        """A convolution, with the activation; padded so that stride 1 keeps the size, unless `settings` say else."""
        given = {"convolution_mode": "same", "activation": self.activation} | settings
        return self.add(name, nn.ConvolutionLayer(kernel, n_out, stride, **given), read)

    def normalized(self, name: str, read: str, *, is_activated: bool = True) -> str:
        """Batch normalization, and the activation."""
        last = self.add(f"{name}_norm", nn.BatchNormalization(self.decay, self.epsilon), read)
        return self.active(name, last) if is_activated else last

    def active(self, name: str, read: str) -> str:
        """The activation alone."""
        return self.add(f"{name}_{self.activation}", nn.ActivationLayer(self.activation), read)

    def convolved(
        self, name: str, read: str, n_out: int, kernel: Sizes, stride: int = 1, *, is_activated: bool = True,
        **settings: Any,
    ) -> str:  # fmt: skip
        """A convolution without bias, batch normalization, and the activation."""
        last = self.plain(name, read, n_out, kernel, stride, has_bias=False, activation="identity", **settings)
        return self.normalized(name, last, is_activated=is_activated)

    def separated(self, name: str, read: str, n_out: int) -> str:
        """A separable convolution of 3 x 3 without bias, and batch normalization."""
        layer = nn.SeparableConvolution2D(
            3, n_out=n_out, convolution_mode="same", activation="identity", has_bias=False
        )
        return self.normalized(name, self.add(name, layer, read), is_activated=False)

    def pooled(self, name: str, read: str, kind: str, kernel: int, stride: int, mode: str = "truncate") -> str:
        """The largest or the mean value of each window."""
        return self.add(name, nn.SubsamplingLayer(kind, kernel, stride, convolution_mode=mode), read)

    def merged(self, name: str, *reads: str) -> str:
        """The channels of all."""
        return self.add(name, nn.MergeVertex(), *reads)

    def added(self, name: str, *reads: str) -> str:
        """The sum."""
        return self.add(name, nn.ElementWiseVertex("add"), *reads)
