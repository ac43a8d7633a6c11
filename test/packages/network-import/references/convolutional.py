"""Convolutional networks of the third step, small and written from their papers and what is published of them, for
make-references.py; nothing of it ships."""
import torch
from torch import nn
from torch.nn import functional as F


def conv(a, b, k=3, groups=1, pad=None):
    return nn.Conv2d(a, b, k, padding=k // 2 if pad is None else pad, groups=groups)


class PictureNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-6).permute(0, 3, 1, 2)


class Gated(nn.Module):
    def __init__(self, dim, hidden, seen):
        super().__init__()
        self.norm, self.parts = PictureNorm(dim), [hidden, hidden - seen, seen]
        self.fc1, self.fc2, self.conv = conv(dim, 2 * hidden), conv(hidden, dim), conv(seen, seen, 7, seen)

    def forward(self, x):
        gate, plain, near = self.fc1(self.norm(x)).split(self.parts, 1)
        return F.mish(self.fc2(F.mish(gate) * torch.cat([plain, self.conv(near)], 1))) + x - 0.5


class Mean(nn.Module):
    """Eight guesses and their mean."""

    def __init__(self, dim, scale):
        super().__init__()
        self.in_to_k, self.scale = conv(dim, 3 * scale**2 * 8), scale

    def forward(self, x):
        x = self.in_to_k(x)
        return F.pixel_shuffle(x.view(1, 8, -1, *x.shape[2:]).mean(1), self.scale)


class Mosr(nn.Module):
    def __init__(self, upsampler, dim=8, blocks=2):
        super().__init__()
        tail = [conv(dim, 2 * dim), nn.Mish(), conv(2 * dim, dim), nn.Mish(), conv(dim, dim, 1)]
        self.gblocks = nn.Sequential(conv(3, dim), *[Gated(dim, 12, 8) for _ in range(blocks)], *tail)
        self.shortcut = nn.Module()
        self.shortcut.block = nn.Sequential(conv(3, dim), nn.Mish(), conv(dim, dim), nn.Mish())
        self.shortcut.conv11 = conv(3, dim, 1)
        self.upsampler = upsampler

    def forward(self, x):
        return self.upsampler(self.gblocks(x) + self.shortcut.block(x) + self.shortcut.conv11(x) - 0.5)


