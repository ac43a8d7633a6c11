"""Samples for noise.py: what noise_blocks.py reads of JPEGs of photographs with known noise.

    python3 noise_samples.py --photographs PHOTOGRAPHS PHOTOGRAPHS2 --samples RUNS/noise --minutes 40 --seed 1
    python3 noise_samples.py --photographs PHOTOGRAPHS PHOTOGRAPHS2 --samples RUNS/noise --minutes 3 --held

Draws crops of photographs reduced to 1/1.4 or less (their own files' traces are gone then), damages them, and keeps
what is read of them and what was done. Photographs that data.tsv holds back, and those whose hash begins with 0 or 1,
are measured only.
"""
import argparse
import csv
import io
import time
from pathlib import Path

import numpy as np
from PIL import Image

from noise_blocks import FLATTEST, FLATTEST_CLEAR, SPREAD, of_picture

LEAST_REDUCTION, MOST_REDUCTION = 1.4, 3.2
LEAST_SIDE, MOST_SIDE = 96, 760  # of a crop
CROPS, FILES = 8, 3  # of each photograph that is drawn, and of each crop
PART = 512  # samples of a file
BLOCKS = FLATTEST + FLATTEST_CLEAR + SPREAD
LEAST_NOISE, MOST_NOISE = 0.7, 27
EVEN = 8  # levels: from here on a noise is the rarer the stronger it is
SHARE_NOISELESS, SHARE_LENS, SHARE_TWICE = 0.22, 0.3, 0.06
SHARE_DRAWN, SHARE_GREY, SHARE_TABLE, SHARE_POOR = 0.06, 0.04, 0.2, 0.08
SHARE_LIGHT, SHARE_SOFT, SHARE_SHOT = 0.05, 0.25, 0.3  # of the noise: of brightness alone, soft, growing with light


def chosen(folders, held):
    """Paths of the photographs that are measured only, or of the others."""
    with open(Path(__file__).parent / "data.tsv", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            if held == (bool(line["held"]) or line["sha256"][0] in "01"):
                yield next(p for p in (Path(f) / line["file"] for f in folders) if p.exists())


def drawn(random):
    """uint8: soft ground, discs and bars with hard edges, and sometimes a strip of texture."""
    side = int(random.integers(120, 520))
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


def blurred(picture, sigma):
    """Gaussian blur of float32 [h, w, 3], borders replicated."""
    radius = max(1, int(np.ceil(3 * sigma)))
    line = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2).astype(np.float32)
    line /= line.sum()
    for axis in (0, 1):
        wide = np.pad(picture, [(radius, radius) if a == axis else (0, 0) for a in range(3)], mode="edge")
        parts = (wide[k : k + len(picture)] if axis == 0 else wide[:, k : k + picture.shape[1]] for k in range(len(line)))
        picture = sum(w * part for w, part in zip(line, parts))
    return picture


def noisy(picture, deviation, grey, random):
    """uint8 with noise whose root mean square is `deviation`, and the Gaussian that made it soft, in pixels."""
    noise = random.standard_normal(picture.shape, dtype=np.float32)
    softness = float(random.uniform(0.35, 0.6)) if random.random() < SHARE_SOFT else 0.0
    if softness:
        noise = blurred(noise, softness)
    kind = random.random()
    if grey or kind < SHARE_LIGHT:
        noise = np.repeat(noise[:, :, :1], 3, 2)
    elif kind < 2 * SHARE_LIGHT:  # mostly in brightness
        noise = 0.85 * noise.mean(2, keepdims=True) * 3**0.5 + 0.5 * noise
    strength = deviation / (noise.std() + 1e-6)
    if random.random() < SHARE_SHOT:
        light = picture.mean(2, keepdims=True, dtype=np.float32) / 255 + 0.15
        strength = strength * np.sqrt(light / light.mean())
    return np.clip(np.round(picture + noise * strength), 0, 255).astype(np.uint8), softness


def compressed(picture, quality, half_colour, tables=None):
    """uint8 through JPEG, and the 64 luminance steps of its file, row-major."""
    stream = io.BytesIO()
    own = {"qtables": tables} if tables else {"quality": int(quality)}
    Image.fromarray(picture).save(stream, "JPEG", subsampling=2 if half_colour else 0, **own)
    file = Image.open(stream)
    steps = np.array(file.quantization[0], np.float32)
    return np.asarray(file.convert("RGB")), steps


