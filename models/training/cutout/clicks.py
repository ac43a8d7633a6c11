"""Train the decoder that turns the photograph's features, the mask before and clicks into a mask.

    first features of the encoder (once a photograph) + mask before, keep and remove at 1/2 -> mask

As RITM (Sofiiuk et al. 2021) and FocalClick (Chen et al. 2022): clicks are simulated where the mask errs
most, a few rounds without a gradient, then one that is learned from. Runs as ../runs.py says.
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image, ImageDraw, ImageFilter
from torch import nn

sys.path.append(str(Path(__file__).resolve().parent.parent))
from evaluate import load, normalised  # noqa: E402
from fed import Fed  # noqa: E402
from keep import read  # noqa: E402
from network import DECODER, SIZE, STEEPER, Encoder, Layer, Level  # noqa: E402
from runs import Run, run_options  # noqa: E402
from samples import Samples  # noqa: E402
from train import loss_of, optimiser  # noqa: E402

RADIUS = 0.0125  # of a click's disc, as a part of the picture's side
HINTS = (64, 64, 64, 32, 16)  # channels of what the mask before and the clicks become at 1/32 to 1/2
DEEPEST = 3  # blocks at 1/32 that are copied from the encoder
LOOKS = 32  # channels in which places are compared
ONCE_MORE, PIECES = 0.25, 0.15  # the shares of composed subjects that are the one before again, and of pieces of pictures
PIECE_PX = 200  # side of these
ROUNDS = 5  # of clicks before the one that is learned from, less one
LIMIT = 20  # clicks after which a measurement gives up


class Clicks(nn.Module):
    """The encoder's first features [n, c, s/k, s/k] for k of 2 and 4 and hints [n, 3, s/2, s/2] to logits, finest first.

    Hints are the mask before, and where people said keep and remove, each 0..1. They join what the encoder saw where
    its training leaves off, and go through copies of its further stages, so that what a click means is found out with
    the whole picture in view. At 1/8 and 1/16 each place is also told how much it looks like those clicked on.
    """

    def __init__(self, variant=2, decoder=DECODER, hints=HINTS):
        super().__init__()
        self.shape = {"variant": variant, "decoder": decoder, "hints": hints}
        whole = Encoder(variant)
        cuts = [end + 1 for end in whole.ends[1:4]] + [whole.ends[3] + 1 + DEEPEST]
        self.stages = nn.ModuleList(nn.ModuleList(whole.blocks[a:b]) for a, b in zip(cuts, cuts[1:]))
        channels = (*whole.channels[:2], *(stage[-1].project.weight.shape[0] for stage in self.stages))
        self.look = Layer(3, hints[-1])
        self.coarser = nn.ModuleList(nn.Sequential(
            nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)) for a, b in zip(hints[:0:-1], hints[-2::-1]))
        self.join = nn.ModuleList(Layer(own, features, 1, active=False) for own, features in zip(hints[::-1], channels))
        self.alike = nn.ModuleList(nn.Conv2d(channels[i], LOOKS, 1, bias=False) for i in (2, 3))
        self.told = nn.ModuleList(Layer(2, hints[i]) for i in (2, 1))
        for join in self.join:  # at first the stages see what the encoder's own see
            nn.init.zeros_(join[1].weight)
        self.bottom = Layer(channels[-1], decoder[0], 1)
        self.bottom_mix = Layer(decoder[0], decoder[0])
        self.bottom_mask = nn.Conv2d(decoder[0], 1, 3, padding=1)
        self.levels = nn.ModuleList(Level(a, own, b) for a, own, b in zip(decoder, channels[-2::-1], decoder[1:]))

    def take_stages(self, encoder):
        """Begin with the stages of an encoder, as they are."""
        at = encoder.ends[1] + 1
        for stage in self.stages:
            for block in stage:
                block.load_state_dict(encoder.blocks[at].state_dict())
                at += 1

    def joined(self, features, hints):
        """The features with what the hints add to them, finest first."""
        seen = [self.look(hints)]
        for step in self.coarser:
            seen.append(step(seen[-1]))
        found = []
        for i, (join, hint) in enumerate(zip(self.join, seen)):
            x = features[i] if i < 2 else found[-1]
            if i >= 2:
                for block in self.stages[i - 2]:
                    x = block(x)
            if i in (2, 3):
                hint = hint + self.told[i - 2](likeness(self.alike[i - 2](x), hints[:, 1:]))
            found.append(x + join(hint))
        return found

    def forward(self, features, hints):
        joined = self.joined(features, hints)
        x = self.bottom_mix(self.bottom(joined[-1]))
        masks = [self.bottom_mask(x)]
        for level, fine in zip(self.levels, joined[-2::-1]):
            x = level(x, fine)
            masks.append(level.mask(x))
        return masks[::-1]


def likeness(looks, clicks):
    """[n, 2, h, w], -1 to 1: how alike `looks` [n, c, h, w] are to their mean under each of `clicks` [n, 2, …]; 0 without clicks."""
    looks = looks / (looks.square().sum(1, keepdim=True) + 1e-6).sqrt()
    weights = F.avg_pool2d(clicks, clicks.shape[2] // looks.shape[2])
    parts = []
    for i in range(2):
        weight = weights[:, i : i + 1]
        mean = (looks * weight).sum((2, 3), keepdim=True) / (weight.sum((2, 3), keepdim=True) + 1e-4)
        parts.append((looks * mean).sum(1, keepdim=True))
    return torch.cat(parts, 1)


class SomeSubjects(Samples):
    """As the samples of the mask's own training, but of several composed subjects only some are meant; there are
    several alike among them, and pieces of pictures in outlines that mean nothing."""

    last = None

    def wanted(self, count):
        return range(count) if self.chance(0.2) else self.random.permutation(count)[: int(self.random.integers(1, count + 1))]

    def subject(self):
        kind = self.random.random()
        if kind > ONCE_MORE or self.last is None:
            self.last = self.piece() if kind > 1 - PIECES else super().subject()
        return self.last

    def piece(self):
        """RGB and alpha of a place of a picture within a polygon or an ellipse."""
        picture, _ = self.pick(self.pairs)
        front = picture.resize((PIECE_PX, PIECE_PX), Image.BILINEAR, self.crop(picture, 0.25))
        alpha = Image.new("L", front.size)
        middle, corners = PIECE_PX / 2, int(self.random.integers(3, 12))
        angles = np.sort(self.random.uniform(0, 2 * np.pi, corners))
        reach = middle * self.random.uniform(0.35 if corners < 8 else 0.8, 1, corners)
        ImageDraw.Draw(alpha).polygon([(middle + r * np.cos(t), middle + r * np.sin(t)) for r, t in zip(reach, angles)], fill=255)
        if self.chance(0.5):  # rounder
            alpha = alpha.filter(ImageFilter.GaussianBlur(PIECE_PX / 20)).point(lambda v: max(0, min(255, (v - 112) * 8)))
        box = alpha.getbbox()
        return (front.crop(box), alpha.crop(box)) if box else self.piece()


def depth_of(wrong, reach):
    """How far inside `wrong` [n, 1, h, w] each pixel lies, in pixels, up to `reach`; the frame counts as outside."""
    depth, left = torch.zeros_like(wrong), wrong
    for _ in range(reach):
        depth = depth + left
        left = -F.max_pool2d(F.pad(-left, (1, 1, 1, 1)), 3, 1)
    return depth


def discs(points, count, side, device):
    """[n, 1, side, side] with a disc around each of `points` [n, 2] (x, y in pixels); none where `count` is 0."""
    at = torch.arange(side, device=device, dtype=torch.float32)
    away = (at[None, None, :] - points[:, 0, None, None]) ** 2 + (at[None, :, None] - points[:, 1, None, None]) ** 2
    return ((away <= (RADIUS * side) ** 2) & (count[:, None, None] > 0))[:, None].float()


def clicked(mask, truth, hints, steady):
    """Hints with the next click: at the deepest place of the larger error, or (not steady) at any deep one, or as a line."""
    n, _, side, _ = mask.shape
    missed, beyond = ((truth > 0.5) & (mask <= 0.5)).float(), ((truth <= 0.5) & (mask > 0.5)).float()
    depth = depth_of(torch.cat((missed, beyond), 1).reshape(2 * n, 1, side, side), side // 4 if steady else side // 12).reshape(n, -1)
    deepest = depth.max(1).values
    score = depth if steady else (depth >= 0.5 * deepest[:, None]) * (depth > 0) * torch.rand_like(depth)
    at = score.argmax(1)
    keeps, at = at < side * side, at % (side * side)
    points = torch.stack((at % side, at // side), 1).float()
    some = (deepest > 0).float()
    spot = discs(points, some, side, mask.device)
    if not steady:  # a stroke: on from there, within the error
        own = torch.where(keeps[:, None, None, None], missed, beyond)
        way = torch.rand(n, device=mask.device) * 2 * math.pi
        length = torch.rand(n, device=mask.device) * 0.3 * side * (torch.rand(n, device=mask.device) < 0.35)
        for part in (0.15, 0.3, 0.45, 0.6, 0.8, 1.0):
            next_points = points + (part * length)[:, None] * torch.stack((way.cos(), way.sin()), 1)
            spot = torch.maximum(spot, discs(next_points, some, side, mask.device) * own)
    keep = torch.maximum(hints[:, 1:2], spot * keeps[:, None, None, None])
    remove = torch.maximum(hints[:, 2:3], spot * ~keeps[:, None, None, None])
    return torch.cat((mask, keep * (1 - remove * ~keeps[:, None, None, None]), remove * (1 - keep * keeps[:, None, None, None])), 1)


def damaged(truth):
    """Masks that lost a part or took one in: boxes of another picture's mask, set or emptied."""
    n, _, side, _ = truth.shape
    other, out = truth[torch.randperm(n, device=truth.device)], truth.clone()
    at = torch.arange(side, device=truth.device)
    for _ in range(2):
        low, size = torch.rand(2, n, device=truth.device), 0.15 + 0.5 * torch.rand(2, n, device=truth.device)
        x, y = (((at >= low[i, :, None] * side) & (at < (low[i] + size[i])[:, None] * side)) for i in range(2))
        box = (x[:, None, None, :] & y[:, None, :, None]).float()
        out = torch.where(torch.rand(n, 1, 1, 1, device=truth.device) < 0.5, out * (1 - box), torch.maximum(out, box * other))
    return out


