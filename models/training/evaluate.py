"""PSNR on the Y channel (BT.601) of benchmark pairs, a border of `scale` pixels cut."""
import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from bicubic import resize, to_bytes
from camera import photographed
from damage import KINDS

LUMA = np.array([65.481, 128.553, 24.966]) / 255  # BT.601, studio swing


def pairs(folder, scale):
    """Yield (name, LR, HR), uint8 RGB, of a folder `<set>` holding x2/ and x4/.

    A missing HR of x4 is the one of x2 cut to 4 times LR from the top left.
    """
    for path in sorted((Path(folder) / f"x{scale}").glob("*_LR.png")):
        low = np.asarray(Image.open(path).convert("RGB"))
        sharp = path.with_name(path.name.replace("_LR", "_HR"))
        if not sharp.exists():
            sharp = Path(folder) / "x2" / sharp.name.replace(f"SRF_{scale}", "SRF_2")
        high = np.asarray(Image.open(sharp).convert("RGB"))
        height, width = low.shape[0] * scale, low.shape[1] * scale
        yield path.stem.replace("_LR", ""), low, high[:height, :width]


def examples(folder, scale):
    """Pairs of a set; at 1x the truth is the small picture itself."""
    for name, low, high in pairs(folder, max(scale, 2)):
        yield name, low, high if scale > 1 else low


def psnr(result, truth, scale):
    """Decibels between two uint8 RGB pictures."""
    cut = slice(scale, -scale)
    error = (result.astype(float) - truth) @ LUMA
    return 10 * np.log10(255**2 / np.mean(error[cut, cut] ** 2))


def enlarge(network, low, scale, margin, condition):
    """One picture as the engine does it: replicated border, margin cut, 8 bit.

    `network` maps float32 [1, 3, h, w] of 0..1, and a condition, to float32 [1, 3, h*scale, w*scale].
    """
    wide = np.pad(low, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    out = network(wide.transpose(2, 0, 1)[None].astype(np.float32) / 255, condition)[0]
    edge = margin * scale
    return to_bytes(out.transpose(1, 2, 0)[edge : out.shape[1] - edge, edge : out.shape[2] - edge] * 255)


def measure(network, folder, scale, margin, kind="clean"):
    """Mean PSNR of a set and the largest mean colour error of its pictures (of 255).

    The small pictures get the damage of that `kind` first (damage.KINDS, or a camera's flaws),
    the same at every call.
    """
    values, shifts, random = [], [], np.random.default_rng(1)
    for _, low, high in examples(folder, scale):
        if kind == "camera":
            low, condition = photographed(low, random), (0.0, 0.0, 0.0)
        else:
            low, condition = KINDS[kind](low, random)
        result = enlarge(network, low, scale, margin, condition)
        values.append(psnr(result, high, scale))
        shifts.append(np.abs((result.astype(float) - high).mean((0, 1))).max())
    return float(np.mean(values)), float(np.max(shifts))


def bicubic(scale):
    """The baseline, in the form of `network`."""
    def apply(x, _):
        picture = x[0].transpose(1, 2, 0)
        return resize(picture, picture.shape[1] * scale, picture.shape[0] * scale).transpose(2, 0, 1)[None]
    return apply


def trained(path):
    """The network of an average.pt: (scale, margin, network)."""
    import torch
    from export import load
    from network import margin, run

    model = load(path)
    folded = model.fold()

    @torch.no_grad()
    def apply(x, condition):
        shifts = model.shifts(torch.tensor([condition])) if model.shape.get("conditioned") else None
        return run(folded, torch.from_numpy(x), model.shape["scale"], shifts=shifts).numpy()
    return model.shape["scale"], margin(model.shape["blocks"]), apply


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sets", nargs="+", help="folders with x2/ and x4/")
    arguments.add_argument("--weights", nargs="*", default=[], help="average.pt files to measure beside bicubic")
    o = arguments.parse_args()
    measured = [("bicubic", s, 8, bicubic(s)) for s in (2, 4)] + [(w, *trained(w)) for w in o.weights]
    for chosen in o.sets:
        for name, scale, edge, network in measured:
            for kind in [*KINDS, "camera"]:
                value, shift = measure(network, chosen, scale, edge, kind)
                print(f"{Path(chosen).name} x{scale} {kind} {name} {value:.2f} dB, colour shift {shift:.3f}", flush=True)
