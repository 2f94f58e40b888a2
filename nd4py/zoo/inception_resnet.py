"""InceptionResNetV1: faces as points whose distances say who is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import nn

from .graph_parts import Parts, Sizes
from .zoo_model import GraphModel

Branch = tuple[tuple[int, Sizes], ...]


@dataclass(frozen=True, kw_only=True)
class InceptionResNetV1(GraphModel):
    """Inception modules with residual connections, which end in embeddings: 23,482,624 parameters up to these.

    n_classes: persons to train with, whose scores the output has    embedding_size: numbers of the vertex "embeddings"
    input_type: images of 160 x 160 in three channels, or of another size of at least 75 x 75
    The embeddings have the length 1; `feed_forward` returns them.  A center loss draws those of a person together.
    Source: Szegedy et al. 2017, https://arxiv.org/abs/1602.07261, figures 10 to 15, without the reduction of weights of
    its last module; embeddings, Schroff et al. 2015, https://arxiv.org/abs/1503.03832.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.InceptionResNetV1(n_classes=10).num_params() - 10 * (512 + 1)
    23482624
    """

    n_classes: int
    embedding_size: int = 512
    input_type: nn.InputType = nn.InputType.convolutional(160, 160, 3)

    def _output_name(self, parts: Parts) -> str:
        parts.epsilon = 1e-3
        x = "image"
        for number, (n_out, kernel, stride, mode) in enumerate(
            ((32, 3, 2, "truncate"), (32, 3, 1, "truncate"), (64, 3, 1, "same"))
        ):
            x = parts.convolved(f"stem{number}", x, n_out, kernel, stride, convolution_mode=mode)
        x = parts.pooled("stem_pool", x, "max", 3, 2)
        for number, (n_out, kernel, stride) in enumerate(((80, 1, 1), (192, 3, 1), (256, 3, 2)), start=3):
            x = parts.convolved(f"stem{number}", x, n_out, kernel, stride, convolution_mode="truncate")
        for number in range(5):
            x = residual_module(parts, f"a{number}", x, 256, 0.17, MODULE_A)
        x = reduction(parts, "reduction_a", x, (((384, 3),), ((192, 1), (192, 3), (256, 3))))
        for number in range(10):
            x = residual_module(parts, f"b{number}", x, 896, 0.10, MODULE_B)
        x = reduction(
            parts, "reduction_b", x, (((256, 1), (384, 3)), ((256, 1), (256, 3)), ((256, 1), (256, 3), (256, 3)))
        )
        for number in range(6):
            is_last = number == 5
            x = residual_module(
                parts, f"c{number}", x, 1792, 1.0 if is_last else 0.20, MODULE_C, is_activated=not is_last
            )
        x = parts.add("pool", nn.GlobalPoolingLayer("avg"), x)
        x = parts.add("dropout", nn.DropoutLayer(0.2), x)
        x = parts.add("bottleneck", nn.DenseLayer(self.embedding_size, "identity", has_bias=False), x)
        x = parts.normalized("bottleneck", x, is_activated=False)
        x = parts.add("embeddings", nn.L2NormalizeVertex(), x)
        return parts.add("classes", nn.CenterLossOutputLayer(self.n_classes, center_weight=1e-4, center_rate=0.9), x)


# The outputs and kernels of the convolutions of each branch.
MODULE_A: tuple[Branch, ...] = (((32, 1),), ((32, 1), (32, 3)), ((32, 1), (32, 3), (32, 3)))
MODULE_B: tuple[Branch, ...] = (((128, 1),), ((128, 1), (128, (1, 7)), (128, (7, 1))))
MODULE_C: tuple[Branch, ...] = (((192, 1),), ((192, 1), (192, (1, 3)), (192, (3, 1))))


def residual_module(
    parts: Parts, name: str, read: str, n_out: int, scale: float, branches: tuple[Branch, ...],
    *, is_activated: bool = True,
) -> str:  # fmt: skip
    """Branches of convolutions side by side, of which `scale` times a 1 x 1 convolution is added to what they read."""
    ends = [chain(parts, f"{name}_{i}", read, branch) for i, branch in enumerate(branches)]
    x = parts.plain(f"{name}_up", parts.merged(f"{name}_merge", *ends), n_out, 1, activation="identity")
    if scale != 1.0:
        x = parts.add(f"{name}_scale", nn.ScaleVertex(scale), x)
    x = parts.added(f"{name}_add", x, read)
    return parts.active(name, x) if is_activated else x


def reduction(parts: Parts, name: str, read: str, branches: tuple[Branch, ...]) -> str:
    """Branches that halve the image in their last convolution, beside a pooling that does."""
    ends = [
        chain(parts, f"{name}_{i}", read, branch, stride=2, convolution_mode="truncate")
        for i, branch in enumerate(branches)
    ]
    return parts.merged(name, *ends, parts.pooled(f"{name}_pool", read, "max", 3, 2))


def chain(parts: Parts, name: str, x: str, branch: Branch, **last: Any) -> str:
    """The convolutions of a branch; `last` are settings of its last one."""
    for number, (n_out, kernel) in enumerate(branch):
        x = parts.convolved(f"{name}_{number}", x, n_out, kernel, **(last if number == len(branch) - 1 else {}))
    return x