class Training(Run):
    CLIP = 5

    def new_model(self):
        self.cutout = load(self.o.cutout).network.to(self.o.device, memory_format=torch.channels_last)
        model = Clicks(self.cutout.shape["variant"])
        if self.o.init:
            model.load_state_dict(read(self.o.init)["weights"])
        else:  # the mask's own stages and way up are a good start
            own = model.state_dict()
            fits = {k: v for k, v in self.cutout.state_dict().items() if k in own and own[k].shape == v.shape}
            model.load_state_dict({**own, **fits})
            model.take_stages(self.cutout.encoder)
        return model.to(memory_format=torch.channels_last)

    def new_optimiser(self):
        return optimiser(self.model, self.o, "stages.")

    def new_samples(self):
        o = self.o
        samples = SomeSubjects(o.data, o.photographs, o.seed, o.parts)
        return Fed(samples, o.seed, o.workers) if o.workers else samples

    def before(self, found, truth):
        """The mask that the first click meets: the network's own, none, or a damaged one."""
        n = len(truth)
        kind = torch.rand(n, 1, 1, 1, device=truth.device)
        return torch.where(kind < 0.4, found, torch.where(kind < 0.65, torch.zeros_like(found), damaged(truth)))

    def answer(self, features, hints):
        o = self.o
        with torch.autocast(torch.device(o.device).type, torch.bfloat16, enabled=o.bf16):
            return [logits.float() for logits in self.model(features, hints)]

    def loss(self):
        o = self.o
        pictures, masks = self.samples.batch(o.batch, o.size)
        truth = torch.as_tensor(masks).to(o.device).float().div_(255)[:, None]
        half = F.avg_pool2d(truth, 2)
        with torch.no_grad(), torch.autocast(torch.device(o.device).type, torch.bfloat16, enabled=o.bf16):
            self.cutout.eval()
            features = self.cutout.encoder(normalised(pictures, o.device))
            found = torch.sigmoid(self.cutout.decoded(features)[0].float() * STEEPER)
            features = features[:2]
        mask = self.before(found, half)
        hints = clicked(mask, half, torch.zeros(len(mask), 3, *mask.shape[2:], device=mask.device), False)
        self.model.eval()
        for _ in range(int(torch.randint(0, ROUNDS, ()))):
            with torch.no_grad():
                mask = torch.sigmoid(self.answer(features, hints)[0])
            hints = clicked(mask, half, hints, False)
        self.model.train()
        finest, *coarser = self.answer(features, hints)
        loss = loss_of(F.interpolate(finest, scale_factor=2, mode="bilinear", align_corners=False), truth, True)
        for logits in coarser:
            loss = loss + 0.3 * loss_of(logits, F.adaptive_avg_pool2d(truth, logits.shape[2:]), False)
        return loss

    def measure(self):
        model = Clicks(**self.model.shape)
        model.load_state_dict(self.mean)
        model.eval().to(self.o.device)
        for folder in self.o.sets:
            for own in (True, False):
                clicks, after = needed(self.cutout.eval(), model, folder, self.o.size, own, self.o.device)
                self.say(f"step {self.step} {Path(folder).name} from {'its mask' if own else 'nothing'}: NoC@90 {clicks:.2f}, "
                         f"IoU after 0 to 5 clicks {' '.join(f'{v:.3f}' for v in after)}")


