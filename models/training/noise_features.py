"""What the noise measurement of a photo sees of it: statistics of its 8 x 8 blocks, from the flattest to the roughest.

Noise leaves no block empty and is alike in all of them; texture fills some blocks and falls with
frequency. What a JPEG's quantiser left of either is known by its steps.
"""
import numpy as np

BLOCK = 8
ORDERS = np.add.outer(np.arange(BLOCK), np.arange(BLOCK)).reshape(-1)  # of each coefficient: column plus row
BANDS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 14))  # lowest and highest order
COLOUR_BANDS = ((1, 2), (3, 5), (6, 14))
BINS = (0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1)  # shares of the blocks, the flattest first
COLOUR_BINS = (0, 0.05, 0.2)
SPREAD_BINS = (0, 0.1, 0.4)
MOST_ORDER = 4  # blocks are sorted by the frequencies up to this order
LEAST_HEADROOM, LEAST_BLOCKS = 6, 16  # blocks nearer to black or white do not count, unless there are too few
FLOOR = 0.05  # added to energies before their logarithm, levels squared
MOST_HEADROOM = 64
LUMA = np.array([0.299, 0.587, 0.114], np.float32)
COUNT = len(BANDS) * (len(BINS) - 1) + 2 * (len(SPREAD_BINS) - 1) // 2 + len(COLOUR_BANDS) * (len(COLOUR_BINS) - 1) \
    + 2 * (len(BINS) - 1) + len(BANDS) + 1


def half_of(i):
    """0 or 1: two halves of the frequencies with all orders and directions in both."""
    place = (i % BLOCK + 2 * (i // BLOCK)) % 3
    return place if place < 2 else (ORDERS[i] >> 1) % 2


HALVES = np.array([half_of(i) for i in range(BLOCK * BLOCK)])


def basis():
    """The orthonormal cosine transform of 8 values, [8, 8]."""
    wave, at = np.mgrid[:BLOCK, :BLOCK]
    scale = np.where(wave == 0, (1 / BLOCK) ** 0.5, 0.5)
    return (scale * np.cos((2 * at + 1) * wave * np.pi / 16)).astype(np.float32)


DCT = basis()


def blocks_of(plane):
    """[n, 8, 8] of a plane [h, w], from its corner."""
    down, across = (side // BLOCK for side in plane.shape)
    cut = plane[: down * BLOCK, : across * BLOCK].reshape(down, BLOCK, across, BLOCK)
    return cut.transpose(0, 2, 1, 3).reshape(-1, BLOCK, BLOCK)


def transformed(blocks):
    """Coefficients [n, 64] of blocks [n, 8, 8]."""
    return (DCT @ blocks @ DCT.T).reshape(len(blocks), -1)


def spans(count, bins):
    """First and last index of each bin of `count` sorted blocks; none is empty."""
    starts = [min(int(count * a), count - 1) for a in bins[:-1]]
    return [(start, max(int(count * b), start + 1)) for start, b in zip(starts, bins[1:])]


def within(low, high):
    return (ORDERS >= low) & (ORDERS <= high)


def features(planes, steps):
    """float32 [COUNT] of blocks {red, green, blue: [n, 8, 8] of 0..255} and a quantiser's 64 steps (ones: none).

    None where there is no block.
    """
    red, green, blue = planes
    if len(red) == 0:
        return None
    means = np.stack([p.mean((1, 2)) for p in planes])
    headroom = np.minimum(means, 255 - means).min(0)
    if (headroom >= LEAST_HEADROOM).sum() >= LEAST_BLOCKS:
        keep = headroom >= LEAST_HEADROOM
        red, green, blue, headroom = red[keep], green[keep], blue[keep], headroom[keep]
    luma = LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue
    values = transformed(luma)
    level = values[:, 0] / BLOCK
    whole = np.round(values / steps)
    energies = (whole * steps) ** 2
    colour = (transformed(blue - luma) * 0.564) ** 2 + (transformed(red - luma) * 0.713) ** 2
    small = np.minimum(np.abs(whole), 3)
    count = len(values)
    bands = np.zeros((len(BINS) - 1, len(BANDS)))
    heads, lights = np.zeros(len(BINS) - 1), np.zeros(len(BINS) - 1)
    spread = np.zeros(len(SPREAD_BINS) - 1)
    chroma = np.zeros((len(COLOUR_BINS) - 1, len(COLOUR_BANDS)))
    for half in (0, 1):
        finding = within(1, MOST_ORDER) & (HALVES != half)
        order = np.argsort((values[:, finding] ** 2).sum(1), kind="stable")
        measured = np.stack([energies[:, within(*b) & (HALVES == half)].mean(1) for b in BANDS], 1)[order]
        filled = small[:, within(1, 14) & (HALVES == half)].sum(1)[order]
        for k, (a, b) in enumerate(spans(count, BINS)):
            bands[k] += measured[a:b].mean(0) / 2
            heads[k] += np.minimum(headroom[order[a:b]], MOST_HEADROOM).mean() / MOST_HEADROOM / 2
            lights[k] += (level[order[a:b]].mean() - level.mean()) / MOST_HEADROOM / 2
        for k, (a, b) in enumerate(spans(count, SPREAD_BINS)):
            spread[k] += np.log((filled[a:b].var() + 0.1) / (filled[a:b].mean() + 0.1)) / 2
        for k, (a, b) in enumerate(spans(count, COLOUR_BINS)):
            chroma[k] += [colour[:, within(*c)][order[a:b]].mean() / 2 for c in COLOUR_BANDS]
    coarse = [np.log(np.mean(steps[within(*b)])) for b in BANDS]
    return np.concatenate([np.log(bands + FLOOR).reshape(-1), spread, np.log(chroma + FLOOR).reshape(-1),
                           heads, lights, coarse, [np.log(count)]]).astype(np.float32)


def of_picture(picture, steps):
    """`features` of uint8 [h, w, 3] whose grid of blocks begins at its corner."""
    return features([blocks_of(picture[:, :, c].astype(np.float32)) for c in range(3)], steps)
