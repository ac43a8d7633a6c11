"""Networks that attend within windows, small and written from their papers, for make-references.py. Names of
weights are those of the published networks; nothing of it ships."""
import math

import torch
from torch import nn
from torch.nn import functional as F

MEAN = torch.tensor([0.4488, 0.4371, 0.404]).view(1, 3, 1, 1)


def conv(a, b, k=3, groups=1):
    return nn.Conv2d(a, b, k, padding=k // 2, groups=groups)


def to_map(x):
    return x.permute(0, 2, 3, 1)


def to_picture(x):
    return x.permute(0, 3, 1, 2)


def cut(x, h, w):
    """[1, H, W, C] to [windows, h w, C]."""
    _, height, width, c = x.shape
    return x.reshape(height // h, h, width // w, w, c).transpose(1, 2).reshape(-1, h * w, c)


def join(x, h, w, height, width):
    return x.reshape(height // h, width // w, h, w, -1).transpose(1, 2).reshape(1, height, width, -1)


def region_mask(height, width, window, shift):
    """-100 between tokens of a shifted window that were not neighbours; by marking what the shift brought."""
    marks = torch.zeros(1, height, width, 1)
    for axis, (length, side, by) in enumerate(zip((height, width), window, shift)):
        place = torch.arange(length)
        part = (place >= length - side).float() + (place >= length - by).float()
        marks += (part.view(1, -1, 1, 1) if axis == 0 else part.view(1, 1, -1, 1)) * (10 if axis == 0 else 1)
    marks = cut(marks, *window)
    return (marks != marks.transpose(1, 2)).float().unsqueeze(1) * -100


def relative_index(h, w, keys_h=None, keys_w=None):
    ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    dy = ys.reshape(-1, 1) - ys.reshape(1, -1) + h - 1
    dx = xs.reshape(-1, 1) - xs.reshape(1, -1) + w - 1
    return dy * (2 * w - 1) + dx


def attend(q, k, v, scale, bias=0):
    return ((q * scale) @ k.transpose(-2, -1) + bias).softmax(-1) @ v


def heads_of(x, heads):
    """[windows, tokens, parts C] to parts of [windows, heads, tokens, C / heads]."""
    b, n, c = x.shape
    return x.view(b, n, 3, heads, c // 3 // heads).permute(2, 0, 3, 1, 4)


class Attention(nn.Module):
    def __init__(self, dim, heads, window, has_qkv=True):
        super().__init__()
        self.heads, self.window, self.dim = heads, window, dim
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * window - 1) ** 2, heads))
        self.register_buffer("relative_position_index", relative_index(window, window))
        if has_qkv:
            self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def over(self, qkv, shift):
        """A map of queries, keys and values to the attended map."""
        _, height, width, _ = qkv.shape
        window = self.window
        qkv = torch.roll(qkv, (-shift, -shift), (1, 2))
        q, k, v = heads_of(cut(qkv, window, window), self.heads)
        n = window * window
        bias = self.relative_position_bias_table[self.relative_position_index.view(-1)].view(n, n, -1).permute(2, 0, 1)
        if shift:
            bias = bias + region_mask(height, width, (window, window), (shift, shift))
        y = attend(q, k, v, (self.dim // self.heads) ** -0.5, bias).transpose(1, 2).reshape(-1, n, self.dim)
        y = join(self.proj(y), window, window, height, width)
        return torch.roll(y, (shift, shift), (1, 2))

    def forward(self, x, shift):
        return self.over(self.qkv(x), shift)


class Mlp(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(dim, hidden), nn.Linear(hidden, dim)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class SwinBlock(nn.Module):
    def __init__(self, dim, heads, window, shift, hidden):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn, self.mlp, self.shift = Attention(dim, heads, window), Mlp(dim, hidden), shift

    def forward(self, x):
        x = x + self.attn(self.norm1(x), self.shift)
        return x + self.mlp(self.norm2(x))


def three_convs(dim):
    act = nn.LeakyReLU(0.2)
    return nn.Sequential(conv(dim, dim // 4), act, conv(dim // 4, dim // 4, 1), act, conv(dim // 4, dim))


class Group(nn.Module):
    """Blocks, then a convolution, then what came is added."""

    def __init__(self, blocks, dim, threefold=False):
        super().__init__()
        held = nn.Module()
        held.blocks = nn.ModuleList(blocks)
        self.residual_group = held
        self.conv = three_convs(dim) if threefold else conv(dim, dim)

    def forward(self, x):
        y = x
        for block in self.residual_group.blocks:
            y = block(y)
        return x + to_map(self.conv(to_picture(y)))


def up(scale, f):
    layers = []
    for _ in range(int(math.log2(scale))):
        layers += [conv(f, 4 * f), nn.PixelShuffle(2)]
    return nn.Sequential(*layers)


class Frame(nn.Module):
    """Convolution, body, convolution, and one of four ways to a picture."""

    def __init__(self, dim, layers, window, way="shuffle", scale=2, threefold=False, patch_norm=True, spread=1.0, f=8):
        super().__init__()
        self.window, self.way, self.scale, self.spread = window, way, scale, spread
        self.conv_first = conv(3, dim)
        if patch_norm:
            self.patch_embed = nn.ModuleDict({"norm": nn.LayerNorm(dim)})
        self.layers = nn.ModuleList(layers)
        self.norm = nn.LayerNorm(dim)
        self.conv_after_body = three_convs(dim) if threefold else conv(dim, dim)
        if way in ("shuffle", "double"):
            self.conv_before_upsample = nn.Sequential(conv(dim, f), nn.LeakyReLU())
        if way == "shuffle":
            self.upsample, self.conv_last = up(scale, f), conv(f, 3)
        elif way == "double":
            self.conv_up1, self.conv_up2 = conv(f, f), conv(f, f)
            self.conv_hr, self.conv_last = conv(f, f), conv(f, 3)
        elif way == "direct":
            self.upsample = nn.Sequential(conv(dim, 3 * scale**2), nn.PixelShuffle(scale))
        else:
            self.conv_last = conv(dim, 3)

    def pad(self, x):
        h, w = (-x.shape[2]) % self.window, (-x.shape[3]) % self.window
        return F.pad(x, (0, w, 0, h), "reflect")

    def body(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, x):
        height, width = x.shape[2:]
        x = (self.pad(x) - MEAN) * self.spread
        first = self.conv_first(x)
        y = to_map(first)
        if hasattr(self, "patch_embed"):
            y = self.patch_embed["norm"](y)
        y = self.conv_after_body(to_picture(self.norm(self.body(y)))) + first
        act = lambda z: F.leaky_relu(z, 0.2)
        if self.way == "shuffle":
            y = self.conv_last(self.upsample(self.conv_before_upsample(y)))
        elif self.way == "double":
            y = self.conv_before_upsample(y)
            for one in (self.conv_up1, self.conv_up2):
                y = act(one(F.interpolate(y, scale_factor=2, mode="nearest")))
            y = self.conv_last(act(self.conv_hr(y)))
        elif self.way == "direct":
            y = self.upsample(y)
        else:
            y = x + self.conv_last(y)
        y = y / self.spread + MEAN
        scale = y.shape[2] // x.shape[2]
        return y[:, :, : height * scale, : width * scale]


def swin_ir(window=4, way="shuffle", threefold=False, spread=1.0, dim=8, heads=2):
    blocks = lambda: [SwinBlock(dim, heads, window, i % 2 * (window // 2), 2 * dim) for i in range(2)]
    return Frame(dim, [Group(blocks(), dim, threefold) for _ in range(2)], window, way, threefold=threefold, spread=spread)


class Dense(nn.Module):
    """DRCT's group: each block sees all that is there before it."""

    def __init__(self, dim, grown, heads, window):
        super().__init__()
        for i in range(5):
            width = dim + i * grown
            count = heads - width % heads
            setattr(self, f"swin{i + 1}", SwinBlock(width, count, window, i % 2 * (window // 2), (2 if i < 3 else 1) * width))
            setattr(self, f"adjust{i + 1}", conv(width, grown if i < 4 else dim, 1))

    def forward(self, x):
        known = [x]
        for i in range(5):
            y = getattr(self, f"swin{i + 1}")(torch.cat(known, -1))
            y = getattr(self, f"adjust{i + 1}")(to_picture(y))
            known.append(to_map(F.leaky_relu(y, 0.2) if i < 4 else y))
        return known[-1] * 0.2 + x


class Channels(nn.Module):
    def __init__(self, dim, narrow, squeezed):
        super().__init__()
        gate = nn.Module()
        gate.attention = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), conv(dim, squeezed, 1), nn.ReLU(), conv(squeezed, dim, 1), nn.Sigmoid()
        )
        self.cab = nn.ModuleList([conv(dim, narrow), nn.GELU(), conv(narrow, dim), gate])

    def forward(self, x):
        y = self.cab[2](F.gelu(self.cab[0](x)))
        return y * self.cab[3].attention(y)


class Hybrid(SwinBlock):
    def __init__(self, dim, heads, window, shift):
        super().__init__(dim, heads, window, shift, 2 * dim)
        self.conv_block = Channels(dim, dim // 3, 2)

    def forward(self, x):
        y = self.norm1(x)
        near = to_map(self.conv_block(to_picture(y)))
        x = x + self.attn(y, self.shift) + near * 0.01
        return x + self.mlp(self.norm2(x))


class Overlapping(nn.Module):
    def __init__(self, dim, heads, window, seen):
        super().__init__()
        self.dim, self.heads, self.window, self.seen = dim, heads, window, seen
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj, self.mlp = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), Mlp(dim, 2 * dim)
        self.relative_position_bias_table = nn.Parameter(torch.zeros((window + seen - 1) ** 2, heads))

    def index(self):
        at = lambda side: torch.stack(torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")).flatten(1)
        apart = at(self.seen)[:, None, :] - at(self.window)[:, :, None] + self.window - self.seen + 1
        return apart[0] * (self.window + self.seen - 1) + apart[1]

    def forward(self, x):
        _, height, width, dim = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        around = (self.seen - self.window) // 2

        def seen(y):
            y = F.unfold(to_picture(y), self.seen, stride=self.window, padding=around)
            return y.view(dim, self.seen**2, -1).permute(2, 1, 0)

        split = lambda y: y.reshape(y.shape[0], y.shape[1], self.heads, -1).transpose(1, 2)
        bias = self.relative_position_bias_table[self.index()].permute(2, 0, 1)
        q = split(cut(q, self.window, self.window))
        y = attend(q, split(seen(k)), split(seen(v)), (dim // self.heads) ** -0.5, bias)
        y = join(y.transpose(1, 2).reshape(-1, self.window**2, dim), self.window, self.window, height, width)
        x = self.proj(y) + x
        return x + self.mlp(self.norm2(x))


class HatGroup(Group):
    def __init__(self, dim, heads, window, seen):
        super().__init__([Hybrid(dim, heads, window, i * (window // 2)) for i in range(2)], dim)
        self.residual_group.overlap_attn = Overlapping(dim, heads, window, seen)

    def forward(self, x):
        y = x
        for block in self.residual_group.blocks:
            y = block(y)
        y = self.residual_group.overlap_attn(y)
        return x + to_map(self.conv(to_picture(y)))


class DepthwiseMlp(nn.Module):
    def __init__(self, dim, hidden, kernel=5):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(dim, hidden), nn.Linear(hidden, dim)
        self.dwconv = nn.Module()
        self.dwconv.depthwise_conv = nn.Sequential(conv(hidden, hidden, kernel, hidden), nn.GELU())

    def forward(self, x):
        x = F.gelu(self.fc1(x))
        return self.fc2(x + to_map(self.dwconv.depthwise_conv(to_picture(x))))


class Permuted(nn.Module):
    """SRFormer's attention: keys and values of the squares of four tokens."""

    def __init__(self, dim, heads, window):
        super().__init__()
        self.dim, self.heads, self.window = dim, heads, window
        half = window // 2
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * half - 1) ** 2, heads))
        self.q, self.kv, self.proj = nn.Linear(dim, dim), nn.Linear(dim, dim // 2), nn.Linear(dim, dim)

    def mask(self, height, width):
        window, half = self.window, self.window // 2
        tokens, squares = torch.zeros(1, height, width, 1), torch.zeros(1, height // 2, width // 2, 1)
        for marks, side in ((tokens, window), (squares, half)):
            # The published network's own way: what the shift brought is told apart among tokens only.
            marks[:, -side:] += 3 if side == window else 6
            marks[:, :, -side:] += 1 if side == window else 2
            if side == window:
                marks[:, -half:] += 3
                marks[:, :, -half:] += 1
        apart = cut(tokens, window, window) != cut(squares, half, half).transpose(1, 2)
        return apart.float().unsqueeze(1) * -100

    def forward(self, x, shift):
        _, height, width, dim = x.shape
        window, half = self.window, self.window // 2
        x = cut(torch.roll(x, (-shift, -shift), (1, 2)), window, window)
        n = window * window
        kv = self.kv(x).view(-1, half, 2, half, 2, 2, dim // 4).permute(5, 0, 1, 3, 2, 4, 6)
        k, v = kv.reshape(2, -1, half * half, self.heads, dim // self.heads).transpose(2, 3)
        q = self.q(x).view(-1, n, self.heads, dim // self.heads).transpose(1, 2)
        squares = relative_index(half, half).view(half, half, -1)
        index = squares.repeat_interleave(2, 0).repeat_interleave(2, 1).view(n, -1)
        bias = self.relative_position_bias_table[index].permute(2, 0, 1)
        if shift:
            bias = bias + self.mask(height, width)
        y = attend(q, k, v, (dim // self.heads) ** -0.5, bias).transpose(1, 2).reshape(-1, n, dim)
        y = join(self.proj(y), window, window, height, width)
        return torch.roll(y, (shift, shift), (1, 2))


class PermutedBlock(nn.Module):
    def __init__(self, dim, heads, window, shift):
        super().__init__()
        self.norm1, self.norm2, self.shift = nn.LayerNorm(dim), nn.LayerNorm(dim), shift
        self.attn, self.mlp = Permuted(dim, heads, window), DepthwiseMlp(dim, 2 * dim)

    def forward(self, x):
        x = x + self.attn(self.norm1(x), self.shift)
        return x + self.mlp(self.norm2(x))


def srformer(dim=8, heads=2, window=4):
    blocks = [PermutedBlock(dim, heads, window, i * (window // 2)) for i in range(2)]
    return Frame(dim, [Group(blocks, dim)], window, "double")


class GatedMlp(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(dim, hidden), nn.Linear(hidden // 2, dim)
        self.sg = nn.Module()
        self.sg.norm, self.sg.conv = nn.LayerNorm(hidden // 2), conv(hidden // 2, hidden // 2, 3, hidden // 2)

    def forward(self, x):
        own, gate = F.gelu(self.fc1(x)).chunk(2, -1)
        return self.fc2(own * to_map(self.sg.conv(to_picture(self.sg.norm(gate)))))


class Rectangle(nn.Module):
    """Attention in windows of h x w, with positions from a small network."""

    def __init__(self, dim, heads, h, w):
        super().__init__()
        self.dim, self.heads, self.h, self.w = dim, heads, h, w
        f = dim // 16
        grid = torch.meshgrid(torch.arange(1 - h, h), torch.arange(1 - w, w), indexing="ij")
        self.register_buffer("rpe_biases", torch.stack(grid).flatten(1).t().float())
        self.register_buffer("relative_position_index", relative_index(h, w))
        step = lambda out: nn.Sequential(nn.LayerNorm(f), nn.ReLU(), nn.Linear(f, out))
        self.pos = nn.ModuleDict({"pos_proj": nn.Linear(2, f), "pos1": step(f), "pos2": step(f), "pos3": step(heads)})

    def forward(self, qkv, shift):
        _, height, width, _ = qkv.shape
        n = self.h * self.w
        qkv = torch.roll(qkv, [-by for by in shift], (1, 2))
        q, k, v = heads_of(cut(qkv, self.h, self.w), self.heads)
        table = self.rpe_biases
        for part in ("pos_proj", "pos1", "pos2", "pos3"):
            table = self.pos[part](table)
        bias = table[self.relative_position_index.view(-1)].view(n, n, -1).permute(2, 0, 1)
        if any(shift):
            bias = bias + region_mask(height, width, (self.h, self.w), shift)
        y = attend(q, k, v, (self.dim // self.heads) ** -0.5, bias).transpose(1, 2).reshape(-1, n, self.dim)
        return torch.roll(join(y, self.h, self.w, height, width), list(shift), (1, 2))


class Rectangles(nn.Module):
    """Lying windows over one half of the channels, standing ones over the other; zeros stand beyond the picture."""

    def __init__(self, dim, heads, split):
        super().__init__()
        self.split = split
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.attns = nn.ModuleList([Rectangle(dim // 2, heads // 2, *split), Rectangle(dim // 2, heads // 2, *split[::-1])])

    def attended(self, qkv, is_shifted):
        _, height, width, wide = qkv.shape
        longer = max(self.split)
        padded = F.pad(qkv, (0, 0, 0, -width % longer, 0, -height % longer))
        halves = padded.view(*padded.shape[:3], 3, 2, wide // 6)
        shift = [side // 2 if is_shifted else 0 for side in self.split]
        made = [
            attention(halves[..., i, :].flatten(3), shift if i == 0 else shift[::-1])
            for i, attention in enumerate(self.attns)
        ]
        return torch.cat(made, -1)[:, :height, :width]


class Mixing(nn.Module):
    """DAT's convolution beside the attention, and what each tells the other."""

    def mixing(self, dim):
        self.dwconv = nn.Sequential(conv(dim, dim, 3, dim), nn.BatchNorm2d(dim), nn.GELU())
        self.channel_interaction = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), conv(dim, dim // 8, 1), nn.BatchNorm2d(dim // 8), nn.GELU(), conv(dim // 8, dim, 1)
        )
        self.spatial_interaction = nn.Sequential(
            conv(dim, dim // 16, 1), nn.BatchNorm2d(dim // 16), nn.GELU(), conv(dim // 16, 1, 1)
        )


class DatPlaces(Rectangles, Mixing):
    def __init__(self, dim, heads, split, is_shifted):
        super().__init__(dim, heads, split)
        self.is_shifted = is_shifted
        self.mixing(dim)

    def forward(self, x):
        qkv = self.qkv(x)
        seen = to_picture(self.attended(qkv, self.is_shifted))
        near = self.dwconv(to_picture(qkv.chunk(3, -1)[2]))
        y = seen * self.channel_interaction(near).sigmoid() + near * self.spatial_interaction(seen).sigmoid()
        return self.proj(to_map(y))


class DatChannels(Mixing):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.temperature = heads, nn.Parameter(torch.ones(heads, 1, 1))
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mixing(dim)

    def forward(self, x):
        _, height, width, dim = x.shape
        q, k, v = to_picture(self.qkv(x)).view(3, self.heads, dim // self.heads, -1)
        alike = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        seen = ((alike * self.temperature).softmax(-1) @ v).view(1, dim, height, width)
        near = self.dwconv(v.reshape(1, dim, height, width))
        y = seen * self.spatial_interaction(near).sigmoid() + near * self.channel_interaction(seen).sigmoid()
        return self.proj(to_map(y))


class DatBlock(nn.Module):
    def __init__(self, dim, heads, split, group, index):
        super().__init__()
        self.norm1, self.norm2, self.ffn = nn.LayerNorm(dim), nn.LayerNorm(dim), GatedMlp(dim, 2 * dim)
        shifted = index % 4 == (2 if group % 2 == 0 else 0)
        self.attn = DatPlaces(dim, heads, split, shifted) if index % 2 == 0 else DatChannels(dim, heads)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.ffn(self.norm2(x))


class RgtPlaces(Rectangles):
    def __init__(self, dim, heads, split, is_shifted):
        super().__init__(dim, heads, split)
        self.is_shifted, self.get_v = is_shifted, conv(dim, dim, 3, dim)

    def forward(self, x):
        qkv = self.qkv(x)
        near = to_map(self.get_v(to_picture(qkv.chunk(3, -1)[2])))
        return self.proj(self.attended(qkv, self.is_shifted) + near)


class RgtFar(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.narrow = heads, dim // 2
        self.reduction1 = nn.Conv2d(dim, dim, 4, 4, groups=dim)
        self.dwconv, self.cpe = conv(dim, dim, 3, dim), conv(dim, dim, 3, dim)
        self.conv = conv(dim, self.narrow, 1)
        self.norm_act = nn.Sequential(nn.LayerNorm(self.narrow), nn.GELU())
        self.q, self.k = nn.Linear(dim, self.narrow), nn.Linear(self.narrow, self.narrow)
        self.v, self.proj = nn.Linear(self.narrow, dim), nn.Linear(dim, dim)

    def forward(self, x):
        _, height, width, dim = x.shape
        small = self.reduction1(self.reduction1(to_picture(x)))
        small = self.norm_act(to_map(self.conv(self.dwconv(small))))
        v = self.v(small)
        v = v + to_map(self.cpe(to_picture(v)))
        split = lambda y: y.reshape(1, -1, self.heads, y.shape[-1] // self.heads).transpose(1, 2)
        y = attend(split(self.q(x)), split(self.k(small)), split(v), (self.narrow / self.heads) ** -0.5)
        return self.proj(y.transpose(1, 2).reshape(1, height, width, dim))


class RgtBlock(nn.Module):
    def __init__(self, dim, heads, split, group, index):
        super().__init__()
        self.norm1, self.norm2, self.mlp = nn.LayerNorm(dim), nn.LayerNorm(dim), GatedMlp(dim, 2 * dim)
        shifted = index % 4 == (2 if group % 2 == 0 else 0)
        self.attn = RgtPlaces(dim, heads, split, shifted) if index % 2 == 0 else RgtFar(dim, heads)
        self.gamma = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        y = x + self.attn(self.norm1(x))
        y = y + self.mlp(self.norm2(y))
        return y + x * self.gamma


class PlainGroup(nn.Module):
    def __init__(self, blocks, dim):
        super().__init__()
        self.blocks, self.conv = nn.ModuleList(blocks), conv(dim, dim)

    def forward(self, x):
        y = x
        for block in self.blocks:
            y = block(y)
        return x + to_map(self.conv(to_picture(y)))


class Grouped(Frame):
    """DAT and RGT: no padding of the picture, and the norm under another name."""

    def __init__(self, dim, groups, way="shuffle"):
        super().__init__(dim, groups, 1, way, patch_norm=False)
        self.before_RG = nn.Sequential(nn.Identity(), nn.LayerNorm(dim))

    def body(self, x):
        return super().body(self.before_RG(x))


class SpatialGate(nn.Module):
    def __init__(self, f, dim):
        super().__init__()
        self.conv1, self.conv_f, self.conv4 = conv(dim, f, 1), conv(f, f, 1), conv(f, dim, 1)
        self.conv2, self.conv3 = nn.Conv2d(f, f, 3, 2), conv(f, f)

    def forward(self, x):
        narrow = self.conv1(x)
        y = self.conv3(F.max_pool2d(self.conv2(narrow), 7, 3))
        y = F.interpolate(y, x.shape[2:], mode="bilinear", align_corners=False)
        return x * self.conv4(y + self.conv_f(narrow)).sigmoid()


class PictureNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return to_picture(F.layer_norm(to_map(x), self.weight.shape, self.weight, self.bias, 1e-6))


class Residual(nn.Module):
    def __init__(self, norm, fn):
        super().__init__()
        if norm is not None:
            self.norm = norm
        self.fn = fn

    def forward(self, x):
        return self.fn(self.norm(x) if hasattr(self, "norm") else x) + x


class Squeeze(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate = nn.ModuleDict({"1": nn.Linear(dim, dim // 4, False), "3": nn.Linear(dim // 4, dim, False)})

    def forward(self, x):
        y = F.silu(self.gate["1"](x.mean((2, 3))))
        return x * self.gate["3"](y).sigmoid()[:, :, None, None]


class OmniPlaces(nn.Module):
    def __init__(self, dim, window, far):
        super().__init__()
        self.window, self.far = window, far
        self.to_qkv = nn.Linear(dim, 3 * dim, False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim, False))
        self.rel_pos_bias = nn.Embedding((2 * window - 1) ** 2, 4)

    def forward(self, x):
        b, n, dim = x.shape
        q, k, v = heads_of(self.to_qkv(x), 4)
        bias = self.rel_pos_bias(relative_index(self.window, self.window)).permute(2, 0, 1)
        return self.to_out(attend(q, k, v, (dim // 4) ** -0.5, bias).transpose(1, 2).reshape(b, n, dim))


class Over(nn.Module):
    """A residual over the tokens of sets: of a window each, or as far apart as a window has sides."""

    def __init__(self, dim, window, far):
        super().__init__()
        self.norm, self.fn, self.window, self.far = nn.LayerNorm(dim), OmniPlaces(dim, window, far), window, far

    def forward(self, x):
        _, _, height, width = x.shape
        w, y = self.window, to_map(x)
        if self.far:
            y = y.reshape(w, height // w, w, width // w, -1).permute(1, 3, 0, 2, 4).flatten(0, 1).flatten(1, 2)
        else:
            y = cut(y, w, w)
        y = self.fn(self.norm(y)) + y
        if self.far:
            y = y.view(height // w, width // w, w, w, -1).permute(2, 0, 3, 1, 4).reshape(1, height, width, -1)
        else:
            y = join(y, w, w, height, width)
        return to_picture(y)


class OmniGated(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.project_in = nn.Conv2d(dim, 2 * dim, 1, bias=False)
        self.dwconv = nn.Conv2d(2 * dim, 2 * dim, 3, padding=1, groups=2 * dim, bias=False)
        self.project_out = nn.Conv2d(dim, dim, 1, bias=False)

    def forward(self, x):
        a, b = self.dwconv(self.project_in(x)).chunk(2, 1)
        return self.project_out(F.gelu(a) * b)


class OmniChannels(nn.Module):
    def __init__(self, dim, window, far):
        super().__init__()
        self.window, self.far = window, far
        self.temperature = nn.Parameter(torch.ones(4, 1, 1))
        self.qkv = nn.Conv2d(dim, 3 * dim, 1, bias=False)
        self.qkv_dwconv = nn.Conv2d(3 * dim, 3 * dim, 3, padding=1, groups=3 * dim, bias=False)
        self.project_out = nn.Conv2d(dim, dim, 1, bias=False)

    def forward(self, x):
        _, dim, height, width = x.shape
        w = self.window
        qkv = self.qkv_dwconv(self.qkv(x)).view(3, 4, dim // 4, height // w, w, width // w, w)
        order = (0, 4, 6, 1, 2, 3, 5) if self.far else (0, 3, 5, 1, 2, 4, 6)
        sets = qkv.permute(order)
        q, k, v = sets.flatten(5).flatten(1, 2)
        alike = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        y = (alike * self.temperature).softmax(-1) @ v
        y = y.view(sets.shape[1:])
        back = (2, 3, 4, 0, 5, 1) if self.far else (2, 3, 0, 4, 1, 5)
        return self.project_out(y.permute(back).reshape(1, dim, height, width))


def omni_block(dim, window):
    narrow = nn.Sequential(conv(dim, dim, 1), nn.GELU(), conv(dim, dim, 3, dim), nn.GELU(), Squeeze(dim), conv(dim, dim, 1))
    gated = lambda: Residual(PictureNorm(dim), OmniGated(dim))
    channels = lambda far: Residual(PictureNorm(dim), OmniChannels(dim, window, far))
    same = nn.Identity
    held = nn.Module()
    held.layer = nn.Sequential(
        Residual(None, narrow), same(), Over(dim, window, False), same(), gated(), channels(False), gated(),
        same(), Over(dim, window, True), same(), gated(), channels(True), gated(),
    )
    held.forward = lambda x: held.layer(x)
    return held


class OmniGroup(nn.Module):
    def __init__(self, dim, window):
        super().__init__()
        self.residual_layer = nn.ModuleList([omni_block(dim, window), conv(dim, dim, 1)])
        self.esa = SpatialGate(4, dim)

    def forward(self, x):
        y = x
        for one in self.residual_layer:
            y = one(y)
        return self.esa(y + x)


class Omni(nn.Module):
    sizes = [(16, 16), (17, 19), (24, 15)]

    def __init__(self, dim=8, window=4, scale=2):
        super().__init__()
        self.window, self.scale = window, scale
        self.input, self.output = conv(3, dim), conv(dim, dim)
        self.residual_layer = nn.Sequential(OmniGroup(dim, window))
        self.up = nn.Sequential(conv(dim, 3 * scale**2), nn.PixelShuffle(scale))

    def forward(self, x):
        height, width = x.shape[2:]
        x = F.pad(x, (0, -width % self.window, 0, -height % self.window))
        x = self.input(x)
        y = self.up(self.output(self.residual_layer(x)) + x)
        return y[:, :, : height * self.scale, : width * self.scale]


class AtdLayer(nn.Module):
    def __init__(self, dim, heads, window, tokens, shift, is_last):
        super().__init__()
        self.shift, self.heads, self.dim = shift, heads, dim
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        if not is_last:
            self.norm3, self.sigma = nn.InstanceNorm1d(tokens, affine=True), nn.Parameter(torch.zeros(tokens, 1))
        self.wqkv = nn.Linear(dim, 3 * dim)
        self.attn_win = Attention(dim, heads, window, has_qkv=False)
        self.attn_atd = nn.ModuleDict({"wq": nn.Linear(dim, 3), "wk": nn.Linear(dim, 3), "wv": nn.Linear(dim, dim)})
        self.attn_atd.scale = nn.Parameter(torch.ones(tokens) / 2)
        self.attn_aca = nn.ModuleDict({"proj": nn.Linear(dim, dim)})
        self.attn_aca.logit_scale = nn.Parameter(torch.full((1, 1), math.log(10)))
        self.convffn = DepthwiseMlp(dim, 2 * dim)

    def by_kind(self, qkv, alike, size=256):
        count = len(qkv)
        size = min(size, count)
        order = torch.sort(alike.argmax(1), stable=True)[1]
        rows = qkv[order]
        missing = -count % size
        rows = torch.cat([rows, rows[count - missing :].flip(0)])
        q, k, v = heads_of(rows.view(-1, size, 3 * self.dim), self.heads)
        scale = self.attn_aca.logit_scale.clamp(max=math.log(100)).exp()
        y = attend(q, k, v, scale).transpose(1, 2).reshape(-1, self.dim)[:count]
        return self.attn_aca["proj"](y[order.argsort()])

    def forward(self, x, td):
        y = self.norm1(x)
        qkv = self.wqkv(y)
        part = self.attn_atd
        alike = F.normalize(part["wq"](y.flatten(0, 2)), dim=-1) @ F.normalize(part["wk"](td), dim=-1).t()
        alike = (alike * (1 + part.scale.clamp(0, 1) * math.log(len(td)))).softmax(-1)
        kinds = self.by_kind(qkv.flatten(0, 2), alike)
        y = self.attn_win.over(qkv, self.shift)
        x = x + y + (alike @ part["wv"](td)).view(x.shape) + kinds.view(x.shape)
        x = x + self.convffn(self.norm2(x))
        if hasattr(self, "sigma"):
            drawn = self.norm3(alike.t()[None]).softmax(-1)[0] @ x.flatten(0, 2)
            kept = self.sigma.sigmoid()
            td = kept * td + (1 - kept) * drawn
        return x, td


class AtdGroup(nn.Module):
    def __init__(self, dim, heads, window, tokens):
        super().__init__()
        held = nn.Module()
        held.layers = nn.ModuleList([AtdLayer(dim, heads, window, tokens, i * (window // 2), i == 1) for i in range(2)])
        held.td = nn.Parameter(torch.randn(tokens, dim))
        self.residual_group, self.conv = held, conv(dim, dim)

    def forward(self, x):
        y, td = x, self.residual_group.td
        for layer in self.residual_group.layers:
            y, td = layer(y, td)
        return x + to_map(self.conv(to_picture(y)))


class Atd(Frame):
    sizes = [(6, 6), (7, 9), (23, 17)]

    def pad(self, x):
        height, width = x.shape[2] + -x.shape[2] % self.window, x.shape[3] + -x.shape[3] % self.window
        x = torch.cat([x, x.flip(2)], 2)[:, :, :height]
        return torch.cat([x, x.flip(3)], 3)[:, :, :, :width]


def dat(way, groups=2):
    made = [PlainGroup([DatBlock(32, 4, (2, 4), g, i) for i in range(3 - 2 * g)], 32) for g in range(groups)]
    return Grouped(32, made, way)


def rgt():
    made = [PlainGroup([RgtBlock(32, 4, (2, 4), g, i) for i in range(3 - 2 * g)], 32) for g in range(2)]
    network = Grouped(32, made)
    network.sizes = [(16, 16), (17, 21), (36, 19)]
    return network


def networks():
    """By name; the first word is the architecture's."""
    return {
        "swin": swin_ir(),
        "swin-direct": swin_ir(way="direct"),
        "swin-double": swin_ir(way="double", threefold=True),
        "swin-jpeg": swin_ir(window=7, way="none", spread=255.0),
        "drct": Frame(8, [Dense(8, 4, 4, 4)], 4),
        "hat": Frame(12, [HatGroup(12, 2, 4, 6)], 4),
        "srformer": srformer(),
        "dat": dat("shuffle"),
        "dat-direct": dat("direct", 1),
        "omni": Omni(),
        "rgt": rgt(),
        "atd": Atd(8, [AtdGroup(8, 2, 4, 5)], 4),
    }


def randomise(network):
    """What starts as zeros or ones would hide mistakes."""
    for name, value in network.named_parameters():
        if value.ndim == 1 or any(word in name for word in ("table", "sigma", "temperature", "scale")):
            nn.init.uniform_(value, -0.5, 0.5) if "bias" in name or "table" in name else nn.init.uniform_(value, 0.5, 1.5)
    for name, value in network.named_buffers():
        if "running" in name:
            nn.init.uniform_(value, 0.5, 1.5)
