"""A point on the line between two networks of one shape: (1 - part) * FIRST + part * SECOND.

Between a network and what further training made of it, this forgets less of what held for
pictures unlike the training's than its end does (Wortsman et al. 2022, "Robust fine-tuning").
Where only the second has shifts, by which a condition moves its biases, they are taken from it;
`--told` makes them so many times as strong.
"""
import argparse
from pathlib import Path

import torch

from keep import folded
from network import doubled, with_all_terms
from runs import save


def mixed(first, second, part, told=1.0):
    """The content of an average.pt between those of two, folded; one tower counts as two, as in train.py."""
    first, second = folded(first), folded(second)
    start, end = (
        {k: with_all_terms(v) if k.endswith("shifts") else v for k, v in each["weights"].items()} for each in (first, second)
    )
    if second["shape"].get("towers", 1) > first["shape"].get("towers", 1):
        start = doubled(start, first["shape"]["scale"])
    both = {k: v for k, v in end.items() if not k.endswith("shifts")}
    if {k: v.shape for k, v in start.items() if k in both} != {k: v.shape for k, v in both.items()}:
        raise ValueError(f"expected two networks of one shape, found {first['shape']} and {second['shape']}")
    def between(name, last):
        return (1 - part) * start[name] + part * last if name in start else last

    weights = {k: between(k, v) for k, v in both.items()}
    shifts = {k: between(k, v) * told for k, v in end.items() if k not in both}
    return {**second, "weights": {**weights, **shifts}}


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("first", help="average.pt of a run")
    a.add_argument("second")
    a.add_argument("part", type=float, help="0 for the first, 1 for the second")
    a.add_argument("out")
    a.add_argument("--told", type=float, default=1.0, help="how strong the second's condition is taken")
    o = a.parse_args()
    contents = [torch.load(path, map_location="cpu") for path in (o.first, o.second)]
    save(mixed(*contents, o.part, o.told), Path(o.out))
