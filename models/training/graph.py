"""ONNX graphs of a folded network, written node by node: float32, float16 body, int8 body.

All take `input` [n, 3, h, w] and give `output` [n, 3, H, W], float32 RGB of 0..1. Those that are
told of damage have a constant `condition` [1, 3]: compression, noise and softness (damage.py), zeros in the
file. Whoever runs a network writes a photograph's own values over its bytes before loading it.
What they add to the biases, and what the towers then answer to flat ground, is computed from it in
the graph; onnxruntime folds all of that as it loads the file, so it costs nothing to be told.
(As an input it would cost: convolutions with a bias that is no constant are twice as slow.)
"""
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from bicubic import keys

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

    def terms(self):
        """The constant `condition` as the terms [1, 9] of network.condition_terms."""
        kinds = "jpeg", "noise", "soft"
        self.constant("condition", np.zeros((1, len(kinds)), np.float32))
        sizes = self.constant("condition.sizes", np.ones(len(kinds), np.int64))
        self.nodes.append(helper.make_node("Split", ["condition", sizes], kinds, name="condition/Split", axis=1))
        jj, nn, jn, ss, js, ns = (self.add("Mul", [a, b], f"{a}.{b}") for a, b in (
            ("jpeg", "jpeg"), ("noise", "noise"), ("jpeg", "noise"), ("soft", "soft"), ("jpeg", "soft"), ("noise", "soft")))
        return self.add("Concat", ["jpeg", jj, "noise", nn, jn, "soft", ss, js, ns], "condition.terms", axis=1)

    def shifts(self, terms, matrix, channels, at):
        """What the condition adds to the biases of head and blocks: names of [1, channels] each."""
        count = matrix.shape[1] // channels
        whole = self.add("MatMul", [terms, self.constant(f"{at}shifts", matrix)], f"{at}shift")
        names = [f"{at}shift{i}" for i in range(count)]
        sizes = self.constant(f"{at}shift.sizes", np.full(count, channels, np.int64))
        self.nodes.append(helper.make_node("Split", [whole, sizes], names, name=f"{at}shift/Split", axis=1))
        return names

    def spread(self, vector, name):
        """[1, c] as [1, c, 1, 1], to be added to planes."""
        return self.add("Unsqueeze", [vector, self.constant(f"{name}.axes", np.array([2, 3], np.int64))], name)

    def on_flat(self, x, kernel, name):
        """What a convolution without bias makes of flat ground: [1, c] times its kernel's sums."""
        return self.add("MatMul", [x, self.constant(f"{name}.sums", kernel.sum((2, 3)).T)], name)

    def narrow(self):
        """Keep float32 constants that lose nothing by it as float16, which halves the file: onnxruntime
        folds the casts as it loads it. Kernels from `checkpoints/` are such (keep.py)."""
        for i, stored in enumerate(self.constants):
            values = numpy_helper.to_array(stored)
            half = values.astype(np.float16)
            if values.dtype != np.float32 or values.size < 64 or not np.array_equal(half.astype(np.float32), values):
                continue
            self.constants[i] = numpy_helper.from_array(half, f"{stored.name}.half")
            self.nodes.insert(0, helper.make_node("Cast", [f"{stored.name}.half"], [stored.name],
                                                  name=f"{stored.name}/Cast", to=TensorProto.FLOAT))

    def model(self, scale, producer="Enlarger"):
        self.narrow()
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


def halving():
    """[2, 3, 4]: how much of the four phases of a pixel before, here and after each of both phases of half the size takes."""
    line = keys((np.arange(8) - 3.5) / 2)
    shares = np.zeros((2, 3, 4))
    for phase in range(2):
        for tap, weight in enumerate(line / line.sum()):
            pixel, part = divmod(2 * phase - 3 + tap, 4)
            shares[phase, pixel + 1, part] += weight
    return shares


def halved_layer(layer):
    """The layer [3*16, i, k, k] that writes a pixel's 4x4 as one [3*4, i, k+2, k+2] that writes its 2x2, by bicubic.py's kernel."""
    kernel, bias = layer
    shares, (_, inputs, side, _) = halving(), kernel.shape
    phases = kernel.reshape(3, 4, 4, inputs, side, side)
    wide = np.zeros((3, 2, 2, inputs, side + 2, side + 2))
    for y in range(3):
        for x in range(3):
            wide[..., y : y + side, x : x + side] += np.einsum("pa,qb,cabikl->cpqikl", shares[:, y], shares[:, x], phases)
    if bias is not None:
        both = shares.sum(1)
        bias = np.einsum("pa,qb,cab->cpq", both, both, bias.reshape(3, 4, 4)).reshape(-1).astype(np.float32)
    return wide.reshape(12, inputs, side + 2, side + 2).astype(np.float32), bias


