"""Small networks with random weights and what PyTorch gives for them: the fixtures that imported networks are
compared with. Written from the papers; nothing of it ships.

python3 make-references.py FOLDER [NAME...]   (PyTorch 1.13 or newer)
"""
import base64
import collections
import json
import math
import os
import re
import sys

import torch
from torch import nn
from torch.nn import functional as F

import attention
import convolutional

torch.manual_seed(19)
SIZES = [(6, 6), (7, 9), (10, 5)]


def conv(a, b, k=3, bias=True):
    return nn.Conv2d(a, b, k, padding=k // 2, bias=bias)


class Dense(nn.Module):
    def __init__(self, f, g, plus):
        super().__init__()
        for i in range(5):
            setattr(self, f"conv{i + 1}", conv(f + i * g, g if i < 4 else f))
        if plus:
            self.conv1x1 = conv(f, g, 1, bias=False)
        self.plus = plus

    def forward(self, x):
        act = lambda y: F.leaky_relu(y, 0.2)
        a = act(self.conv1(x))
        b = act(self.conv2(torch.cat([x, a], 1)))
        if self.plus:
            b = b + self.conv1x1(x)
        c = act(self.conv3(torch.cat([x, a, b], 1)))
        d = act(self.conv4(torch.cat([x, a, b, c], 1)))
        if self.plus:
            d = d + b
        return self.conv5(torch.cat([x, a, b, c, d], 1)) * 0.2 + x


class Block(nn.Module):
    def __init__(self, f, g, plus):
        super().__init__()
        self.rdb1, self.rdb2, self.rdb3 = (Dense(f, g, plus) for _ in range(3))

    def forward(self, x):
        return self.rdb3(self.rdb2(self.rdb1(x))) * 0.2 + x


class Esrgan(nn.Module):
    def __init__(self, f=4, g=2, blocks=2, ups=1, unshuffle=1, plus=False):
        super().__init__()
        self.unshuffle, self.ups = unshuffle, ups
        self.conv_first = conv(3 * unshuffle**2, f)
        self.body = nn.Sequential(*[Block(f, g, plus) for _ in range(blocks)])
        self.conv_body = conv(f, f)
        for i in range(ups):
            setattr(self, f"conv_up{i + 1}", conv(f, f))
        self.conv_hr, self.conv_last = conv(f, f), conv(f, 3)

    def forward(self, x):
        if self.unshuffle > 1:
            x = F.pixel_unshuffle(x, self.unshuffle)
        x = self.conv_first(x)
        x = x + self.conv_body(self.body(x))
        for i in range(self.ups):
            up = getattr(self, f"conv_up{i + 1}")
            x = F.leaky_relu(up(F.interpolate(x, scale_factor=2, mode="nearest")), 0.2)
        return self.conv_last(F.leaky_relu(self.conv_hr(x), 0.2))


class Trunk(nn.Module):
    def __init__(self, f, g, blocks):
        super().__init__()
        self.sub = nn.Sequential(*[Block(f, g, False) for _ in range(blocks)], conv(f, f))


def doublings(f, ups):
    for _ in range(ups):
        yield from (nn.Upsample(scale_factor=2), conv(f, f), nn.LeakyReLU(0.2))


class Spsr(nn.Module):
    """Structure-Preserving Super Resolution with Gradient Guidance (Ma 2020): a branch for the picture, one for the
    sizes of its gradients that looks at the first one four times, and a block that joins both."""

    def __init__(self, f=2, g=1, blocks=21, ups=1):
        super().__init__()
        act = nn.LeakyReLU(0.2)
        one = lambda a, b, *more: nn.Sequential(conv(a, b), *more)
        self.HR_conv0_new, self.HR_conv1_new = one(f, f, act), one(f, f)
        self.model = nn.Sequential(conv(3, f), Trunk(f, g, blocks), *doublings(f, ups), *self.HR_conv0_new)
        self.get_g_nopadding = nn.Module()
        down = torch.tensor([[0.0, -1, 0], [0, 0, 0], [0, 1, 0]]).view(1, 1, 3, 3)
        self.get_g_nopadding.weight_v, self.get_g_nopadding.weight_h = nn.Parameter(down), nn.Parameter(down.mT)
        self.b_fea_conv, self.b_LR_conv = one(3, f), one(f, f)
        for i in range(1, 5):
            setattr(self, f"b_block_{i}", Block(2 * f, g, False))
            setattr(self, f"b_concat_{i}", one(2 * f, f))
        self.b_module = nn.Sequential(*doublings(f, ups), conv(f, f), act, conv(f, f))
        self.conv_w = nn.Sequential(conv(f, 3, 1))
        self.f_block, self.f_concat = Block(2 * f, g, False), one(2 * f, f)
        self.f_HR_conv0, self.f_HR_conv1 = one(f, f, act), one(f, 3)

    def gradients(self, x):
        parts = [F.conv2d(x, w.expand(3, 1, 3, 3), padding=1, groups=3) for w in self.get_g_nopadding.parameters()]
        return (parts[0] ** 2 + parts[1] ** 2 + 1e-6).sqrt()

    def forward(self, x):
        begun = self.b_fea_conv(self.gradients(x))
        first = at = self.model[0](x)
        guided = begun
        for i, part in enumerate(self.model[1].sub, 1):
            at = part(at)
            if i in (5, 10, 15, 20):
                joined = getattr(self, f"b_block_{i // 5}")(torch.cat([guided, at], 1))
                guided = getattr(self, f"b_concat_{i // 5}")(joined)
        picture = self.HR_conv1_new(self.model[2:](first + at))
        edges = self.b_module(self.b_LR_conv(guided) + begun)
        joined = self.f_concat(self.f_block(torch.cat([edges, picture], 1)))
        return self.f_HR_conv1(self.f_HR_conv0(joined))


class Compact(nn.Module):
    def __init__(self, f=6, convs=2, scale=2):
        super().__init__()
        body = [conv(3, f), nn.PReLU(f)]
        for _ in range(convs):
            body += [conv(f, f), nn.PReLU(f)]
        self.body = nn.Sequential(*body, conv(f, 3 * scale**2))
        self.scale = scale

    def forward(self, x):
        base = F.interpolate(x, scale_factor=self.scale, mode="nearest")
        return F.pixel_shuffle(self.body(x), self.scale) + base


class Conv3XC(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.sk = conv(a, b, 1)
        self.conv = nn.Sequential(nn.Conv2d(a, 2 * a, 1), nn.Conv2d(2 * a, 2 * b, 3), nn.Conv2d(2 * b, b, 1))
        self.eval_conv = conv(a, b)

    def forward(self, x):
        return self.conv(F.pad(x, (1, 1, 1, 1))) + self.sk(x)


class Spab(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.c1_r, self.c2_r, self.c3_r = Conv3XC(f, f), Conv3XC(f, f), Conv3XC(f, f)

    def forward(self, x):
        middle = F.silu(self.c1_r(x))
        y = self.c3_r(F.silu(self.c2_r(middle)))
        return (y + x) * (torch.sigmoid(y) - 0.5), middle


class Span(nn.Module):
    def __init__(self, f=4, scale=2, norm=True, blocks=2):
        super().__init__()
        if not norm:
            self.register_buffer("no_norm", torch.zeros(1))
        self.norm, self.blocks = norm, blocks
        self.conv_1 = Conv3XC(3, f)
        for i in range(blocks):
            setattr(self, f"block_{i + 1}", Spab(f))
        self.conv_cat = conv(4 * f, f, 1)
        self.conv_2 = Conv3XC(f, f)
        self.upsampler = nn.Sequential(conv(f, 3 * scale**2), nn.PixelShuffle(scale))

    def forward(self, x):
        if self.norm:
            x = (x - torch.tensor([0.4488, 0.4371, 0.404]).view(1, 3, 1, 1)) * 255
        first = self.conv_1(x)
        at = first
        for i in range(self.blocks):
            at, middle = getattr(self, f"block_{i + 1}")(at)
            if i == 0:
                after = at
        return self.upsampler(self.conv_cat(torch.cat([first, self.conv_2(at), after, middle], 1)))


class LayerNorm(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.rand(f)), nn.Parameter(torch.rand(f))

    def forward(self, x):
        return F.layer_norm(x.permute(0, 2, 3, 1), self.weight.shape, self.weight, self.bias, 1e-6).permute(0, 3, 1, 2)


class Plk(nn.Module):
    def __init__(self, f, kernel, attention, layer_norm):
        super().__init__()
        self.channel_mixer = nn.Sequential(conv(f, 2 * f), nn.Mish(), conv(2 * f, f))
        self.lk = nn.ModuleDict({"conv": conv(f // 4, f // 4, kernel)})
        if attention:
            self.attn = nn.ModuleDict({"f": nn.Sequential(conv(f, f), nn.Sigmoid())})
        self.refine = conv(f, f, 1)
        if layer_norm:
            self.layer_norm = LayerNorm(f)
        else:
            self.norm = nn.GroupNorm(4, f)
            nn.init.uniform_(self.norm.weight)
            nn.init.uniform_(self.norm.bias)
        self.attention, self.layered = attention, layer_norm

    def forward(self, x):
        y = self.layer_norm(x) if self.layered else x
        y = self.channel_mixer(y)
        part = self.lk["conv"].weight.shape[0]
        y = torch.cat([self.lk["conv"](y[:, :part]), y[:, part:]], 1)
        if self.attention:
            y = y * self.attn["f"](y)
        y = self.refine(y)
        return x + (y if self.layered else self.norm(y))


class DySample(nn.Module):
    def __init__(self, channels, out, scale, groups):
        super().__init__()
        self.scale, self.groups = scale, groups
        self.end_conv = nn.Conv2d(channels, out, 1)
        self.offset = nn.Conv2d(channels, 2 * groups * scale**2, 1)
        self.scope = nn.Conv2d(channels, 2 * groups * scale**2, 1, bias=False)
        h = torch.arange((1 - scale) / 2, (scale - 1) / 2 + 1) / scale
        pos = torch.stack(torch.meshgrid(h, h, indexing="ij")).transpose(1, 2)
        self.register_buffer("init_pos", pos.repeat(1, groups, 1).reshape(1, -1, 1, 1))

    def forward(self, x):
        offset = self.offset(x) * self.scope(x).sigmoid() * 0.5 + self.init_pos
        b, _, h, w = offset.shape
        offset = offset.view(b, 2, -1, h, w)
        grid = torch.meshgrid(torch.arange(w) + 0.5, torch.arange(h) + 0.5, indexing="ij")
        coords = torch.stack(grid).transpose(1, 2).unsqueeze(1).unsqueeze(0)
        coords = 2 * (coords + offset) / torch.tensor([w, h]).view(1, 2, 1, 1, 1) - 1
        coords = F.pixel_shuffle(coords.reshape(b, -1, h, w), self.scale)
        coords = coords.view(b, 2, -1, self.scale * h, self.scale * w).permute(0, 2, 3, 4, 1).flatten(0, 1)
        parts = x.reshape(b * self.groups, -1, h, w)
        y = F.grid_sample(parts, coords, mode="bilinear", align_corners=False, padding_mode="border")
        return self.end_conv(y.reshape(b, -1, self.scale * h, self.scale * w))


class RealPlksr(nn.Module):
    def __init__(self, f=8, blocks=2, scale=2, kernel=7, attention=True, layer_norm=False, dysample=False):
        super().__init__()
        body = [Plk(f, kernel, attention, layer_norm) for _ in range(blocks)]
        self.feats = nn.Sequential(conv(3, f), *body, nn.Dropout2d(0), conv(f, 3 * scale**2))
        self.scale = scale
        self.to_img = DySample(3 * scale**2, 3, scale, 4) if dysample else nn.PixelShuffle(scale)

    def forward(self, x):
        return self.to_img(self.feats(x) + torch.repeat_interleave(x, self.scale**2, 1))


def sample(width, height):
    count = 3 * width * height
    return (torch.tensor([(i * 7919 + 13) % 251 / 250 for i in range(count)])).view(1, 3, height, width)


def old_names(state, ups):
    names = {"conv_first": "model.0", "conv_hr": f"model.{2 + 3 * ups}", "conv_last": f"model.{4 + 3 * ups}"}
    names.update({f"conv_up{i + 1}": f"model.{3 + 3 * i}" for i in range(ups)})
    blocks = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("body."))
    renamed = collections.OrderedDict()
    for name, value in state.items():
        head, kind = name.rsplit(".", 1)
        if head == "conv_body":
            new = f"model.1.sub.{blocks}"
        elif head.startswith("body."):
            _, index, dense, layer = head.split(".")
            end = "" if layer == "conv1x1" else ".0"
            new = f"model.1.sub.{index}.{dense.upper()}.{layer}{end}"
        else:
            new = names[head]
        renamed[f"{new}.{kind}"] = value
    return renamed


def bsrgan_names(state):
    words = {"conv_body": "trunk_conv", "conv_hr": "HRconv", "conv_up1": "upconv1", "conv_up2": "upconv2"}
    renamed = collections.OrderedDict()
    for name, value in state.items():
        head, _, rest = name.partition(".")
        new = f"RRDB_trunk.{rest.replace('rdb', 'RDB')}" if head == "body" else f"{words.get(head, head)}.{rest}"
        renamed[new] = value
    return renamed


def spsr_names(state):
    new = lambda name: re.sub(r"\.rdb(\d)\.conv(\d)\.", r".RDB\1.conv\2.0.", name)
    return collections.OrderedDict((new(name), value) for name, value in state.items())


def main(folder, *wanted):
    os.makedirs(folder, exist_ok=True)
    networks = {
        "esrgan": (Esrgan(blocks=1), lambda s: {"params_ema": s}, {}),
        "esrgan-unshuffled": (Esrgan(ups=2, unshuffle=2, blocks=1), lambda s: {"params": s}, {}),
        "esrgan-old": (Esrgan(), lambda s: old_names(s, 1), {"_use_new_zipfile_serialization": False}),
        "esrgan-bsrgan": (Esrgan(blocks=1), bsrgan_names, {}),
        "esrgan-plus": (Esrgan(plus=True, blocks=1), lambda s: old_names(s, 1), {}),
        "spsr": (Spsr(), spsr_names, {"_use_new_zipfile_serialization": False}),
        "spsr-4": (Spsr(ups=2), spsr_names, {"_use_new_zipfile_serialization": False}),
        "compact": (Compact(), lambda s: {"params": s}, {}),
        "span": (Span(), lambda s: {"params_ema": s}, {}),
        "span-plain": (Span(norm=False), lambda s: s, {}),
        "real-plksr": (RealPlksr(), lambda s: {"params": s}, {}),
        "real-plksr-layered": (RealPlksr(layer_norm=True, attention=False, blocks=1), lambda s: s, {}),
        "real-plksr-dysample": (RealPlksr(dysample=True, blocks=1), lambda s: s, {}),
    }
    more = {**attention.networks(), **convolutional.networks(DySample)}
    for name, network in more.items():
        if name in attention.networks():
            attention.randomise(network)
        networks[name] = (network, lambda s: {"params_ema": s}, {})
    for name, (network, wrap, how) in networks.items():
        if len(wanted) > 0 and name not in wanted:
            continue
        network.eval()
        cases = []
        for width, height in getattr(network, "sizes", SIZES):
            step = getattr(network, "unshuffle", 1)
            width, height = width // step * step, height // step * step
            with torch.no_grad():
                answer = network(sample(width, height)).contiguous()
            # Of large answers every so many-th value, of all rows and colours.
            step = answer.numel() // 4000 | 1
            code = base64.b64encode(answer.flatten()[::step].numpy().astype("<f4").tobytes()).decode()
            cases.append({"width": width, "height": height, "shape": list(answer.shape), "step": step, "values": code})
        torch.save(wrap(network.state_dict()), f"{folder}/{name}.pth", **how)
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(cases, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
