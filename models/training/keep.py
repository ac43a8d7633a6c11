"""Keep a network's weights to go on from: folded, as float16, one small file a network.

The branches that training adds to a kernel are folded into it; `train.py --init` gives it new
ones, which begin at zero. Done once, at the end of a piece of work, with the .onnx files.
"""
import argparse
from pathlib import Path

import torch

from runs import save


def folded(content):
    """The content of an average.pt with one plain kernel for each sum of branches, from what `read` gives."""
    weights = dict(content["weights"])
    for name in [n for n in weights if n.endswith(".project")]:
        layer = name.removesuffix(".project")
        project, expand = weights.pop(name), weights.pop(f"{layer}.expand")
        plain = weights[f"{layer}.plain"]
        weights[f"{layer}.plain"] = plain + (project[:, :, 0, 0] @ expand[0].flatten(1)).view_as(plain)
    weights.pop("bicubic", None)
    shape = {name: 0 if name == "wide" else of for name, of in content["shape"].items()}
    return {"shape": shape, "step": content["step"], "weights": weights}


def read(path):
    """The content of an average.pt or of a kept file, its weights in float32."""
    content = torch.load(path, map_location="cpu")
    return {**content, "weights": {name: weight.float() for name, weight in content["weights"].items()}}


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("out", help="checkpoints/NAME.pt")
    o = a.parse_args()
    content = folded(read(o.weights))
    save({**content, "weights": {name: weight.half() for name, weight in content["weights"].items()}}, Path(o.out))
    print(f"{o.out}: {Path(o.out).stat().st_size / 1e6:.2f} MB")
