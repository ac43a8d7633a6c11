"""A regression that reads a photo's noise under its JPEG compression, as a TypeScript file of weights.

    python3 noise.py --photographs PHOTOGRAPHS PHOTOGRAPHS2 --samples RUNS/noise --minutes 8
    python3 noise.py --photographs PHOTOGRAPHS PHOTOGRAPHS2 --samples RUNS/noise --held --minutes 1
    python3 noise.py --samples RUNS/noise --fit RUNS/noise-weights.ts

The first two draw crops of photographs reduced to 1/1.4 or less (their own files' traces are gone then), damage them
like Natural's training pictures (damage.py) and keep their features and what was done; the third fits two hidden
layers to them. Photographs that data.tsv holds back, and those whose hash begins with 0 or 1, are measured only.
"""
import argparse
import base64
import csv
import io
import time
from pathlib import Path

import numpy as np
from PIL import Image

from camera import blurred
from noise_features import of_picture

LEAST_REDUCTION, MOST_REDUCTION = 1.4, 3.2
LEAST_SIDE, MOST_SIDE = 112, 760  # of a crop
CROPS = 8  # of each photograph that is drawn
MOST_NOISE = 27
HIDDEN = (64, 32)
SHARE_NOISELESS, SHARE_LENS, SHARE_JPEG, SHARE_TWICE = 0.3, 0.3, 0.95, 0.08
SHARE_DRAWN, SHARE_GREY = 0.06, 0.04
TOLERANCE = 1.2  # levels: errors beyond it cost little more, for no picture can be right on both sides
LIMIT = 6  # deviations from a feature's mean, beyond which it counts no further


