"""Train the network that reads a JPEG's noise from before its compression (noise_blocks.py says what it sees).

    blocks [n, INPUTS] --> layer, told of the steps --> layer --> HEADS weighted means over the blocks --> 2 layers
                                         --> the chance of each quarter level of noise up to 28, and the noise's softness

A photo's noise is one, its blocks differ: the weights (attention pooling, Ilse et al. 2018) find those that tell.
The answer is the level with the greatest chance within TOLERANCE of it. Runs as runs.py says; may begin while
noise_samples.py draws.

    python3 noise.py --data RUNS/noise --run RUNS/noise-net --minutes 40 --device cpu
    python3 noise.py --measure RUNS/noise-net/average.pt RUNS/noise
    python3 noise.py --export RUNS/noise-net/average.pt ../../electron/engine/analysis/noise-network.ts
"""
import base64
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from noise_blocks import COEFFICIENTS, INPUTS, OTHERS, TOLD
from noise_samples import BLOCKS
from runs import Run, run_options

FIRST, SECOND, HEADS, POOLED, LAST = 96, 64, 4, 64, 48
MOST_LEVEL, BIN = 28, 0.25
BINS = int(MOST_LEVEL / BIN) + 1
TOLERANCE = 1.5  # levels that the answer may be off
BLUNT = 0.35  # levels by which a truth is spread over the bins
CLEAN_BINS, CLEAN_GAIN = 3, 3  # chances of so many lowest bins count so much: texture lost is worse than noise left
NEAR = 0.01  # of a chance: answers this near to the best are as good
MOST_SOFTNESS = 0.6  # pixels of the training's noise
OTHERS_SCALE = 0.3


class Estimate(nn.Module):
    def __init__(self):
        super().__init__()
        self.shape = {}
        self.first = nn.Linear(INPUTS + TOLD, FIRST)
        self.second = nn.Linear(FIRST, SECOND)
        self.weigh = nn.Linear(SECOND, HEADS)
        self.pooled = nn.Linear(HEADS * SECOND + TOLD, POOLED)
        self.last = nn.Linear(POOLED, LAST)
        self.out = nn.Linear(LAST, BINS + 1)

    def forward(self, whole, others, told, counts):
        """Logits [b, BINS] and softness [b] of uint8 [b, n, 63], [b, n, OTHERS], [b, TOLD] and the blocks of each."""
        n = whole.shape[1]
        whole = whole.float()
        seen = torch.cat((whole.log1p(), whole.clamp(max=1), others.float() * OTHERS_SCALE), 2)
        about = F.linear(told, self.first.weight[:, INPUTS:], self.first.bias)
        x = F.relu(F.linear(seen, self.first.weight[:, :INPUTS]) + about[:, None])
        x = F.relu(self.second(x))
        empty = torch.arange(n, device=x.device)[None, :, None] >= counts[:, None, None]
        weights = self.weigh(x).masked_fill(empty, -1e9).softmax(1)
        x = torch.cat((torch.einsum("bnh,bnf->bhf", weights, x).flatten(1), told), 1)
        x = self.out(F.relu(self.last(F.relu(self.pooled(x)))))
        return x[:, :BINS], x[:, BINS]


class Parts:
    """Samples of the files that noise_samples.py has written so far."""

    def __init__(self, folder, seed):
        self.folder, self.random = Path(folder), np.random.default_rng(seed)
        self.parts, self.places, self.known = [], [], set()
        self.refresh()

    def refresh(self):
        for path in sorted(self.folder.glob("*.npz")):
            if path.name in self.known:
                continue
            part = dict(np.load(path))
            self.known.add(path.name)
            self.places += [(len(self.parts), i) for i in range(len(part["ends"]))]
            self.parts.append(part)

    def state(self):
        return self.random.bit_generator.state

    def resume(self, state):
        self.random.bit_generator.state = state

    def batch(self, count):
        chosen = self.random.integers(0, len(self.places), count)
        return self.of([self.places[i] for i in chosen])

    def of(self, places):
        """Tensors of samples, their blocks filled up to as many, and labels [b, 3]."""
        rows = []
        for part, i in places:
            part = self.parts[part]
            rows.append((part, slice(part["ends"][i - 1] if i else 0, part["ends"][i]), i))
        counts = [span.stop - span.start for _, span, _ in rows]
        whole = np.zeros((len(rows), max(counts), COEFFICIENTS), np.uint8)
        others = np.zeros((len(rows), max(counts), OTHERS), np.float16)
        for row, (part, span, _) in enumerate(rows):
            whole[row, : counts[row]], others[row, : counts[row]] = part["whole"][span], part["others"][span]
        told = np.stack([part["told"][i] for part, _, i in rows])
        labels = np.stack([part["labels"][i] for part, _, i in rows])
        return [torch.from_numpy(a) for a in (whole, others, told, np.array(counts), labels)]


def bins_of(levels):
    """The chances [b, BINS] that are right for levels [b]."""
    centres = torch.arange(BINS, device=levels.device) * BIN
    return (-0.5 * ((levels[:, None] - centres) / BLUNT) ** 2).softmax(1)


