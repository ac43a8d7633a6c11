"""A point on the line between two networks of one shape: (1 - part) * FIRST + part * SECOND.

Between a network and what further training made of it, this forgets less of what held for
pictures unlike the training's than its end does (Wortsman et al. 2022, "Robust fine-tuning").
"""
import argparse
from pathlib import Path

import torch

from network import doubled
from runs import save


def mixed(first, second, part):
    """The content of an average.pt between those of two; one tower counts as two, as in train.py."""
    start = first["weights"]
    if second["shape"].get("towers", 1) > first["shape"].get("towers", 1):
        start = doubled(start, first["shape"]["scale"])
    if {k: v.shape for k, v in start.items()} != {k: v.shape for k, v in second["weights"].items()}:
        raise ValueError(f"expected two networks of one shape, found {first['shape']} and {second['shape']}")
    weights = {k: (1 - part) * v + part * second["weights"][k] for k, v in start.items()}
    return {**second, "weights": weights}


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("first", help="average.pt of a run")
    a.add_argument("second")
    a.add_argument("part", type=float, help="0 for the first, 1 for the second")
    a.add_argument("out")
    o = a.parse_args()
    contents = [torch.load(path, map_location="cpu") for path in (o.first, o.second)]
    save(mixed(*contents, o.part), Path(o.out))
