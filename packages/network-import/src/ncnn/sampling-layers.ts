/** Conversions of the ncnn layers that crop, pool, resize or shuffle pixels. */
import { type GraphBuilder, createWeights } from '../../../onnx/src/index.ts';
import {
  unsupportedLayer,
  firstInput,
  numberOf,
  unset,
  type LayerConversion,
} from './conversion.ts';

/** Crops by offsets from the four borders, by starts, ends and axes, or to the size of a second input. */
export const crop: LayerConversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstInput(work);
  const lists = {
    starts: layer.lists.get(9),
    ends: layer.lists.get(10),
    axes: layer.lists.get(11),
  };
  if (lists.starts && lists.ends) {
    // ncnn's axes count channels, height and width; ONNX's count the batch first.
    const axes = (lists.axes ?? lists.starts.map((_, i) => i)).map((axis) =>
      axis < 0 ? axis + 4 : axis + 1,
    );
    if (axes.includes(1)) throw unsupportedLayer(layer, 'cuts channels');
    return [{ name: slice(graph, name, lists.starts, lists.ends, axes), channels }];
  }
  const [left, top] = [numberOf(layer, 0, 0), numberOf(layer, 1, 0)];
  const hasNoSize = [3, 4, 5].every((key) => [0, unset].includes(numberOf(layer, key, 0)));
  if (!hasNoSize || ![0, unset].includes(numberOf(layer, 2, 0)))
    throw unsupportedLayer(layer, 'cuts to a size of its own');
  const reference = work.inputs[1];
  if (reference !== undefined)
    return [{ name: sliceLike(graph, name, reference, [top, left]), channels }];
  const [right, bottom] = [numberOf(layer, 6, 0), numberOf(layer, 7, 0)];
  const end = (rest: number) => (rest === 0 ? maxEnd : -rest);
  return [{ name: slice(graph, name, [top, left], [end(bottom), end(right)], [2, 3]), channels }];
};

const maxEnd = 2 ** 31 - 1;

/** Crops to the height and width of `reference`, from the offsets (top, left). */
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

/** Pools in windows or globally. pooling_type: 0 maximum, 1 mean. */
export const pooling: LayerConversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstInput(work);
  const isMean = numberOf(layer, 0, 0) === 1;
  if (numberOf(layer, 4, 0) === 1) {
    const made = graph.node(isMean ? 'GlobalAveragePool' : 'GlobalMaxPool', [name]);
    return [{ name: made, channels }];
  }
  const wide = numberOf(layer, 1, 0);
  const high = numberOf(layer, 11, wide);
  const strideWide = numberOf(layer, 2, 1);
  const left = numberOf(layer, 3, 0);
  const top = numberOf(layer, 13, left);
  if (numberOf(layer, 7, 0) === 1) throw unsupportedLayer(layer, 'pools to a size of its own');
  const made = graph.node(isMean ? 'AveragePool' : 'MaxPool', [name], {
    kernel_shape: [high, wide],
    strides: [numberOf(layer, 12, strideWide), strideWide],
    pads: [top, left, numberOf(layer, 15, top), numberOf(layer, 14, left)],
    ceil_mode: numberOf(layer, 5, 0) === 0 ? 1 : 0,
    ...(isMean && { count_include_pad: numberOf(layer, 6, 0) }),
  });
  return [{ name: made, channels }];
};

/** Resizes by factors. resize_type: 1 nearest, 2 bilinear, 3 bicubic. */
export const interpolation: LayerConversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstInput(work);
  const kind = numberOf(layer, 0, 0);
  const mode = [undefined, 'nearest', 'linear', 'cubic'][kind];
  const high = numberOf(layer, 1, 1);
  const wide = numberOf(layer, 2, 1);
  if (mode === undefined || work.inputs.length !== 1 || numberOf(layer, 3, 0) !== 0)
    throw unsupportedLayer(layer, 'scales to a size of its own');
  const corners = numberOf(layer, 6, 0) === 1;
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

/** Mode 0 is PyTorch's channel order (CRD), mode 1 depth-first (DCR). */
export const pixelShuffle: LayerConversion = (layer, work) => {
  const { name, channels } = firstInput(work);
  const blocksize = numberOf(layer, 0, 1);
  const mode = numberOf(layer, 1, 0) === 0 ? 'CRD' : 'DCR';
  const made = work.graph.node('DepthToSpace', [name], { blocksize, mode });
  return [{ name: made, channels: channels / blocksize ** 2 }];
};
