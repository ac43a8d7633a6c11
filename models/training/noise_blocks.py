"""What the noise measurement of a JPEG sees: up to 512 of its blocks, as their quantiser left them.

Noise leaves no block empty and is alike in all of them; texture fills some and falls with frequency. So the
flattest blocks come first, and others, spread over the ranking, tell what the photo is like.
`electron/engine/analysis/noise-before-jpeg.ts` reads the same.
"""
import numpy as np

BLOCK = 8
ORDERS = np.add.outer(np.arange(BLOCK), np.arange(BLOCK)).reshape(-1)  # of each coefficient: column plus row
BANDS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 14))  # lowest and highest order
COLOUR_BANDS = ((1, 2), (3, 5), (6, 14))
MOST_RANKED = 2048
FLATTEST, FLATTEST_CLEAR, SPREAD = 224, 96, 192
HEADROOM, CLEAR_HEADROOM = 6, 40  # levels between a block's mean and black or white
RANKING = (ORDERS >= 1) & (ORDERS <= 4)
FLOOR = 0.05  # added to energies before their logarithm, levels squared
MOST_HEADROOM = 64
MOST_WHOLE = 255
LUMA = np.array([0.299, 0.587, 0.114], np.float32)
COEFFICIENTS = BLOCK * BLOCK - 1
OTHERS = len(BANDS) + 2 * len(COLOUR_BANDS) + 3
INPUTS = 2 * COEFFICIENTS + OTHERS
TOLD = len(BANDS) + 1


def basis():
    """The orthonormal cosine transform of 8 values, [8, 8]."""
    wave, at = np.mgrid[:BLOCK, :BLOCK]
    scale = np.where(wave == 0, (1 / BLOCK) ** 0.5, 0.5)
    return (scale * np.cos((2 * at + 1) * wave * np.pi / 16)).astype(np.float32)


DCT = np.kron(basis(), basis()).T.copy()  # [64 pixels, 64 coefficients]


def blocks_of(picture):
    """float32 [n, 64, 3] of uint8 [h, w, 3], from its corner."""
    down, across = (side // BLOCK for side in picture.shape[:2])
    cut = picture[: down * BLOCK, : across * BLOCK].reshape(down, BLOCK, across, BLOCK, 3)
    return cut.transpose(0, 2, 1, 3, 4).reshape(-1, BLOCK * BLOCK, 3).astype(np.float32)


def evenly(count, most):
    """At most `most` indices of 0 to count - 1."""
    return np.arange(count) if count <= most else (np.arange(most) * count) // most


def chosen(energies, headrooms):
    """Indices of the blocks that are read, and the rank of each among all, 0..1."""
    order = np.argsort(energies, kind="stable")
    rank = np.empty(len(order), np.float32)
    rank[order] = np.arange(len(order)) / len(order)
    taken, left = [], order
    for count, least in ((FLATTEST, HEADROOM), (FLATTEST_CLEAR, CLEAR_HEADROOM)):
        some = left[headrooms[left] >= least][:count]
        taken.append(some)
        left = left[~np.isin(left, some)]
    taken.append(left[evenly(len(left), SPREAD)])
    at = np.concatenate(taken)
    return at, rank[at]


def within(low, high):
    return (ORDERS >= low) & (ORDERS <= high)


def of_picture(picture, steps):
    """Coefficients in steps (uint8 [n, 63]), other values (float16 [n, OTHERS]) and what holds for all (float32 [TOLD])
    of uint8 [h, w, 3] whose grid of blocks begins at its corner."""
    blocks = blocks_of(picture)
    blocks = blocks[evenly(len(blocks), MOST_RANKED)]
    values = (blocks @ LUMA) @ DCT
    means = blocks.mean(1)
    headrooms = np.minimum(means, 255 - means).min(1)
    at, rank = chosen((values[:, RANKING] ** 2).sum(1), headrooms)
    some, values = blocks[at], values[at]
    whole = np.round(np.abs(values) / steps)
    energies = (whole * steps) ** 2
    luma = some @ LUMA
    colours = [((0.564 * (some[:, :, 2] - luma)) @ DCT) ** 2, ((0.713 * (some[:, :, 0] - luma)) @ DCT) ** 2]
    others = [np.log(energies[:, within(*b)].mean(1) + FLOOR) for b in BANDS]
    others += [np.log(colour[:, within(*b)].mean(1) + FLOOR) for colour in colours for b in COLOUR_BANDS]
    others += [np.minimum(headrooms[at], MOST_HEADROOM) / MOST_HEADROOM, values[:, 0] / BLOCK / 255, rank]
    told = [np.log(np.mean(steps[within(*b)])) for b in BANDS] + [np.log(len(blocks)) / 2]
    return (np.minimum(whole[:, 1:], MOST_WHOLE).astype(np.uint8), np.stack(others, 1).astype(np.float16),
            np.array(told, np.float32))
