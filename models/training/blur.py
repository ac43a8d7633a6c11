"""Train the network that reads a photo's damage from patches: JPEG quality, noise before it, and softness.

    patches [n, 3, 64, 64] of one photo --> plain convolutions ------------> mean ------+
             \\--> 8x8 convolution with a stride of 8, a JPEG's own blocks --> mean --+--> weighted mean
                                                                  over the patches, for each of the three

A photo's damage is one, its content differs from place to place: the weights (attention pooling, Ilse et al. 2018)
find the places that tell. The blocks see what quantisation did where patches lie on the grid. What a file's header
says of its quality is an input and may be unknown. Trained by the likelihood of a Laplace distribution, so the
network says how sure it is. Runs as runs.py says.

    python3 blur.py --data PHOTOGRAPHS --run RUNS/blur --minutes 9.6 --bf16
    python3 blur.py --export RUNS/blur/average.pt ../blur.onnx
"""
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper
from torch import nn

from damage import compression, noise_level, softness
from on_device import DevicePatches, decoded, gaussian, resized, to_levels
from runs import Run, run_options

SIDE = 64  # pixels of a patch
SIZES = (1.4, 1.75, 2.2)  # what photographs are reduced by: nothing of their own files is left then
LEAST_PX = 160
VALIDATION = "v"  # names of photographs that are measured only begin with it
SHARES = {"coded": 0.78, "twice": 0.12, "soft": 0.5, "noisy": 0.65, "on the grid": 0.75, "told": 0.7}
MOST_NOISE = 27
MOST_BLUR = 1.8
WIDTHS = (32, 32, 64, 64, 96)
BLOCKS = (96, 128, 96)
SEEN = 96  # features of a patch
LEAST_SCALE = 0.01  # of the Laplace distribution, in the units of a condition


class Estimate(nn.Module):
    """RGB [n, 3, 64, 64] of 0..1 and told [1, 2] (whether a quality is known, its compression) to [3, 2].

    Rows are compression, noise and softness as conditions have them (damage.py); columns the value and its scale.
    """

    def __init__(self):
        super().__init__()
        self.shape = {}
        a, b, c, d, e = WIDTHS
        self.plain = nn.Sequential(
            nn.Conv2d(3, a, 3), nn.ReLU(), nn.Conv2d(a, b, 3, 2), nn.ReLU(), nn.Conv2d(b, c, 3), nn.ReLU(),
            nn.Conv2d(c, d, 3, 2), nn.ReLU(), nn.Conv2d(d, e, 3), nn.ReLU())
        first, wide, last = BLOCKS
        self.blocks = nn.Conv2d(3, first, 8, 8)
        self.told = nn.Linear(2, wide)
        self.mix, self.mix2 = nn.Conv2d(2 * first, wide, 1), nn.Conv2d(wide, last, 1)
        self.seen = nn.Linear(2 * e + last, SEEN)
        self.weigh = nn.Linear(SEEN, 3)
        self.told2 = nn.Linear(2, SEEN)
        self.hidden = nn.ModuleList(nn.Linear(2 * SEEN, 48) for _ in range(3))
        self.out = nn.ModuleList(nn.Linear(48, 2) for _ in range(3))

    def patches(self, x, told):
        """Features [n, SEEN] of patches, each with its own `told` [n, 2] (or one for all, [1, 2])."""
        x = x * 4 - 2
        plain = self.plain(x)
        coded = self.blocks(x)
        coded = torch.cat((F.relu(coded), F.relu(-coded)), 1)
        coded = F.relu(self.mix(coded) + self.told(told)[:, :, None, None])
        coded = F.relu(self.mix2(coded))
        mean = plain.mean((2, 3))
        spread = (plain * plain).mean((2, 3)).add(1e-6).sqrt()
        return F.relu(self.seen(torch.cat((mean, spread, coded.mean((2, 3))), 1)))

    def of_sets(self, x, told):
        """[b, 3, 2] for sets of patches [b, k, 3, 64, 64] and told [b, 2]."""
        count, k = x.shape[:2]
        seen = self.patches(x.flatten(0, 1), told.repeat_interleave(k, 0)).float()
        weights = self.weigh(seen).view(count, k, 3).softmax(1)
        seen = torch.einsum("bko,bkf->bof", weights, seen.view(count, k, -1))
        aside = F.relu(self.told2(told))
        found = [out(F.relu(hidden(torch.cat((seen[:, i], aside), 1)))) for i, (hidden, out) in enumerate(zip(self.hidden, self.out))]
        value, scale = torch.stack(found, 1).unbind(2)
        return torch.stack((F.softplus(value * 4) / 4, F.softplus(scale) * 0.3 + LEAST_SCALE), 2)

    def forward(self, x, told):
        return self.of_sets(x[None], told)[0]


