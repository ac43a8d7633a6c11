"""What cameras do to a small picture: slight blur, sensor noise, JPEG of quality 75 to 95.

For `restore`: the network sees these, the truth stays the clean photograph.
"""
import io

import numpy as np
from PIL import Image


def blurred(picture, sigma):
    """Gaussian blur of float [h, w, 3], sigma in pixels, borders replicated."""
    radius = max(1, int(np.ceil(3 * sigma)))
    line = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    line /= line.sum()
    for axis in (0, 1):
        wide = np.pad(picture, [(radius, radius) if a == axis else (0, 0) for a in range(3)], mode="edge")
        picture = sum(w * np.take(wide, np.arange(k, k + picture.shape[axis]), axis)
                      for k, w in enumerate(line))
    return picture


def noisy(picture, random):
    """Read noise and shot noise of up to 6 levels, in half of the pictures a little soft."""
    read, shot = random.uniform(0, 3), random.uniform(0, 5)
    deviation = np.sqrt(read**2 + shot**2 * np.clip(picture, 0, 255) / 255)
    noise = random.standard_normal(picture.shape)
    if random.random() < 0.5:  # demosaiced noise is a little soft
        noise = blurred(noise, 0.5) * 1.5
    return picture + noise * deviation


def compressed(picture, quality, half_colour):
    """uint8 through JPEG, chroma at full (4:4:4) or half (4:2:0) resolution."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality, subsampling=2 if half_colour else 0)
    return np.asarray(Image.open(stream).convert("RGB"))


def photographed(picture, random):
    """uint8 [h, w, 3] with each flaw at random; the JPEG grid lies at a random place."""
    rough = picture.astype(np.float32)
    if random.random() < 0.6:
        rough = blurred(rough, random.uniform(0.2, 0.9))
    if random.random() < 0.7:
        rough = noisy(rough, random)
    rough = np.clip(np.round(rough), 0, 255).astype(np.uint8)
    if random.random() < 0.8:
        top, left = random.integers(0, 8, 2)
        wide = np.pad(rough, ((top, 0), (left, 0), (0, 0)), mode="reflect")
        rough = compressed(wide, int(random.integers(75, 96)), random.random() < 0.6)[top:, left:]
    return rough
