"""The weights of cutout.onnx, to go on from what ships: no second copy of them is kept.

The file holds what its use needs (export.py). Batch normalisation has become part of the kernels, so it begins as the
identity until `calibrate` has seen pictures, and the masks of the coarser levels begin anew: only training has them.
"""
import re
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from keep import read
from network import VARIANTS, Cutout, Frozen, Layer

# What the file calls a module.
NAMES = (r"^encoder\.", ""), (r"^(block|level)s\.", r"\1"), (r"^bottom_mix$", "bottom.mix"), (r"^level\d+\.mask$", "mask")


def content(path):
    """Shape and float32 weights by name, from an average.pt, a kept file, or cutout.onnx."""
    if Path(path).suffix != ".onnx":
        return read(path)
    stored = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(path).graph.initializer}
    network = empty(stored)
    with torch.no_grad():
        for name, module in network.named_modules():
            if isinstance(module, (Frozen, Layer, torch.nn.Linear)) or module is network.levels[-1].mask:
                take(module, name, stored)
    return {"shape": network.shape, "weights": network.state_dict()}


def empty(stored):
    """The network of the file's shape."""
    channels = [len(bias) for name, bias in stored.items() if re.fullmatch(r"block\d+\.project\.bias", name)]
    decoder = [len(stored["bottom.mix.bias"])]
    while f"level{len(decoder) - 1}.mix.bias" in stored:
        decoder.append(len(stored[f"level{len(decoder) - 1}.mix.bias"]))
    for variant in VARIANTS:
        network = Cutout(variant, tuple(decoder))
        if channels == [len(block.project.bias) for block in network.encoder.blocks]:
            return network
    raise ValueError(f"Expected an encoder of EfficientNet-Lite 0 to 2 but found blocks of {channels} channels")


def take(module, name, stored):
    for pattern, own in NAMES:
        name = re.sub(pattern, own, name)
    kernel = stored[f"{name}.weight.int8"].float() * stored[f"{name}.weight.factors"]
    layer = module[0] if isinstance(module, Layer) else module
    layer.weight.copy_(kernel.reshape(layer.weight.shape))
    (module[1] if isinstance(module, Layer) else module).bias.copy_(stored[f"{name}.bias"])
    if isinstance(module, Layer):
        module[1].weight.fill_((1 + module[1].eps) ** 0.5)


@torch.no_grad()
def calibrate(network, pictures):
    """Give batch normalisation the means and variances of these pictures, normalised RGB [n, 3, s, s]; answers stay."""
    def measure(norm, inputs):
        variance, mean = torch.var_mean(inputs[0], (0, 2, 3), unbiased=False)
        gain = norm.weight / (norm.running_var + norm.eps).sqrt()
        norm.bias.add_(gain * (mean - norm.running_mean))
        norm.weight.copy_(gain * (variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    hooks = [layer[1].register_forward_pre_hook(measure) for layer in network.modules() if isinstance(layer, Layer)]
    network.eval()(pictures)
    for hook in hooks:
        hook.remove()
