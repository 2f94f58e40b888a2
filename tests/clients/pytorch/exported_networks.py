"""Small versions of known architectures as modules of PyTorch, with random weights, and inputs of several sizes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional


def convolved(n_in, n_out, kernel, stride=1, padding=0, groups=1):
    return nn.Sequential(
        nn.Conv2d(n_in, n_out, kernel, stride, padding, groups=groups, bias=False), nn.BatchNorm2d(n_out)
    )


class ResidualBlock(nn.Module):
    def __init__(self, n_in, n_out, stride):
        super().__init__()
        self.first, self.second = convolved(n_in, n_out, 3, stride, 1), convolved(n_out, n_out, 3, 1, 1)
        self.shortcut = convolved(n_in, n_out, 1, stride) if n_in != n_out else nn.Identity()

    def forward(self, x):
        return functional.relu(self.second(functional.relu(self.first(x))) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(convolved(3, 8, 7, 2, 3), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(ResidualBlock(8, 8, 1), ResidualBlock(8, 16, 2))
        self.classes = nn.Linear(16, 10)

    def forward(self, x):
        return self.classes(torch.flatten(functional.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1), 1))


class MobileNet(nn.Module):
    """An inverted residual block between convolutions, with weights for channels that the image decides on."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(convolved(3, 8, 3, 2, 1), nn.ReLU6())
        self.block = nn.Sequential(
            convolved(8, 16, 1), nn.ReLU6(), convolved(16, 16, 3, 1, 1, 16), nn.Hardswish(), convolved(16, 8, 1)
        )
        self.squeeze, self.excite, self.classes = nn.Conv2d(8, 4, 1), nn.Conv2d(4, 8, 1), nn.Linear(8, 10)

    def forward(self, x):
        x = self.stem(x)
        x = x + self.block(x)
        squeezed = functional.silu(self.squeeze(x.mean((2, 3), keepdim=True)))
        return self.classes((x * functional.hardsigmoid(self.excite(squeezed))).mean([2, 3]))


class SqueezeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.squeeze = nn.Conv2d(3, 16, 3, 2), nn.Conv2d(16, 4, 1)
        self.small, self.large, self.classes = nn.Conv2d(4, 8, 1), nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(16, 10, 1)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.stem(x)), 3, 2, ceil_mode=True)
        x = functional.relu(self.squeeze(x))
        x = torch.cat([functional.relu(self.small(x)), functional.relu(self.large(x))], 1)
        return torch.flatten(functional.adaptive_avg_pool2d(functional.relu(self.classes(x)), (1, 1)), 1)


class DenseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        widths = (8, 12, 16)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.BatchNorm2d(n), nn.ReLU(), nn.Conv2d(n, 4, 3, padding=1, bias=False)) for n in widths
        )
        self.end = nn.Sequential(nn.BatchNorm2d(20), nn.ReLU(), nn.Conv2d(20, 8, 1), nn.AvgPool2d(2))

    def forward(self, x):
        features = [self.stem(x)]
        for layer in self.layers:
            features.append(layer(torch.cat(features, 1)))
        return self.end(torch.cat(features, 1))


