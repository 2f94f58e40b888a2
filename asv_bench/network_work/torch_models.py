"""Models in PyTorch, with random weights, as users write them: what `inference_work.py` exports."""

import torch
from torch import nn
from torch.nn import functional


def lenet():
    """Two convolutions with pooling, and two dense layers, for images of 28 x 28."""
    return nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10), nn.Softmax(1),
    )  # fmt: skip


def mlp():
    """Three dense layers for rows of 784 numbers."""
    return nn.Sequential(
        nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10), nn.Softmax(1)
    )


def normed(n_in, n_out, size, stride=1, groups=1):
    """A convolution without bias, and batch normalization."""
    convolution = nn.Conv2d(n_in, n_out, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(n_out))


class ResidualBlock(nn.Module):
    """Two convolutions, and the input added to what they make."""

    def __init__(self, n_in, n_out, stride):
        super().__init__()
        self.first, self.second = normed(n_in, n_out, 3, stride), normed(n_out, n_out, 3)
        self.beside = normed(n_in, n_out, 1, stride) if stride != 1 or n_in != n_out else nn.Identity()

    def forward(self, x):
        return functional.relu(self.second(functional.relu(self.first(x))) + self.beside(x))


def resnet18():
    """ResNet-18.  He et al. 2015, https://arxiv.org/abs/1512.03385"""
    sizes = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2)]
    blocks = [ResidualBlock(*each) for each in (*sizes, (512, 512, 1))]
    return nn.Sequential(
        normed(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1), *blocks,
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000),
    )  # fmt: skip


class InvertedResidual(nn.Module):
    """More channels by 1 x 1, a depthwise convolution, and fewer channels again; the input is added if it fits."""

    def __init__(self, n_in, n_out, stride, expansion):
        super().__init__()
        n = n_in * expansion
        wider = [normed(n_in, n, 1), nn.ReLU6()] if expansion != 1 else []
        self.layers = nn.Sequential(*wider, normed(n, n, 3, stride, groups=n), nn.ReLU6(), normed(n, n_out, 1))
        self.is_added = stride == 1 and n_in == n_out

    def forward(self, x):
        return x + self.layers(x) if self.is_added else self.layers(x)


def mobilenet():
    """MobileNetV2.  Sandler et al. 2018, https://arxiv.org/abs/1801.04381, table 2"""
    layers, n_in = [normed(3, 32, 3, 2), nn.ReLU6()], 32
    rows = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, n_out, n_blocks, stride in rows:
        for index in range(n_blocks):
            layers.append(InvertedResidual(n_in, n_out, stride if index == 0 else 1, expansion))
            n_in = n_out
    ends = [normed(n_in, 1280, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1280, 1000)]
    return nn.Sequential(*layers, *ends)


def heads_of(x, n_heads):
    """(batch, length, size) as (batch, heads, length, size of a head)"""
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


class EncoderBlock(nn.Module):
    """Attention and two dense layers, each added to its input and normalized."""

    def __init__(self, size, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(size, size) for _ in range(4))
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)
        self.first, self.second = nn.LayerNorm(size), nn.LayerNorm(size)

    def forward(self, x, mask):
        q, k, v = (heads_of(each(x), self.n_heads) for each in (self.q, self.k, self.v))
        y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.first(x + self.o(y.transpose(1, 2).flatten(2)))
        return self.second(x + self.down(functional.gelu(self.up(x))))


class Bert(nn.Module):
    """Encoder blocks behind the embeddings of words and positions, as BERT; mask: 1 at words, 0 at padding."""

    def __init__(self, n_layers=4, size=256, n_heads=4, n_words=8000, length=128):
        super().__init__()
        self.words, self.positions = nn.Embedding(n_words, size), nn.Embedding(length, size)
        self.norm = nn.LayerNorm(size)
        self.blocks = nn.ModuleList(EncoderBlock(size, n_heads) for _ in range(n_layers))

    def forward(self, ids, mask):
        x = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]])
        added = (1.0 - mask[:, None, None, :]) * -1e9
        for block in self.blocks:
            x = block(x, added)
        return x


class DecoderBlock(nn.Module):
    """A block of GPT-2 for one new position, beside the keys and values of those before."""

    def __init__(self, size, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv, self.o = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)
        self.first, self.second = nn.LayerNorm(size), nn.LayerNorm(size)

    def forward(self, x, keys, values):
        q, k, v = (heads_of(each, self.n_heads) for each in self.qkv(self.first(x)).chunk(3, -1))
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        y = functional.scaled_dot_product_attention(q, keys, values)
        x = x + self.o(y.transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(self.second(x)), approximate="tanh")), keys, values


class Gpt2Step(nn.Module):
    """The logits of the next word, and the keys and values with those of this one."""

    def __init__(self, n_layers=4, size=512, n_heads=8, n_words=8000, length=256):
        super().__init__()
        self.words, self.positions = nn.Embedding(n_words, size), nn.Embedding(length, size)
        self.norm = nn.LayerNorm(size)
        self.blocks = nn.ModuleList(DecoderBlock(size, n_heads) for _ in range(n_layers))

    def forward(self, ids, *cache):
        n_past = cache[0].shape[2]
        x, kept = self.words(ids) + self.positions.weight[n_past : n_past + 1], []
        for block, keys, values in zip(self.blocks, cache[::2], cache[1::2], strict=True):
            x, *both = block(x, keys, values)
            kept += both
        return functional.linear(self.norm(x), self.words.weight), *kept
