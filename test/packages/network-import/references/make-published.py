"""Networks as large as those of models/obtainable.json, with random weights: what they take of memory does not depend
on their values. For test/bench/catalogue-memory.ts; the sizes of their files show that the shapes are the published ones.

python3 make-published.py FOLDER
"""
import os
import sys

import torch

import attention
import convolutional

references = __import__("make-references")
folder = sys.argv[1]


class Mosr(convolutional.Mosr):
    def __init__(self, scale, dim=64, blocks=24):
        super().__init__(torch.nn.Sequential(convolutional.conv(dim, 3 * scale**2), torch.nn.PixelShuffle(scale)), dim, 1)
        first, _, *tail = self.gblocks
        body = [convolutional.Gated(dim, dim * 3 // 2, dim) for _ in range(blocks)]
        self.gblocks = torch.nn.Sequential(first, *body, *tail)


def dat(scale=4, dim=180, heads=6, split=(8, 32)):
    blocks = lambda group: [attention.DatBlock(dim, heads, split, group, i) for i in range(6)]
    groups = [attention.PlainGroup(blocks(group), dim) for group in range(6)]
    network = attention.Grouped(dim, groups)
    network.conv_before_upsample = torch.nn.Sequential(attention.conv(dim, 64), torch.nn.LeakyReLU())
    network.upsample, network.conv_last = attention.up(scale, 64), attention.conv(64, 3)
    return network


networks = {
    "realplksr-x4": references.RealPlksr(64, 28, 4, 17),
    "realplksr-x2": references.RealPlksr(64, 28, 2, 17),
    "realplksr-x1": references.RealPlksr(64, 28, 1, 17),
    "mosr-x4": Mosr(4),
    "dat2-x4": dat(),
    "nafnet-x1": convolutional.Nafnet(32, (2, 2, 4, 8), 12, (2, 2, 2, 2)),
    "nafnet-gopro-x1": convolutional.Nafnet(64, (1, 1, 1, 28), 1, (1, 1, 1, 1)),
    "compact-x4": references.Compact(64, 32, 4),
    "esrgan-x4": references.Esrgan(64, 32, 23, 2),
    "esrgan-anime-x4": references.Esrgan(64, 32, 6, 2),
}
os.makedirs(folder, exist_ok=True)
for name, network in networks.items():
    torch.save(network.state_dict(), f"{folder}/{name}.pth")
    print(name, os.path.getsize(f"{folder}/{name}.pth"))
