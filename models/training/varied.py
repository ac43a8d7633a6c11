"""Pictures made of pieces of the photographs: what 65 photographs alone do not show.

Each is a place of one photograph, turned by any angle and reduced, with leaves over it:
discs, ellipses, polygons, strokes and words, one before the other, in sizes from fine to
coarse, filled with a colour or with a place of another photograph. Leaves of that kind,
without any photograph, already carry most of what a network learns of edges (the dead
leaves model: Lee, Mumford, Huang 2001; Achddou, Gousseau, Ladjal 2021).

    varied.py --photographs PHOTOGRAPHS --fonts FONTS --out FOLDER --signs 60

writes signs: words of one size to a line on plain or photographed ground, which teach what edges of letters are.
"""
import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FINE = 3  # masks are drawn this much larger and reduced, so their edges lie between pixels
WORDS = "Enlarger photograph 2026 MENU open light Straße 3,50 & every grain of it | ABC xyz 0189 - quick".split()


class Maker:
    """Draws pictures of `side` x `side` from `photos` (PIL, RGB); all randomness is in `random`."""

    def __init__(self, photos, side, random, fonts):
        self.photos, self.side, self.random = photos, side, random
        self.fonts = sorted(Path(fonts).rglob("*.ttf"))

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def place(self, side):
        """A place of a photograph, `side` square, turned and reduced to 1/1.25 or less."""
        photo = self.pick(self.photos)
        angle = float(self.random.uniform(0, 360))
        turn = abs(np.cos(np.radians(angle))) + abs(np.sin(np.radians(angle)))
        most = min(photo.size) / (side * turn + 4)
        factor = float(np.exp(self.random.uniform(np.log(1.25), np.log(max(1.3, most)))))
        reach = int(np.ceil(side * factor * turn)) + 4
        left, top = (int(self.random.integers(0, max(1, extent - reach + 1))) for extent in photo.size)
        piece = photo.crop((left, top, left + reach, top + reach)).rotate(angle, Image.BICUBIC)
        middle, half = reach / 2, side * factor / 2
        box = (middle - half, middle - half, middle + half, middle + half)
        return piece.resize((side, side), Image.BICUBIC if self.random.random() < 0.5 else Image.LANCZOS, box)

    def colour(self):
        """A colour of some photograph, or any."""
        if self.random.random() < 0.3:
            return tuple(int(v) for v in self.random.integers(0, 256, 3))
        photo = self.pick(self.photos)
        return photo.getpixel(tuple(int(self.random.integers(0, extent)) for extent in photo.size))

    def outline(self, size):
        """Corners of a polygon around 0, 0 within `size`."""
        count = int(self.random.integers(3, 9))
        angles = np.sort(self.random.uniform(0, 2 * np.pi, count))
        radii = size * self.random.uniform(0.4, 1, count)
        return [(float(r * np.cos(a)), float(r * np.sin(a))) for r, a in zip(radii, angles)]

    def leaf(self):
        """A mask "L" of one leaf on the whole picture."""
        large = self.side * FINE
        mask = Image.new("L", (large, large))
        draw = ImageDraw.Draw(mask)
        x, y = self.random.uniform(0, large, 2)
        size = min(large / 2, FINE * 2.5 * (1 - self.random.random() * 0.998) ** -0.6)
        kind = self.random.random()
        if kind < 0.35:
            aspect = self.random.uniform(0.3, 1)
            draw.ellipse((x - size, y - size * aspect, x + size, y + size * aspect), fill=255)
            mask = mask.rotate(float(self.random.uniform(0, 180)), Image.BILINEAR, center=(x, y))
        elif kind < 0.6:
            draw.polygon([(x + a, y + b) for a, b in self.outline(size * 1.3)], fill=255)
        else:
            points = [(x, y)]
            for _ in range(int(self.random.integers(1, 4))):
                step = self.random.uniform(-1, 1, 2) * large / 3
                points.append((points[-1][0] + step[0], points[-1][1] + step[1]))
            width = max(2, int(FINE * self.random.uniform(0.6, 5)))
            draw.line(points, fill=255, width=width, joint="curve")
        return mask.reduce(FINE)

    def word(self):
        """A mask "L" of a few lines of words."""
        large = self.side * FINE
        mask = Image.new("L", (large, large))
        font = ImageFont.truetype(str(self.pick(self.fonts)), int(FINE * self.random.uniform(9, 40)))
        lines = "\n".join(" ".join(self.pick(WORDS) for _ in range(4)) for _ in range(int(self.random.integers(1, 5))))
        x, y = self.random.uniform(-0.1, 0.7, 2) * large
        ImageDraw.Draw(mask).multiline_text((x, y), lines, fill=255, font=font)
        if self.random.random() < 0.5:
            mask = mask.rotate(float(self.random.uniform(-30, 30)), Image.BILINEAR)
        return mask.reduce(FINE)

    def cover(self, picture, mask):
        """Lay a leaf over `picture`: a colour or a place, its edge sometimes a little soft."""
        if self.random.random() < 0.25:
            mask = mask.filter(ImageFilter.GaussianBlur(float(self.random.uniform(0.3, 1.2))))
        fill = self.place(self.side) if self.random.random() < 0.3 else self.colour()
        picture.paste(fill, None if isinstance(fill, Image.Image) else (0, 0, self.side, self.side), mask)

    def sign(self):
        """uint8 [side, side, 3]: lines of words, dark on light or light on dark, from 24 to 200 pixels high."""
        ground = self.place(self.side) if self.random.random() < 0.3 else Image.new("RGB", (self.side, self.side), self.shade(self.random.random() < 0.7))
        y = int(self.random.integers(0, 40))
        while y < self.side:
            high = int(np.exp(self.random.uniform(np.log(24), np.log(200))))
            font = ImageFont.truetype(str(self.pick(self.fonts)), FINE * high)
            line = Image.new("L", (FINE * self.side, int(FINE * high * 1.4)))
            ImageDraw.Draw(line).text((FINE * self.random.uniform(-1, 1) * high, 0), " ".join(self.pick(WORDS) for _ in range(16)), fill=255, font=font)
            line = line.reduce(FINE)
            if self.random.random() < 0.4:
                line = line.filter(ImageFilter.GaussianBlur(float(self.random.uniform(0.3, 1))))
            light = np.mean(ground.crop((0, y, self.side, min(self.side, y + high))).resize((1, 1)).getpixel((0, 0))) > 127
            ground.paste(self.shade(not light), (0, y), line)
            y += int(high * self.random.uniform(1.1, 1.6))
        return np.asarray(ground.rotate(float(self.random.uniform(-6, 6)), Image.BICUBIC) if self.random.random() < 0.3 else ground)

    def shade(self, light):
        """A light or a dark colour, one in three grey."""
        one = self.random.integers(200, 256, 3) if light else self.random.integers(0, 70, 3)
        return tuple(int(v) for v in (one[:1].repeat(3) if self.random.random() < 0.34 else one))

    def make(self):
        """uint8 [side, side, 3]."""
        picture = self.place(self.side)
        if self.random.random() < 0.55:
            for _ in range(int(np.exp(self.random.uniform(0, np.log(100))))):
                self.cover(picture, self.leaf())
        if self.fonts and self.random.random() < 0.25:
            self.cover(picture, self.word())
        return np.asarray(picture)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--photographs", required=True)
    a.add_argument("--fonts", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--signs", type=int, default=60)
    a.add_argument("--side", type=int, default=1000)
    o = a.parse_args()
    photos = [Image.open(path).convert("RGB") for path in sorted(Path(o.photographs).glob("*.jpg"))]
    maker, out = Maker(photos, o.side, np.random.default_rng(1), o.fonts), Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    for i in range(o.signs):
        Image.fromarray(maker.sign()).save(out / f"sign-{i:02}.webp", lossless=True)
