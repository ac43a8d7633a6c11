"""Bicubic resampling as the super-resolution papers define it (MATLAB's imresize).

Keys' kernel with a = -0.5, widened by the reduction factor (antialias), pixels
mirrored at the picture's border, floating point until the caller rounds.
"""
import numpy as np


def keys(x):
    """Keys' cubic (1981) with a = -0.5 at the distances x, in input pixels."""
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x <= 1, near, np.where(x <= 2, far, 0.0))


def taps(size_in, size_out):
    """Weights [size_out, k] and mirrored source positions [size_out, k] of one axis."""
    scale = size_out / size_in
    stretch = min(scale, 1.0)
    count = int(np.ceil(4 / stretch)) + 2
    centre = (np.arange(size_out) + 0.5) / scale - 0.5
    first = np.floor(centre - 2 / stretch).astype(int)
    position = first[:, None] + np.arange(count)
    weight = keys((centre[:, None] - position) * stretch)
    weight /= weight.sum(axis=1, keepdims=True)
    mirrored = np.concatenate([np.arange(size_in), np.arange(size_in)[::-1]])
    return weight.astype(np.float32), mirrored[position % (2 * size_in)]


def resize_rows(picture, height):
    """Resize the first axis of a float32 array [h, ...] to `height`."""
    weight, position = taps(picture.shape[0], height)
    out = np.zeros((height, *picture.shape[1:]), np.float32)
    for k in range(weight.shape[1]):
        out += weight[:, k].reshape(-1, *[1] * (picture.ndim - 1)) * picture[position[:, k]]
    return out


def resize(picture, width, height):
    """uint8 or float [h, w, 3] to float32 [height, width, 3], not rounded, not clipped."""
    rows = resize_rows(np.asarray(picture, np.float32), height)
    return resize_rows(rows.transpose(1, 0, 2), width).transpose(1, 0, 2)


def to_bytes(picture):
    """Round once to 8 bit, as the low-resolution pictures of the benchmarks are."""
    return np.clip(np.floor(picture + 0.5), 0, 255).astype(np.uint8)