def halved(folded):
    """A network of scale 4 (arrays) as one of scale 2 whose result is the other's, reduced: only the layers that write pixels change."""
    towers = [{**tower, "tail": halved_layer(tower["tail"])} for tower in folded["towers"]]
    return {**folded, "towers": towers, "skip": halved_layer(folded["skip"])}


def finish(g, folded, details, scale, levels=()):
    """Add what the towers found to the picture's own path, to space, cut to 0..1.

    `levels` [1, out] are what the towers answer to flat ground, where a condition moves it.
    """
    total = g.convolve("input", (by_pixel(folded["skip"][0], scale), None), "skip")
    for i, level in enumerate(levels):
        total = g.add("Sub", [total, g.spread(level, f"level{i}.spread")], f"levelled{i}")
    for i, detail in enumerate(details):
        total = g.add("Add", [total, detail], f"phases{i}")
    wide = g.add("DepthToSpace", [total], "space", blocksize=scale, mode="DCR") if scale > 1 else total
    low, high = (g.constant(n, np.float32(v)) for n, v in (("zero", 0), ("one", 1)))
    g.add("Clip", [wide, low, high], "output")
    return g.model(scale)


def flat_features(g, layers, shifts, at):
    """A tower's features on flat ground under these shifts, [1, c]."""
    def biased(x, bias, name):
        return g.add("Add", [x, g.constant(f"{name}.flat.bias", bias[None])], f"{name}.flat")

    features = start = biased(shifts[0], layers["head"][1], f"{at}head")
    for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
        name = f"{at}block{i}"
        x = biased(g.on_flat(features, first[0], f"{name}.flat.first"), first[1], f"{name}.first")
        x = g.add("Relu", [g.add("Add", [x, shifts[1 + i]], f"{name}.flat.shifted")], f"{name}.flat.relu")
        x = biased(g.on_flat(x, second[0], f"{name}.flat.second"), second[1], f"{name}.second")
        features = g.add("Add", [features, x], f"{name}.flat")
    return g.add("Add", [features, start], f"{at}flat.features")


STEADY = 0.15  # of a step: as far from its middle as a flat area's value may lie, under any condition


