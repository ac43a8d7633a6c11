"""Write cutout.onnx from the average.pt of one training or more: normalisation folded, weights stored as int8.

`input` is float32 [1, 3, s, s], RGB normalised by MEAN and DEVIATION; `output` is float32 [1, 1, s, s],
0..1; s is the first of SIZES. The file's weights are int8 with a factor for each output channel; they
become float32 when it is loaded: a quarter of the size, float32 arithmetic.
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
from network import (CELL, COLOUR_SIGMA, DEVIATION, FIELD_SHARE, FIRST_MIRRORED, LEAST_DEGREE,
                     PAIR_WEIGHT, PLACE_SIGMA, ROUNDS, SIZES, STEEPER, SURE_DOUBT)  # noqa: E402


def folded(layer):
    """Kernel and bias of a convolution with its batch normalisation, float32."""
    convolution, norm = layer[0], layer[1]
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


class Writer(Graph):
    """Adds the network's parts; each method returns its output's name.

    The parts of each view of the picture carry its name, `at`; the weights are there once for
    each network, `of`.
    """

    def __init__(self):
        super().__init__()
        self.at, self.of, self.known = "", "", set()

    def add(self, kind, inputs, name, **attributes):
        return super().add(kind, inputs, self.at + name, **attributes)

    def once(self, name, array):
        if name not in self.known:
            self.constant(name, array)
            self.known.add(name)
        return name

    def stored(self, name, tensor):
        """A kernel as int8 and its factors, multiplied when the file is loaded."""
        name = self.of + name
        if name not in self.known:
            kernel = tensor.detach().numpy()
            factors = np.maximum(np.abs(kernel).max((1, 2, 3), keepdims=True), 1e-9) / 127
            whole = self.constant(f"{name}.int8", np.round(kernel / factors).astype(np.int8))
            super().add("Cast", [whole], f"{name}.whole", to=TensorProto.FLOAT)  # every view's
            super().add("Mul", [f"{name}.whole", self.constant(f"{name}.factors", factors)], name)
            self.known.add(name)
        return name

    def kernel(self, x, kernel, bias, name, stride=1):
        inputs = [x, self.stored(f"{name}.weight", kernel), self.once(f"{self.of}{name}.bias", bias.detach().numpy())]
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

    def picture(self, side, is_mirrored):
        """The picture at side x side, or its mirror image."""
        at, self.at = self.at, f"view{side}."
        x = "input" if side == SIZES[0] else self.shared("picture", lambda name: self.resized("input", 3, side, name))
        x = self.shared("mirrored", lambda name: self.mirrored(x, side, name)) if is_mirrored else x
        self.at = at
        return x

    def shared(self, name, add):
        """What several parts take is there once; in a branch, what was there before it."""
        if self.at + name in self.known:
            return self.at + name
        self.known.add(self.at + name)
        return add(name)

    def view(self, network, side, is_mirrored):
        """The logits of the picture at side x side, or of its mirror turned back, at half of it."""
        x, features = self.picture(side, is_mirrored), []
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
        return self.mirrored(x, side // 2, "mask.back") if is_mirrored else x

    def views(self, networks, mirrored):
        """The sum of the logits of each network's view at each size, at SIZES[0]; `mirrored` says of which mirror."""
        total = None
        for side in SIZES:
            for i, (network, is_mirrored) in enumerate(zip(networks, mirrored)):
                self.of = f"network{i}."
                self.at = f"{self.of}{'mirror' if is_mirrored else 'view'}{side}."
                found = self.resized(self.view(network, side, is_mirrored), 1, SIZES[0], "mask.wide")
                total = self.add("Add", [total, found], "total") if total else found
        self.at = ""
        return total

    def doubt(self, logits):
        """As that of network.py, a single number."""
        mask = self.add("Sigmoid", [logits], "first.mask")
        other = self.add("Sub", [self.once("one", np.float32(1)), mask], "first.other")
        open_ = self.add("ReduceSum", [self.add("Min", [mask, other], "first.open")], "first.open.sum", keepdims=0)
        subject = self.add("ReduceSum", [mask], "first.subject.sum", keepdims=0)
        least = self.add("Add", [subject, self.once("least.subject", np.float32(1e-6))], "first.subject.least")
        return self.add("Div", [open_, least], "first.doubt")

    def chosen(self, condition, then, otherwise, name):
        """The logits of one of two branches; each adds its nodes and answers its output's name."""
        branches = {}
        for branch, add in (("then_branch", then), ("else_branch", otherwise)):
            whole, self.nodes = self.nodes, []
            output = helper.make_tensor_value_info(add(), TensorProto.FLOAT, [1, 1, SIZES[0], SIZES[0]])
            branches[branch] = helper.make_graph(self.nodes, branch, [], [output])
            self.nodes = whole
        self.nodes.append(helper.make_node("If", [condition], [name], name=name, **branches))
        return name

    def times(self, x, factor, name):
        return self.add("Mul", [x, self.constant(f"{name}.factor", np.float32(factor))], name)

    def pooled(self, x, name):
        return self.add("AveragePool", [x], name, kernel_shape=[CELL] * 2, strides=[CELL] * 2)

    def shaped(self, x, shape, name):
        return self.add("Reshape", [x, self.constant(f"{name}.shape", np.array(shape, np.int64))], name)

    def crf_features(self, side):
        """As that of network.py, [1, 5, k]."""
        colours = self.shaped(self.pooled("input", "cells"), [1, 3, -1], "cells.flat")
        units = self.constant("cells.units", np.array(DEVIATION, np.float32).reshape(1, 3, 1) / COLOUR_SIGMA)
        across, down = (v.ravel() / (side * PLACE_SIGMA) for v in np.meshgrid(np.arange(side), np.arange(side)))
        places = self.constant("cells.places", np.stack([across, down]).astype(np.float32)[None])
        return self.add("Concat", [self.add("Mul", [colours, units], "cells.colours"), places], "features", axis=1)

    def affinity(self, features):
        """Of all cells to each other, [1, k, k], and the roots that normalise it, [1, k, 1]."""
        upright = self.add("Transpose", [features], "features.upright", perm=[0, 2, 1])
        squared = self.add("Mul", [features, features], "features.squared")
        lengths = self.add("ReduceSum", [squared, self.once("axis1", np.array([1], np.int64))], "lengths")
        upright_lengths = self.add("Transpose", [lengths], "lengths.upright", perm=[0, 2, 1])
        both = self.add("Add", [lengths, upright_lengths], "lengths.both")
        product = self.times(self.add("MatMul", [upright, features], "product"), 2, "product.twice")
        distance = self.add("Relu", [self.add("Sub", [both, product], "distance.signed")], "distance")
        affinity = self.add("Exp", [self.times(distance, -0.5, "distance.half")], "affinity")
        sums = self.add("ReduceSum", [affinity, self.once("axis2", np.array([2], np.int64))], "sums")
        others = self.add("Relu", [self.add("Sub", [sums, self.constant("itself", np.float32(1))], "degree.signed")], "degree")
        degree = self.add("Add", [others, self.constant("least", np.float32(LEAST_DEGREE))], "degree.least")
        return affinity, self.add("Reciprocal", [self.add("Sqrt", [degree], "norm.root")], "norm")

    def mean_field(self, logits, side):
        """As that of network.py."""
        small = side // CELL
        affinity, norm = self.affinity(self.crf_features(small))
        unary = self.pooled(logits, "unary")
        first = field = self.shaped(unary, [1, -1, 1], "unary.flat")
        for i in range(ROUNDS):
            at = f"round{i}"
            tanh = self.add("Tanh", [self.times(field, 0.5, f"{at}.half")], f"{at}.tanh")
            belief = self.add("Mul", [norm, tanh], f"{at}.belief")
            others = self.add("Sub", [self.add("MatMul", [affinity, belief], f"{at}.all"), belief], f"{at}.others")
            message = self.times(self.add("Mul", [norm, others], f"{at}.normed"), PAIR_WEIGHT, f"{at}.message")
            field = self.add("Add", [first, message], at)
        change = self.add("Sub", [self.shaped(field, [1, 1, small, small], "field"), unary], "change")
        share = self.times(self.resized(change, 1, side, "change.wide"), FIELD_SHARE, "change.share")
        return self.add("Add", [logits, share], "mean.field")


