"""Write faithful-x2.onnx and the like from a training's average.pt."""
import argparse
from pathlib import Path

import onnx
import torch

from dial import dialled
from graph import floating, halved
from network import Enlarger, with_all_terms


def load(path):
    """The averaged network of a run."""
    saved = torch.load(path, map_location="cpu")
    model = Enlarger(**saved["shape"])
    weights = {k: with_all_terms(v.float()) if k.endswith("shifts") else v.float() for k, v in saved["weights"].items()}
    model.load_state_dict({**model.state_dict(), **weights})
    return model.eval()


def as_arrays(folded):
    """Folded torch layers as numpy; what is no layer stays."""
    if isinstance(folded, dict):
        return {k: v if k == "ranges" else as_arrays(v) for k, v in folded.items()}
    if isinstance(folded, list):
        return [as_arrays(part) for part in folded]
    if isinstance(folded, torch.Tensor):
        return folded.detach().float().numpy()
    return tuple(None if t is None else t.detach().float().numpy() for t in folded)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("file", help="the .onnx file to write")
    a.add_argument("--half", action="store_true", help="float16 body (input, output and bicubic path stay float32)")
    a.add_argument("--natural", help="weights of another network of this shape: a file of both, and of what is between them")
    a.add_argument("--halved", action="store_true", help="of a network of 4x: one of 2x, whose result is the other's, reduced")
    o = a.parse_args()

    def written(path):
        model = load(path)
        folded, scale = as_arrays(model.fold()), model.shape["scale"]
        return floating(halved(folded), 2, o.half) if o.halved else floating(folded, scale, o.half)

    onnx.save(dialled(written(o.natural), written(o.weights)) if o.natural else written(o.weights), o.file)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