def own_tables(quality, random):
    """Tables that are not libjpeg's: more or less alike at all frequencies, with some chance in each step."""
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, "JPEG", quality=int(quality))
    power, tables = random.uniform(0.5, 1.1), []
    for table in Image.open(stream).quantization.values():
        steps = np.array(table, float)
        steps = steps.mean() ** (1 - power) * steps**power * np.exp(random.normal(0, 0.12, 64))
        tables.append([int(v) for v in np.clip(np.round(steps), 1, 255)])
    return tables


def any_noise(random):
    low, high = np.log((LEAST_NOISE + EVEN, MOST_NOISE + EVEN))
    return float(np.exp(random.uniform(low, high)) - EVEN)


def any_quality(random):
    return int(random.integers(15, 40) if random.random() < SHARE_POOR else random.integers(40, 100))


def cropped(picture, random):
    height, width = picture.shape[:2]
    side = np.exp(random.uniform(np.log(LEAST_SIDE), np.log(MOST_SIDE)))
    tall, wide = min(height, int(side)), min(width, int(side * random.uniform(0.8, 1.3)))
    top, left = random.integers(0, (height - tall + 1, width - wide + 1))
    return picture[top : top + tall, left : left + wide]


def samples(photo, random):
    """What is read of a damaged crop, and [noise in levels, its softness, quality], for a few qualities."""
    kind = random.random()
    grey = SHARE_DRAWN <= kind < SHARE_DRAWN + SHARE_GREY
    if kind < SHARE_DRAWN:
        photo = drawn(random)
    elif grey:
        photo = np.repeat(photo.mean(2, keepdims=True).round().astype(np.uint8), 3, 2)
    picture = cropped(photo, random)
    if random.random() < SHARE_LENS:
        picture = np.clip(np.round(blurred(picture.astype(np.float32), random.uniform(0.3, 1.2))), 0, 255).astype(np.uint8)
    deviation = softness = 0.0
    if random.random() > SHARE_NOISELESS:
        deviation = any_noise(random)
        picture, softness = noisy(picture, deviation, grey, random)
    for _ in range(FILES):
        quality, half_colour = any_quality(random), random.random() < 0.6
        seen = picture
        if random.random() < SHARE_TWICE:
            seen, _ = compressed(seen, random.integers(quality, 100), half_colour)
        tables = own_tables(quality, random) if random.random() < SHARE_TABLE else None
        seen, steps = compressed(seen, quality, half_colour, tables)
        yield (*of_picture(seen, steps), (deviation, softness, quality))


def small_photo(path, random):
    photo = Image.open(path).convert("RGB")
    most = max(LEAST_REDUCTION + 0.1, min(MOST_REDUCTION, min(photo.size) / 170))
    reduction = np.exp(random.uniform(np.log(LEAST_REDUCTION), np.log(most)))
    kernel = Image.LANCZOS if random.random() < 0.5 else Image.BICUBIC
    return np.asarray(photo.resize([int(side / reduction) for side in photo.size], kernel))


def packed(found):
    """Arrays of samples whose blocks follow each other."""
    whole, others, told, labels = zip(*found)
    return {"whole": np.concatenate(whole), "others": np.concatenate(others), "told": np.stack(told),
            "labels": np.array(labels, np.float32), "ends": np.cumsum([len(w) for w in whole])}


def draw(o):
    """Writes files of PART samples until the time is over."""
    random, end = np.random.default_rng(o.seed), time.monotonic() + 60 * o.minutes
    paths, found, count = list(chosen(o.photographs, o.held)), [], 0
    folder = Path(o.samples) / ("held" if o.held else "train")
    folder.mkdir(parents=True, exist_ok=True)
    while time.monotonic() < end:
        photo = small_photo(paths[random.integers(len(paths))], random)
        found += [one for _ in range(CROPS) for one in samples(photo, random)]
        if len(found) >= PART:
            part = folder / f"{o.seed}-{count}.part"
            with open(part, "wb") as file:
                np.savez(file, **packed(found))
            part.rename(part.with_suffix(".npz"))
            count, found = count + 1, []
            print(f"{time.strftime('%H:%M:%S')} part {count}", flush=True)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--photographs", nargs="+", required=True, help="folders with what data.tsv names")
    a.add_argument("--samples", required=True)
    a.add_argument("--held", action="store_true", help="draw from the photographs that are measured only")
    a.add_argument("--minutes", type=float, default=5)
    a.add_argument("--seed", type=int, default=1, help="another one for each process")
    draw(a.parse_args())
