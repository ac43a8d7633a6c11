"""The network: a residual encoder down to 1/32, and a light decoder that adds its way back up.

    picture -> 1/2 -> 1/4 -> 1/8 -> 1/16 -> 1/32 -> + what the whole picture holds
                |      |      |       |        |
               16  <-  48  <- 48  <-  48  <-   48   channels of the decoder; each level gives
                                                    a mask in training, the last one in use

Plain 3x3 convolutions with batch normalisation, which fold into the weights for use.
"""
import torch
import torch.nn.functional as F
from torch import nn

MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)
SIZES = (352, 288, 224)  # sides at which each network sees a picture in use; it is given at the first
FIRST_MIRRORED = (False, True)  # which network sees the mirror image first; each sees the other one where this leaves doubt
SURE_DOUBT = 0.15  # so much may the first views leave open, as a share of what they call the subject
STEEPER = 2  # times the slope of the logistic function that training used
# The conditional random field over cells of so many pixels (see `mean_field`): standard deviations of
# colour (of 0..1) and place (of the picture's side), steps, weight of the pairs, and how much is taken.
CELL, COLOUR_SIGMA, PLACE_SIGMA, ROUNDS, PAIR_WEIGHT, FIELD_SHARE = 8, 0.03, 0.4, 5, 4.0, 0.7
LEAST_DEGREE = 0.05  # cells that have less of like ones hear little
DROP = 0.1  # part of the residual blocks left out in training
ENCODER = ((16, 0), (32, 1), (56, 2), (88, 3), (112, 3))  # channels, residual blocks


class Layer(nn.Sequential):
    """Convolution, batch normalisation and, unless told otherwise, ReLU."""

    def __init__(self, inputs, outputs, size=3, stride=1, active=True):
        super().__init__(
            nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
            nn.BatchNorm2d(outputs),
            *([nn.ReLU(inplace=True)] if active else []))


class Block(nn.Module):
    """Two 3x3 convolutions beside a skip (He et al. 2016); the second starts as nothing. In training
    some pictures take the skip alone (Huang et al. 2016)."""

    def __init__(self, channels):
        super().__init__()
        self.first, self.second = Layer(channels, channels), Layer(channels, channels, active=False)
        nn.init.zeros_(self.second[1].weight)

    def forward(self, x):
        added = self.second(self.first(x))
        if self.training:
            kept = torch.rand(len(x), 1, 1, 1, device=x.device) >= DROP
            added = added * kept.to(added.dtype) / (1 - DROP)
        return F.relu(x + added)


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
    """[n, 3, s, s] normalised RGB, s a multiple of 32, to mask logits; finest first."""

    def __init__(self, encoder=ENCODER, decoder=48):
        super().__init__()
        self.shape = {"encoder": encoder, "decoder": decoder}
        self.stages = nn.ModuleList()
        inputs = 3
        for channels, blocks in encoder:
            stage = [Layer(inputs, channels, stride=2), *(Block(channels) for _ in range(blocks))]
            self.stages.append(nn.Sequential(*stage))
            inputs = channels
        self.whole = nn.Linear(inputs, decoder)
        self.bottom = Layer(inputs, decoder)
        self.bottom_mix = Layer(decoder, decoder)
        self.bottom_mask = nn.Conv2d(decoder, 1, 3, padding=1)
        wide = [decoder, decoder, decoder, decoder, 16]
        owns = [channels for channels, _ in encoder[-2::-1]]
        self.levels = nn.ModuleList(Level(a, own, b) for a, own, b in zip(wide, owns, wide[1:]))

    def forward(self, picture):
        features = []
        x = picture
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        gist = self.whole(x.mean((2, 3)))[:, :, None, None]
        x = self.bottom_mix(F.relu(self.bottom(x) + gist))
        masks = [self.bottom_mask(x)]
        for level, fine in zip(self.levels, features[-2::-1]):
            x = level(x, fine)
            masks.append(level.mask(x))
        return masks[::-1]


def resized(x, side):
    """[n, c, h, w] to [n, c, side, side], as ONNX's Resize does it."""
    return x if x.shape[2] == side else F.interpolate(x, (side, side), mode="bilinear", align_corners=False)


def crf_features(picture):
    """Colour and place [n, 5, k] of the k cells of a picture [n, 3, s, s], in standard deviations."""
    cells = F.avg_pool2d(picture, CELL)
    side = cells.shape[2]
    colour = cells * (torch.tensor(DEVIATION) / COLOUR_SIGMA).view(1, 3, 1, 1)
    places = (torch.arange(side) / (side * PLACE_SIGMA)).expand(side, side)
    place = torch.stack([places, places.T]).expand(len(picture), 2, side, side)
    return torch.cat([colour, place], 1).flatten(2)


def mean_field(logits, picture):
    """Logits [n, 1, s, s] after cells of like colour have drawn each other to one side.

    Mean field of a fully connected conditional random field (Kraehenbuehl and Koltun 2011), exact
    because there are few cells; what changes there is added to the logits.
    """
    features = crf_features(picture)
    length = (features * features).sum(1, keepdim=True)
    distance = length + length.transpose(1, 2) - 2 * features.transpose(1, 2) @ features
    affinity = torch.exp(-F.relu(distance) / 2)
    norm = (F.relu(affinity.sum(2, keepdim=True) - 1) + LEAST_DEGREE) ** -0.5  # without itself
    unary = F.avg_pool2d(logits, CELL)
    first = field = unary.flatten(1)[:, :, None]
    for _ in range(ROUNDS):
        belief = norm * torch.tanh(field / 2)
        field = first + PAIR_WEIGHT * norm * (affinity @ belief - belief)
    return logits + FIELD_SHARE * resized(field.view_as(unary) - unary, logits.shape[2])


class InUse(nn.Module):
    """What the ONNX file holds: the mask at the input's size, 0..1.

    The mean of the finest masks of several networks, of the picture at several sizes, some of it and
    some of its mirror, and where these leave doubt of the other one too, made steeper: overlap and structure teach where the border is, and what
    hedging is left is the same for every picture. Then cells of like colour draw each other to one side.
    """

    def __init__(self, networks, sizes=SIZES):
        super().__init__()
        self.networks, self.sizes = nn.ModuleList(networks), sizes

    def views(self, picture, mirrored):
        """The mean over the networks and sizes; `mirrored` says of which network it is the mirror's."""
        found = []
        for side in self.sizes:
            small = resized(picture, side)
            for network, is_mirrored in zip(self.networks, mirrored):
                logits = network(small.flip(3))[0].flip(3) if is_mirrored else network(small)[0]
                found.append(resized(logits, self.sizes[0]))
        return sum(found) / len(found)

    def forward(self, picture):
        """[1, 3, s, s] with s the first of the sizes."""
        mirrored = [FIRST_MIRRORED[i % len(FIRST_MIRRORED)] for i in range(len(self.networks))]
        logits = self.views(picture, mirrored) * STEEPER
        if doubt(torch.sigmoid(logits)) > SURE_DOUBT:
            logits = (logits + self.views(picture, [not one for one in mirrored]) * STEEPER) / 2
        return torch.sigmoid(mean_field(logits, picture))


def doubt(mask):
    """What a mask leaves open, as a share of what it calls the subject."""
    return float(torch.minimum(mask, 1 - mask).sum() / (mask.sum() + 1e-6))
