"""Quantisation-aware fine-tuning, and the int8 file.

Weights become whole numbers of -63..63 per output channel (7 bits: sums of two
products then fit the 16-bit accumulators of CPUs with AVX2 but no VNNI), the
body's activations unsigned 8 bit with ranges measured on training patches. The
head, the tail and the picture's own path stay in float32. Before it is rounded,
each channel is scaled to fill its layer's range (Nagel et al. 2019, "Data-free
quantization through weight equalization and bias correction"); the fine-tuning
then brings the rounded network's answers back to those of the exact one.
"""
import argparse
import time
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F

from damage import KINDS
from data import Patches
from evaluate import measure
from dial import dialled
from export import as_arrays, load
from graph import halved, integer
from network import condition_terms, convolve, margin
from runs import rate_at
from train import EDGE, loss_of, squared, to_tensor


def whole(kernel, bits):
    """Step per output channel [o] that maps the largest weight to 2**(bits-1) - 1."""
    largest = kernel.detach().abs().amax((1, 2, 3)).clamp_min(1e-8)
    return largest / (2 ** (bits - 1) - 1)


def extent(values):
    """The range [2] that holds all but about 4 in 100,000 of the values of any tensor."""
    values = values.float().flatten()
    some = values[torch.randint(len(values), (1_000_000,), device=values.device)]
    return torch.quantile(some, torch.tensor([0.00002, 0.99998], device=values.device))


def extents(x):
    """The range of each channel of [n, c, h, w], [2, c], that holds all but about 4 in 10,000 of its values."""
    values = x.float().transpose(0, 1).flatten(1)
    some = values[:, torch.randint(values.shape[1], (20_000,), device=x.device)]
    return torch.quantile(some, torch.tensor([0.0002, 0.9998], device=x.device), dim=1)


RAMP_WEIGHT = 4  # an error of one level on a ramp counts as two levels in a photograph


def ramps(random, count, size, scale, device):
    """Slow gradients of any direction and colour: LR (every other one in whole levels) and exact HR.

    float32 [count, 3, size, size] and [count, 3, size*scale, size*scale], 0..1. What 8 bits make of
    skies: without them the fine-tuned body may answer a step of one level with two.
    """
    def plane(side, step):
        at = (torch.arange(side, device=device) + 0.5) * step - size / 2
        return level + slope[:, :, :1] * at[:, None] + slope[:, :, 1:] * at

    level = torch.from_numpy(random.uniform(0.15, 0.85, (count, 3, 1, 1)).astype(np.float32)).to(device)
    slope = random.uniform(-1, 1, (count, 3, 2)) * 10 ** random.uniform(-2, 0.2, (count, 1, 1))
    slope = torch.from_numpy((slope / 255).astype(np.float32)).to(device)[..., None]
    low, high = plane(size, 1).clamp(0, 1), plane(size * scale, 1 / scale).clamp(0, 1)
    low[::2] = torch.round(low[::2] * 255) / 255
    return low.contiguous(memory_format=torch.channels_last), high


def middle_of(values, step):
    """The whole multiples of `step` nearest to `values`."""
    return torch.round(values / step) * step


LEAST = 0.02  # of its activation's range: a channel that fills less is not scaled up further

STEADY = 0.35  # of a step: as far from its middle as a flat area's value may lie


def steady(values, step):
    """`values` moved no further than needed to lie within STEADY of the middle of their steps."""
    middle = middle_of(values, step)
    return middle + (values - middle).clamp(-STEADY * step, STEADY * step)


def quietest(values, step, sums):
    """Whole steps `values`, or a step beside them, if a sum of them and its term would else lie
    further than STEADY from the middle of that sum's step."""
    def unrest(moved):
        off = [((moved + term) - middle_of(moved + term, to)).abs() / to for term, to in sums]
        return torch.stack(off).amax(0).clamp_min(STEADY)

    choices = torch.stack([values, values - step, values + step])
    cost = torch.stack([unrest(c) for c in choices]) + torch.tensor([0, 0.01, 0.01], device=values.device)[:, None]
    return choices.gather(0, cost.argmin(0)[None])[0]


