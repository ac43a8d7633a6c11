"""What people's photographs have been through: a lens, sensor noise, and one or two JPEG compressions.

Each picture comes with its condition (compression, noise, softness): what a network is told of it,
0 for none. Compression is (100 - quality) / 60, noise the deviation in levels divided by 15, softness
the deviation of a Gaussian blur in pixels divided by 1.5. A network told of no softness may still be
shown a soft picture, as it is today by a photo whose blur was not measured.
"""
import numpy as np

from bicubic import resize, to_bytes
from camera import blurred, compressed


SOFT, SOFT_CLEAN = 0.25, 0.08  # the shares of damaged and of clean pictures that are soft, untold
TOLD_SOFT = 0.3  # the share of pictures, before these, whose softness is told
SOFTNESSES = (0.3, 1.6)  # pixels, of those
BEFORE_REDUCED = 0.15  # the share of those compressed last that had been compressed at twice the size


def compression(quality):
    """The condition of a JPEG quality, as libjpeg counts them."""
    return (100 - quality) / 60


def noise_level(deviation):
    """The condition of a noise's standard deviation in levels of 255."""
    return deviation / 15


def softness(deviation):
    """The condition of a Gaussian blur's standard deviation in pixels."""
    return deviation / 1.5


def sensed(picture, deviation, random):
    """uint8 with noise of about this deviation: white or a little soft, alike or growing with light,
    alike or not in the three channels."""
    noise = random.standard_normal(picture.shape)
    if random.random() < 0.4:  # noise that went through demosaicing
        noise = blurred(noise, random.uniform(0.35, 0.6))
        noise /= noise.std() + 1e-6
    if random.random() < 0.3:  # mostly in brightness
        noise = 0.85 * noise.mean(2, keepdims=True) * 3**0.5 + 0.5 * noise
    strength = deviation
    if random.random() < 0.5:  # shot noise; its mean square is `deviation` squared
        light = picture.astype(np.float32).mean(2, keepdims=True) / 255 + 0.15
        strength = deviation * np.sqrt(light / light.mean())
    return np.clip(np.round(picture + noise * strength), 0, 255).astype(np.uint8)


def softened(picture, deviation):
    """uint8 as a lens, an anti-aliasing filter or a resize leaves it: Gaussian blur of a deviation in pixels."""
    soft = blurred(picture.astype(np.float32), deviation)
    return np.clip(np.round(soft), 0, 255).astype(np.uint8)


def shifted_jpeg(picture, quality, half_colour, random):
    """Through JPEG with its grid of blocks at a random place."""
    top, left = random.integers(0, 16, 2)
    wide = np.pad(picture, ((top, 0), (left, 0), (0, 0)), mode="reflect")
    return compressed(wide, quality, half_colour)[top:, left:]


def reduced_after(larger, half_colour, random):
    """Half the size of `larger`, which was compressed before: what a messenger or a page makes of a JPEG."""
    height, width = larger.shape[:2]
    return to_bytes(resize(shifted_jpeg(larger, any_quality(random), half_colour, random), width // 2, height // 2))


def any_quality(random):
    """Mostly what cameras and editors write, sometimes what messengers leave."""
    low = 72 if random.random() < 0.55 else 35
    return int(random.integers(low, 98))


def damaged(picture, random, larger=None):
    """uint8 [h, w, 3] with damage drawn at random, and its condition; `larger` is the same at twice the size.

    Of what was done before a picture was reduced its condition says nothing, for neither its header
    nor its blocks tell.
    """
    condition, kind = [0.0, 0.0, 0.0], random.random()
    half_colour = random.random() < 0.6
    if larger is not None and 0.4 <= kind < 0.88 and random.random() < BEFORE_REDUCED:
        picture = reduced_after(larger, half_colour, random)
    elif random.random() < TOLD_SOFT:
        deviation = random.uniform(*SOFTNESSES)
        picture = softened(picture, deviation)
        condition[2] = softness(deviation * random.uniform(0.9, 1.1))
    elif random.random() < (SOFT_CLEAN if kind < 0.4 else SOFT):
        picture = softened(picture, random.uniform(0.25, 0.9))
    if kind < 0.4:
        return picture, tuple(condition)
    if kind > 0.78:
        deviation = random.uniform(0.7, 20) if random.random() < 0.6 else random.uniform(0.7, 7)
        picture = sensed(picture, deviation, random)
        condition[1] = noise_level(deviation * random.uniform(0.88, 1.12))
    if kind < 0.88:
        quality = any_quality(random)
        if random.random() < 0.12:
            picture = shifted_jpeg(picture, int(random.integers(quality - 12, 99)), half_colour, random)
        picture = shifted_jpeg(picture, quality, half_colour, random)
        condition[0] = compression(min(99, max(1, quality + random.uniform(-4, 4))))
    return picture, tuple(condition)


def plain(quality, deviation, blur=0.0):
    """A damage of known kind: `blur`, white noise of `deviation`, then JPEG 4:2:0 of `quality` (0: none of it)."""
    def apply(picture, random):
        condition = (compression(quality) if quality else 0.0, noise_level(deviation), softness(blur))
        picture = softened(picture, blur) if blur else picture
        if deviation:
            noise = random.standard_normal(picture.shape) * deviation
            picture = np.clip(np.round(picture + noise), 0, 255).astype(np.uint8)
        return compressed(picture, quality, True) if quality else picture, condition
    return apply


KINDS = {
    "clean": plain(0, 0), "jpeg 92": plain(92, 0), "jpeg 80": plain(80, 0), "jpeg 60": plain(60, 0),
    "noise 5": plain(0, 5), "noise 15": plain(0, 15), "jpeg 80 noise 5": plain(80, 5), "jpeg 80 noise 15": plain(80, 15),
    "soft 0.8": plain(0, 0, 0.8), "soft 1.2": plain(0, 0, 1.2), "soft 0.8 jpeg 92": plain(92, 0, 0.8),
}
