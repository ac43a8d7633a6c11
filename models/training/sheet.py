"""Crops at 100 % of pictures that no training saw, side by side: bicubic, networks, and the truth.

Of each picture held back (data.tsv) the place with most detail, one in two as JPEG of quality 85; each
network is told. Rows of the sheet go into files of a few rows. Prints, of each network, PSNR and the
energy of its high frequencies against the truth's.
"""
import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from bicubic import resize, to_bytes
from camera import compressed
from damage import compression
from data import detail, photographs
from evaluate import LUMA, bicubic, enlarge, psnr, trained

QUALITY = 85
TRIED = 200  # random places of a picture, of which the one with most detail is shown
BORDER = 16  # pixels around a crop that networks see beside it


def crops(folders, side, scale):
    """Yield (name, low, high, condition): low with a border, high without."""
    border, random = BORDER, np.random.default_rng(1)
    for row, (name, photo) in enumerate(photographs(folders, held=True)):
        height, width = (n // scale * scale for n in photo.shape[:2])
        small = to_bytes(resize(photo[:height, :width], width // scale, height // scale))
        part = side // scale + 2 * border
        if min(small.shape[:2]) < part:
            continue
        places = [random.integers(0, (small.shape[0] - part + 1, small.shape[1] - part + 1)) for _ in range(TRIED)]
        inner = [small[y + border : y + part - border, x + border : x + part - border] for y, x in places]
        y, x = places[int(np.argmax([detail(i) for i in inner]))]
        low, condition = small[y : y + part, x : x + part], (0.0, 0.0, 0.0)
        if row % 2:
            low, condition = compressed(low, QUALITY, True), (compression(QUALITY), 0.0, 0.0)
        top, left = (y + border) * scale, (x + border) * scale
        yield name, low, photo[top : top + side, left : left + side], condition


def fine(picture):
    """The energy of what lies above a pixel's four neighbours, in luma."""
    luma = picture.astype(float) @ LUMA
    around = luma[:-2, 1:-1] + luma[2:, 1:-1] + luma[1:-1, :-2] + luma[1:-1, 2:]
    return float(((luma[1:-1, 1:-1] - around / 4) ** 2).mean())


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--photographs", nargs="+", required=True)
    a.add_argument("--weights", nargs="+", required=True, help="checkpoints, one column each")
    a.add_argument("--out", required=True, help="folder for sheet-0.png and so on")
    a.add_argument("--side", type=int, default=320)
    a.add_argument("--rows", type=int, default=3, help="in a file")
    a.add_argument("--count", type=int, default=20)
    o = a.parse_args()
    networks = [("bicubic", 8, bicubic(4))] + [(w, *trained(w)[1:]) for w in o.weights]
    rows, figures, edge = [], [], 4 * BORDER
    for name, low, high, condition in crops(o.photographs, o.side, 4):
        found = [enlarge(network, low, 4, margin, condition)[edge:-edge, edge:-edge] for _, margin, network in networks]
        rows.append(np.concatenate([*found, high], 1))
        figures.append([(psnr(f, high, 4), fine(f) / fine(high), fine(to_bytes(resize(f, o.side // 4, o.side // 4)))
                         / fine(to_bytes(resize(high, o.side // 4, o.side // 4)))) for f in found])
        print(len(rows), name, "JPEG" if condition[0] else "clean", " | ".join("%.2f dB %.2f %.2f" % f for f in figures[-1]), flush=True)
        if len(rows) == o.count:
            break
    for (name, *_), mean, median in zip(networks, np.mean(figures, 0), np.median(figures, 0)):
        print(f"{name}: {mean[0]:.2f} dB, high frequencies {median[1]:.2f} of the truth's, {median[2]:.2f} reduced (medians)")
    Path(o.out).mkdir(parents=True, exist_ok=True)
    for i in range(0, len(rows), o.rows):
        Image.fromarray(np.concatenate(rows[i : i + o.rows])).save(f"{o.out}/sheet-{i // o.rows}.png")
