"""Write cutout.onnx from a training's average.pt: normalisation folded, weights stored as float16.

`input` is float32 [1, 3, s, s], RGB normalised by MEAN and DEVIATION; `output` is float32 [1, 1, s, s],
0..1; s is the first of SIZES. The file's float16 weights become float32 when it is loaded: half the
size, float32 arithmetic.
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
from network import SIZES, STEEPER  # noqa: E402


def folded(layer):
    """Kernel and bias of a convolution with its batch normalisation, float32."""
    convolution, norm = layer[0], layer[1]
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


class Writer(Graph):
    """Adds the network's parts; each method returns its output's name.

    The parts of each view of the picture carry its name, `at`; the weights are there once.
    """

    def __init__(self):
        super().__init__()
        self.at, self.known = "", set()

    def add(self, kind, inputs, name, **attributes):
        return super().add(kind, inputs, self.at + name, **attributes)

    def once(self, name, array):
        if name not in self.known:
            self.constant(name, array)
            self.known.add(name)
        return name

    def half(self, name, tensor):
        if name not in self.known:
            stored = self.constant(f"{name}.half", tensor.detach().numpy().astype(np.float16))
            super().add("Cast", [stored], name, to=TensorProto.FLOAT)  # every view's
            self.known.add(name)
        return name

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
        scales = self.once("twice", np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", scales], name, mode="linear", coordinate_transformation_mode="half_pixel")

    def resized(self, x, channels, side, name):
        """Bilinear, to side x side."""
        shape = self.once(f"shape{channels}x{side}", np.array([1, channels, side, side], np.int64))
        return self.add("Resize", [x, "", "", shape], name, mode="linear", coordinate_transformation_mode="half_pixel")

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

    def mirrored(self, x, side, name):
        backwards = self.once(f"mirror{side}", np.arange(side - 1, -1, -1, dtype=np.int64))
        return self.add("Gather", [x, backwards], name, axis=3)

    def view(self, network, side):
        """The sum of the logits of the picture at side x side and of its mirror, at half of it."""
        x = "input" if side == SIZES[0] else self.resized("input", 3, side, "picture")
        # The two go through as a batch.
        x = self.add("Concat", [x, self.mirrored(x, side, "mirrored")], "both", axis=0)
        features = []
        for i, stage in enumerate(network.stages):
            x = self.layer(x, stage[0], f"stage{i}")
            for j, block in enumerate(list(stage)[1:]):
                x = self.block(x, block, f"stage{i}.block{j}")
            features.append(x)
        x = self.bottom(x, network)
        for i, (level, fine) in enumerate(zip(network.levels, features[-2::-1])):
            x = self.level(x, fine, level, f"level{i}")
        last = network.levels[-1].mask
        x = self.kernel(x, last.weight, last.bias, "mask")
        parts = [f"{self.at}mask.own", f"{self.at}mask.mirrored"]
        self.nodes.append(helper.make_node("Split", [x, self.once("halves", np.array([1, 1], np.int64))], parts, axis=0))
        return self.add("Add", [parts[0], self.mirrored(parts[1], side // 2, "mask.back")], "mask.sum")


def graph(network):
    """The model for pictures of SIZES[0], as InUse of network.py."""
    g, total = Writer(), None
    for side in SIZES:
        g.at = f"view{side}."
        found = g.resized(g.view(network, side), 1, SIZES[0], "mask.wide")
        total = g.add("Add", [total, found], "total") if total else found
    g.at = ""
    slope = g.constant("slope", np.float32(STEEPER / (2 * len(SIZES))))
    g.add("Sigmoid", [g.add("Mul", [total, slope], "mask.steep")], "output")
    picture = helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, SIZES[0], SIZES[0]])
    mask = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, SIZES[0], SIZES[0]])
    model = helper.make_model(helper.make_graph(g.nodes, "cutout", [picture], [mask], g.constants),
                              producer_name="Enlarger", ir_version=8, opset_imports=[helper.make_opsetid("", OPSET)])
    checker.check_model(model, full_check=True)
    return model


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("file", help="the .onnx file to write")
    o = a.parse_args()
    with torch.no_grad():
        onnx.save(graph(load(o.weights).network), o.file)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
