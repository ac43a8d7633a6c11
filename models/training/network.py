"""The network: plain residual stacks of 3x3 convolutions beside a bicubic path.

    picture --> 5x5 convolution (starts as exact bicubic interpolation) ------+--> depth to space
       \--> head 3x3 --> blocks [3x3, ReLU, 3x3, + skip] --> + head --> tail 3x3 --/
       \--> the same again: a second tower                                     --/

Each stack is a tower. A second one starts as the first turned by a quarter, which gives
what enlarging a picture twice, upright and turned, and taking the mean gives (the
self-ensemble of Timofte et al. 2016), and is then trained on together with it.

The heads' kernels have no mean, so a flat area looks alike at every colour, and
a tower's answer to a flat area is subtracted: flat colours come out unchanged
by construction. There is no pooling and no attention, so what a pixel becomes
depends on `margin` pixels around it and tiles are exact.

A network may be told what was done to the picture: a condition (how strong its JPEG
compression is, how noisy, how soft it is), which moves the biases of the head and of each block's
first convolution. It is constant over a picture, so it costs nothing a pixel, and a
condition of zeros changes nothing.
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from bicubic import keys


def bicubic_kernel(scale):
    """[3*scale*scale, 3, 5, 5]: each phase's 4x4 Keys taps, channel c to channel c.

    Output channel c*scale*scale + row*scale + column, the order of pixel_shuffle.
    """
    offsets = (np.arange(scale) + 0.5) / scale - 0.5
    line = keys(offsets[:, None] - np.arange(-2, 3))
    phases = np.einsum("ay,bx->abyx", line, line).reshape(scale * scale, 5, 5)
    kernel = np.zeros((3, scale * scale, 3, 5, 5), np.float32)
    for channel in range(3):
        kernel[channel, :, channel] = phases
    return torch.from_numpy(kernel.reshape(-1, 3, 5, 5))


def without_mean(kernel):
    """The kernel [o, i, h, w] with the mean of each h x w plane removed."""
    return kernel - kernel.mean(dim=(2, 3), keepdim=True)


class Kernel(nn.Module):
    """A 3x3 convolution trained as a sum of branches and folded into one kernel.

    The sum of a 3x3 to `wide` channels followed by a 1x1, and a plain 3x3, as in
    SESR (Bhardwaj et al. 2021) and RepSR (Wang et al. 2022), but added up in
    weight space before the convolution, so a step costs what one 3x3 costs.
    """

    def __init__(self, channels, wide, gain):
        super().__init__()
        fan_in = channels * 9
        plain = torch.randn(channels, channels, 3, 3) * gain * (2 / fan_in) ** 0.5
        self.wide = wide
        if wide:
            expand = torch.randn(1, wide, channels * 3, 3) * fan_in**-0.5
            project = torch.randn(channels, wide, 1, 1) * gain * (2 / wide) ** 0.5
            self.expand = nn.Parameter(expand)
            self.project = nn.Parameter(project * 0.5**0.5)
            plain = plain * 0.5**0.5
        self.plain = nn.Parameter(plain)
        self.bias = nn.Parameter(torch.zeros(channels))

    def fold(self):
        """The one kernel [channels, channels, 3, 3]."""
        if not self.wide:
            return self.plain
        return self.plain + (self.project[:, :, 0, 0] @ self.expand[0].flatten(1)).view_as(self.plain)


def condition_terms(condition):
    """[n, 3] of compression, noise and softness, 0 (none) to about 1, as the terms [n, 9] of a quadratic."""
    jpeg, noise, soft = condition.split(1, 1)
    own = jpeg, jpeg * jpeg, noise, noise * noise, jpeg * noise
    return torch.cat((*own, soft, soft * soft, jpeg * soft, noise * soft), 1)


TERMS = 9


def with_all_terms(shifts):
    """Shifts [TERMS, n] of those of a network that was told of compression and noise alone, [5, n]."""
    return F.pad(shifts, (0, 0, 0, TERMS - len(shifts)))


class Tower(nn.Module):
    """One stack: head, blocks of two convolutions, tail to `out` channels.

    With `conditioned`, `shifts` [TERMS, (1 + blocks) * channels] says what each term of the
    condition adds to the biases of the head and of each block's first convolution.
    """

    def __init__(self, channels, blocks, wide, out, conditioned=False):
        super().__init__()
        if conditioned:
            self.shifts = nn.Parameter(torch.zeros(TERMS, (1 + blocks) * channels))
        self.head = nn.Parameter(torch.randn(channels, 3, 3, 3) * 0.5)
        self.head_bias = nn.Parameter(torch.zeros(channels))
        gains = [1.0, 0.3] * blocks
        self.body = nn.ModuleList(Kernel(channels, wide, gain) for gain in gains)
        self.tail = nn.Parameter(torch.randn(out, channels, 3, 3) * 1e-3)

    def fold(self):
        """Plain convolutions: {"head" | "body" | "tail": (kernel, bias)}, `body` a list of them; and the shifts."""
        body = [(kernel.fold(), kernel.bias) for kernel in self.body]
        head = (without_mean(self.head), self.head_bias)
        level = flat_answer(head[1], body, self.tail)
        folded = {"head": head, "body": body, "tail": (self.tail, -level)}
        return {**folded, "shifts": self.shifts} if hasattr(self, "shifts") else folded

    def shift(self, condition):
        """What a condition [n, 3] adds to the biases: [n, 1 + blocks, channels]."""
        terms = condition_terms(condition)
        return (terms @ self.shifts).view(len(terms), -1, len(self.head_bias))


class Enlarger(nn.Module):
    """Trainable weights. `fold()` gives the plain convolutions that `run` applies."""

    def __init__(self, scale, channels=48, blocks=7, wide=96, towers=1, conditioned=False):
        super().__init__()
        self.shape = {"scale": scale, "channels": channels, "blocks": blocks, "wide": wide, "towers": towers}
        if conditioned:
            self.shape["conditioned"] = True
        out = 3 * scale * scale
        self.towers = nn.ModuleList(Tower(channels, blocks, wide, out, conditioned) for _ in range(towers))
        self.skip = nn.Parameter(torch.zeros(out, 3, 5, 5))
        self.register_buffer("bicubic", bicubic_kernel(scale))

    def fold(self):
        """{"towers": what each folds to, "skip": (kernel, None)}."""
        skip = (self.bicubic + without_mean(self.skip), None)
        return {"towers": [tower.fold() for tower in self.towers], "skip": skip}

    def shifts(self, condition):
        """One shift [n, 1 + blocks, channels] a tower, for a condition [n, 3]."""
        return [tower.shift(condition) for tower in self.towers]

    def forward(self, picture, low_precision=None, condition=None):
        shifts = None if condition is None else self.shifts(condition)
        return run(self.fold(), picture, self.shape["scale"], low_precision, shifts)


def turned(name, weight, scale):
    """The weight of this name in a network that sees and answers a quarter turn away.

    Kernels turn; in the layers that write output pixels (`tail`, `skip`) the pixels' order
    turns with them. Biases stay.
    """
    if weight.ndim < 4 or name.endswith("project"):
        return weight
    if name.endswith("expand"):  # [1, wide, inputs*3, 3] holds [wide, inputs, 3, 3]
        return weight.reshape(weight.shape[1], -1, 3, 3).rot90(1, (2, 3)).reshape(weight.shape)
    if name.endswith(("tail", "skip")):
        phases = weight.view(3, scale, scale, *weight.shape[1:])
        return phases.rot90(1, (1, 2)).rot90(1, (4, 5)).reshape(weight.shape)
    return weight.rot90(1, (2, 3))


def doubled(weights, scale):
    """The weights of one tower as those of two, the second turned: the mean of both answers."""
    both = {}
    for name, weight in weights.items():
        other = turned(name, weight, scale)
        if name.startswith("towers.0."):
            part = 0.5 if name.endswith("tail") else 1
            both[name] = weight * part
            both["towers.1." + name.removeprefix("towers.0.")] = other * part
        else:
            both[name] = weight if name == "bicubic" else (weight + other) / 2
    return both


def flat_answer(head_bias, body, tail, shift=None):
    """What tail(body) gives, [out], far inside any flat area of a picture; [n, out] with shifts.

    On flat ground a 3x3 convolution is the matrix of its kernel's sums.
    """
    def at(layer):
        return 0 if shift is None else shift[:, layer]

    def matrix(kernel, x):
        return (kernel.sum((2, 3)) * x.unsqueeze(-2)).sum(-1)

    features = start = head_bias + at(0)
    for i, ((first, bias), (second, bias2)) in enumerate(zip(body[::2], body[1::2])):
        middle = F.relu(matrix(first, features) + bias + at(1 + i))
        features = features + matrix(second, middle) + bias2
    return matrix(tail, features + start)


def margin(blocks):
    """How many input pixels around a pixel its result depends on."""
    return 2 * blocks + 2


def convolve(x, layer):
    kernel, bias = layer
    return F.conv2d(x, kernel, bias, padding=kernel.shape[2] // 2)


def residual(tower, picture, shift=None):
    """What a folded tower adds, [n, 3*s*s, h, w]; `shift` [n, 1 + blocks, channels] moves its biases."""
    def moved(x, layer, at):
        if shift is None:
            return convolve(x, layer)
        kernel, bias = layer
        x = convolve(x, (kernel, None))
        return x + (bias + shift[:, at])[:, :, None, None].to(x.dtype)

    features = start = moved(picture, tower["head"], 0)
    for i, (first, second) in enumerate(zip(tower["body"][::2], tower["body"][1::2])):
        features = features + convolve(F.relu(moved(features, first, 1 + i)), second)
    return convolve(features + start, tower["tail"])


def flat_shift(tower, shift):
    """How far a shift moves a folded tower's answer to flat ground, [n, out, 1, 1]."""
    parts = tower["head"][1], tower["body"], tower["tail"][0]
    return (flat_answer(*parts, shift) - flat_answer(*parts))[:, :, None, None]


def run(folded, picture, scale, low_precision=None, shifts=None):
    """RGB [n, 3, h, w] of 0..1 to [n, 3, h*scale, w*scale], not clipped.

    With `low_precision` (torch.bfloat16, torch.float16) the towers run in it; the
    picture's own path stays in float32. `shifts` are what `Enlarger.shifts` gives.
    """
    device = picture.device.type
    towers = list(zip(folded["towers"], shifts or [None] * len(folded["towers"])))
    with torch.autocast(device, low_precision, enabled=low_precision is not None):
        detail = sum(residual(tower, picture, shift) for tower, shift in towers)
    detail = detail.float()
    if shifts:
        detail = detail - sum(flat_shift(tower, shift) for tower, shift in towers)
    return F.pixel_shuffle(convolve(picture, folded["skip"]) + detail, scale)