def answers(logits):
    """Levels [b]: of those within TOLERANCE of the greatest chance, the nearest to the mean of what lies within."""
    gain = torch.zeros(BINS)
    gain[:CLEAN_BINS] = np.log(CLEAN_GAIN)
    chances = (logits + gain).softmax(1).numpy()
    reach = round(TOLERANCE / BIN)
    wide = np.pad(chances, ((0, 0), (reach, reach)))
    levels = np.arange(BINS) * BIN
    mass = sum(wide[:, k : k + BINS] * (0.5 if k in (0, 2 * reach) else 1) for k in range(2 * reach + 1))
    found = []
    for own, near in zip(chances, mass):
        best = near.argmax()
        within = np.abs(levels - levels[best]) <= TOLERANCE
        mean = (own * levels)[within].sum() / own[within].sum()
        good = levels[near >= near.max() - NEAR]
        found.append(good[np.abs(good - mean).argmin()] if np.abs(good - mean).min() > BIN / 2 else mean)
    return np.array(found)


class Training(Run):
    def new_model(self):
        return Estimate()

    def new_optimiser(self):
        return torch.optim.AdamW(self.model.parameters(), lr=self.o.rate, weight_decay=1e-3)

    def new_samples(self):
        return Parts(Path(self.o.data) / "train", self.o.seed)

    def loss(self):
        if self.step % 200 == 0:
            self.samples.refresh()
        *seen, labels = (part.to(self.o.device) for part in self.samples.batch(self.o.batch))
        logits, softness = self.model(*seen)
        right = bins_of(labels[:, 0])
        is_noisy = (labels[:, 0] > 3).float()
        off = (is_noisy * (softness - labels[:, 1] / MOST_SOFTNESS) ** 2).mean()
        return -(right * logits.log_softmax(1)).sum(1).mean() + 0.3 * off

    def measure(self):
        model = Estimate()
        model.load_state_dict(self.mean)
        self.say(f"step {self.step} of {len(self.samples.places)} samples")
        for line in table(model, Path(self.o.data) / "held"):
            self.say(line)


@torch.no_grad()
def table(model, folder):
    """Per cent within 1.5 levels (and number), of photographs that are held back, by quality and noise."""
    held = Parts(folder, 0)
    found, truths = [], []
    for at in range(0, len(held.places), 64):
        *seen, labels = held.of(held.places[at : at + 64])
        found.append(answers(model.eval()(*seen)[0]))
        truths.append(labels.numpy())
    found, labels = np.concatenate(found), np.concatenate(truths)
    noise, quality, error = labels[:, 0], labels[:, 2], abs(found - labels[:, 0])
    for low, high in ((40, 50), (50, 60), (60, 70), (70, 80), (80, 90), (90, 98)):
        row = []
        for least, most in ((-1, 0.1), (0.5, 3), (3, 7), (7, 12), (12, 18), (18, 28), (-1, 20)):
            here = (quality >= low) & (quality < high) & (noise >= least) & (noise < most)
            row.append(f"{100 * (error[here] <= TOLERANCE).mean():3.0f} ({here.sum()})" if here.any() else "-")
        yield f"quality {low}-{high - 1}: " + "  ".join(row)


def field(name, text):
    """The lines of a string, as the formatter has them: it breaks no line behind a short name."""
    line = f"    {name}: '{text}',"
    return [line] if len(line) <= 100 or len(name) <= 4 else [f"    {name}:", f"      '{text}',"]


def module(weights):
    """The TypeScript file: each row in steps of its own, as 8-bit integers."""
    lines = ["/** Weights of the noise network. Generated by models/training/noise.py; do not edit. */", "",
             "/** Rows of factors and a constant, by layer: 8-bit integers and the step of each row, as base64. */",
             "export const noiseLayers = {"]
    for name in ("first", "second", "weigh", "pooled", "last", "out"):
        rows = torch.cat((weights[f"{name}.weight"], weights[f"{name}.bias"][:, None]), 1).float().numpy()
        steps = (np.abs(rows).max(1) / 127).astype("<f4")
        whole = np.round(rows / steps[:, None]).astype(np.int8)
        text = base64.b64encode(whole.tobytes()).decode()
        scale = base64.b64encode(steps.tobytes()).decode()
        lines += [f"  {name}: {{", f"    inputs: {rows.shape[1] - 1},", *field("steps", scale), *field("rows", text), "  },"]
    return "\n".join([*lines, "} as const;", ""])


def loaded(path):
    model = Estimate()
    model.load_state_dict(torch.load(path, map_location="cpu")["weights"])
    return model


if __name__ == "__main__":
    if sys.argv[1] == "--export":
        Path(sys.argv[3]).write_text(module(loaded(sys.argv[2]).state_dict()))
    elif sys.argv[1] == "--measure":
        print(*table(loaded(sys.argv[2]), Path(sys.argv[3]) / "held"), sep="\n")
    else:
        a = run_options(__doc__)
        a.set_defaults(late=1, rate=2e-3, average=0.998, measure_every=2000, batch=32, threads=1)
        Training(a.parse_args()).train()