@torch.no_grad()
def needed(cutout, model, folder, size, own, device):
    """(mean clicks to an IoU of 0.9, at most LIMIT; mean IoU after 0..5 clicks) over a set."""
    pictures, truths = [], []
    for path in sorted((Path(folder) / "image").glob("*.webp")):
        truth = Image.open(path.parent.parent / "mask" / (path.stem + ".png")).convert("L")
        pictures.append(np.array(Image.open(path).convert("RGB").resize((size, size), Image.BILINEAR)))
        truths.append(np.array(truth.resize((size, size), Image.BOX)))
    clicks, sums = np.zeros(len(pictures)), np.zeros(6)
    for start in range(0, len(pictures), 33):
        truth = torch.as_tensor(np.stack(truths[start : start + 33])).to(device).float().div_(255)[:, None]
        truth, full = F.avg_pool2d(truth, 2), truth > 0.5
        features = cutout.encoder(normalised(np.stack(pictures[start : start + 33]), device))
        mask = torch.sigmoid(cutout.decoded(features)[0] * STEEPER) if own else torch.zeros_like(truth)
        hints = torch.zeros(len(mask), 3, *mask.shape[2:], device=device)
        waiting = np.ones(len(mask), bool)
        for count in range(LIMIT + 1):
            shown = F.interpolate(mask, scale_factor=2, mode="bilinear", align_corners=False) > 0.5
            both, either = (shown & full).sum((1, 2, 3)).float(), (shown | full).sum((1, 2, 3)).float()
            reached = (both / either.clamp(min=1)).cpu().numpy()
            if count < 6:
                sums[count] += reached.sum()
            waiting &= reached < 0.9
            clicks[start : start + 33] += waiting & (count < LIMIT)
            if count == LIMIT or (count >= 5 and not waiting.any()):
                break
            hints = clicked(mask, truth, hints, True)
            mask = torch.sigmoid(model(features, hints)[0])
    return clicks.mean(), sums / len(pictures)


def options():
    a = run_options(__doc__)
    a.set_defaults(late=1, rate=2e-3, average=0.997, measure_every=100000)
    a.add_argument("--photographs", required=True)
    a.add_argument("--cutout", required=True, help="the network whose encoder is used: average.pt of a run, or cutout.onnx")
    a.add_argument("--size", type=int, default=SIZE)
    a.add_argument("--decay", type=float, default=0.02)
    a.add_argument("--encoder-gain", type=float, default=0.4, help="the copied stages' rate, as a part of the others'")
    a.add_argument("--parts", type=json.loads, default={}, help="of sets, the part a round draws, where it is not the usual one, as JSON")
    a.add_argument("--bf16", action="store_true", help="where the processor or card computes in it")
    return a.parse_args()


if __name__ == "__main__":
    Training(options()).train()