class RoundedTower(torch.nn.Module):
    """A folded tower with rounded weights and activations, gradients passing straight through.

    Its ranges are [scale, zero point] of each activation's unsigned 8 bits.
    """

    def __init__(self, folded, bits):
        super().__init__()
        self.bits = bits
        own = torch.nn.Parameter
        self.head, self.tail = (own(folded[k][0].detach().clone()) for k in ("head", "tail"))
        self.head_bias, self.tail_bias = (own(folded[k][1].detach().clone()) for k in ("head", "tail"))
        self.kernels = torch.nn.ParameterList(own(k.detach().clone()) for k, _ in folded["body"])
        self.biases = torch.nn.ParameterList(own(b.detach().clone()) for _, b in folded["body"])
        self.shifts = own(folded["shifts"].detach().clone()) if "shifts" in folded else None
        self.ranges, self.seen, self.look = {}, None, extent

    def activation(self, x, name):
        if self.seen is not None:
            self.seen.setdefault(name, []).append(self.look(x))
            return x
        scale, zero = self.ranges[name]
        return torch.fake_quantize_per_tensor_affine(x, scale, zero, 0, 255)

    def rounded(self, kernel):
        if self.seen is not None:
            return kernel
        limit = 2 ** (self.bits - 1) - 1
        zero = torch.zeros(len(kernel), dtype=torch.int32, device=kernel.device)
        return torch.fake_quantize_per_channel_affine(kernel, whole(kernel, self.bits), zero, 0, -limit, limit)

    def in_steps(self, x, source, kernel):
        """`x` [..., c] in whole steps of the layer's bias; `source` is the range of its input."""
        if self.seen is not None:
            return x
        unit = whole(kernel, self.bits) * self.ranges[source][0]
        return x + (torch.round(x / unit) * unit - x).detach()

    def layer(self, x, source, kernel, bias, shift=None):
        """The rounded convolution of x, whose range is `source`; biases and shifts are whole numbers too."""
        y = convolve(x, (self.rounded(kernel), self.in_steps(bias, source, kernel)))
        return y if shift is None else y + self.in_steps(shift, source, kernel)[:, :, None, None]

    def centred_head(self):
        return self.head - self.head.mean((2, 3), keepdim=True), self.head_bias

    def moves(self, condition):
        """What a condition [n, 3] adds to the biases of head and blocks: [n, channels] each, None without."""
        blocks = len(self.kernels) // 2
        if self.shifts is None:
            return [None] * (1 + blocks)
        return list((condition_terms(condition) @ self.shifts).view(len(condition), 1 + blocks, -1).unbind(1))

    def features(self, x, moves):
        x = convolve(x, self.centred_head())
        x = start = self.activation(x if moves[0] is None else x + moves[0][:, :, None, None], "stream0")
        for i in range(len(self.kernels) // 2):
            first, second = ((self.kernels[j], self.biases[j]) for j in (2 * i, 2 * i + 1))
            y = self.activation(F.relu(self.layer(x, f"stream{i}", *first, moves[1 + i])), f"middle{i}")
            y = self.activation(self.layer(y, f"middle{i}", *second), f"change{i}")
            x = self.activation(x + y, f"stream{i + 1}")
        return self.activation(x + start, "sum")

    def flat(self, moves):
        """What the tail makes of flat ground under these shifts, [n, 3*s*s], as `graph.flat_features` has it."""
        def on(x, source, j):
            kernel = self.rounded(self.kernels[j])
            return x @ kernel.sum((2, 3)).T + self.in_steps(self.biases[j], source, kernel)

        x = start = self.activation(self.head_bias + moves[0], "stream0")
        for i in range(len(self.kernels) // 2):
            y = self.activation(F.relu(on(x, f"stream{i}", 2 * i) + moves[1 + i]), f"middle{i}")
            y = self.activation(on(y, f"middle{i}", 2 * i + 1), f"change{i}")
            x = self.activation(x + y, f"stream{i + 1}")
        return self.activation(x + start, "sum") @ self.tail.sum((2, 3)).T

    def forward(self, picture, condition=None):
        """[n, 3*s*s, h, w] that is added to the picture's own path."""
        moves = self.moves(condition)
        features = self.features(picture, moves)
        if self.shifts is None or self.seen is not None:
            return convolve(features, (self.tail, self.tail_bias))
        with torch.autocast(picture.device.type, enabled=False):
            level = self.flat(moves)
        return convolve(features, (self.tail, None)) - level[:, :, None, None]

    def watched(self, pictures, look):
        """What `look` finds in each activation, over all (picture, condition): {name: (lowest, highest)}."""
        self.seen, self.look = {}, look
        for picture, condition in pictures:
            self(picture, condition)
        found, self.seen = {name: torch.stack(each) for name, each in self.seen.items()}, None
        return {name: (each[:, 0].amin(0), each[:, 1].amax(0)) for name, each in found.items()}

    def gains(self, pictures):
        """By how much each channel is to be scaled to fill its activation's range: of the stream, and of each block's middle.

        The channels of the stream may also change their sign, since no ReLU lies in it: then all
        have their longer side above zero, and the 8 bits are not spent on an empty one.
        """
        found = self.watched(pictures, extents)
        stream = [ends for name, ends in found.items() if name.startswith(("stream", "sum"))]
        largest = [torch.maximum(-low, high) for low, high in stream]
        filled = torch.stack([each / each.max() for each in largest]).amax(0)
        lean = sum((low + high) / each.max() for (low, high), each in zip(stream, largest))
        middles = [found[f"middle{i}"][1] for i in range(len(self.kernels) // 2)]
        return torch.where(lean < 0, -1, 1) / filled.clamp_min(LEAST), [1 / (high / high.max()).clamp_min(LEAST) for high in middles]

    def balance(self, gain, inners):
        """Scale the channels by what `gains` found; the answers stay the same."""
        self.head *= gain[:, None, None, None]
        self.head_bias *= gain
        if self.shifts is not None:
            self.shift_of(0).mul_(gain)
        self.tail /= gain[:, None, None]
        for i in range(0, len(self.kernels), 2):
            inner = inners[i // 2]
            self.kernels[i] *= inner[:, None, None, None] / gain[:, None, None]
            self.biases[i] *= inner
            if self.shifts is not None:
                self.shift_of(1 + i // 2).mul_(inner)
            self.kernels[i + 1] *= gain[:, None, None, None] / inner[:, None, None]
            self.biases[i + 1] *= gain

    def shift_of(self, layer):
        """The part of `shifts` that moves the head (0) or a block's first layer, [terms, channels]."""
        return self.shifts.view(len(self.shifts), -1, len(self.head_bias))[:, layer]

    def measure(self, pictures):
        """Take ranges that hold all but 4 in 100,000 values of each activation."""
        for name, (low, high) in self.watched(pictures, extent).items():
            low = low.clamp_max(0)
            scale = float((high - low) / 255)
            self.ranges[name] = scale, int(torch.round(-low / scale))

    def settle(self):
        """Make flat areas exact, and slow gradients quiet.

        On flat ground every channel has one value in every layer. Biases move these away from where
        rounding tips over, so that a gradient far below one level tips none; the tail's bias then
        takes away what detail is left. Where a condition moves the biases the graph does all of it
        (graph.Settled).
        """
        if self.shifts is not None:
            return
        self.head_bias += steady(self.head_bias, self.ranges["stream0"][0]) - self.head_bias
        x = start = middle_of(self.head_bias, self.ranges["stream0"][0])
        blocks = len(self.kernels) // 2
        for i in range(blocks):
            first, second = (self.rounded(k).sum((2, 3)) for k in self.kernels[2 * i : 2 * i + 2])
            step, next_step = self.ranges[f"middle{i}"][0], self.ranges[f"stream{i + 1}"][0]
            y = first @ x + self.biases[2 * i]
            kept = torch.where(y > 0, steady(y, step), y)
            self.biases[2 * i] += kept - y
            y = middle_of(F.relu(kept), step)
            change = second @ y + self.biases[2 * i + 1]
            ends = [(x, next_step)] if i + 1 < blocks else [(x, next_step), (x + start, self.ranges["sum"][0])]
            step = self.ranges[f"change{i}"][0]
            moved = quietest(middle_of(change, step), step, ends)
            self.biases[2 * i + 1] += moved + steady(change, step) - middle_of(change, step) - change
            x = middle_of(x + moved, next_step)
        side = 2 * margin(blocks) + 3
        flat = torch.full((1, 3, side, side), 0.5, device=self.head.device)
        self.tail_bias -= self(flat)[0, :, side // 2, side // 2]

    def layers(self):
        """What graph.integer takes of a tower: the body's layers with their steps, and the ranges."""
        body = [(k, b, whole(k, self.bits)) for k, b in zip(self.kernels, self.biases)]
        layers = {"head": self.centred_head(), "body": body, "tail": (self.tail, self.tail_bias), "ranges": self.ranges}
        return layers if self.shifts is None else {**layers, "shifts": self.shifts}


class Rounding(torch.nn.Module):
    """The folded network of rounded towers; the picture's own path stays as it is."""

    def __init__(self, model, bits):
        super().__init__()
        self.scale, self.conditioned = model.shape["scale"], model.shape.get("conditioned", False)
        folded = model.fold()
        self.towers = torch.nn.ModuleList(RoundedTower(tower, bits) for tower in folded["towers"])
        self.skip = torch.nn.Parameter(folded["skip"][0].detach().clone())
        self.margin = margin(model.shape["blocks"])

    def centred_skip(self):
        """Each kernel plane keeps the sum it has: one for its own colour, zero for the others."""
        own = torch.eye(3, device=self.skip.device).repeat_interleave(self.scale**2, 0)
        return self.skip + ((own - self.skip.sum((2, 3))) / 25)[:, :, None, None], None

    def forward(self, picture, low_precision=None, condition=None):
        with torch.autocast(picture.device.type, low_precision, enabled=low_precision is not None):
            detail = sum(tower(picture, condition) for tower in self.towers)
        return F.pixel_shuffle(convolve(picture, self.centred_skip()) + detail.float(), self.scale)

    @torch.no_grad()
    def calibrate(self, patches, batches, device, other=None):
        """Scale every tower's channels, and take its ranges, by training patches; those of `other` by the same gains."""
        drawn = [patches.batch(16, 48) for _ in range(batches)]
        pictures = [(to_tensor(low, device), torch.from_numpy(told).to(device)) for low, _, told in drawn]
        for i, tower in enumerate(self.towers):
            gains = tower.gains(pictures)
            for each in (tower, *([other.towers[i]] if other else [])):
                each.balance(*gains)
                each.measure(pictures)

    @torch.no_grad()
    def settle(self):
        for tower in self.towers:
            tower.settle()

    def arrays(self):
        """What graph.integer takes: layers as numpy."""
        return as_arrays({"towers": [tower.layers() for tower in self.towers], "skip": self.centred_skip()})


def in_common(first, second):
    """The arrays of two networks of one shape with the same steps and ranges, wide enough for both."""
    for towers in zip(first["towers"], second["towers"]):
        bodies = [tower["body"] for tower in towers]
        steps = [np.maximum(a[2], b[2]) for a, b in zip(*bodies)]
        ranges = {name: wider(*(tower["ranges"][name] for tower in towers)) for name in towers[0]["ranges"]}
        for tower, body in zip(towers, bodies):
            tower.update(body=[(*layer[:2], step) for layer, step in zip(body, steps)], ranges=ranges)
    return first, second


def wider(a, b):
    """Scale and zero point of the range that holds both."""
    low = min(-scale * zero for scale, zero in (a, b))
    scale = (max(scale * (255 - zero) for scale, zero in (a, b)) - low) / 255
    return scale, round(-low / scale)


def fine_tune(net, exact, patches, o):
    """`steps` steps towards the answers of `exact`, the network before rounding; leaves the moving average.

    Towards the photographs themselves it would go on training, and drift from what was chosen.
    """
    adam = torch.optim.Adam(net.parameters(), lr=o.rate, betas=(0.9, 0.99))
    mean, since, total = None, time.monotonic(), 0.0
    for step in range(o.steps):
        for group in adam.param_groups:
            group["lr"] = rate_at(step, step / o.steps, o)
        low, _, told = patches.batch(o.batch, o.patch)
        low, told = to_tensor(low, o.device), torch.from_numpy(told).to(o.device)
        with torch.no_grad():
            high = exact(low, None, told if net.conditioned else None)
        count, (flat_low, flat_high) = len(low), ramps(patches.random, 2, o.patch, net.scale, o.device)
        result = net(torch.cat((low, flat_low)), None, torch.cat((told, torch.zeros_like(told[:2]))))
        loss = loss_of(result[:count], high, EDGE * net.scale, squared)
        loss = loss + RAMP_WEIGHT * loss_of(result[count:], flat_high, EDGE * net.scale, squared)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
        total += float(loss.detach())
        with torch.no_grad():
            own = list(net.parameters())
            mean = mean or [p.clone() for p in own]
            torch._foreach_mul_(mean, 0.995)
            torch._foreach_add_(mean, own, alpha=0.005)
        if step % 100 == 99:
            print(f"step {step + 1} loss {total / 100:.2e} {100 / (time.monotonic() - since):.2f} steps/s", flush=True)
            since, total = time.monotonic(), 0.0
    with torch.no_grad():
        for own, average in zip(net.parameters(), mean or []):
            own.copy_(average)


def report(net, o, label):
    @torch.no_grad()
    def apply(x, condition):
        return net(torch.from_numpy(x).to(o.device), None, torch.tensor([condition], device=o.device)).cpu().numpy()
    for folder in o.sets:
        for kind in KINDS if net.conditioned else ["clean"]:
            value, shift = measure(apply, folder, net.scale, net.margin, kind)
            print(f"{label} {Path(folder).name} x{net.scale} {kind} {value:.3f} dB, colour shift {shift:.3f}", flush=True)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("file", help="the .onnx file to write")
    a.add_argument("--data", required=True, help="folder that data.py wrote")
    a.add_argument("--sets", nargs="*", default=[], help="benchmark folders to measure, never to train on")
    a.add_argument("--bits", type=int, default=7, help="of the weights")
    a.add_argument("--steps", type=int, default=2000)
    a.add_argument("--batch", type=int, default=16)
    a.add_argument("--patch", type=int, default=48)
    a.add_argument("--rate", type=float, default=1e-4)
    a.add_argument("--warm", type=int, default=50)
    a.add_argument("--seed", type=int, default=2)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a.add_argument("--natural", help="weights of another network of this shape, without fine-tuning: files of both, and of what is between them")
    a.add_argument("--halved", help="of a network of 4x: another file, of 2x, whose result is the other's, reduced")
    o = a.parse_args()
    torch.manual_seed(o.seed)
    torch.set_num_threads(o.threads)
    exact = load(o.weights).to(o.device)
    net = Rounding(exact, o.bits).to(o.device)
    patches = Patches(o.data, net.scale, o.seed, damage=net.conditioned)
    other = Rounding(load(o.natural).to(o.device), o.bits).to(o.device) if o.natural else None
    net.calibrate(patches, 8, o.device, other)
    report(net, o, "rounded, before training")
    fine_tune(net, exact, patches, o)
    net.settle()
    report(net, o, "rounded, after training")
    both = in_common(other.arrays(), net.arrays()) if other else [net.arrays()]

    def written(scale, of=lambda arrays: arrays):
        files = [integer(of(arrays), scale) for arrays in both]
        return dialled(*files) if other else files[0]

    onnx.save(written(net.scale), o.file)
    if o.halved:
        onnx.save(written(2, halved), o.halved)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