class Settled:
    """A rounded tower on flat ground, where each channel has one value [1, c], as its condition moves it.

    Biases are moved on until these values lie within STEADY of the middle of their steps, so that a
    gradient far below one level tips none. The graph takes `head_move` [1, c], what is added behind
    the head; `biases`, a name [c] of int32 for each layer of the body; and `features` [1, c], what
    the tail gets. All in plain arithmetic: onnxruntime does not fold QuantizeLinear as it loads a file.
    """

    def __init__(self, g, layers, shifts, at):
        self.g, self.at, self.biases = g, at, []
        features = start = self.head(layers["head"][1], shifts[0])
        for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
            name = f"{at}block{i}.flat"
            x = self.layer(features, f"stream{i}", first, f"{name}.first", f"middle{i}", shifts[1 + i])
            x = self.layer(x, f"middle{i}", second, f"{name}.second", f"change{i}")
            features = self.sum((features, f"stream{i}"), (x, f"change{i}"), f"stream{i + 1}", name)
        ends = (features, f"stream{len(shifts) - 1}"), (start, "stream0")
        self.features = self.value(self.sum(*ends, "sum", f"{at}flat.sum"), "sum", f"{at}flat.features")

    def number(self, value, name):
        return self.g.constant(name, np.float32(value))

    def move(self, steps, name):
        """By how much `steps`, a value in steps of its activation, is to move towards the middle of one."""
        off = self.g.add("Sub", [steps, self.g.add("Round", [steps], f"{name}.middle")], f"{name}.off")
        ends = (self.number(v, f"{name}.{n}") for n, v in (("from", -STEADY), ("to", STEADY)))
        return self.g.add("Sub", [self.g.add("Clip", [off, *ends], f"{name}.within"), off], f"{name}.move")

    def rounded(self, steps, to, name):
        """The whole steps of the range `to` that its 8 bits make of `steps`."""
        zero = self.g.ranges[self.at + to][1]
        ends = (self.number(v, f"{name}.{n}") for n, v in (("least", -zero), ("most", 255 - zero)))
        return self.g.add("Clip", [self.g.add("Round", [steps], f"{name}.near"), *ends], name)

    def value(self, whole, source, name):
        return self.g.add("Mul", [whole, self.number(self.g.ranges[self.at + source][0], f"{name}.scale")], name)

    def in_steps(self, value, to, name):
        return self.g.add("Div", [value, self.number(self.g.ranges[self.at + to][0], f"{name}.by")], f"{name}.steps")

    def head(self, bias, shift):
        name = f"{self.at}head.flat"
        level = self.g.add("Add", [shift, self.g.constant(f"{name}.bias", bias[None])], f"{name}.level")
        steps = self.in_steps(level, "stream0", name)
        moved = self.g.add("Mul", [self.move(steps, name), f"{name}.by"], f"{name}.moved")
        self.head_move = self.g.add("Add", [shift, moved], f"{name}.shift")
        return self.rounded(steps, "stream0", name)

    def layer(self, x, source, layer, name, to, shift=None):
        """The layer's answer to x; its bias, moved by its shift and until it is steady, goes to `biases`."""
        g, (kernel, bias, steps) = self.g, layer
        unit = steps.astype(np.float32) * np.float32(g.ranges[self.at + source][0])
        total = g.add("Round", [g.constant(f"{name}.bias", (bias / unit)[None].astype(np.float32))], f"{name}.bias.whole")
        if shift:
            turned = g.add("Div", [shift, g.constant(f"{name}.unit", unit[None])], f"{name}.turned")
            total = g.add("Add", [total, g.add("Round", [turned], f"{name}.shift")], f"{name}.shifted")
        whole = g.add("Cast", [g.kernel(layer, name.replace(".flat", ""))], f"{name}.kernel", to=TensorProto.FLOAT)
        sums = g.add("ReduceSum", [whole, g.constant(f"{name}.axes", np.array([2, 3], np.int64))], f"{name}.sums", keepdims=0)
        taken = g.add("MatMul", [x, g.add("Transpose", [sums], f"{name}.turned.sums", perm=[1, 0])], f"{name}.products")
        ratio = g.constant(f"{name}.ratio", (unit / np.float32(g.ranges[self.at + to][0]))[None])
        before = g.add("Mul", [g.add("Add", [taken, total], f"{name}.sum"), ratio], f"{name}.before")
        extra = g.add("Round", [g.add("Div", [self.move(before, name), ratio], f"{name}.units")], f"{name}.extra")
        bias = g.add("Add", [total, extra], f"{name}.moved")
        stored = g.add("Cast", [bias], f"{name}.moved.whole", to=TensorProto.INT32)
        self.biases.append(g.add("Reshape", [stored, g.constant(f"{name}.flattened", np.array([-1], np.int64))], f"{name}.vector"))
        after = g.add("Mul", [g.add("Add", [taken, bias], f"{name}.total"), ratio], f"{name}.after")
        return self.rounded(after, to, name)

    def sum(self, a, b, to, name):
        values = [self.value(*part, f"{name}.{i}") for i, part in enumerate((a, b))]
        return self.rounded(self.in_steps(self.g.add("Add", values, f"{name}.both"), to, name), to, name)


def floating(folded, scale, half=False):
    """The float32 graph; with `half` the towers' convolutions behind the head and their data are float16."""
    g, dtype = Graph(), np.float16 if half else np.float32
    terms = g.terms() if "shifts" in folded["towers"][0] else None
    levels = []

    def tower(layers, at):
        shifts = g.shifts(terms, layers["shifts"], len(layers["head"][1]), at) if terms else None

        def moved(x, i, name, cast=False):
            if not shifts:
                return x
            vector = g.spread(shifts[i], f"{name}.shift")
            if cast:
                vector = g.add("Cast", [vector], f"{name}.shift.half", to=TensorProto.FLOAT16)
            return g.add("Add", [x, vector], f"{name}.moved")

        features = moved(g.convolve("input", layers["head"], f"{at}head"), 0, f"{at}head")
        if half:
            features = g.add("Cast", [features], f"{at}head.half", to=TensorProto.FLOAT16)
        start = features
        for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
            name = f"{at}block{i}"
            x = moved(g.convolve(features, first, f"{name}.first", dtype), 1 + i, f"{name}.first", half)
            x = g.convolve(g.add("Relu", [x], f"{name}.relu"), second, f"{name}.second", dtype)
            features = g.add("Add", [features, x], name)
        features = g.add("Add", [features, start], f"{at}features")
        kernel, bias = tail_of(layers, scale)
        if shifts:
            flat = flat_features(g, layers, shifts, at)
            levels.append(g.on_flat(flat, kernel, f"{at}level"))
        detail = g.convolve(features, (kernel, None if shifts else bias), f"{at}tail", dtype)
        return g.add("Cast", [detail], f"{at}tail.full", to=TensorProto.FLOAT) if half else detail

    details = [tower(layers, f"tower{t}.") for t, layers in enumerate(folded["towers"])]
    return finish(g, folded, details, scale, levels)


