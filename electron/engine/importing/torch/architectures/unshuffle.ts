/** Squares of pixels that become channels before a convolution: networks that shrink their picture first. */
import type { Weights } from '../../tensor.ts';
import type { Build } from './state.ts';

/** PyTorch's pixel_unshuffle and the convolution behind it, which keeps the size unless its padding is said. */
export function unshuffledConv(
  build: Build,
  from: string,
  name: string,
  factor: number,
  paddingPx?: number,
): string {
  const { state, graph } = build;
  const shrunk = graph.node('SpaceToDepth', [from], { blocksize: factor });
  const weights = state.get(`${name}.weight`);
  const colours = state.side(`${name}.weight`, 1) / factor ** 2;
  const ordered = { shape: weights.shape, floats: () => byPlace(weights, colours, factor ** 2) };
  const [, , high = 1, wide = 1] = weights.shape;
  const top = paddingPx ?? Math.floor(high / 2);
  const left = paddingPx ?? Math.floor(wide / 2);
  const bias = state.has(`${name}.bias`) ? [graph.weights(state.get(`${name}.bias`))] : [];
  return graph.node('Conv', [shrunk, graph.weights(ordered), ...bias], {
    kernel_shape: [high, wide],
    pads: [top, left, top, left],
  });
}

/** PyTorch counts the places within a colour, ONNX the colours within a place. */
function byPlace(weights: Weights, colours: number, places: number): Float32Array {
  const values = weights.floats();
  const kernel = values.length / ((weights.shape[0] as number) * colours * places);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const input = Math.floor(i / kernel) % (colours * places);
    const output = Math.floor(i / (kernel * colours * places));
    const to = (input % places) * colours + Math.floor(input / places);
    result[(output * colours * places + to) * kernel + (i % kernel)] = values[i] as number;
  }
  return result;
}
