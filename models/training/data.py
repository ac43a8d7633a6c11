"""Photographs packed into one file, and training patches drawn from it.

`python data.py --photographs DIR --out DIR` checks every photograph against
data.tsv (SHA-256), stores it at several sizes together with its bicubic
reductions by 2 and 4, and writes `pixels.npy` (uint8, flat) and `pixels.json`.
"""
import argparse
import csv
import hashlib
import json
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image

from bicubic import resize, to_bytes
from camera import photographed
from damage import damaged
from varied import Maker

SIZES = (1.0, 1.4, 2.0)  # each photograph at 1, 1/1.4 and 1/2 of its size
LEAST_PX = 272  # room for a patch at 4x
VARIED_PX = 320  # side of a picture made of pieces
CANDIDATES = 4  # the most detailed of so many random patches is taken


def photographs(folders, held=False):
    """Yield (name, uint8 [h, w, 3]) of each line of data.tsv, its hash verified.

    `held` asks for those that no training sees instead.
    """
    with open(Path(__file__).parent / "data.tsv", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            if bool(line["held"]) != held:
                continue
            path = next(p for p in (Path(f) / line["file"] for f in folders) if p.exists())
            if hashlib.sha256(path.read_bytes()).hexdigest() != line["sha256"]:
                raise ValueError(f"{path} is not the photograph that data.tsv names")
            yield line["file"], np.asarray(Image.open(path).convert("RGB"))


def pyramid(photo, sizes):
    """Yield (size, {1: HR, 2: HR/2, 4: HR/4}) for each of `sizes`, uint8, sides multiples of 4."""
    for factor in sizes:
        if min(photo.shape[:2]) / factor < LEAST_PX:
            continue
        height, width = (int(side / factor) // 4 * 4 for side in photo.shape[:2])
        if factor == 1.0:
            sharp = photo[:height, :width]
        else:
            sharp = to_bytes(resize(photo, width, height))
        small = {s: to_bytes(resize(sharp, width // s, height // s)) for s in (2, 4)}
        yield factor, {1: sharp, **small}


def varied(photos, count, fonts, seed=1):
    """Yield (name, size, pyramid level) of `count` pictures made of pieces of the photographs."""
    maker = Maker([Image.fromarray(photo) for photo in photos], VARIED_PX, np.random.default_rng(seed), fonts)
    for i in range(count):
        for size, level in pyramid(maker.make(), (1.0,)):
            yield f"varied {i}", size, level


def pack(folders, out, sizes=SIZES, count=0, fonts=""):
    """Write pixels.npy and pixels.json: per picture and scale [offset, height, width].

    A size that would leave less than LEAST_PX on a side is left out.

    Beside the photographs at `sizes`, `count` pictures that varied.py makes of them.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    chunks, index, offset = [], [], 0
    photos = dict(photographs(folders))
    levels = [(name, *level) for name, photo in photos.items() for level in pyramid(photo, sizes)]
    for name, size, level in chain(levels, varied(list(photos.values()), count, fonts)):
        entry = {"file": name, "size": size}
        for scale, pixels in level.items():
            entry[str(scale)] = [offset, *pixels.shape[:2]]
            chunks.append(pixels.reshape(-1))
            offset += pixels.size
        index.append(entry)
    np.save(out / "pixels.npy", np.concatenate(chunks))
    (out / "pixels.json").write_text(json.dumps(index))
    print(f"{len(index)} pictures, {offset / 1e6:.0f} MB")


def detail(patch):
    """Mean absolute gradient of the green channel of uint8 [h, w, 3]."""
    green = patch[:, :, 1].astype(np.int16)
    return np.abs(np.diff(green, axis=0)).mean() + np.abs(np.diff(green, axis=1)).mean()


def turn(patch, way):
    """One of the 8 flips and rotations (way 0..7) of [h, w, 3]."""
    patch = np.rot90(patch, way % 4)
    return patch[:, ::-1] if way >= 4 else patch


def recoloured(patches, random):
    """The patches with their channels in another order, now and then as a negative."""
    order = random.permutation(3)
    negative = random.random() < 0.3
    return [255 - p[:, :, order] if negative else p[:, :, order] for p in patches]


class Patches:
    """Draws batches of (LR, HR) patches. All of its randomness is in `random`."""

    def __init__(self, folder, scale, seed, camera=False, recolour=False, damage=False):
        self.scale, self.camera, self.recolour, self.damage = scale, camera, recolour, damage
        self.pixels = np.load(Path(folder) / "pixels.npy", mmap_mode="r")
        self.index = json.loads((Path(folder) / "pixels.json").read_text())
        if scale == 1:  # the truth is what was reduced: the photographs themselves are JPEGs
            self.index = [entry for entry in self.index if entry["size"] > 1]
        self.random = np.random.default_rng(seed)
        area = np.array([e["1"][1] * e["1"][2] for e in self.index], float)
        self.chance = np.cumsum(area / area.sum())

    def state(self):
        return self.random.bit_generator.state

    def resume(self, state):
        self.random.bit_generator.state = state

    def reseed(self, seed):
        self.random = np.random.default_rng(seed)

    def picture(self, entry, scale):
        offset, height, width = entry[str(scale)]
        return self.pixels[offset : offset + height * width * 3].reshape(height, width, 3)

    def one(self, size):
        """LR uint8 [size, size, 3], HR uint8 [size*s, size*s, 3] and the condition of the former, [3]."""
        entry = self.index[int(np.searchsorted(self.chance, self.random.random()))]
        low, high = self.picture(entry, self.scale), self.picture(entry, 1)
        corners = self.random.integers(
            0, (low.shape[0] - size + 1, low.shape[1] - size + 1), (CANDIDATES, 2))
        patches = [low[y : y + size, x : x + size] for y, x in corners]
        best = int(np.argmax([detail(p) for p in patches]))
        y, x = corners[best] * self.scale
        side, way = size * self.scale, int(self.random.integers(8))
        seen, truth = patches[best], high[y : y + side, x : x + side]
        larger = self.twice(entry, corners[best], size)
        if self.recolour:
            seen, truth, *larger = recoloured((seen, truth, *larger), self.random)
        seen = photographed(seen, self.random) if self.camera else seen
        seen, truth, *larger = (turn(each, way) for each in (seen, truth, *larger))
        seen, condition = damaged(seen, self.random, *larger) if self.damage else (seen, (0, 0, 0))
        return seen, truth, np.array(condition, np.float32)

    def twice(self, entry, corner, size):
        """[the LR patch at twice its size], empty at 1x."""
        if self.scale == 1:
            return []
        (y, x), side = corner * 2, size * 2
        return [self.picture(entry, self.scale // 2)[y : y + side, x : x + side]]

    def batch(self, count, size):
        """Two uint8 arrays [count, h, w, 3], LR and HR, and float32 conditions [count, 3]."""
        low, high, conditions = zip(*(self.one(size) for _ in range(count)))
        return np.stack(low), np.stack(high), np.stack(conditions)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--photographs", nargs="+", required=True, help="folders with what data.tsv names")
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--sizes", type=float, nargs="+", default=SIZES, help="1.6: each side divided by 1.6")
    arguments.add_argument("--varied", type=int, default=0, help="how many pictures made of their pieces")
    arguments.add_argument("--fonts", default="/usr/share/fonts/truetype/dejavu", help="folder of .ttf files for words")
    chosen = arguments.parse_args()
    pack(chosen.photographs, chosen.out, chosen.sizes, chosen.varied, chosen.fonts)