def graph(networks):
    """The model for pictures of SIZES[0], as InUse of network.py."""
    g, views = Writer(), len(SIZES) * len(networks)
    first = g.views(networks, FIRST_MIRRORED)
    others = [not is_mirrored for is_mirrored in FIRST_MIRRORED]
    doubt = g.doubt(g.times(first, STEEPER / views, "first.steep"))
    condition = g.add("Greater", [doubt, g.constant("most.doubt", np.float32(SURE_DOUBT))], "doubtful")

    def all_views():
        both = g.add("Add", [first, g.views(networks, others)], "all")
        return g.times(both, STEEPER / (2 * views), "all.steep")

    steep = g.chosen(condition, all_views, lambda: g.add("Identity", ["first.steep"], "first.alone"), "mask.steep")
    g.add("Sigmoid", [g.mean_field(steep, SIZES[0])], "output")
    picture = helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, SIZES[0], SIZES[0]])
    mask = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, SIZES[0], SIZES[0]])
    model = helper.make_model(helper.make_graph(g.nodes, "cutout", [picture], [mask], g.constants),
                              producer_name="Enlarger", ir_version=8, opset_imports=[helper.make_opsetid("", OPSET)])
    checker.check_model(model, full_check=True)
    return model


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("weights", nargs="+", help="average.pt of each run")
    a.add_argument("file", help="the .onnx file to write")
    o = a.parse_args()
    with torch.no_grad():
        onnx.save(graph(load(o.weights).networks), o.file)
    print(f"{o.file}: {Path(o.file).stat().st_size / 1e6:.2f} MB")
