"""Painted pictures in which nothing stands out: walls, floors, skies and wedges of them, drawn from a generator."""
import numpy as np
from PIL import Image, ImageFilter


def grid(size):
    """x and y of 0..1 at each pixel."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    return x, y


def clouds(random, size, coarse, octaves=5):
    """Smooth noise of 0..1: octaves of random numbers, each half as strong as the one before."""
    total, weight = np.zeros((size, size), np.float32), 0.0
    for octave in range(octaves):
        cells = min(size, max(2, int(coarse * 2**octave)))
        cell = Image.fromarray((random.random((cells, cells)) * 255).astype(np.uint8))
        total += np.asarray(cell.resize((size, size), Image.BICUBIC), np.float32) / 255 / 2**octave
        weight += 1 / 2**octave
    return total / weight


def colour(random, saturation=0.35):
    """RGB of 0..255, more often grey than not."""
    grey = random.uniform(20, 240)
    return np.clip(grey * (1 + saturation * random.uniform(-1, 1, 3)), 0, 255).astype(np.float32)


def between(one, other, share):
    return one + (other - one) * share[:, :, None]


def bricks(random, size):
    """Bricks, tiles, slates or planks with joints, each of a tone of its own."""
    x, y = grid(size)
    turn = np.radians(random.uniform(-8, 8))
    x, y = x * np.cos(turn) - y * np.sin(turn) + 1, x * np.sin(turn) + y * np.cos(turn) + 1
    narrowing = random.uniform(0, 0.5) * (random.random() < 0.4)
    x = x / (1 + narrowing * (y - 1))
    columns, rows = random.uniform(2, 26), random.uniform(4, 40)
    row = np.floor(y * rows)
    along = x * columns + (row % 2) * random.choice([0, 0.5]) + (random.random() < 0.2) * row * 0.37
    column = np.floor(along)
    u, v = along - column, y * rows - row
    tones = random.random((64, 64)).astype(np.float32)
    tone = 1 + random.uniform(0.02, 0.35) * (tones[row.astype(int) % 64, column.astype(int) % 64] - 0.5)
    joint = (u < random.uniform(0.01, 0.08)) | (v < random.uniform(0.03, 0.15))
    face, mortar = colour(random), colour(random, 0.1)
    return np.where(joint[:, :, None], mortar, face * tone[:, :, None])


def sky(random, size):
    """From one colour to another, with or without clouds."""
    x, y = grid(size)
    way = np.clip(y * random.uniform(0.6, 1.4) + x * random.uniform(-0.5, 0.5), 0, 1) ** random.uniform(0.6, 2)
    picture = between(colour(random), colour(random), way)
    if random.random() < 0.6:
        cover = clouds(random, size, random.uniform(2, 8))
        picture = between(picture, colour(random, 0.05), np.clip((cover - random.uniform(0.3, 0.6)) * 4, 0, 1))
    return picture


def rough(random, size):
    """Plaster, concrete, sand, lawn or water: one colour under noise of one scale or two, with a light from a side."""
    x, y = grid(size)
    light = 1 + random.uniform(-0.5, 0.5) * (x - 0.5) + random.uniform(-0.5, 0.5) * (y - 0.5)
    tone = light * (1 + random.uniform(0.05, 0.6) * (clouds(random, size, random.uniform(3, 60)) - 0.5))
    tone = tone * (1 + random.uniform(0, 0.35) * (random.random((size, size)) - 0.5))
    if random.random() < 0.3:
        waves = np.sin((y * random.uniform(10, 60) + clouds(random, size, 4) * random.uniform(1, 8)) * np.pi)
        tone = tone * (1 + random.uniform(0.05, 0.3) * waves)
    return colour(random) * tone[:, :, None]


def wedge(random, size):
    """A piece of one surface between, above or beside two others, with straight borders."""
    x, y = grid(size)
    picture = sky(random, size)
    for _ in range(int(random.integers(1, 4))):
        angle = random.uniform(0, 2 * np.pi)
        away = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle) - random.uniform(-0.15, 0.4)
        wall = random.choice([bricks, rough])(random, size)
        picture = np.where((away > 0)[:, :, None], wall, picture)
    return picture


def surface(random, size):
    """RGB picture of `size` x `size`, as a lens may show it: darker to the corners, a little soft."""
    picture = random.choice([bricks, bricks, sky, rough, wedge, wedge])(random, size)
    if random.random() < 0.3:
        x, y = grid(size)
        picture = picture * (1 - random.uniform(0, 0.8) * ((x - 0.5) ** 2 + (y - 0.5) ** 2))[:, :, None]
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    return image.filter(ImageFilter.GaussianBlur(random.uniform(0.3, 1.2))) if random.random() < 0.5 else image
