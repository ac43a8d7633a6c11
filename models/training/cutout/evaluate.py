"""Maximal F and mean absolute error of masks over folders with image/ and mask/."""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image

sys.path.append(str(Path(__file__).resolve().parent.parent))
from network import DEVIATION, MEAN, SIZE, Cutout, InUse  # noqa: E402
from shipped import content  # noqa: E402


def normalised(pixels, device="cpu"):
    """uint8 [n, h, w, 3], an array or a tensor, to float32 [n, 3, h, w] less MEAN, over DEVIATION, on the device."""
    x = torch.as_tensor(pixels).to(device, non_blocking=True).permute(0, 3, 1, 2).float().div_(255)
    mean, deviation = (torch.tensor(v, device=device).view(1, 3, 1, 1) for v in (MEAN, DEVIATION))
    return ((x - mean) / deviation).contiguous(memory_format=torch.channels_last)


def scores(mask, truth):
    """Precision and recall [256] at each threshold, and the mean absolute error."""
    right = truth > 127
    levels = np.round(mask * 255).astype(int).clip(0, 255)
    above = np.bincount(levels.ravel(), minlength=256)[::-1].cumsum()[::-1]
    hits = np.bincount(levels[right], minlength=256)[::-1].cumsum()[::-1]
    precision = hits / np.maximum(above, 1)
    recall = hits / max(int(right.sum()), 1)
    return precision, recall, float(np.abs(mask - truth / 255).mean())


def measure(network, folder, size, device="cpu"):
    """(max F with beta squared 0.3, MAE) over a set; precision and recall are means over pictures."""
    found = []
    for path in sorted((Path(folder) / "image").glob("*.webp")):
        picture = Image.open(path).convert("RGB")
        truth = np.asarray(Image.open(path.parent.parent / "mask" / (path.stem + ".png")).convert("L"), np.float32)
        with torch.no_grad():
            mask = network(normalised(np.array(picture.resize((size, size), Image.BILINEAR))[None], device))
            mask = torch.nn.functional.interpolate(mask, truth.shape, mode="bilinear", align_corners=False)
        found.append(scores(mask[0, 0].cpu().numpy(), truth))
    precision, recall, error = (np.mean([f[i] for f in found], 0) for i in range(3))
    f = 1.3 * precision * recall / np.maximum(0.3 * precision + recall, 1e-9)
    return float(f.max()), float(error)


def load(path):
    """The averaged network of a run, or the one that ships, as it is used."""
    saved = content(path)
    network = Cutout(**saved["shape"])
    network.load_state_dict(saved["weights"])
    return InUse(network).eval()


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", help="average.pt of a run, or cutout.onnx")
    a.add_argument("--sets", nargs="+", required=True)
    a.add_argument("--size", type=int, default=SIZE, help="side at which pictures are seen")
    o = a.parse_args()
    network = load(o.weights)
    for folder in o.sets:
        print("%s: max F %.3f, MAE %.3f" % (Path(folder).name, *measure(network, folder, o.size)))