class Weighted(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv_du = nn.Sequential(conv(dim, dim // 4, 1), nn.ReLU(), conv(dim // 4, dim, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.conv_du(x.mean((2, 3), keepdim=True))


class Added(nn.Module):
    def __init__(self, *body):
        super().__init__()
        self.body = nn.Sequential(*body)

    def forward(self, x):
        return self.body(x) + x


class Rcan(nn.Module):
    def __init__(self, dim=8, shrunk=1, has_mean=True):
        super().__init__()
        self.shrunk, self.has_mean = shrunk, has_mean
        block = lambda: Added(conv(dim, dim), nn.ReLU(), conv(dim, dim), Weighted(dim))
        group = lambda: Added(block(), block(), conv(dim, dim))
        first = conv(3 * shrunk**2, dim)
        self.head = nn.Sequential(*([first] if shrunk == 1 else [nn.PixelUnshuffle(shrunk), first]))
        self.body = nn.Sequential(group(), group(), conv(dim, dim))
        self.tail = nn.Sequential(nn.Sequential(conv(dim, 4 * dim), nn.PixelShuffle(2)), conv(dim, 3))
        if has_mean:
            self.sub_mean, self.add_mean = nn.Conv2d(3, 3, 1), nn.Conv2d(3, 3, 1)
            for sign, one in ((-1, self.sub_mean), (1, self.add_mean)):
                one.weight.data = torch.eye(3).view(3, 3, 1, 1)
                one.bias.data = sign * 255 * torch.tensor([0.4488, 0.4371, 0.404])

    def forward(self, x):
        height, width = x.shape[2:]
        x = F.pad(x, (0, -width % self.shrunk, 0, -height % self.shrunk), "reflect")
        x = self.head(self.sub_mean(x * 255) if self.has_mean else x)
        x = self.tail(self.body(x) + x)
        x = self.add_mean(x) / 255 if self.has_mean else x
        scale = 2 // self.shrunk
        return x[:, :, : height * scale, : width * scale]


def leaky(x):
    return F.leaky_relu(x, 0.1)


class Squeeze(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv1, self.conv2 = conv(dim, dim // 4, 1), conv(dim // 4, dim, 1)

    def forward(self, x):
        return x * self.conv2(F.relu(self.conv1(x.mean((2, 3), keepdim=True)))).sigmoid()


class Twice(nn.Module):
    def __init__(self, a, b, c, squeezed):
        super().__init__()
        self.conv = nn.Sequential(conv(a, b, pad=0), nn.LeakyReLU(0.1), conv(b, c, pad=0), nn.LeakyReLU(0.1))
        if squeezed:
            self.seblock = Squeeze(c)

    def forward(self, x):
        x = self.conv(x)
        return self.seblock(x) if hasattr(self, "seblock") else x


def down(f):
    return nn.Conv2d(f, f, 2, 2)


def up(f):
    return nn.ConvTranspose2d(f, f, 2, 2)


def cut(x, by):
    return x[:, :, by:-by, by:-by]


class Small(nn.Module):
    def __init__(self, a, b, scale, f=8):
        super().__init__()
        self.conv1, self.conv1_down = Twice(a, 4, f, False), down(f)
        self.conv2, self.conv2_up, self.conv3 = Twice(f, 12, f, True), up(f), conv(f, f, pad=0)
        self.conv_bottom = nn.ConvTranspose2d(f, b, 5, 3, 2) if scale == 3 else nn.ConvTranspose2d(f, b, 4, 2, 3)

    def forward(self, x):
        x = self.conv1(x)
        y = leaky(self.conv2_up(self.conv2(leaky(self.conv1_down(x)))))
        return self.conv_bottom(leaky(self.conv3(cut(x, 4) + y)))


class Large(nn.Module):
    def __init__(self, a, b, f=8):
        super().__init__()
        self.conv1, self.conv1_down = Twice(a, 4, f, False), down(f)
        self.conv2, self.conv2_down = Twice(f, f, 12, True), down(12)
        self.conv3, self.conv3_up = Twice(12, 16, 12, True), up(12)
        self.conv4, self.conv4_up, self.conv5 = Twice(12, f, f, True), up(f), conv(f, f, pad=0)
        self.conv_bottom = conv(f, b, pad=0)

    def forward(self, x):
        one = self.conv1(x)
        two = self.conv2(leaky(self.conv1_down(one)))
        y = leaky(self.conv3_up(self.conv3(leaky(self.conv2_down(two)))))
        y = leaky(self.conv4_up(self.conv4(cut(two, 4) + y)))
        return self.conv_bottom(leaky(self.conv5(cut(one, 16) + y)))


class Cugan(nn.Module):
    """Kinds 2, 3, 4 and 'fast'."""

    def __init__(self, kind, is_pro=False):
        super().__init__()
        self.kind, self.is_pro = kind, is_pro
        self.scale = 2 if kind == "fast" else kind
        self.sizes = [(44, 44), (45, 47), (48, 44)] if kind == "fast" else [(20, 20), (21, 23), (24, 22)]
        if is_pro:
            self.register_buffer("pro", torch.zeros(1))
        features = 8 if kind in (4, "fast") else 3
        self.unet1 = Small(12 if kind == "fast" else 3, features, self.scale)
        self.unet2 = Large(features, features)
        if kind in (4, "fast"):
            self.conv_final = conv(8, 12, pad=0)

    def forward(self, x):
        height, width = x.shape[2:]
        x = x * 0.7 + 0.15 if self.is_pro else x
        around = {2: 18, 3: 14, 4: 19, "fast": 38}[self.kind]
        multiple = 4 if self.kind in (3, "fast") else 2
        y = F.pad(x, (around, around - width % -multiple, around, around - height % -multiple), "reflect")
        y = self.unet1(F.pixel_unshuffle(y, 2) if self.kind == "fast" else y)
        y = self.unet2(y) + cut(y, 20)
        if hasattr(self, "conv_final"):
            y = F.pixel_shuffle(cut(self.conv_final(y), 1), 2)
        y = y[:, :, : height * self.scale, : width * self.scale]
        if hasattr(self, "conv_final"):
            y = y + F.interpolate(x, scale_factor=self.scale, mode="nearest")
        return (y - 0.15) / 0.7 if self.is_pro else y


class Gateless(nn.Module):
    """NAFNet's block: products of halves in place of activations."""

    def __init__(self, dim):
        super().__init__()
        self.beta, self.gamma = (nn.Parameter(torch.rand(1, dim, 1, 1)) for _ in range(2))
        self.norm1, self.norm2 = PictureNorm(dim), PictureNorm(dim)
        self.conv1, self.conv2 = conv(dim, 2 * dim, 1), conv(2 * dim, 2 * dim, 3, 2 * dim)
        self.sca = nn.Sequential(nn.AdaptiveAvgPool2d(1), conv(dim, dim, 1))
        self.conv3, self.conv4, self.conv5 = conv(dim, dim, 1), conv(dim, 2 * dim, 1), conv(dim, dim, 1)

    def forward(self, x):
        half = lambda y: torch.mul(*y.chunk(2, 1))
        y = half(self.conv2(self.conv1(self.norm1(x))))
        x = x + self.conv3(y * self.sca(y)) * self.beta
        return x + self.conv5(half(self.conv4(self.norm2(x)))) * self.gamma


class Nafnet(nn.Module):
    def __init__(self, width=4, down=(1, 2), middle=2, up=(2, 1)):
        super().__init__()
        line = lambda dim, count: nn.Sequential(*[Gateless(dim) for _ in range(count)])
        wide = [width * 2**i for i in range(len(down) + 1)]
        self.intro, self.ending = conv(3, width), conv(width, 3)
        self.encoders = nn.ModuleList(line(dim, count) for dim, count in zip(wide, down))
        self.downs = nn.ModuleList(nn.Conv2d(dim, 2 * dim, 2, 2) for dim in wide[:-1])
        self.middle_blks = line(wide[-1], middle)
        rising = wide[:0:-1]
        self.ups = nn.ModuleList(
            nn.Sequential(nn.Conv2d(dim, 2 * dim, 1, bias=False), nn.PixelShuffle(2)) for dim in rising
        )
        self.decoders = nn.ModuleList(line(dim // 2, count) for dim, count in zip(rising, up))

    def forward(self, x):
        height, width = x.shape[2:]
        multiple = 2 ** len(self.downs)
        padded = F.pad(x, (0, -width % multiple, 0, -height % multiple))
        y, beside = self.intro(padded), []
        for encoder, down in zip(self.encoders, self.downs):
            y = encoder(y)
            beside.append(y)
            y = down(y)
        y = self.middle_blks(y)
        for up, decoder in zip(self.ups, self.decoders):
            y = decoder(up(y) + beside.pop())
        return (self.ending(y) + padded)[:, :, :height, :width]


def networks(dysample):
    """By name; the first word is the architecture's."""
    shuffle = nn.Sequential(conv(8, 12), nn.PixelShuffle(2))
    return {
        "mosr": Mosr(shuffle),
        "mosr-mean": Mosr(Mean(8, 2)),
        "mosr-dysample": Mosr(dysample(8, 3, 2, 4)),
        "nafnet": Nafnet(),
        "rcan": Rcan(),
        "rcan-unshuffled": Rcan(shrunk=2, has_mean=False),
        "cugan-pro": Cugan(2, is_pro=True),
        "cugan-3": Cugan(3),
        "cugan-4": Cugan(4),
        "cugan-fast": Cugan("fast"),
    }