class DamagedSets(DevicePatches):
    """Sets of patches of one photograph each, with one damage."""

    def __init__(self, folder, seed, device, validation, threads=8):
        self.validation = validation
        super().__init__(folder, 1, seed, device, sizes=SIZES, threads=threads)

    def photos(self, folder, threads):
        names = sorted(p.name for p in Path(folder).iterdir() if p.suffix in (".jpg", ".png", ".webp"))
        for name, photo in zip(names, decoded(folder, threads)):
            if name.startswith(VALIDATION) == self.validation:
                yield photo

    def pyramid(self, photo, sizes):
        whole = torch.from_numpy(photo).to(self.device).permute(2, 0, 1).float()
        for factor in sizes:
            height, width = (int(side / factor) for side in photo.shape[:2])
            if min(height, width) >= LEAST_PX:
                yield {1: to_levels(resized(whole, height, width))}

    def batch(self, count, k):
        """RGB of 0..1 [count, k, 3, 64, 64], told [count, 2] and the truth [count, 3]."""
        random, many = self.random, count * k
        chosen = np.searchsorted(self.chance, random.random(count)).repeat(k)
        margin = SIDE + 8
        corners = random.integers(0, (self.sides[chosen] - margin + 1)[:, None], (many, 1, 2))[:, 0]
        levels = self.cut(self.put(chosen), self.put(corners), 1, margin)
        levels = self.changes(many)(levels)
        seen, told, truth = self.damaged_sets(levels, count, k)
        return (seen / 255).view(count, k, 3, SIDE, SIDE), self.put(told), self.put(truth)

    def damaged_sets(self, levels, count, k):
        random = self.random
        is_soft, is_noisy, is_coded = (random.random(count) < SHARES[name] for name in ("soft", "noisy", "coded"))
        is_twice = is_coded & (random.random(count) < SHARES["twice"])
        on_grid = random.random(count) < SHARES["on the grid"]
        half = random.random(count) < 0.6
        blur = random.uniform(0.25, MOST_BLUR, count)
        deviation = np.where(random.random(count) < 0.6, random.uniform(0.5, 12, count), random.uniform(0.5, MOST_NOISE, count))
        quality = np.where(random.random(count) < 0.6, random.integers(68, 98, count), random.integers(30, 98, count))
        first = np.clip(random.integers(quality - 25, 99), 10, 98)

        def some(mask, made):
            at = np.flatnonzero(mask.repeat(k))
            if len(at):
                places = self.put(at)
                levels[places] = made(at, places)

        some(is_soft, lambda at, places: gaussian(levels[places], self.put(blur.repeat(k)[at]), 6).round().clamp(0, 255))
        levels = levels[:, :, 4:-4, 4:-4].contiguous()  # the blur's edge
        some(is_noisy, lambda at, places: self.sensed(levels[places], deviation[at[::k] // k], k, softest=0.75, shot_share=0.4))

        def coded(at, places, quality):
            top, left = (np.where(on_grid, 0, random.integers(0, 16, count)).repeat(k)[at] for _ in range(2))
            if not on_grid.all():  # patches lie anywhere on an unknown grid
                own = random.integers(0, 16, (2, len(at)))
                top, left = (np.where(on_grid.repeat(k)[at], 0, place) for place in own)
            return self.jpeg.through(levels[places], self.put(quality.repeat(k)[at].astype(np.float32)), self.put(half.repeat(k)[at]), self.put(top), self.put(left))

        some(is_twice, lambda at, places: coded(at, places, first))
        some(is_coded, lambda at, places: coded(at, places, quality))
        least = np.where(is_twice, np.minimum(first, quality), quality)
        truth = np.stack((np.where(is_coded, compression(least), 0), np.where(is_noisy, noise_level(deviation), 0),
                          np.where(is_soft, softness(blur), 0)), 1).astype(np.float32)
        is_told = random.random(count) < SHARES["told"]
        told = np.stack((is_told, np.where(is_told & is_coded, compression(quality), 0)), 1).astype(np.float32)
        return levels, told, truth


def likelihood(found, truth):
    """The mean negative logarithm of Laplace distributions [b, 3, 2] at the truth [b, 3]."""
    value, scale = found.unbind(2)
    return ((value - truth).abs() / scale + scale.log()).mean()


class Training(Run):
    """Batches are `--batch` sets of `--patches`."""

    def new_model(self):
        return Estimate()

    def new_optimiser(self):
        return torch.optim.AdamW(self.model.parameters(), lr=self.o.rate, weight_decay=1e-3)

    def new_samples(self):
        o = self.o
        self.held = DamagedSets(o.data, 5, o.device, True, o.threads)
        return DamagedSets(o.data, o.seed, o.device, False, o.threads)

    def loss(self):
        o = self.o
        seen, told, truth = self.samples.batch(o.batch, o.patches)
        with torch.autocast(torch.device(o.device).type, torch.bfloat16, enabled=o.bf16):
            found = self.model.of_sets(seen, told)
        return likelihood(found.float(), truth)

    @torch.no_grad()
    def measure(self):
        """Shares within 10 points, 1.5 levels and 0.15 pixels on photographs held back, by quality."""
        model = Estimate().to(self.o.device)
        model.load_state_dict(self.mean)
        errors, truths = [], []
        for _ in range(40):
            seen, told, truth = self.held.batch(32, self.o.patches)
            errors.append((model.of_sets(seen, told)[:, :, 0] - truth).abs().cpu())
            truths.append(truth.cpu())
        error, truth = torch.cat(errors), torch.cat(truths)
        quality = 100 - truth[:, 0] * 60
        within = error < torch.tensor([10 / 60, 1.5 / 15, 0.15 / 1.5])
        for low, high in ((30, 50), (50, 60), (60, 70), (70, 80), (80, 90), (90, 98), (100, 101)):
            some = (quality >= low) & (quality < high)
            shares = (100 * within[some].float().mean(0)).round().int().tolist()
            self.say(f"step {self.step} quality {low} to {high}: {int(some.sum())} photographs, per cent right: quality {shares[0]}, noise {shares[1]}, softness {shares[2]}")


def export(weights, file):
    model = Estimate()
    model.load_state_dict(torch.load(weights, map_location="cpu")["weights"])
    torch.onnx.export(model.eval(), (torch.rand(4, 3, SIDE, SIDE), torch.zeros(1, 2)), file, input_names=["patches", "told"],
                      output_names=["damage"], dynamic_axes={"patches": {0: "count"}}, opset_version=17)
    onnx.save(in_half(onnx.load(file)), file)


def in_half(content):
    """The file with its kernels as float16, each cast when it is loaded: half the size."""
    graph, casts = content.graph, []
    for kept in [k for k in graph.initializer if len(k.dims) > 1]:
        name = kept.name
        half = numpy_helper.from_array(numpy_helper.to_array(kept).astype(np.float16), f"{name}.half")
        kept.CopyFrom(half)
        casts.append(helper.make_node("Cast", [half.name], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(content)
    return content


if __name__ == "__main__":
    if sys.argv[1] == "--export":
        export(*sys.argv[2:])
        raise SystemExit
    a = run_options(__doc__)
    a.set_defaults(late=1, rate=1.5e-3, average=0.999, measure_every=100000, batch=64)
    a.add_argument("--patches", type=int, default=16, help="of each photograph")
    a.add_argument("--bf16", action="store_true")
    Training(a.parse_args()).train()
