"""Make the set `own` for clicks.py: photographs with the mask on which six looks of the network agree.

    python3 cutout/own_masks.py --photographs PHOTOGRAPHS PHOTOGRAPHS2 --weights ../cutout.onnx --out DATA/own

The looks are the whole picture, its mirror image and four crops; the mask is where their mean is above a half.
`own.txt` lists the photographs that are taken: those with a subject on which the looks agree (LEAST_MEAN, LEAST_ANY), less
what a person, who looked at each mask, left out. With --all every photograph is measured and nothing is left out.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image

sys.path.append(str(Path(__file__).resolve().parent.parent))
from evaluate import load, normalised  # noqa: E402
from network import SIZE  # noqa: E402

SIDE = 400  # longest, of the pictures
PART = 0.84  # of each side that a crop shows
LEAST_MEAN, LEAST_ANY = 0.84, 0.6  # intersection over union with the mean: of all looks, of the one that is farthest
LEAST_SUBJECT, MOST_SUBJECT = 0.015, 0.85  # of the picture
MOST_UNSURE = 0.4  # pixels between 0.15 and 0.85, beside those of the subject


def looks(network, picture):
    """Yield what each look gives, float32 [h, w], NaN where it sees nothing."""
    width, height = picture.size
    part = int(PART * width), int(PART * height)
    boxes = [(0, 0, width, height)] + [(x, y, x + part[0], y + part[1]) for x in (0, width - part[0]) for y in (0, height - part[1])]
    for box, mirrored in [(boxes[0], True)] + [(box, False) for box in boxes]:
        seen = picture.crop(box).resize((SIZE, SIZE), Image.BILINEAR)
        seen = seen.transpose(Image.FLIP_LEFT_RIGHT) if mirrored else seen
        mask = network(normalised(np.array(seen)[None]))[0, 0].numpy()
        mask = np.ascontiguousarray(mask[:, ::-1]) if mirrored else mask
        own = np.full((height, width), np.nan, np.float32)
        own[box[1] : box[3], box[0] : box[2]] = np.asarray(Image.fromarray(mask).resize((box[2] - box[0], box[3] - box[1]), Image.BILINEAR))
        yield own


def agreed(found):
    """The mean mask, and whether the looks agree on a subject."""
    found = np.stack(found)
    mean = np.nanmean(found, 0)
    inside = mean > 0.5
    overlaps = []
    for look in found:
        shown = ~np.isnan(look)
        both, either = (look > 0.5) & inside & shown, ((look > 0.5) | inside) & shown
        overlaps.append(both.sum() / max(either.sum(), 1))
    unsure = ((mean > 0.15) & (mean < 0.85)).sum() / max(inside.sum(), 1)
    size = inside.mean()
    return mean, np.mean(overlaps) >= LEAST_MEAN and min(overlaps) >= LEAST_ANY and LEAST_SUBJECT <= size <= MOST_SUBJECT and unsure <= MOST_UNSURE


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--photographs", nargs="+", required=True)
    a.add_argument("--weights", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--all", action="store_true", help="also those that own.txt does not list")
    o = a.parse_args()
    network, out = load(o.weights).eval(), Path(o.out)
    listed = set((Path(__file__).parent / "own.txt").read_text().splitlines())
    for folder in ("image", "mask"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for path in sorted(p for folder in o.photographs for p in Path(folder).iterdir() if o.all or p.name in listed):
        if path.suffix not in (".jpg", ".png", ".webp"):
            continue
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((SIDE, SIDE), Image.LANCZOS)
        with torch.no_grad():
            mask, is_sure = agreed(list(looks(network, picture)))
        print(path.name, "taken" if is_sure else "unsure", flush=True)
        if is_sure:
            picture.save(out / "image" / f"{path.stem}.webp", quality=80)
            Image.fromarray(((mask > 0.5) * 255).astype(np.uint8)).save(out / "mask" / f"{path.stem}.png")