class UNet(nn.Module):
    def __init__(self, is_bilinear):
        super().__init__()
        self.down, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.InstanceNorm2d(8)
        self.bottom = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.LeakyReLU(0.1))
        bilinear = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.up = bilinear if is_bilinear else nn.ConvTranspose2d(16, 16, 2, 2)
        self.end = nn.Conv2d(24, 2, 3, padding=1)

    def forward(self, x):
        high = functional.relu(self.norm(self.down(x)))
        low = self.up(self.bottom(functional.max_pool2d(high, 2)))
        down, right = high.size(2) - low.size(2), high.size(3) - low.size(3)
        low = functional.pad(low, [right // 2, right - right // 2, down // 2, down - down // 2])
        return torch.sigmoid(self.end(torch.cat([high, low], 1)))


class Yolo(nn.Module):
    """Two scales, and boxes from the places of a grid."""

    def __init__(self):
        super().__init__()
        self.first, self.second = convolved(3, 8, 3, 2, 1), convolved(8, 16, 3, 2, 1)
        self.head = nn.Conv2d(24, 21, 1)

    def forward(self, x):
        high = functional.silu(self.first(x))
        low = functional.interpolate(functional.silu(self.second(high)), scale_factor=2, mode="nearest")
        y = self.head(torch.cat([high, low], 1))
        n, _, rows, columns = y.shape
        y = y.view(n, 3, 7, rows, columns).permute(0, 1, 3, 4, 2).sigmoid()
        down, right = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        centers = (y[..., :2] * 2 - 0.5 + torch.stack([right, down], -1).float()) * 4
        return torch.cat([centers, (y[..., 2:4] * 2) ** 2 * 8, y[..., 4:]], -1).reshape(n, -1, 7)


class Attention(nn.Module):
    def __init__(self, width=32, n_heads=4, n_key_heads=4, *, is_causal=False, rotates=False):
        super().__init__()
        self.n_heads, self.n_key_heads, self.size = n_heads, n_key_heads, width // n_heads
        self.is_causal, self.rotates = is_causal, rotates
        self.queries, self.end = nn.Linear(width, width), nn.Linear(width, width)
        self.keys, self.values = (nn.Linear(width, n_key_heads * self.size) for _ in range(2))

    def heads(self, x, n_heads):
        return x.view(*x.shape[:2], n_heads, self.size).transpose(1, 2)

    def rotated(self, x):
        """Su et al. 2021, https://arxiv.org/abs/2104.09864"""
        speeds = 1 / (10000 ** (torch.arange(0, self.size, 2) / self.size))
        angles = torch.outer(torch.arange(x.shape[2]).float(), speeds)
        angles = torch.cat([angles, angles], -1)
        turned = torch.cat([-x[..., self.size // 2 :], x[..., : self.size // 2]], -1)
        return x * angles.cos() + turned * angles.sin()

    def forward(self, x, mask=None):
        q = self.heads(self.queries(x), self.n_heads)
        k, v = (self.heads(layer(x), self.n_key_heads) for layer in (self.keys, self.values))
        if self.rotates:
            q, k = self.rotated(q), self.rotated(k)
        if self.n_key_heads != self.n_heads:
            k, v = (each.repeat_interleave(self.n_heads // self.n_key_heads, 1) for each in (k, v))
        y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=self.is_causal)
        return self.end(y.transpose(1, 2).reshape(x.shape))


class Bert(nn.Module):
    """With attention and GELU as PyTorch has them, or written out as the first models had them."""

    def __init__(self, is_written_out):
        super().__init__()
        self.words, self.places, self.kinds = nn.Embedding(50, 32), nn.Embedding(64, 32), nn.Embedding(2, 32)
        self.norms = nn.ModuleList(nn.LayerNorm(32) for _ in range(3))
        self.attention, self.wide, self.narrow = Attention(), nn.Linear(32, 64), nn.Linear(64, 32)
        self.pool, self.is_written_out = nn.Linear(32, 32), is_written_out

    def attended(self, x, mask):
        if not self.is_written_out:
            return self.attention(x, mask[:, None, None, :].bool())
        own = self.attention
        q, k, v = (own.heads(layer(x), 4) for layer in (own.queries, own.keys, own.values))
        hidden = (1.0 - mask[:, None, None, :].float()) * -1e9
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(own.size) + hidden, -1)
        return own.end((weights @ v).permute(0, 2, 1, 3).contiguous().view(x.shape))

    def forward(self, ids, mask):
        places = torch.arange(ids.shape[1])[None]
        x = self.norms[0](self.words(ids) + self.places(places) + self.kinds(torch.zeros_like(ids)))
        x = self.norms[1](x + self.attended(x, mask))
        wide = self.wide(x)
        bent = wide * 0.5 * (1 + torch.erf(wide / math.sqrt(2))) if self.is_written_out else functional.gelu(wide)
        x = self.norms[2](x + self.narrow(bent))
        return x, torch.tanh(self.pool(x[:, 0]))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 32), nn.Embedding(64, 32)
        self.norms = nn.ModuleList(nn.LayerNorm(32) for _ in range(2))
        self.attention, self.wide, self.narrow = Attention(is_causal=True), nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        x = x + self.attention(self.norms[0](x))
        x = x + self.narrow(functional.gelu(self.wide(self.norms[1](x)), approximate="tanh"))
        return x @ self.words.weight.T


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.scales = nn.Embedding(50, 32), nn.Parameter(torch.rand(2, 32))
        self.attention = Attention(n_key_heads=2, is_causal=True, rotates=True)
        self.gate, self.up, self.down = nn.Linear(32, 48), nn.Linear(32, 48), nn.Linear(48, 32)
        self.head = nn.Linear(32, 50, bias=False)

    def normed(self, x, i):
        return self.scales[i] * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    def forward(self, ids):
        x = self.words(ids)
        x = x + self.attention(self.normed(x, 0))
        y = self.normed(x, 1)
        return self.head(x + self.down(functional.silu(self.gate(y)) * self.up(y)))


class VisionTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 32, 8, 8)
        self.start, self.places = nn.Parameter(torch.rand(1, 1, 32)), nn.Parameter(torch.rand(1, 17, 32))
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, activation="gelu", batch_first=True, norm_first=True)
        self.norm, self.classes = nn.LayerNorm(32), nn.Linear(32, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.start.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.classes(self.norm(self.layer(x))[:, 0])


class WhisperEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv1d(20, 32, 3, padding=1), nn.Conv1d(32, 32, 3, 2, 1)
        self.attention, self.norm, self.end = Attention(), nn.LayerNorm(32), nn.Linear(32, 32)
        self.register_buffer("places", torch.rand(64, 32))

    def forward(self, x):
        x = functional.gelu(self.second(functional.gelu(self.first(x)))).permute(0, 2, 1)
        x = x + self.places[: x.shape[1]]
        x = x + self.attention(self.norm(x))
        return x + functional.gelu(self.end(x))


class WaveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.start, self.end = nn.Conv1d(1, 8, 1), nn.Conv1d(8, 4, 1)
        self.filters, self.gates = (
            nn.ModuleList(nn.Conv1d(8, 8, 2, dilation=2**i) for i in range(3)) for _ in range(2)
        )
        self.skips = nn.ModuleList(nn.Conv1d(8, 8, 1) for _ in range(3))

    def forward(self, x):
        x, total = self.start(x), 0
        for i, (values, gates, skip) in enumerate(zip(self.filters, self.gates, self.skips, strict=True)):
            padded = functional.pad(x, (2**i, 0))
            y = skip(torch.tanh(values(padded)) * torch.sigmoid(gates(padded)))
            x, total = x + y, total + y
        return functional.log_softmax(self.end(functional.relu(total)), 1)


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.words, self.layers = nn.Embedding(20, 8), kind(8, 6, num_layers=2, bidirectional=True, batch_first=True)
        self.end = nn.Linear(12, 3)

    def forward(self, ids):
        return self.end(self.layers(self.words(ids))[0][:, -1])


def images(n, size):
    return (torch.rand(n, 3, size, size),)


def words(n, length):
    return (torch.randint(0, 20, (n, length)),)


def padded_words(n, length):
    return (*words(n, length), (torch.arange(length)[None] < torch.arange(2, 2 + n)[:, None]).long())


def sounds(n_channels):
    return lambda n, length: (torch.rand(n, n_channels, length),)


@dataclass(frozen=True)
class Case:
    """make: the module    inputs: of a batch and a size    sizes: pairs of both, the first one to export with
    open_axes: for each input the axes whose sizes may differ"""

    make: Callable[[], nn.Module]
    inputs: Callable[[int, int], tuple[Any, ...]]
    sizes: tuple[tuple[int, int], ...]
    open_axes: tuple[tuple[int, ...], ...]


OF_IMAGES = (images, ((3, 32), (1, 48), (2, 64)), ((0, 2, 3),))
OF_BATCHES = (images, ((3, 32), (1, 32), (5, 32)), ((0,),))
OF_WORDS = (words, ((3, 7), (2, 12), (1, 3)), ((0, 1),))
OF_PADDED = (padded_words, ((3, 7), (2, 12), (1, 3)), ((0, 1), (0, 1)))
LENGTHS = (((3, 16), (2, 30), (1, 18)), ((0, 2),))
CASES = {
    "ResNet": Case(ResNet, *OF_IMAGES),
    "MobileNetV2": Case(MobileNet, *OF_IMAGES),
    "SqueezeNet": Case(SqueezeNet, *OF_IMAGES),
    "DenseNet": Case(DenseNet, *OF_IMAGES),
    "U-Net": Case(lambda: UNet(is_bilinear=False), *OF_BATCHES),
    "U-Net, bilinear": Case(lambda: UNet(is_bilinear=True), *OF_BATCHES),
    "YOLO": Case(Yolo, *OF_IMAGES),
    "BERT": Case(lambda: Bert(is_written_out=False), *OF_PADDED),
    "BERT, written out": Case(lambda: Bert(is_written_out=True), *OF_PADDED),
    "GPT-2": Case(Gpt, *OF_WORDS),
    "Llama": Case(Llama, *OF_WORDS),
    "ViT": Case(VisionTransformer, *OF_BATCHES),
    "Whisper": Case(WhisperEncoder, sounds(20), *LENGTHS),
    "WaveNet": Case(WaveNet, sounds(1), *LENGTHS),
    "LSTM": Case(lambda: Recurrent(nn.LSTM), *OF_WORDS),
    "GRU": Case(lambda: Recurrent(nn.GRU), *OF_WORDS),
}
