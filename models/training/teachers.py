"""Public networks that teach: an ONNX graph run by torch, so that it runs on a GPU and in bf16.

`python teachers.py NETWORK.onnx OUT.pt` writes the graph as a file that needs no onnx to be read.
Only the operators are known that plain convolutional enlargers use.
"""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


def packed(path):
    """The graph of an .onnx file: {"nodes": [(operator, inputs, outputs, attributes)], "weights": {name: tensor}}."""
    import onnx
    from onnx import numpy_helper

    def plain(value):
        if isinstance(value, onnx.TensorProto):
            return torch.from_numpy(numpy_helper.to_array(value).copy())
        return value.decode() if isinstance(value, bytes) else list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value

    graph = onnx.load(path).graph
    weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    nodes = []
    for node in graph.node:
        attributes = {a.name: plain(onnx.helper.get_attribute_value(a)) for a in node.attribute}
        if node.op_type == "Constant":
            weights[node.output[0]] = attributes["value"]
        else:
            nodes.append((node.op_type, list(node.input), list(node.output), attributes))
    weights = {name: w.half() if w.dtype == torch.float32 and w.ndim > 1 else w for name, w in weights.items()}
    return {"nodes": nodes, "weights": weights, "input": graph.input[0].name, "output": graph.output[0].name}


class Teacher(nn.Module):
    """RGB [n, 3, h, w] of 0..1 to the enlarged one, by the graph that `packed` wrote."""

    def __init__(self, path):
        super().__init__()
        saved = torch.load(path, map_location="cpu")
        self.nodes, self.input, self.output = saved["nodes"], saved["input"], saved["output"]
        self.whole = {}  # integers: they say shapes and stay where shapes are
        self.names = {}
        for i, (name, weight) in enumerate(saved["weights"].items()):
            if weight.dtype.is_floating_point and weight.ndim:
                self.register_buffer(f"w{i}", weight.float())
                self.names[name] = f"w{i}"
            else:
                self.whole[name] = weight

    @torch.no_grad()
    def forward(self, picture):
        values = {self.input: picture, "": None, **self.whole}
        values.update({name: getattr(self, own) for name, own in self.names.items()})
        for operator, inputs, outputs, attributes in self.nodes:
            values[outputs[0]] = OPERATORS[operator](attributes, *(values[i] for i in inputs))
        return values[self.output].float()


def convolution(a, x, weight, bias=None):
    pads = a.get("pads", [0, 0, 0, 0])
    if pads[:2] != pads[2:]:
        raise ValueError(f"expected even padding, found {pads}")
    return F.conv2d(x, weight, bias, a.get("strides", [1, 1]), pads[:2], a.get("dilations", [1, 1]), a.get("group", 1))


def resized(a, x, _=None, scales=None, sizes=None):
    side = [int(s) for s in sizes[2:]] if sizes is not None else [round(float(f) * s) for f, s in zip(scales[2:], x.shape[2:])]
    if a["mode"] == "nearest":  # asymmetric, floor
        return F.interpolate(x, size=side, mode="nearest")
    return F.interpolate(x, size=side, mode="bilinear", align_corners=False)


def sliced(a, x, starts, ends, axes=None, steps=None):
    begin, end = int(starts[0]), int(ends[0])
    return x.narrow(int(axes[0]) if axes is not None else 0, begin, min(end, len(x)) - begin)


OPERATORS = {
    "Conv": convolution,
    "Relu": lambda a, x: F.relu(x),
    "LeakyRelu": lambda a, x: F.leaky_relu(x, a["alpha"]),
    "PRelu": lambda a, x, slope: F.prelu(x, slope.flatten().to(x.dtype)),
    "Sigmoid": lambda a, x: torch.sigmoid(x),
    "Add": lambda a, x, y: x + y,
    "Sub": lambda a, x, y: x - y,
    "Mul": lambda a, x, y: x * y,
    "Div": lambda a, x, y: x / float(y),
    "Clip": lambda a, x, low=None, high=None: x.clamp(None if low is None else float(low), None if high is None else float(high)),
    "MaxPool": lambda a, x: F.max_pool2d(x, a["kernel_shape"], a["strides"], a.get("pads", [0, 0])[:2]),
    "DepthToSpace": lambda a, x: F.pixel_shuffle(x, a["blocksize"]),
    "Resize": resized,
    "Shape": lambda a, x: torch.tensor(x.shape),
    "Gather": lambda a, x, i: x[i],
    "Unsqueeze": lambda a, x, axes=None: x.reshape(1),
    "Concat": lambda a, *x: torch.cat(x, a["axis"]),
    "Slice": sliced,
    "Cast": lambda a, x: x,
}


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("network", help="an .onnx file")
    a.add_argument("out", help="the file to write")
    o = a.parse_args()
    torch.save(packed(o.network), o.out)
