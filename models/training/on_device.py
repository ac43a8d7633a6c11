"""Training patches as tensors on the GPU: the batched counterpart of data.py, damage.py and bicubic.py.

Which kinds of damage a patch gets is drawn on the host, so that no step waits for the device. Against the
files it replaces: reductions are equal; damage has the same distribution; JPEG differs from Pillow's by 0.1
to 0.3 levels in the mean at 4:4:4 and 0.3 to 0.7 at 4:2:0 (quality 35 to 95). One CPU core makes 100 patches
of 48 x 48 a second with damage.py.
"""
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from bicubic import taps
from damage import BEFORE_REDUCED, SOFT, SOFT_CLEAN, SOFTNESSES, TOLD_SOFT, any_quality, compression, noise_level, softness
from data import CANDIDATES, LEAST_PX

SIZES = (1.0, 1.25, 1.6, 2.2)
STARRY, STARS = 0.03, 48  # the share of patches over which stars are drawn, and how many
STAR_SIZES = (0.35, 0.9)  # deviation of a star's disc, in pixels of the small patch
SQUARE = 16  # side in pixels of what JPEG codes together at half colour
LUMA_TABLE = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99]
COLOUR_TABLE = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99] + [99] * 32
TO_YCC = [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]]
TO_RGB = [[1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0]]


def resizing(size_in, size_out, device):
    """The matrix [size_out, size_in] of one axis of bicubic.resize."""
    weight, position = taps(size_in, size_out)
    matrix = np.zeros((size_out, size_in), np.float32)
    np.add.at(matrix, (np.arange(size_out)[:, None], position), weight)
    return torch.from_numpy(matrix).to(device)


def resized(pictures, height, width):
    """Float [..., h, w] by bicubic.py's kernel, not rounded."""
    rows = resizing(pictures.shape[-2], height, pictures.device)
    columns = resizing(pictures.shape[-1], width, pictures.device)
    return rows @ pictures @ columns.T


def to_levels(pictures):
    """Rounded as bicubic.to_bytes does, still as float."""
    return (pictures + 0.5).floor().clamp(0, 255)


def decoded(folder, threads):
    """uint8 [h, w, 3] of each picture of a folder, in the order of their names."""
    paths = sorted(p for p in Path(folder).iterdir() if p.suffix in (".jpg", ".png", ".webp"))
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(lambda p: np.array(Image.open(p).convert("RGB")), paths)


def gaussian(pictures, deviation, radius):
    """[n, c, h, w] blurred by a deviation [n] of its own each, borders replicated."""
    at = torch.arange(-radius, radius + 1, device=pictures.device)
    line = (-0.5 * (at / deviation[:, None]) ** 2).exp()
    line = line / line.sum(1, keepdim=True)
    for axis in (2, 3):
        pads = (0, 0, radius, radius) if axis == 2 else (radius, radius, 0, 0)
        wide, side = F.pad(pictures, pads, mode="replicate"), pictures.shape[axis]
        pictures = sum(line[:, k, None, None, None] * wide.narrow(axis, k, side) for k in range(2 * radius + 1))
    return pictures


def with_stars(levels, scale, generator):
    """Levels [n, 3, h, w] darkened, with points of light of all strengths and tints, as a night sky has them."""
    count, _, height, width = levels.shape
    device = levels.device

    def even(*shape):
        return torch.rand(shape, generator=generator, device=device)

    size = (STAR_SIZES[0] + even(count, STARS, 1) * (STAR_SIZES[1] - STAR_SIZES[0])) * scale

    def across(side):
        place = even(count, STARS, 1) * side
        return (-0.5 * ((torch.arange(side, device=device) - place) / size) ** 2).exp()

    light = 255 * even(count, STARS, 1) ** 3 * (0.6 + 0.4 * even(count, STARS, 3))
    light = light * (torch.arange(STARS, device=device) < STARS * even(count, 1))[:, :, None]
    stars = torch.einsum("nsc,nsy,nsx->ncyx", light, across(height), across(width))
    return to_levels(levels * (0.05 + 0.4 * even(count, 1, 1, 1)) + stars)


