"""Write cutout.onnx from a training's average.pt: normalisation folded, weights stored as float16.

`input` is float32 [1, 3, s, s], RGB normalised by MEAN and DEVIATION; `output` is float32 [1, 1, s, s],
0..1. The file's float16 weights become float32 when it is loaded: half the size, float32 arithmetic.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, checker, helper

sys.path.append(str(Path(__file__).parent.parent))
from evaluate import load  # noqa: E402
from graph import OPSET, Graph  # noqa: E402
from network import STEEPER  # noqa: E402


def folded(layer):
    """Kernel and bias of a convolution with its batch normalisation, float32."""
    convolution, norm = layer[0], layer[1]
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


class Writer(Graph):
    """Adds the network's parts; each method returns its output's name."""

    def half(self, name, tensor):
        stored = self.constant(f"{name}.half", tensor.detach().numpy().astype(np.float16))
        return self.add("Cast", [stored], name, to=TensorProto.FLOAT)

    def kernel(self, x, kernel, bias, name, stride=1):
        inputs = [x, self.half(f"{name}.weight", kernel), self.half(f"{name}.bias", bias)]
        size = kernel.shape[2]
        return self.add("Conv", inputs, name, kernel_shape=[size] * 2, pads=[size // 2] * 4, strides=[stride] * 2)

    def layer(self, x, layer, name):
        y = self.kernel(x, *folded(layer), name, layer[0].stride[0])
        return self.add("Relu", [y], f"{name}.relu") if len(layer) == 3 else y

    def block(self, x, block, name):
        y = self.layer(self.layer(x, block.first, f"{name}.first"), block.second, f"{name}.second")
        return self.add("Relu", [self.add("Add", [x, y], f"{name}.sum")], name)

    def twice(self, x, name):
        if "twice" not in {constant.name for constant in self.constants}:
            self.constant("twice", np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", "twice"], name, mode="linear", coordinate_transformation_mode="half_pixel")

    def level(self, coarse, fine, level, name):
        narrow = self.layer(coarse, level.narrow, f"{name}.narrow") if isinstance(level.narrow, torch.nn.Sequential) else coarse
        both = [self.twice(narrow, f"{name}.wide"), self.layer(fine, level.lateral, f"{name}.lateral")]
        active = self.add("Relu", [self.add("Add", both, f"{name}.sum")], f"{name}.active")
        return self.layer(active, level.mix, f"{name}.mix")

    def bottom(self, x, network):
        gist = self.kernel(self.add("GlobalAveragePool", [x], "whole.mean"),
                           network.whole.weight[:, :, None, None], network.whole.bias, "whole")
        both = self.add("Add", [self.layer(x, network.bottom, "bottom"), gist], "bottom.sum")
        return self.layer(self.add("Relu", [both], "bottom.active"), network.bottom_mix, "bottom.mix")


def graph(network, size):
    """The model for pictures of size x size: the picture and its mirror go through as a batch of two."""
    g, features = Writer(), []
    mirror = g.constant("mirror", np.arange(size - 1, -1, -1, dtype=np.int64))
    x = g.add("Concat", ["input", g.add("Gather", ["input", mirror], "mirrored", axis=3)], "both", axis=0)
    for i, stage in enumerate(network.stages):
        x = g.layer(x, stage[0], f"stage{i}")
        for j, block in enumerate(list(stage)[1:]):
            x = g.block(x, block, f"stage{i}.block{j}")
        features.append(x)
    x = g.bottom(x, network)
    for i, (level, fine) in enumerate(zip(network.levels, features[-2::-1])):
        x = g.level(x, fine, level, f"level{i}")
    last = network.levels[-1].mask
    x = g.twice(g.kernel(x, last.weight, last.bias, "mask"), "mask.wide")
    g.constant("halves", np.array([1, 1], np.int64))
    g.nodes.append(helper.make_node("Split", [x, "halves"], ["mask.own", "mask.mirrored"], axis=0))
    total = g.add("Add", ["mask.own", g.add("Gather", ["mask.mirrored", mirror], "mask.back", axis=3)], "mask.sum")
    g.add("Sigmoid", [g.add("Mul", [total, g.constant("slope", np.float32(STEEPER / 2))], "mask.steep")], "output")
    picture = helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, size, size])
    mask = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, size, size])
    model = helper.make_model(helper.make_graph(g.nodes, "cutout", [picture], [mask], g.constants),
                              producer_name="Enlarger", ir_version=8, opset_imports=[helper.make_opsetid("", OPSET)])
    checker.check_model(model, full_check=True)
    return model


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("file", help="the .onnx file to write")
    a.add_argument("--size", type=int, default=256)
    o = a.parse_args()
    with torch.no_grad():
        onnx.save(graph(load(o.weights).network, o.size), o.file)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
