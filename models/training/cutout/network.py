"""The network: an EfficientNet-Lite encoder that has seen ImageNet, and a light decoder that adds its way back up.

    picture -> 1/2 -> 1/4 -> 1/8 -> 1/16 -> 1/32 -> + what the whole picture holds
                |      |      |       |        |
               24  <-  48  <- 80  <-  96  <-   96   channels of the decoder; each level has a mask
                                                    that is supervised, the finest one is used

The encoder is EfficientNet-Lite0 to 2 (Tan and Le 2019; without squeeze-and-excitation, ReLU6). Its
batch normalisation stays as ImageNet left it: a fixed factor on each convolution's weights.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

MEAN = (127 / 255,) * 3  # as the encoder was trained: (value - 127) / 128
DEVIATION = (128 / 255,) * 3
SIZE = 320  # side in pixels at which a picture is seen in use
STEEPER = 2  # times the slope of the logistic function that training used: what hedging is left is the same for every picture
DROP = 0.1  # probability that a residual block of the last stage is left out in training; less before it
DECODER = (96, 96, 80, 48, 24)  # channels at 1/32, 1/16, 1/8, 1/4, 1/2
# Kernel, stride, expansion, channels, blocks of each stage of Lite0 (the paper's table 1).
STAGES = ((3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (5, 2, 6, 40, 2), (3, 2, 6, 80, 3), (5, 1, 6, 112, 3), (5, 2, 6, 192, 4), (3, 1, 6, 320, 1))
# Width and depth of Lite0, 1 and 2 beside it.
VARIANTS = {0: (1.0, 1.0), 1: (1.0, 1.1), 2: (1.1, 1.2)}
STEM = 32


def rounded(channels, width):
    """Channels times width, to the nearest multiple of 8, never 10 % less than asked."""
    wide = channels * width
    near = max(8, int(wide + 4) // 8 * 8)
    return near + 8 if near < 0.9 * wide else near


class Frozen(nn.Module):
    """Convolution with a fixed factor for each output channel, and a bias. Padded as TensorFlow's "SAME"."""

    def __init__(self, inputs, outputs, size=1, stride=1, groups=1, active=True):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs // groups, size, size))
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.register_buffer("factor", torch.ones(outputs))
        self.stride, self.groups, self.active = stride, groups, active

    @property
    def pads(self):
        """Rows above and below, columns left and right; sides are even wherever the stride is 2."""
        both = self.weight.shape[2] - self.stride
        return both // 2, both - both // 2

    @property
    def folded(self):
        return self.weight * self.factor[:, None, None, None]

    def forward(self, x):
        before, after = self.pads
        if before != after:
            x, before = F.pad(x, (before, after, before, after)), 0
        y = F.conv2d(x, self.folded, self.bias, self.stride, before, 1, self.groups)
        return F.relu6(y, inplace=True) if self.active else y


class Inverted(nn.Module):
    """Inverted residual block (Sandler et al. 2018). In training some pictures take the skip alone (Huang et al. 2016)."""

    def __init__(self, inputs, outputs, size, stride, expansion, drop):
        super().__init__()
        wide = inputs * expansion
        self.expand = Frozen(inputs, wide) if expansion > 1 else None
        self.depthwise = Frozen(wide, wide, size, stride, groups=wide)
        self.project = Frozen(wide, outputs, active=False)
        self.has_skip, self.drop = inputs == outputs and stride == 1, drop

    def forward(self, x):
        added = self.project(self.depthwise(self.expand(x) if self.expand else x))
        if not self.has_skip:
            return added
        if self.training:
            kept = torch.rand(len(x), 1, 1, 1, device=x.device) >= self.drop
            added = added * kept.to(added.dtype) / (1 - self.drop)
        return x + added