class Quantised(Graph):
    """Adds QuantizeLinear and DequantizeLinear pairs that onnxruntime folds into integer kernels."""

    def __init__(self):
        super().__init__()
        self.ranges = {}  # name: (scale, zero point) of unsigned 8-bit activations
        self.kernels = set()

    def activation(self, x, source, name=None):
        """x rounded to the 8-bit range `source`, as a dequantised float."""
        name = name or source
        pair = self.pair(source, name)
        return self.add("DequantizeLinear", [self.add("QuantizeLinear", [x, *pair], f"{name}.q"), *pair], f"{name}.dq")

    def layer(self, x, source, layer, name, whole=None):
        """Convolution with int8 weights per output channel and an int32 bias, or the one named `whole`; x has
        the range `source`."""
        kernel, bias, steps = layer
        step = self.constant(f"{name}.step", steps.astype(np.float32))
        zero = self.constant(f"{name}.weight.zero", np.zeros(len(steps), np.int8))
        weight = self.add("DequantizeLinear", [self.kernel(layer, name), step, zero], f"{name}.weight", axis=0)
        unit = steps.astype(np.float32) * np.float32(self.ranges[source][0])
        whole = whole or self.constant(f"{name}.bias.q", np.round(bias / unit).astype(np.int32))
        bias = self.add("DequantizeLinear", [
            whole, self.constant(f"{name}.bias.step", unit),
            self.constant(f"{name}.bias.zero", np.zeros(len(unit), np.int32))], f"{name}.bias", axis=0)
        return self.add("Conv", [x, weight, bias], name, kernel_shape=[kernel.shape[2]] * 2,
                        pads=[kernel.shape[2] // 2] * 4)

    def kernel(self, layer, name):
        """The constant of the layer's kernel in whole steps, once."""
        kernel, _, steps = layer
        at = f"{name}.weight.q"
        if at not in self.kernels:
            self.kernels.add(self.constant(at, np.round(kernel / steps[:, None, None, None]).astype(np.int8)))
        return at

    def pair(self, source, name):
        """Constants: step and zero point of a range."""
        scale, zero = self.ranges[source]
        return [self.constant(f"{name}.scale", np.float32(scale)), self.constant(f"{name}.zero", np.uint8(zero))]


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
    terms = g.terms() if "shifts" in folded["towers"][0] else None
    levels = []

    def tower(layers, at):
        g.ranges.update({at + name: of for name, of in layers["ranges"].items()})
        kernel, bias = tail_of(layers, scale)
        shifts = g.shifts(terms, layers["shifts"], len(layers["head"][1]), at) if terms else None
        flat = Settled(g, layers, shifts, at) if terms else None
        biases = flat.biases if flat else [None] * len(layers["body"])
        head = g.convolve("input", layers["head"], f"{at}head")
        if flat:
            head = g.add("Add", [head, g.spread(flat.head_move, f"{at}head.shift")], f"{at}head.moved")
        features = g.activation(head, f"{at}stream0")
        same = g.layer(features, f"{at}stream0", unit(kernel.shape[1]), f"{at}same")
        features = start = g.activation(same, f"{at}stream0", f"{at}same")
        for i, (first, second) in enumerate(zip(layers["body"][::2], layers["body"][1::2])):
            x = g.layer(features, f"{at}stream{i}", first, f"{at}block{i}.first", biases[2 * i])
            x = g.activation(g.add("Relu", [x], f"{at}block{i}.relu"), f"{at}middle{i}")
            x = g.layer(x, f"{at}middle{i}", second, f"{at}block{i}.second", biases[2 * i + 1])
            x = g.activation(x, f"{at}change{i}")
            features = g.activation(g.add("Add", [features, x], f"{at}block{i}"), f"{at}stream{i + 1}")
        features = g.activation(g.add("Add", [features, start], f"{at}features"), f"{at}sum")
        if flat:
            levels.append(g.on_flat(flat.features, kernel, f"{at}level"))
        return g.convolve(features, (kernel, None if flat else bias), f"{at}tail")

    details = [tower(layers, f"tower{t}.") for t, layers in enumerate(folded["towers"])]
    return finish(g, folded, details, scale, levels)
