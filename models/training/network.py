"""The network: a plain residual stack of 3x3 convolutions beside a bicubic path.

    picture --> 5x5 convolution (starts as exact bicubic interpolation) ------+--> depth to space
       \--> head 3x3 --> blocks [3x3, ReLU, 3x3, + skip] --> + head --> tail 3x3 --/

The head's kernels have no mean, so a flat area looks alike at every colour, and
the body's answer to a flat area is subtracted: flat colours come out unchanged
by construction. There is no pooling and no attention, so what a pixel becomes
depends on `margin` pixels around it and tiles are exact.
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
        return self.plain + F.conv2d(self.expand, self.project).view_as(self.plain)


class Enlarger(nn.Module):
    """Trainable weights. `fold()` gives the plain convolutions that `run` applies."""

    def __init__(self, scale, channels=48, blocks=7, wide=96):
        super().__init__()
        self.shape = {"scale": scale, "channels": channels, "blocks": blocks, "wide": wide}
        out = 3 * scale * scale
        self.head = nn.Parameter(torch.randn(channels, 3, 3, 3) * 0.5)
        self.head_bias = nn.Parameter(torch.zeros(channels))
        gains = [1.0, 0.3] * blocks
        self.body = nn.ModuleList(Kernel(channels, wide, gain) for gain in gains)
        self.tail = nn.Parameter(torch.randn(out, channels, 3, 3) * 1e-3)
        self.skip = nn.Parameter(torch.zeros(out, 3, 5, 5))
        self.register_buffer("bicubic", bicubic_kernel(scale))

    def fold(self):
        """Plain convolutions: {"head" | "body" | "tail" | "skip": (kernel, bias)}."""
        body = [(kernel.fold(), kernel.bias) for kernel in self.body]
        head = (without_mean(self.head), self.head_bias)
        level = flat_answer(head[1], body, self.tail)
        skip = (self.bicubic + without_mean(self.skip), None)
        return {"head": head, "body": body, "tail": (self.tail, -level), "skip": skip}

    def forward(self, picture, low_precision=None):
        return run(self.fold(), picture, self.shape["scale"], low_precision)


def flat_answer(head_bias, body, tail):
    """What tail(body) gives, [out], far inside any flat area of a picture.

    On flat ground a 3x3 convolution is the matrix of its kernel's sums.
    """
    features = start = head_bias
    for (first, bias), (second, bias2) in zip(body[::2], body[1::2]):
        middle = F.relu((first.sum((2, 3)) * features).sum(1) + bias)
        features = features + (second.sum((2, 3)) * middle).sum(1) + bias2
    return (tail.sum((2, 3)) * (features + start)).sum(1)


def margin(blocks):
    """How many input pixels around a pixel its result depends on."""
    return 2 * blocks + 2


def convolve(x, layer):
    kernel, bias = layer
    return F.conv2d(x, kernel, bias, padding=kernel.shape[2] // 2)


def residual(folded, picture):
    """What the body adds, [n, 3*s*s, h, w]."""
    features = start = convolve(picture, folded["head"])
    for first, second in zip(folded["body"][::2], folded["body"][1::2]):
        features = features + convolve(F.relu(convolve(features, first)), second)
    return convolve(features + start, folded["tail"])


def run(folded, picture, scale, low_precision=None):
    """RGB [n, 3, h, w] of 0..1 to [n, 3, h*scale, w*scale], not clipped.

    With `low_precision` (torch.bfloat16, torch.float16) the body runs in it; the
    picture's own path stays in float32.
    """
    device = picture.device.type
    with torch.autocast(device, low_precision, enabled=low_precision is not None):
        detail = residual(folded, picture)
    return F.pixel_shuffle(convolve(picture, folded["skip"]) + detail.float(), scale)