class Encoder(nn.Module):
    """[n, 3, s, s] normalised RGB, s a multiple of 32, to the last features at 1/2, 1/4, 1/8, 1/16 and 1/32."""

    def __init__(self, variant):
        super().__init__()
        width, depth = VARIANTS[variant]
        self.stem = Frozen(3, STEM, 3, 2)
        self.blocks, self.ends, self.channels = nn.ModuleList(), [], []
        inputs = STEM
        repeats = [1 if i in (0, len(STAGES) - 1) else math.ceil(s[4] * depth) for i, s in enumerate(STAGES)]
        for (size, stride, expansion, channels, _), count in zip(STAGES, repeats):
            outputs = rounded(channels, width)
            for i in range(count):
                if stride == 2 and i == 0:
                    self.ends.append(len(self.blocks) - 1)
                    self.channels.append(inputs)
                drop = DROP * len(self.blocks) / sum(repeats)
                self.blocks.append(Inverted(inputs, outputs, size, stride if i == 0 else 1, expansion, drop))
                inputs = outputs
        self.ends.append(len(self.blocks) - 1)
        self.channels.append(inputs)

    def forward(self, x):
        features, frozen = [], self.ends[1] + 1
        with torch.no_grad():  # edges and textures stay as ImageNet taught them, which halves a step's time
            x = self.through(range(frozen), self.stem(x), features)
        self.through(range(frozen, len(self.blocks)), x, features)
        return features

    def through(self, blocks, x, features):
        """Add the last features of each side among these blocks to `features`; returns the last block's."""
        for i in blocks:
            x = self.blocks[i](x)
            if i in self.ends:
                features.append(x)
        return x

    def load_imagenet(self, weights):
        """Take over the state of `efficientnet_lite_pytorch` (see README.md): batch normalisation as factor and bias."""
        def take(own, convolution, norm):
            factor = weights[f"{norm}.weight"] / torch.sqrt(weights[f"{norm}.running_var"] + 1e-3)
            own.weight.data.copy_(weights[f"{convolution}.weight"])
            own.factor.copy_(factor)
            own.bias.data.copy_(weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * factor)

        take(self.stem, "_conv_stem", "_bn0")
        for i, block in enumerate(self.blocks):
            if block.expand:
                take(block.expand, f"_blocks.{i}._expand_conv", f"_blocks.{i}._bn0")
            take(block.depthwise, f"_blocks.{i}._depthwise_conv", f"_blocks.{i}._bn1")
            take(block.project, f"_blocks.{i}._project_conv", f"_blocks.{i}._bn2")


class Layer(nn.Sequential):
    """Convolution, batch normalisation and, unless told otherwise, ReLU."""

    def __init__(self, inputs, outputs, size=3, active=True):
        super().__init__(
            nn.Conv2d(inputs, outputs, size, 1, size // 2, bias=False),
            nn.BatchNorm2d(outputs),
            *([nn.ReLU(inplace=True)] if active else []))


class Level(nn.Module):
    """One step of the decoder: the coarser level enlarged, plus the encoder's own, then 3x3."""

    def __init__(self, coarser, own, channels):
        super().__init__()
        self.narrow = Layer(coarser, channels, 1) if coarser != channels else nn.Identity()
        self.lateral = Layer(own, channels, 1, active=False)
        self.mix = Layer(channels, channels)
        self.mask = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, coarse, fine):
        coarse = F.interpolate(self.narrow(coarse), scale_factor=2, mode="bilinear", align_corners=False)
        return self.mix(F.relu(coarse + self.lateral(fine)))


class Cutout(nn.Module):
    """[n, 3, s, s] normalised RGB, s a multiple of 32, to mask logits at 1/2 to 1/32; finest first."""

    def __init__(self, variant=0, decoder=DECODER):
        super().__init__()
        self.shape = {"variant": variant, "decoder": decoder}
        self.encoder = Encoder(variant)
        *finer, coarsest = self.encoder.channels
        self.whole = nn.Linear(coarsest, decoder[0])
        self.bottom = Layer(coarsest, decoder[0])
        self.bottom_mix = Layer(decoder[0], decoder[0])
        self.bottom_mask = nn.Conv2d(decoder[0], 1, 3, padding=1)
        self.levels = nn.ModuleList(Level(a, own, b) for a, own, b in zip(decoder, finer[::-1], decoder[1:]))

    def forward(self, picture):
        return self.decoded(self.encoder(picture))

    def decoded(self, features):
        """The masks' logits from the encoder's features, finest first."""
        x = features[-1]
        gist = self.whole(x.mean((2, 3)))[:, :, None, None]
        x = self.bottom_mix(F.relu(self.bottom[1](self.bottom[0](x)) + gist))
        masks = [self.bottom_mask(x)]
        for level, fine in zip(self.levels, features[-2::-1]):
            x = level(x, fine)
            masks.append(level.mask(x))
        return masks[::-1]


class InUse(nn.Module):
    """What the ONNX file holds: [n, 3, s, s] to the finest mask at the input's size, 0..1."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, picture):
        logits = self.network(picture)[0] * STEEPER
        return torch.sigmoid(F.interpolate(logits, picture.shape[2:], mode="bilinear", align_corners=False))
