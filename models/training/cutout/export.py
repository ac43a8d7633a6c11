"""Write cutout.onnx and clicks.onnx from trainings' average.pt, weights stored as int8.

cutout.onnx: `input` is float32 [1, 3, s, s], RGB normalised by MEAN and DEVIATION; `output` is float32
[1, 1, s, s], 0..1; s is SIZE. Its encoder's features are outputs, too: `features2` to `features32`,
float32 [1, c, s/k, s/k]. clicks.onnx takes `features2`, `features4` and `hints`, float32 [1, 3, s/2, s/2]: the mask before, and where
people said keep and remove, each 0..1; its `output` is float32 [1, 1, s, s], 0..1.

Weights are int8 with a factor for each output channel; they become float32 when a file is loaded: a quarter of the
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
from clicks import Clicks  # noqa: E402
from evaluate import load  # noqa: E402
from graph import OPSET, Graph  # noqa: E402
from keep import read  # noqa: E402
from network import SIZE, STEEPER, Encoder  # noqa: E402

STRIDES = (2, 4, 8, 16, 32)  # of the encoder's features
FEATURES = tuple(f"features{stride}" for stride in STRIDES)
CLICK_FEATURES = FEATURES[:2]  # of which clicks.onnx makes its own


def in_int8(kernel):
    """A kernel [o, i, h, w] as int8 and its factors [o, 1, 1, 1], of which it is the product."""
    factors = kernel.abs().amax((1, 2, 3), keepdim=True).clamp(min=1e-9) / 127
    return (kernel / factors).round().to(torch.int8), factors


def folded(layer):
    """Kernel and bias of a convolution with its batch normalisation, float32."""
    convolution, norm = layer[0], layer[1]
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


class Writer(Graph):
    """Adds the network's parts; each method returns its output's name."""

    def stored(self, name, tensor):
        """A kernel as int8 and its factors, multiplied when the file is loaded."""
        whole, factors = (part.numpy() for part in in_int8(tensor.detach()))
        self.add("Cast", [self.constant(f"{name}.int8", whole)], f"{name}.whole", to=TensorProto.FLOAT)
        return self.add("Mul", [f"{name}.whole", self.constant(f"{name}.factors", factors)], name)

    def kernel(self, x, kernel, bias, name, stride=1, groups=1, pads=None):
        inputs = [x, self.stored(f"{name}.weight", kernel), self.constant(f"{name}.bias", bias.detach().numpy())]
        size = kernel.shape[2]
        before, after = pads or (size // 2, size // 2)
        return self.add("Conv", inputs, name, kernel_shape=[size] * 2, pads=[before, before, after, after],
                        strides=[stride] * 2, group=groups)

    def frozen(self, x, layer, name):
        y = self.kernel(x, layer.folded, layer.bias, name, layer.stride, layer.groups, layer.pads)
        if not layer.active:
            return y
        return self.add("Clip", [y, self.once("zero", 0), self.once("six", 6)], f"{name}.relu6")

    def once(self, name, value, dtype=np.float32):
        if all(constant.name != name for constant in self.constants):
            self.constant(name, np.asarray(value, dtype))
        return name

    def inverted(self, x, block, name):
        y = self.frozen(x, block.expand, f"{name}.expand") if block.expand else x
        y = self.frozen(self.frozen(y, block.depthwise, f"{name}.depthwise"), block.project, f"{name}.project")
        return self.add("Add", [x, y], f"{name}.sum") if block.has_skip else y

    def layer(self, x, layer, name):
        y = self.kernel(x, *folded(layer), name, layer[0].stride[0], pads=layer[0].padding)
        return self.add("Relu", [y], f"{name}.relu") if len(layer) == 3 else y

    def twice(self, x, name):
        return self.add("Resize", [x, "", self.once("twice", [1, 1, 2, 2])], name, mode="linear",
                        coordinate_transformation_mode="half_pixel")

    def level(self, coarse, fine, level, name):
        narrow = self.layer(coarse, level.narrow, f"{name}.narrow") if isinstance(level.narrow, torch.nn.Sequential) else coarse
        both = [self.twice(narrow, f"{name}.wide"), self.layer(fine, level.lateral, f"{name}.lateral")]
        active = self.add("Relu", [self.add("Add", both, f"{name}.sum")], f"{name}.active")
        return self.layer(active, level.mix, f"{name}.mix")

    def bottom(self, x, network):
        gist = self.kernel(self.add("GlobalAveragePool", [x], "whole.mean"),
                           network.whole.weight[:, :, None, None], network.whole.bias, "whole")
        both = self.add("Add", [self.kernel(x, *folded(network.bottom), "bottom"), gist], "bottom.sum")
        return self.layer(self.add("Relu", [both], "bottom.active"), network.bottom_mix, "bottom.mix")

    def features(self, encoder):
        """Names of the features, finest first."""
        names = []
        x = self.frozen("input", encoder.stem, "stem")
        for i, block in enumerate(encoder.blocks):
            x = self.inverted(x, block, f"block{i}")
            if i in encoder.ends:
                names.append(x)
        return names

    def logits(self, x, finer, network):
        """The finest mask's, at half of the picture's side, from what is at the bottom."""
        for i, (level, fine) in enumerate(zip(network.levels, finer[::-1])):
            x = self.level(x, fine, level, f"level{i}")
        last = network.levels[-1].mask
        return self.kernel(x, last.weight, last.bias, "mask")

    def sum_over(self, x, axes, name):
        axes = self.once(f"axes{''.join(map(str, axes))}", axes, np.int64)
        return self.add("ReduceSum", [x, axes], name, keepdims=1)

    def plane(self, x, first, count, name):
        """Some channels of a tensor."""
        ends = (self.once(f"at{value}", [value], np.int64) for value in (first, first + count, 1))
        return self.add("Slice", [x, *ends], name)

    def likeness(self, x, kernel, stride, name):
        """`likeness` of clicks.py between the looks that `kernel` makes of `x` and the clicks of the hints."""
        looks = self.kernel(x, kernel.weight, torch.zeros(len(kernel.weight)), f"{name}.looks")
        squares = self.sum_over(self.add("Mul", [looks, looks], f"{name}.squared"), [1], f"{name}.squares")
        length = self.add("Sqrt", [self.add("Add", [squares, self.once("tiny", 1e-6)], f"{name}.some")], f"{name}.length")
        looks = self.add("Div", [looks, length], f"{name}.unit")
        weights = self.add("AveragePool", [self.plane("hints", 1, 2, f"{name}.clicks")], f"{name}.weights",
                           kernel_shape=[stride // 2] * 2, strides=[stride // 2] * 2)
        parts = []
        for i, kind in enumerate(("keep", "remove")):
            weight = self.plane(weights, i, 1, f"{name}.{kind}")
            total = self.sum_over(self.add("Mul", [looks, weight], f"{name}.{kind}.weighed"), [2, 3], f"{name}.{kind}.total")
            share = self.add("Add", [self.sum_over(weight, [2, 3], f"{name}.{kind}.weight"), self.once("few", 1e-4)], f"{name}.{kind}.share")
            mean = self.add("Div", [total, share], f"{name}.{kind}.mean")
            parts.append(self.sum_over(self.add("Mul", [looks, mean], f"{name}.{kind}.alike"), [1], f"{name}.{kind}.likeness"))
        return self.add("Concat", parts, f"{name}.both", axis=1)

    def joined(self, network):
        """The features with what the hints add to them, finest first."""
        seen, found = [self.layer("hints", network.look, "look")], []
        for i, step in enumerate(network.coarser):
            seen.append(self.layer(seen[-1], step, f"coarser{i}"))
        for i, (hint, join) in enumerate(zip(seen, network.join)):
            x = CLICK_FEATURES[i] if i < len(CLICK_FEATURES) else found[-1]
            for j, block in enumerate(network.stages[i - 2] if i >= 2 else ()):
                x = self.inverted(x, block, f"stage{i}.{j}")
            if i in (2, 3):
                both = self.likeness(x, network.alike[i - 2], STRIDES[i], f"likeness{i}")
                hint = self.add("Add", [hint, self.layer(both, network.told[i - 2], f"told{i}")], f"hint{i}")
            found.append(self.add("Add", [x, self.layer(hint, join, f"join{i}")], f"joined{i}"))
        return found


def tensor(name, channels, side):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, side, side])


def features_of(channels):
    """The features as a graph's inputs or outputs."""
    return [tensor(name, own, SIZE // stride) for name, own, stride in zip(FEATURES, channels, STRIDES)]


def model(g, name, inputs, outputs):
    model = helper.make_model(helper.make_graph(g.nodes, name, inputs, outputs, g.constants),
                              producer_name="Enlarger", ir_version=8, opset_imports=[helper.make_opsetid("", OPSET)])
    checker.check_model(model, full_check=True)
    return model


def cutout_graph(network):
    """The model for pictures of SIZE x SIZE, as InUse of network.py, with the encoder's features."""
    g = Writer()
    features = [g.add("Identity", [x], name) for x, name in zip(g.features(network.encoder), FEATURES)]
    logits = g.logits(g.bottom(features[-1], network), features[:-1], network)
    steep = g.add("Mul", [logits, g.once("steeper", STEEPER)], "mask.steep")
    g.add("Sigmoid", [g.twice(steep, "mask.wide")], "output")
    return model(g, "cutout", [tensor("input", 3, SIZE)], [tensor("output", 1, SIZE), *features_of(network.encoder.channels)])


def clicks_graph(network):
    """The model that answers clicks, as Clicks of clicks.py."""
    g = Writer()
    *finer, coarsest = g.joined(network)
    bottom = g.layer(g.layer(coarsest, network.bottom, "bottom"), network.bottom_mix, "bottom.mix")
    g.add("Sigmoid", [g.twice(g.logits(bottom, finer, network), "mask.wide")], "output")
    channels = Encoder(network.shape["variant"]).channels
    inputs = [*features_of(channels[: len(CLICK_FEATURES)]), tensor("hints", 3, SIZE // 2)]
    return model(g, "clicks", inputs, [tensor("output", 1, SIZE)])


def load_clicks(path):
    content = read(path)
    network = Clicks(**content["shape"])
    network.load_state_dict(content["weights"])
    return network.eval()


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("network", choices=("cutout", "clicks"))
    a.add_argument("weights", help="average.pt of a run")
    a.add_argument("file", help="the .onnx file to write")
    o = a.parse_args()
    with torch.no_grad():
        onnx.save(cutout_graph(load(o.weights).network) if o.network == "cutout" else clicks_graph(load_clicks(o.weights)), o.file)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
