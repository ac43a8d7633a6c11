/** Converts the ncnn layers that crop, pool, resize, or shuffle. */
import type { GraphBuilder } from '../../../../electron/engine/onnx/write-onnx.ts';
import { createWeights } from '../../../../electron/engine/onnx/tensor.ts';
import { cannot, firstOf, settingOf, unset, type Conversion } from './conversion.ts';

/** Crops by offsets from the left and top and from the right and bottom, or to the size of a second input. */
export const crop: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const lists = {
    starts: layer.lists.get(9),
    ends: layer.lists.get(10),
    axes: layer.lists.get(11),
  };
  if (lists.starts && lists.ends) {
    // ncnn's axes count channels, height and width; ONNX has the batch before them.
    const axes = (lists.axes ?? lists.starts.map((_, i) => i)).map((axis) =>
      axis < 0 ? axis + 4 : axis + 1,
    );
    if (axes.includes(1)) throw cannot(layer, 'cuts channels');
    return [{ name: slice(graph, name, lists.starts, lists.ends, axes), channels }];
  }
  const [left, top] = [settingOf(layer, 0, 0), settingOf(layer, 1, 0)];
  const isOpen = [3, 4, 5].every((key) => [0, unset].includes(settingOf(layer, key, 0)));
  if (!isOpen || ![0, unset].includes(settingOf(layer, 2, 0)))
    throw cannot(layer, 'cuts to a size of its own');
  const reference = work.inputs[1];
  if (reference !== undefined)
    return [{ name: sliceLike(graph, name, reference, [top, left]), channels }];
  const [right, bottom] = [settingOf(layer, 6, 0), settingOf(layer, 7, 0)];
  const end = (rest: number) => (rest === 0 ? farthest : -rest);
  return [{ name: slice(graph, name, [top, left], [end(bottom), end(right)], [2, 3]), channels }];
};

const farthest = 2 ** 31 - 1;

/** Cuts out, from the offsets (top, left) on, as much as the reference is high and wide. */
function sliceLike(
  graph: GraphBuilder,
  from: string,
  reference: string,
  offsets: readonly number[],
): string {
  const shape = graph.node('Shape', [reference]);
  const sides = graph.node('Gather', [shape, graph.integers([2, 3])]);
  const starts = graph.integers(offsets);
  const ends = graph.node('Add', [sides, starts]);
  return graph.node('Slice', [from, starts, ends, graph.integers([2, 3])]);
}

function slice(
  graph: GraphBuilder,
  from: string,
  starts: readonly number[],
  ends: readonly number[],
  axes: readonly number[],
): string {
  return graph.node('Slice', [from, ...[starts, ends, axes].map((list) => graph.integers(list))]);
}

/** Pools over the whole picture or in windows: 0 is the maximum, 1 the mean. */
export const pooling: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const isMean = settingOf(layer, 0, 0) === 1;
  if (settingOf(layer, 4, 0) === 1) {
    const made = graph.node(isMean ? 'GlobalAveragePool' : 'GlobalMaxPool', [name]);
    return [{ name: made, channels }];
  }
  const wide = settingOf(layer, 1, 0);
  const high = settingOf(layer, 11, wide);
  const strideWide = settingOf(layer, 2, 1);
  const left = settingOf(layer, 3, 0);
  const top = settingOf(layer, 13, left);
  if (settingOf(layer, 7, 0) === 1) throw cannot(layer, 'pools to a size of its own');
  const made = graph.node(isMean ? 'AveragePool' : 'MaxPool', [name], {
    kernel_shape: [high, wide],
    strides: [settingOf(layer, 12, strideWide), strideWide],
    pads: [top, left, settingOf(layer, 15, top), settingOf(layer, 14, left)],
    ceil_mode: settingOf(layer, 5, 0) === 0 ? 1 : 0,
    ...(isMean && { count_include_pad: settingOf(layer, 6, 0) }),
  });
  return [{ name: made, channels }];
};

/** Resizes by factors: 1 is nearest, 2 bilinear, 3 bicubic. */
export const interpolation: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const kind = settingOf(layer, 0, 0);
  const mode = [undefined, 'nearest', 'linear', 'cubic'][kind];
  const high = settingOf(layer, 1, 1);
  const wide = settingOf(layer, 2, 1);
  if (mode === undefined || work.inputs.length !== 1 || settingOf(layer, 3, 0) !== 0)
    throw cannot(layer, 'scales to a size of its own');
  const corners = settingOf(layer, 6, 0) === 1;
  const factors = graph.weights(createWeights([4], [1, 1, high, wide]));
  const made = graph.node('Resize', [name, '', factors], {
    mode,
    coordinate_transformation_mode:
      kind === 1 ? 'asymmetric' : corners ? 'align_corners' : 'half_pixel',
    ...(kind === 1 && { nearest_mode: 'floor' }),
    ...(kind === 3 && { cubic_coeff_a: { float: -0.75 } }),
  });
  return [{ name: made, channels }];
};

/** Shuffles pixels, whose values stand channel by channel in mode 0 (as in PyTorch), else place by place. */
export const pixelShuffle: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const blocksize = settingOf(layer, 0, 1);
  const mode = settingOf(layer, 1, 0) === 0 ? 'CRD' : 'DCR';
  const made = work.graph.node('DepthToSpace', [name], { blocksize, mode });
  return [{ name: made, channels: channels / blocksize ** 2 }];
};
