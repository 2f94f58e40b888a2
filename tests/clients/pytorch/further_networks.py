"""Networks of other kinds for PyTorch's exporters: of windows, scans, graphs, boxes and caches."""

import math

import torch
from exported_networks import OF_PADDED, OF_WORDS, Case
from torch import nn
from torch.nn import functional


class WindowedAttention(nn.Module):
    """Attention inside of windows of an image, which are moved by half a window: Swin."""

    def __init__(self, width=16, n_heads=2, window=4):
        super().__init__()
        self.width, self.n_heads, self.window = width, n_heads, window
        self.patches, self.norm = nn.Conv2d(3, width, 4, 4), nn.LayerNorm(width)
        self.keys, self.end, self.head = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Linear(width, 5)
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, n_heads) * 0.1)
        places = torch.stack(torch.meshgrid(torch.arange(window), torch.arange(window), indexing="ij")).flatten(1)
        apart = places[:, :, None] - places[:, None] + window - 1
        self.register_buffer("places", (apart[0] * (2 * window - 1) + apart[1]).reshape(-1))

    def forward(self, x):
        x = self.patches(x).permute(0, 2, 3, 1)
        n, rows, columns, _ = x.shape
        size, half = self.window, self.window // 2
        y = torch.roll(self.norm(x), (-half, -half), (1, 2))
        y = y.view(n, rows // size, size, columns // size, size, self.width).permute(0, 1, 3, 2, 4, 5)
        y = y.reshape(-1, size * size, self.width)
        parts = self.keys(y).reshape(-1, size * size, 3, self.n_heads, self.width // self.n_heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        bias = self.table[self.places].view(size * size, size * size, -1).permute(2, 0, 1)
        y = ((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias).softmax(-1) @ v).transpose(1, 2)
        y = self.end(y.reshape(n, rows // size, columns // size, size, size, self.width))
        y = y.permute(0, 1, 3, 2, 4, 5).reshape(n, rows, columns, self.width)
        x = x + torch.roll(y, (half, half), (1, 2))
        corners = [x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]
        return self.head(torch.stack(corners).sum(0).mean((1, 2)))


class WideKernels(nn.Module):
    """ConvNeXt's block, with global response normalization, and one of EfficientNet."""

    def __init__(self):
        super().__init__()
        self.start, self.wide = nn.Conv2d(3, 12, 4, 4), nn.Conv2d(12, 12, 7, padding=3, groups=12)
        self.norm, self.first, self.second = nn.LayerNorm(12, eps=1e-6), nn.Linear(12, 48), nn.Linear(48, 12)
        self.scale, self.response = nn.Parameter(torch.rand(12)), nn.Parameter(torch.rand(48))
        self.expand = nn.Sequential(nn.Conv2d(12, 24, 1, bias=False), nn.BatchNorm2d(24), nn.SiLU())
        self.squeeze = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(24, 4, 1), nn.SiLU(), nn.Conv2d(4, 24, 1), nn.Sigmoid()
        )
        self.all, self.head = nn.GroupNorm(1, 24), nn.Linear(24, 4)

    def forward(self, x):
        x = self.start(x)
        y = functional.gelu(self.first(self.norm(self.wide(x).permute(0, 2, 3, 1))))
        size = torch.norm(y, p=2, dim=(1, 2), keepdim=True)
        y = y + self.response * (y * (size / (size.mean(-1, keepdim=True) + 1e-6)))
        x = self.expand(x + (self.scale * self.second(y)).permute(0, 3, 1, 2))
        x = self.all(x * self.squeeze(x))
        return self.head(functional.hardswish(x).mean((2, 3))), functional.adaptive_max_pool2d(x, 1)


class StateSpace(nn.Module):
    """A selective state space, whose steps are running sums; and a gated recurrence, written out step by step."""

    def __init__(self, width=8, n_states=4):
        super().__init__()
        self.width, self.n_states = width, n_states
        self.words, self.start = nn.Embedding(20, width), nn.Linear(width, 2 * width)
        self.slide = nn.Conv1d(width, width, 4, groups=width, padding=3)
        self.parts, self.step, self.end = (
            nn.Linear(width, 1 + 2 * n_states),
            nn.Linear(1, width),
            nn.Linear(width, width),
        )
        self.decay = nn.Parameter(torch.rand(width, n_states))
        self.gate = nn.Linear(width, width)

    def forward(self, ids):
        x, z = self.start(self.words(ids)).chunk(2, -1)
        x = functional.silu(self.slide(x.transpose(1, 2))[:, :, : ids.shape[1]].transpose(1, 2))
        step, b, c = torch.split(self.parts(x), [1, self.n_states, self.n_states], -1)
        step = functional.softplus(self.step(step))[..., None]
        logs = torch.cumsum(-step * torch.exp(self.decay), 1)
        states = torch.exp(logs) * torch.cumsum(step * b[:, :, None] * x[..., None] * torch.exp(-logs), 1)
        y = (states * c[:, :, None]).sum(-1) + x
        state = torch.zeros(ids.shape[0], self.width)
        for t in range(3):
            state = torch.sigmoid(self.gate(y[:, t])) * state + torch.tanh(y[:, t])
        return self.end(y * functional.silu(z)), state


class RelativePlaces(nn.Module):
    """Attention with buckets of distances, RMS normalization and a gated layer: T5."""

    def __init__(self, width=16, n_heads=2):
        super().__init__()
        self.n_heads, self.words, self.buckets = n_heads, nn.Embedding(20, width), nn.Embedding(8, n_heads)
        self.parts = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(4))
        self.gates = nn.ModuleList(nn.Linear(width, 32, bias=False) for _ in range(2))
        self.last, self.scale = nn.Linear(32, width, bias=False), nn.Parameter(torch.rand(width))

    def normal(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale

    def forward(self, ids, mask):
        x = self.words(ids)
        n, length, width = x.shape
        y = self.normal(x)
        q, k, v = (part(y).view(n, length, self.n_heads, -1).transpose(1, 2) for part in self.parts[:3])
        place = torch.arange(length)
        apart = place[None] - place[:, None]
        far = 2 + (torch.log(apart.abs().float() / 2 + 1e-9) / math.log(8) * 2).long()
        far = torch.minimum(far, torch.full_like(far, 3))
        bucket = (apart > 0).long() * 4 + torch.where(apart.abs() < 2, apart.abs(), far)
        scores = q @ k.transpose(-1, -2) + self.buckets(bucket).permute(2, 0, 1)[None]
        scores = scores + (1.0 - mask[:, None, None].float()) * torch.finfo(torch.float32).min
        x = x + self.parts[3]((scores.softmax(-1) @ v).transpose(1, 2).reshape(n, length, width))
        y = self.normal(x)
        return x + self.last(functional.gelu(self.gates[0](y), approximate="tanh") * self.gates[1](y))


class Speech(nn.Module):
    """Convolutions of a spectrogram and recurrent layers, for temporal classification."""

    def __init__(self):
        super().__init__()
        self.slide = nn.Sequential(
            nn.Conv2d(1, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.Hardtanh(0, 20), nn.Conv2d(4, 4, 3, (2, 1), 1)
        )
        self.both, self.last = nn.GRU(20, 12, 2, batch_first=True, bidirectional=True), nn.LSTM(24, 8, batch_first=True)
        self.end = nn.Linear(8, 6)

    def forward(self, x):
        y = torch.relu(self.slide(x[:, None]))
        n, channels, rows, length = y.shape
        y, _ = self.both(y.permute(0, 3, 1, 2).reshape(n, length, channels * rows))
        y, (state, _) = self.last(y)
        return functional.log_softmax(self.end(y), -1), state, self.end(y).argmax(-1)


class Boxes(nn.Module):
    """A head of a detector: boxes on a grid, of which those with the best scores are taken."""

    def __init__(self):
        super().__init__()
        self.slide, self.end = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 7, 1)

    def forward(self, x):
        y = self.end(functional.silu(self.slide(x)))
        _, _, rows, columns = y.shape
        i, j = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        y, grid = y.flatten(2).transpose(1, 2), torch.stack([j, i], -1).reshape(1, -1, 2).float()
        middle, half = (y[..., :2].sigmoid() + grid) * 2, y[..., 2:4].exp()
        boxes = torch.cat([middle - half, middle + half], -1)
        scores, classes = y[..., 4:].sigmoid().max(-1)
        best, places = torch.topk(scores, 10, dim=1)
        return torch.gather(boxes, 1, places[..., None].expand(-1, -1, 4)), best, torch.gather(classes, 1, places)


class Denoiser(nn.Module):
    """A piece of a U-Net that removes noise: group normalization, the time as waves, attention between pixels."""

    def __init__(self, n=16):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, n))
        self.start, self.first, self.second = (
            nn.Conv2d(4, n, 3, 1, 1),
            nn.Conv2d(n, n, 3, 1, 1),
            nn.Conv2d(n, n, 3, 1, 1),
        )
        self.norms = nn.ModuleList(nn.GroupNorm(4, n) for _ in range(3))
        self.keys, self.values = nn.Conv1d(n, 3 * n, 1), nn.Conv1d(n, n, 1)
        self.down, self.up, self.end = nn.Conv2d(n, n, 3, 2, 1), nn.Conv2d(n, n, 3, 1, 1), nn.Conv2d(2 * n, 4, 1)

    def forward(self, x, time):
        waves = time.float()[:, None] * torch.exp(-math.log(10000) * torch.arange(4).float() / 4)[None]
        shift = self.time(torch.cat([waves.cos(), waves.sin()], -1))[:, :, None, None]
        x = self.start(x)
        y = self.first(functional.silu(self.norms[0](x))) + shift
        x = beside = x + self.second(functional.silu(self.norms[1](y)))
        x = self.down(x)
        n, channels, rows, columns = x.shape
        q, k, v = self.keys(self.norms[2](x).view(n, channels, rows * columns)).chunk(3, 1)
        shares = torch.softmax(torch.einsum("bct,bcs->bts", q * channels**-0.25, k * channels**-0.25), -1)
        x = x + self.values(torch.einsum("bts,bcs->bct", shares, v)).view(n, channels, rows, columns)
        x = self.up(functional.interpolate(x, scale_factor=2.0, mode="nearest"))
        return self.end(torch.cat([x, beside], 1))


class Messages(nn.Module):
    """Messages along the edges of a graph: their means at each node, and their sums by the softmax of scores."""

    def __init__(self, n=8):
        super().__init__()
        self.n, self.message, self.score, self.end = (
            n,
            nn.Linear(2 * n + 2, n),
            nn.Linear(2 * n, 1),
            nn.Linear(2 * n, n),
        )

    def forward(self, x, start, end, edges):
        pairs, n_nodes = torch.cat([x[start], x[end]], -1), x.shape[0]
        given = torch.relu(self.message(torch.cat([pairs, edges], -1)))
        sums = torch.zeros_like(x).scatter_add(0, end[:, None].expand(-1, self.n), given)
        counts = torch.zeros(n_nodes).scatter_add(0, end, torch.ones_like(end, dtype=x.dtype))
        scores = functional.leaky_relu(self.score(pairs), 0.2)[:, 0]
        high = torch.full((n_nodes,), -1e9).scatter_reduce(0, end, scores, "amax")
        shares = torch.exp(scores - high[end])
        shares = shares / torch.zeros(n_nodes).index_add(0, end, shares)[end]
        x = x + torch.zeros_like(x).index_add(0, end, shares[:, None] * x[start])
        return self.end(torch.cat([x, sums / counts.clamp(min=1)[:, None]], -1))


class Cached(nn.Module):
    """A step of a decoder with turned places, fewer heads of keys, and the keys and values of the steps before."""

    def __init__(self, width=16, n_heads=4, n_key_heads=2):
        super().__init__()
        self.n_heads, self.n_key_heads, self.size = n_heads, n_key_heads, width // n_heads
        self.words, self.query, self.end = nn.Embedding(20, width), nn.Linear(width, width), nn.Linear(width, width)
        self.keys, self.values = (nn.Linear(width, n_key_heads * width // n_heads) for _ in range(2))

    def forward(self, ids, past_keys, past_values):
        x = self.words(ids)
        n, length, width = x.shape
        before = past_keys.shape[2]
        angles = torch.outer(
            torch.arange(before, before + length).float(), 100.0 ** -(torch.arange(0, self.size, 2).float() / self.size)
        )
        cos, sin = (torch.cat([each, each], -1) for each in (angles.cos(), angles.sin()))

        def turned(x):
            first, second = x.chunk(2, -1)
            return x * cos + torch.cat([-second, first], -1) * sin

        q = turned(self.query(x).view(n, length, self.n_heads, self.size).transpose(1, 2))
        k, v = (
            part(x).view(n, length, self.n_key_heads, self.size).transpose(1, 2) for part in (self.keys, self.values)
        )
        k, v = torch.cat([past_keys, turned(k)], 2), torch.cat([past_values, v], 2)
        often = self.n_heads // self.n_key_heads
        mask = torch.ones(length, before + length, dtype=torch.bool).tril(before)
        y = functional.scaled_dot_product_attention(
            q, k.repeat_interleave(often, 1), v.repeat_interleave(often, 1), attn_mask=mask
        )
        return self.end(y.transpose(1, 2).reshape(n, length, width)), k, v


def images(n_channels, rows, columns):
    """Of `size` times so many rows."""
    return lambda n, size: (torch.randn(n, n_channels, rows * size, columns),)


def noisy_images(n, size):
    return torch.randn(n, 4, 4 * size, 8), torch.randint(0, 1000, (n,))


def graphs(n_nodes, n_edges):
    places = torch.randint(0, n_nodes, (2, n_edges))
    return torch.randn(n_nodes, 8), *places, torch.randn(n_edges, 2)


def steps_after_others(n, length):
    return torch.randint(0, 20, (n, length)), *torch.randn(2, n, 2, length + 1, 4)


SIZES = ((2, 2), (3, 3), (1, 4))
OF_WORDS_OF_THREE = (OF_WORDS[0], ((3, 7), (2, 12), (1, 3)), OF_WORDS[2])
FURTHER = {
    "Swin": Case(WindowedAttention, images(3, 32, 32), ((2, 1), (3, 1), (1, 1)), ((0,),)),
    "ConvNeXt": Case(WideKernels, images(3, 16, 24), SIZES, ((0, 2),)),
    "state space": Case(StateSpace, *OF_WORDS_OF_THREE),
    "T5": Case(RelativePlaces, *OF_PADDED),
    "boxes": Case(Boxes, images(3, 8, 16), SIZES, ((0, 2),)),
    "denoiser": Case(Denoiser, noisy_images, SIZES, ((0, 2), (0,))),
    "graph": Case(Messages, graphs, ((5, 9), (7, 20), (3, 4)), ((0,), (0,), (0,), (0,))),
    "cache": Case(Cached, steps_after_others, ((2, 3), (3, 5), (1, 2)), ((0, 1), (0, 2), (0, 2))),
}
TRACED = {
    "speech": Case(Speech, lambda n, length: (torch.randn(n, 20, length),), ((2, 16), (3, 25), (1, 9)), ((0, 2),))
}