def chosen(folders, held):
    """Paths of the photographs that are measured only, or of the others."""
    with open(Path(__file__).parent / "data.tsv", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            if held == (bool(line["held"]) or line["sha256"][0] in "01"):
                yield next(p for p in (Path(f) / line["file"] for f in folders) if p.exists())


def drawn(random):
    """uint8: soft ground, discs and bars with hard edges, and sometimes a strip of texture."""
    side = int(random.integers(160, 700))
    y, x = np.mgrid[:side, :side].astype(np.float32)
    level = np.full((side, side), random.uniform(40, 215), np.float32)
    for _ in range(6):
        across, down = (random.random(2) - 0.5) / 12
        level += random.uniform(0, 20) * np.sin(across * x + down * y + 6 * random.random())
    for _ in range(int(random.integers(0, 12))):
        left, top, width, height = random.uniform((0, 0, 2, 2), (side, side, 90, 90))
        disc = random.random() < 0.5
        inside = (x - left) ** 2 + (y - top) ** 2 < width**2 if disc else \
            (x > left) & (x < left + width) & (y > top) & (y < top + height)
        level = np.where(inside, level + random.uniform(-60, 60), level)
    if random.random() < 0.5:
        level = np.where(x > side * random.uniform(0.4, 0.9), level + random.uniform(0, 60) * (random.random((side, side)) - 0.5), level)
    return np.clip(np.round(level[:, :, None] * (0.7 + 0.5 * random.random(3))), 2, 253).astype(np.uint8)


def noisy(picture, deviation, grey, random):
    """uint8 with noise whose root mean square is `deviation`, and the Gaussian that made it soft, in pixels."""
    noise = random.standard_normal(picture.shape, dtype=np.float32)
    softness = float(random.uniform(0.35, 0.6)) if random.random() < 0.3 else 0.0
    if softness:
        noise = blurred(noise, softness).astype(np.float32)
    kind = random.random()
    if grey or 0.2 <= kind < 0.3:
        noise = np.repeat(noise[:, :, :1], 3, 2)
    elif kind < 0.2:  # mostly in brightness
        noise = 0.85 * noise.mean(2, keepdims=True) * 3**0.5 + 0.5 * noise
    strength = deviation / (noise.std() + 1e-6)
    if random.random() < 0.4:  # shot noise
        light = picture.astype(np.float32).mean(2, keepdims=True) / 255 + 0.15
        strength = strength * np.sqrt(light / light.mean())
    return np.clip(np.round(picture + noise * strength), 0, 255).astype(np.uint8), softness


def compressed(picture, quality, half_colour):
    """uint8 through JPEG, and the 64 luminance steps of its file, row-major."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=int(quality), subsampling=2 if half_colour else 0)
    file = Image.open(stream)
    steps = np.array(file.quantization[0], np.float32)
    return np.asarray(file.convert("RGB")), steps


def cropped(picture, random):
    height, width = picture.shape[:2]
    side = np.exp(random.uniform(np.log(LEAST_SIDE), np.log(MOST_SIDE)))
    tall, wide = min(height, int(side)), min(width, int(side * random.uniform(0.8, 1.3)))
    top, left = random.integers(0, (height - tall + 1, width - wide + 1))
    return picture[top : top + tall, left : left + wide]


def sample(photo, random):
    """Features of a damaged crop, and [noise in levels, its softness, the lens's softness, JPEG quality or 0]."""
    kind = random.random()
    grey = SHARE_DRAWN <= kind < SHARE_DRAWN + SHARE_GREY
    if kind < SHARE_DRAWN:
        photo = drawn(random)
    elif grey:
        photo = np.repeat(photo.mean(2, keepdims=True).round().astype(np.uint8), 3, 2)
    picture = cropped(photo, random)
    lens = float(random.uniform(0.3, 1.2)) if random.random() < SHARE_LENS else 0.0
    if lens:
        picture = np.clip(np.round(blurred(picture.astype(np.float32), lens)), 0, 255).astype(np.uint8)
    deviation = softness = 0.0
    if random.random() > SHARE_NOISELESS:
        deviation = float(random.uniform(0.7, 8 if random.random() < 0.45 else MOST_NOISE))
        picture, softness = noisy(picture, deviation, grey, random)
    quality, steps = 0, np.ones(64, np.float32)
    if random.random() < SHARE_JPEG:
        quality, half_colour = int(random.integers(40, 98)), random.random() < 0.6
        if random.random() < SHARE_TWICE:
            picture, _ = compressed(picture, random.integers(quality, 99), half_colour)
        picture, steps = compressed(picture, quality, half_colour)
    return of_picture(picture, steps), (deviation, softness, lens, quality)


def draw(folders, held, minutes, seed):
    """Features [n, features] and labels [n, 4] of as many samples as the time allows."""
    random, end = np.random.default_rng(seed), time.monotonic() + 60 * minutes
    paths, found = list(chosen(folders, held)), []
    while time.monotonic() < end:
        photo = Image.open(paths[random.integers(len(paths))]).convert("RGB")
        most = max(LEAST_REDUCTION + 0.1, min(MOST_REDUCTION, min(photo.size) / 170))
        reduction = np.exp(random.uniform(np.log(LEAST_REDUCTION), np.log(most)))
        kernel = Image.LANCZOS if random.random() < 0.5 else Image.BICUBIC
        small = np.asarray(photo.resize([int(side / reduction) for side in photo.size], kernel))
        found += [sample(small, random) for _ in range(CROPS)]
    return [np.array(part, np.float32) for part in zip(*found)]


def load(folder, kind):
    parts = [np.load(path) for path in sorted(Path(folder).glob(f"{kind}-*.npz"))]
    return [np.concatenate([part[name] for part in parts]) for name in ("features", "labels")]


def fit(features, labels, steps, seed=1):
    """Layers [(weights [o, i], constants [o])] over features in deviations from their mean, and both of these."""
    import torch

    torch.manual_seed(seed)
    centre, width = features.mean(0), features.std(0) + 1e-3
    x = torch.tensor(((features - centre) / width).clip(-LIMIT, LIMIT))
    y = torch.tensor(labels[:, :2])
    sizes = (x.shape[1], *HIDDEN)
    hidden = [m for i, o in zip(sizes, sizes[1:]) for m in (torch.nn.Linear(i, o), torch.nn.ReLU(), torch.nn.Dropout(0.05))]
    net = torch.nn.Sequential(*hidden, torch.nn.Linear(HIDDEN[-1], 2))
    optimizer = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, steps)
    for _ in range(steps):
        at = torch.randint(len(x), (256,))
        error = net(x[at] + 0.03 * torch.randn(256, x.shape[1])) - y[at]
        is_noisy = y[at, 0] > 3
        loss = torch.log1p((error[:, 0] / TOLERANCE) ** 2).mean() + (is_noisy * error[:, 1] ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    layers = [m for m in net if isinstance(m, torch.nn.Linear)]
    return [(m.weight.detach().numpy(), m.bias.detach().numpy()) for m in layers], centre, width


def estimate(layers, centre, width, features):
    """[n, 2] of noise in levels and its softness."""
    x = ((features - centre) / width).clip(-LIMIT, LIMIT)
    for weights, constants in layers[:-1]:
        x = np.maximum(x @ weights.T + constants, 0)
    return x @ layers[-1][0].T + layers[-1][1]


def report(found, labels):
    """The share within 1.5 levels, by quality and noise."""
    noise, quality = labels[:, 0], labels[:, 3]
    for low, high in ((0, 1), (40, 50), (50, 60), (60, 70), (70, 80), (80, 90), (90, 98)):
        row = []
        for least, most in ((-1, 0.1), (0.5, 3), (3, 7), (7, 12), (12, 18), (18, 28)):
            here = (quality >= low) & (quality < high) & (noise >= least) & (noise < most)
            error = np.clip(found[here, 0], 0, 30) - noise[here]
            row.append(f"{100 * (abs(error) <= 1.5).mean():4.0f} % ({np.median(error):+.1f}, {here.sum()})" if here.any() else "-")
        print(f"quality {low}-{high - 1}:", *row)


def numbers(values):
    return "[" + ", ".join(f"{v:.5g}" for v in values) + "]"


def module(layers, centre, width):
    """The TypeScript file."""
    lines = ["/** Weights of the noise regression. Generated by models/training/noise.py; do not edit. */", "",
             "/** Mean of each feature, and its standard deviation. */",
             f"export const featureMeans: readonly number[] = {numbers(centre)};",
             f"export const featureDeviations: readonly number[] = {numbers(width)};", "",
             "/** Each layer's rows of factors and a constant: little-endian 16-bit integers in units of `step`, as base64. */",
             "export const noiseLayers: readonly { inputs: number; step: number; weights: string }[] = ["]
    for weights, constants in layers:
        rows = np.concatenate([weights, constants[:, None]], 1)
        step = np.abs(rows).max() / 32767
        text = base64.b64encode(np.round(rows / step).astype("<i2").tobytes()).decode()
        lines += ["  {", f"    inputs: {weights.shape[1]},", f"    step: {step:.9g},", f"    weights: '{text}',", "  },"]
    return "\n".join([*lines, "];", ""])


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--photographs", nargs="+", default=[], help="folders with what data.tsv names")
    a.add_argument("--samples", required=True, help="folder of the features")
    a.add_argument("--held", action="store_true", help="draw from the photographs that are measured only")
    a.add_argument("--minutes", type=float, default=5)
    a.add_argument("--seed", type=int, default=1, help="another one for each part of the samples")
    a.add_argument("--fit", help="the TypeScript file to write")
    a.add_argument("--steps", type=int, default=12000)
    o = a.parse_args()
    if o.fit:
        fitted = fit(*load(o.samples, "train"), o.steps)
        held_features, held_labels = load(o.samples, "held")
        report(estimate(*fitted, held_features), held_labels)
        Path(o.fit).write_text(module(*fitted))
    else:
        features, labels = draw(o.photographs, o.held, o.minutes, o.seed)
        Path(o.samples).mkdir(parents=True, exist_ok=True)
        np.savez(Path(o.samples) / f"{'held' if o.held else 'train'}-{o.seed}.npz", features=features, labels=labels)
        print(f"{len(features)} samples")
