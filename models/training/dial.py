"""One file of two networks of one shape, and of every point between them.

The last value of its condition, `natural`, is the share of the first network's weights: 0 is the second, 1 the
first, both exactly. Kernels of whole numbers are rounded to them again between the two, so both must have the
same steps (`quantise.in_common`). onnxruntime folds the mixing as it loads the file, as it does all that
follows from the condition.
"""
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

SHARE = "natural"
TYPES = {np.dtype(np.float16): TensorProto.FLOAT16, np.dtype(np.int8): TensorProto.INT8}


def told(model):
    """The nodes that split the condition, which has one value more, and give `SHARE` and what is left, [] each;
    the constants of the condition; and the nodes that are left."""
    split = next(node for node in model.graph.node if node.name == "condition/Split")
    split = helper.make_node("Split", split.input, [*split.output, f"{SHARE}.value"], name=split.name, axis=1)
    count = len(split.output)
    nodes = [split, helper.make_node("Squeeze", [f"{SHARE}.value"], [SHARE], name=f"{SHARE}/Squeeze"),
             helper.make_node("Sub", [f"{SHARE}.all", SHARE], [f"{SHARE}.rest"], name=f"{SHARE}/Sub")]
    constants = {"condition": np.zeros((1, count), np.float32), "condition.sizes": np.ones(count, np.int64),
                 f"{SHARE}.all": np.float32(1)}
    return nodes, constants, [node for node in model.graph.node if node.name != split.name]


def between(name, pair):
    """Nodes and constants that make the constant `name` of both networks' `pair` of arrays."""
    nodes, constants, parts = [], {}, []

    def add(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], name=f"{output}/{kind}", **attributes))
        return output

    kind = pair[0].dtype
    for i, (values, share) in enumerate(zip(pair, (SHARE, f"{SHARE}.rest"))):
        at = f"{name}.of{i}"
        constants[at] = values
        single = at if kind == np.float32 else add("Cast", [at], f"{at}.single", to=TensorProto.FLOAT)
        parts.append(add("Mul", [single, share], f"{at}.part"))
    if kind == np.float32:
        add("Add", parts, name)
        return nodes, constants
    total = add("Add", parts, f"{name}.total")
    total = add("Round", [total], f"{name}.whole") if kind == np.int8 else total
    add("Cast", [total], name, to=TYPES[kind])
    return nodes, constants


def dialled(first, second):
    """The file of both. @raises ValueError unless both have the same nodes, and constants of the same kinds."""
    if [n.SerializeToString() for n in first.graph.node] != [n.SerializeToString() for n in second.graph.node]:
        raise ValueError("expected two networks of the same nodes")
    arrays = [{c.name: numpy_helper.to_array(c) for c in model.graph.initializer} for model in (first, second)]
    kinds = [{name: (a.dtype, a.shape) for name, a in each.items()} for each in arrays]
    if kinds[0] != kinds[1]:
        raise ValueError("expected constants of the same names, types and shapes")
    head, of_condition, rest = told(second)
    constants = {**arrays[1], **of_condition}
    for name, own in arrays[1].items():
        if name in of_condition or np.array_equal(arrays[0][name], own):
            continue
        if own.dtype not in (np.float32, *TYPES):
            raise ValueError(f"expected {name} to be the same in both, for it is {own.dtype}")
        nodes, more = between(name, (arrays[0][name], own))
        del constants[name]
        head, constants = head + nodes, {**constants, **more}
    graph = helper.make_graph(head + rest, second.graph.name, second.graph.input, second.graph.output,
                              [numpy_helper.from_array(np.asarray(a, order="C"), name) for name, a in constants.items()])
    model = helper.make_model(graph, producer_name=second.producer_name, ir_version=second.ir_version,
                              opset_imports=second.opset_import)
    checker.check_model(model, full_check=True)
    return model