class Jpeg:
    """JPEG by the standard tables, as libjpeg codes and decodes it (with smooth colour), for levels [n, 3, h, w]."""

    def __init__(self, device):
        at = np.arange(8)
        wave = np.cos((2 * at[None] + 1) * at[:, None] * np.pi / 16) * np.where(at[:, None] == 0, 8**-0.5, 0.5)
        self.wave = torch.tensor(wave, dtype=torch.float32, device=device)
        self.tables = torch.tensor([LUMA_TABLE, COLOUR_TABLE], dtype=torch.float32, device=device).view(2, 8, 8)
        self.to_ycc, self.to_rgb = (torch.tensor(m, device=device) for m in (TO_YCC, TO_RGB))

    def steps(self, quality):
        """libjpeg's quantisation [n, 2, 8, 8] of qualities [n]."""
        factor = torch.where(quality < 50, (5000 / quality).floor(), 200 - 2 * quality)
        return ((self.tables * factor[:, None, None, None] + 50) / 100).floor().clamp(1, 255)

    def coded(self, plane, steps):
        """Planes [n, c, h, w] around 0 through the coefficients' rounding by `steps` [n, 8, 8]."""
        n, c, h, w = plane.shape
        blocks = plane.view(n, c, h // 8, 8, w // 8, 8).permute(0, 1, 2, 4, 3, 5)
        steps = steps[:, None, None, None]
        waves = (self.wave @ blocks @ self.wave.T / steps).round() * steps
        blocks = self.wave.T @ waves @ self.wave
        return blocks.permute(0, 1, 2, 4, 3, 5).reshape(n, c, h, w).round().clamp(-128, 127)

    def through(self, levels, quality, half, top, left):
        """Levels through JPEG, its grid `top`, `left` (each [n], 0 to 15) before the corner; `half` [n] colour or full."""
        n, _, height, width = levels.shape
        wide = moved(levels, top, left)
        ycc = torch.einsum("ij,njhw->nihw", self.to_ycc, wide).round()
        ycc[:, 0] -= 128
        steps = self.steps(quality)
        luma, colour = self.coded(ycc[:, :1], steps[:, 0]), ycc[:, 1:]
        halved = self.coded(F.avg_pool2d(colour, 2).round(), steps[:, 1])
        halved = F.interpolate(halved, scale_factor=2, mode="bilinear", align_corners=False).round()
        colour = torch.where(half[:, None, None, None], halved, self.coded(colour, steps[:, 1]))
        rgb = torch.einsum("ij,njhw->nihw", self.to_rgb, torch.cat((luma + 128, colour), 1)).round().clamp(0, 255)
        rows = (torch.arange(height, device=levels.device) + top[:, None])[:, None, :, None]
        columns = (torch.arange(width, device=levels.device) + left[:, None])[:, None, None, :]
        return rgb[torch.arange(n, device=levels.device)[:, None, None, None], torch.arange(3, device=levels.device)[None, :, None, None], rows, columns]


def moved(levels, top, left):
    """Levels with `top`, `left` mirrored pixels before them, and the last repeated up to whole squares."""
    def places(side, before):
        whole = (side + SQUARE - 1 + SQUARE - 1) // SQUARE * SQUARE
        return (torch.arange(whole, device=levels.device) - before[:, None]).abs().clamp(max=side - 1)

    n, c, height, width = levels.shape
    device = levels.device
    rows, columns = places(height, top)[:, None, :, None], places(width, left)[:, None, None, :]
    return levels[torch.arange(n, device=device)[:, None, None, None], torch.arange(c, device=device)[None, :, None, None], rows, columns]


class DevicePatches:
    """Photographs of a folder on the device, and batches of patches drawn from them.

    `state()` and `resume()` as Patches has them; what differs is that `batch` returns tensors.
    """

    def __init__(self, folder, scale, seed, device, damage=True, sizes=SIZES, threads=8):
        self.scale, self.device, self.damage = scale, torch.device(device), damage
        self.jpeg = Jpeg(device)
        self.random = np.random.default_rng(seed)
        self.generator = torch.Generator(self.device).manual_seed(seed)
        self.scales = sorted({1, scale // 2 or 1, scale}) if scale > 1 else [1]
        chunks, index, offset = [], [], 0
        for photo in self.photos(folder, threads):
            for level in self.pyramid(photo, sizes):
                entry = {}
                for s, levels in level.items():
                    entry[s] = (offset, levels.shape[2])
                    offset += levels.numel()
                    chunks.append(levels.to(torch.uint8).permute(1, 2, 0).reshape(-1))
                index.append((entry, level[scale].shape[1:]))
        self.pixels = torch.cat(chunks)
        area = np.array([height * width for _, (height, width) in index], float)
        self.chance = np.cumsum(area / area.sum())
        self.sides = np.array([side for _, side in index])
        self.places = {s: torch.tensor([entry[s] for entry, _ in index], device=self.device) for s in self.scales}
        print(f"{len(index)} pictures, {offset / 1e6:.0f} MB on {device}", flush=True)

    def photos(self, folder, threads):
        """uint8 [h, w, 3] of each picture to draw from."""
        return decoded(folder, threads)

    def pyramid(self, photo, sizes):
        """{1: HR, 2: HR/2, 4: HR/4} as levels [3, h, w] on the device for each of `sizes` that leaves room for a patch."""
        whole = torch.from_numpy(photo).to(self.device).permute(2, 0, 1).float()
        for factor in sizes:
            if min(photo.shape[:2]) / factor < LEAST_PX or self.scale == 1 and factor == 1:
                continue
            height, width = (int(side / factor) // 4 * 4 for side in photo.shape[:2])
            sharp = whole[:, :height, :width] if factor == 1 else to_levels(resized(whole, height, width))
            small = {s: to_levels(resized(sharp, height // s, width // s)) for s in self.scales if s > 1}
            yield {1: sharp, **small}

    def state(self):
        return {"host": self.random.bit_generator.state, "device": self.generator.get_state()}

    def resume(self, state):
        self.random.bit_generator.state = state["host"]
        self.generator.set_state(state["device"].cpu())

    def put(self, values):
        """An array of the host on the device, without waiting."""
        tensor = torch.from_numpy(np.ascontiguousarray(values))
        tensor = tensor.float() if tensor.dtype == torch.float64 else tensor
        return tensor.pin_memory().to(self.device, non_blocking=True) if self.device.type == "cuda" else tensor

    def cut(self, entries, corners, scale, side):
        """Levels [n, 3, side, side] at `corners` [n, 2] (row, column) of the pictures `entries` [n] at a scale, on the device."""
        offset, width = self.places[scale][entries].T
        line = torch.arange(side, device=self.device)
        row, column = corners[:, 0, None] + line, corners[:, 1, None] + line
        at = offset[:, None, None] + (row[:, :, None] * width[:, None, None] + column[:, None, :]) * 3
        return self.pixels[at[:, None] + torch.arange(3, device=self.device)[None, :, None, None]].float()

    def batch(self, count, size):
        """Levels/255 [n, 3, h, w] small and large, conditions [n, 3], and the small ones before damage."""
        random, scale = self.random, self.scale
        chosen = np.searchsorted(self.chance, random.random(count))
        corners = random.integers(0, (self.sides[chosen] - size + 1)[:, None], (count, CANDIDATES, 2))
        entries, corners = self.put(chosen), self.put(corners)
        many = self.cut(entries.repeat_interleave(CANDIDATES), corners.flatten(0, 1), scale, size)
        green = many[:, 1]
        busy = green.diff(dim=1).abs().mean((1, 2)) + green.diff(dim=2).abs().mean((1, 2))
        best = busy.view(count, CANDIDATES).argmax(1)
        line = torch.arange(count, device=self.device)
        corners, low = corners[line, best], many.view(count, CANDIDATES, 3, size, size)[line, best]
        high = self.cut(entries, corners * scale, 1, size * scale) if scale > 1 else low
        twice = self.cut(entries, corners * 2, scale // 2, size * 2) if scale > 1 else None
        low, twice, high = self.starry(low, twice, high)
        change = self.changes(count)
        low, high = change(low), change(high)
        twice = None if twice is None else change(twice)
        seen, conditions = self.damaged(low, twice) if self.damage else (low, torch.zeros(count, 3, device=self.device))
        lay = {"memory_format": torch.channels_last}
        return tuple((x / 255).contiguous(**lay) for x in (seen, high)) + (conditions, (low / 255).contiguous(**lay))

    def starry(self, low, twice, high):
        """A few of the patches as night skies, at all their sizes."""
        places = self.put(np.flatnonzero(self.random.random(len(low)) < STARRY))
        if not len(places):
            return low, twice, high
        high = high.clone()
        high[places] = with_stars(high[places], self.scale, self.generator)

        def smaller(levels):
            levels = levels.clone()
            levels[places] = to_levels(resized(high[places], *levels.shape[2:]))
            return levels
        if self.scale == 1:
            return high, None, high
        return smaller(low), high if self.scale == 2 else smaller(twice), high

    def changes(self, count):
        """A function that turns, flips and recolours each of `count` patches in its own way."""
        random = self.random
        order = self.put(np.stack([random.permutation(3) for _ in range(count)]))
        negative, swap, down, across = (self.put(random.random(count) < p)[:, None, None, None] for p in (0.3, 0.5, 0.5, 0.5))
        line = torch.arange(count, device=self.device)[:, None]

        def change(x):
            x = x[line, order]
            x = torch.where(negative, 255 - x, x)
            x = torch.where(swap, x.transpose(2, 3), x)
            x = torch.where(down, x.flip(2), x)
            return torch.where(across, x.flip(3), x)
        return change

    def compressed(self, levels, quality, half):
        """Levels of some patches through JPEG with its grid anywhere."""
        top, left = (self.put(self.random.integers(0, 16, len(levels))) for _ in range(2))
        return self.jpeg.through(levels, self.put(np.asarray(quality, np.float32)), self.put(half), top, left)

    def sensed(self, levels, deviation, patches=1, softest=0.6, shot_share=0.5):
        """damage.sensed for a batch: levels with noise of about the deviations [n], each of which holds for so many `patches` that follow each other."""
        random, count = self.random, len(deviation)

        def each(values):
            return self.put(np.asarray(values).repeat(patches))

        noise = torch.randn(levels.shape, generator=self.generator, device=self.device)
        soft = gaussian(noise, each(random.uniform(0.35, softest, count)), math.ceil(3 * softest))
        soft = soft / (soft.flatten(1).std(1)[:, None, None, None] + 1e-6)
        is_soft, is_bright, is_shot = (each(random.random(count) < p)[:, None, None, None] for p in (0.4, 0.3, shot_share))
        noise = torch.where(is_soft, soft, noise)
        noise = torch.where(is_bright, 0.85 * noise.mean(1, keepdim=True) * 3**0.5 + 0.5 * noise, noise)
        light = levels.mean(1, keepdim=True) / 255 + 0.15
        mean = light.view(count, -1).mean(1).repeat_interleave(patches)[:, None, None, None]
        shot = (light / mean).sqrt()
        strength = each(deviation)[:, None, None, None] * torch.where(is_shot, shot, torch.ones_like(shot))
        return (levels + noise * strength).round().clamp(0, 255)

    def damaged(self, low, twice):
        """damage.damaged for a batch: levels, and conditions [n, 3]."""
        random, count = self.random, len(low)
        kind, half = random.random(count), random.random(count) < 0.6
        before = (kind >= 0.4) & (kind < 0.88) & (random.random(count) < BEFORE_REDUCED) & (twice is not None)
        told_soft = ~before & (random.random(count) < TOLD_SOFT)
        blur = random.uniform(*SOFTNESSES, count)
        soft = ~before & ~told_soft & (random.random(count) < np.where(kind < 0.4, SOFT_CLEAN, SOFT))
        noisy, coded = kind > 0.78, (kind >= 0.4) & (kind < 0.88)
        quality = np.array([any_quality(random) for _ in range(count)])
        earlier = coded & (random.random(count) < 0.12)
        first = np.array([random.integers(q - 12, 99) for q in quality])
        deviation = np.where(random.random(count) < 0.6, random.uniform(0.7, 20, count), random.uniform(0.7, 7, count))
        self.pristine = np.flatnonzero((kind < 0.4) & ~soft & ~told_soft)
        seen = low.clone()

        def some(mask, made):
            at = np.flatnonzero(mask)
            if len(at):
                places = self.put(at)
                seen[places] = made(at, places)

        def reduced(at, places):
            worse = self.compressed(twice[places], [any_quality(random) for _ in at], half[at])
            return to_levels(resized(worse, *low.shape[2:]))

        some(before, reduced)
        some(soft, lambda at, places: gaussian(seen[places], self.put(random.uniform(0.25, 0.9, len(at))), 3).round().clamp(0, 255))
        some(told_soft, lambda at, places: gaussian(seen[places], self.put(blur[at]), 5).round().clamp(0, 255))
        some(noisy, lambda at, places: self.sensed(seen[places], deviation[at]))
        some(earlier, lambda at, places: self.compressed(seen[places], first[at], half[at]))
        some(coded, lambda at, places: self.compressed(seen[places], quality[at], half[at]))
        told = np.zeros((count, 3), np.float32)
        told[:, 0] = np.where(coded, compression(np.clip(quality + random.uniform(-4, 4, count), 1, 99)), 0)
        told[:, 1] = np.where(noisy, noise_level(deviation * random.uniform(0.88, 1.12, count)), 0)
        told[:, 2] = np.where(told_soft, softness(blur * random.uniform(0.9, 1.1, count)), 0)
        return seen, self.put(told)
