"""Train the decoder that turns the photograph's features, the mask before and clicks into a mask.

    features of the encoder (unchanged, once a photograph) + mask before, keep and remove at 1/2 -> mask

As RITM (Sofiiuk et al. 2021) and FocalClick (Chen et al. 2022): clicks are simulated where the mask errs
most, a few rounds without a gradient, then one that is learned from. Runs as ../runs.py says.
"""
import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn

sys.path.append(str(Path(__file__).resolve().parent.parent))
from evaluate import load, normalised  # noqa: E402
from fed import Fed  # noqa: E402
from keep import read  # noqa: E402
from network import DECODER, SIZE, STEEPER, Layer, Level  # noqa: E402
from runs import Run, run_options  # noqa: E402
from samples import Samples  # noqa: E402
from train import loss_of  # noqa: E402

RADIUS = 0.0125  # of a click's disc, as a part of the picture's side
HINTS = (64, 64, 64, 32, 16)  # channels of what the mask before and the clicks become at 1/32 to 1/2
LIMIT = 20  # clicks after which a measurement gives up


class Clicks(nn.Module):
    """The encoder's features [n, c, s/k, s/k] for k of 2 to 32 and hints [n, 3, s/2, s/2] to logits, finest first.

    Hints are the mask before, and where people said keep and remove, each 0..1.
    """

    def __init__(self, channels, decoder=DECODER, hints=HINTS):
        super().__init__()
        self.shape = {"channels": channels, "decoder": decoder, "hints": hints}
        *finer, coarsest = channels
        self.look = Layer(3, hints[-1])
        self.coarser = nn.ModuleList(nn.Sequential(
            nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)) for a, b in zip(hints[:0:-1], hints[-2::-1]))
        self.join = nn.ModuleList(Layer(own, own_features, 1, active=False) for own, own_features in zip(hints[::-1], channels))
        self.bottom = Layer(coarsest, decoder[0], 1)
        self.bottom_mix = Layer(decoder[0], decoder[0])
        self.bottom_mask = nn.Conv2d(decoder[0], 1, 3, padding=1)
        self.levels = nn.ModuleList(Level(a, own, b) for a, own, b in zip(decoder, finer[::-1], decoder[1:]))

    def forward(self, features, hints):
        seen = [self.look(hints)]
        for step in self.coarser:
            seen.append(step(seen[-1]))
        joined = [own + join(hint) for own, join, hint in zip(features, self.join, seen)]
        x = self.bottom_mix(self.bottom(joined[-1]))
        masks = [self.bottom_mask(x)]
        for level, fine in zip(self.levels, joined[-2::-1]):
            x = level(x, fine)
            masks.append(level.mask(x))
        return masks[::-1]


class SomeSubjects(Samples):
    """As the samples of the mask's own training, but of several composed subjects only some are meant."""

    def wanted(self, count):
        return range(count) if self.chance(0.2) else self.random.permutation(count)[: int(self.random.integers(1, count + 1))]


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
        model = Clicks(tuple(self.cutout.encoder.channels))
        if self.o.init:
            model.load_state_dict(read(self.o.init)["weights"])
        else:  # the mask's own way up is a good start
            own = model.state_dict()
            fits = {k: v for k, v in self.cutout.state_dict().items() if k in own and own[k].shape == v.shape}
            model.load_state_dict({**own, **fits})
        return model.to(memory_format=torch.channels_last)

    def new_optimiser(self):
        own = list(self.model.parameters())
        groups = [{"params": [p for p in own if (p.ndim > 1) == is_kernel], "weight_decay": decay} for is_kernel, decay in ((True, 0.02), (False, 0))]
        return torch.optim.AdamW(groups, lr=self.o.rate)

    def new_samples(self):
        o = self.o
        samples = SomeSubjects(o.data, o.photographs, o.seed)
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
        mask = self.before(found, half)
        hints = clicked(mask, half, torch.zeros(len(mask), 3, *mask.shape[2:], device=mask.device), False)
        self.model.eval()
        for _ in range(int(torch.randint(0, 4, ()))):
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
    a.add_argument("--cutout", required=True, help="the network whose encoder is used: average.pt or a kept checkpoint")
    a.add_argument("--size", type=int, default=SIZE)
    a.add_argument("--bf16", action="store_true", help="where the processor or card computes in it")
    return a.parse_args()


if __name__ == "__main__":
    Training(options()).train()
