"""ONNX graphs of a folded network, written node by node: float32, float16 body, int8 body.

All take `input` [n, 3, h, w] and give `output` [n, 3, H, W], float32 RGB of 0..1.
"""
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

OPSET = 17


class Graph:
    """Nodes and constants in the order they are added; each method returns its output's name."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def add(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"{name}/{kind}", **attributes))
        return name

    def convolve(self, x, layer, name, dtype=np.float32):
        """Same-size convolution with zero padding."""
        kernel, bias = layer
        inputs = [x, self.constant(f"{name}.weight", kernel.astype(dtype))]
        if bias is not None:
            inputs.append(self.constant(f"{name}.bias", bias.astype(dtype)))
        return self.add("Conv", inputs, name, kernel_shape=[kernel.shape[2]] * 2,
                        pads=[kernel.shape[2] // 2] * 4)

    def model(self, scale, producer="Enlarger"):
        picture = helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", 3, "h", "w"])
        result = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["n", 3, "H", "W"])
        graph = helper.make_graph(self.nodes, f"enlarger-x{scale}", [picture], [result], self.constants)
        model = helper.make_model(graph, producer_name=producer, ir_version=8,
                                  opset_imports=[helper.make_opsetid("", OPSET)])
        checker.check_model(model, full_check=True)
        return model


def by_pixel(kernel, scale):
    """Reorder output channels from colour, row, column to row, column, colour (DepthToSpace's DCR)."""
    return kernel.reshape(3, scale * scale, *kernel.shape[1:]).swapaxes(0, 1).reshape(kernel.shape)


def tail_of(tower, scale):
    """The layer of a tower that writes output pixels, in DepthToSpace's order."""
    return tuple(by_pixel(part, scale) for part in tower["tail"])


def finish(g, folded, details, scale):
    """Add what the towers found to the picture's own path, to space, cut to 0..1."""
    total = g.convolve("input", (by_pixel(folded["skip"][0], scale), None), "skip")
    for i, detail in enumerate(details):
        total = g.add("Add", [total, detail], f"phases{i}")
    wide = g.add("DepthToSpace", [total], "space", blocksize=scale, mode="DCR")
    low, high = (g.constant(n, np.float32(v)) for n, v in (("zero", 0), ("one", 1)))
    g.add("Clip", [wide, low, high], "output")
    return g.model(scale)


def floating(folded, scale, half=False):
    """The float32 graph; with `half` the towers' convolutions behind the head and their data are float16."""
    g, dtype = Graph(), np.float16 if half else np.float32

    def tower(layers, at):
        features = g.convolve("input", layers["head"], f"{at}head")
        if half:
            features = g.add("Cast", [features], f"{at}head.half", to=TensorProto.FLOAT16)
        start = features
        for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
            x = g.add("Relu", [g.convolve(features, first, f"{at}block{i}.first", dtype)], f"{at}block{i}.relu")
            x = g.convolve(x, second, f"{at}block{i}.second", dtype)
            features = g.add("Add", [features, x], f"{at}block{i}")
        features = g.add("Add", [features, start], f"{at}features")
        detail = g.convolve(features, tail_of(layers, scale), f"{at}tail", dtype)
        return g.add("Cast", [detail], f"{at}tail.full", to=TensorProto.FLOAT) if half else detail

    details = [tower(layers, f"tower{t}.") for t, layers in enumerate(folded["towers"])]
    return finish(g, folded, details, scale)


class Quantised(Graph):
    """Adds QuantizeLinear and DequantizeLinear pairs that onnxruntime folds into integer kernels."""

    def __init__(self):
        super().__init__()
        self.ranges = {}  # name: (scale, zero point) of unsigned 8-bit activations

    def activation(self, x, source, name=None):
        """x rounded to the 8-bit range `source`, as a dequantised float."""
        name, (scale, zero) = name or source, self.ranges[source]
        pair = [self.constant(f"{name}.scale", np.float32(scale)),
                self.constant(f"{name}.zero", np.uint8(zero))]
        stored = self.add("QuantizeLinear", [x, *pair], f"{name}.q")
        return self.add("DequantizeLinear", [stored, *pair], f"{name}.dq")

    def layer(self, x, source, layer, name):
        """Convolution with int8 weights per output channel and an int32 bias; x has the range `source`."""
        kernel, bias, steps = layer
        step = self.constant(f"{name}.step", steps.astype(np.float32))
        zero = self.constant(f"{name}.weight.zero", np.zeros(len(steps), np.int8))
        stored = np.round(kernel / steps[:, None, None, None]).astype(np.int8)
        weight = self.add("DequantizeLinear", [self.constant(f"{name}.weight.q", stored), step, zero],
                          f"{name}.weight", axis=0)
        unit = steps.astype(np.float32) * np.float32(self.ranges[source][0])
        bias = self.add("DequantizeLinear", [
            self.constant(f"{name}.bias.q", np.round(bias / unit).astype(np.int32)),
            self.constant(f"{name}.bias.step", unit),
            self.constant(f"{name}.bias.zero", np.zeros(len(unit), np.int32))], f"{name}.bias", axis=0)
        return self.add("Conv", [x, weight, bias], name, kernel_shape=[kernel.shape[2]] * 2,
                        pads=[kernel.shape[2] // 2] * 4)


def unit(channels):
    """A 1x1 layer that changes nothing.

    onnxruntime's integer convolutions want channels last. As the first of them this
    one makes every later addition channels last too; without it each is wrapped in
    two transpositions, which take as long as the convolutions.
    """
    kernel = np.eye(channels, dtype=np.float32)[:, :, None, None]
    return kernel, np.zeros(channels, np.float32), np.ones(channels, np.float32)


def integer(folded, scale):
    """The int8 graph. The heads, the tails and the picture's own path stay in float32."""
    g = Quantised()

    def tower(layers, at):
        g.ranges.update({at + name: of for name, of in layers["ranges"].items()})
        tail = tail_of(layers, scale)
        features = g.activation(g.convolve("input", layers["head"], f"{at}head"), f"{at}stream0")
        same = g.layer(features, f"{at}stream0", unit(tail[0].shape[1]), f"{at}same")
        features = start = g.activation(same, f"{at}stream0", f"{at}same")
        for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
            x = g.layer(features, f"{at}stream{i}", first, f"{at}block{i}.first")
            x = g.activation(g.add("Relu", [x], f"{at}block{i}.relu"), f"{at}middle{i}")
            x = g.layer(x, f"{at}middle{i}", second, f"{at}block{i}.second")
            x = g.activation(x, f"{at}change{i}")
            features = g.activation(g.add("Add", [features, x], f"{at}block{i}"), f"{at}stream{i + 1}")
        features = g.activation(g.add("Add", [features, start], f"{at}features"), f"{at}sum")
        return g.convolve(features, tail, f"{at}tail")

    details = [tower(layers, f"tower{t}.") for t, layers in enumerate(folded["towers"])]
    return finish(g, folded, details, scale)
