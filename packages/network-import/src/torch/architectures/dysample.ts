/** DySample (Liu 2023) enlarges by sampling instead of shuffling pixels. */
import { floatTypes } from '../../../../../electron/engine/onnx/encode-onnx.ts';
import { add, conv, multiply, pixelShuffle, sigmoid, times, type Build } from './state.ts';
import { sliced, squeezed, unsqueezed } from './tokens.ts';

/** Enlarges features: for groups of channels it is computed where each new pixel is sampled. */
export function sampled(build: Build, from: string, name: string, scale: number): string {
  const { state, graph } = build;
  const channels = state.side(`${name}.offset.weight`, 1);
  const places = state.side(`${name}.offset.weight`, 0) / 2;
  const groups = places / scale ** 2;
  const scope = sigmoid(build, conv(build, from, `${name}.scope`));
  const offset = times(build, multiply(build, conv(build, from, `${name}.offset`), scope), 0.5);
  const moved = add(build, offset, graph.weights(state.get(`${name}.init_pos`)));
  const shape = graph.node('Shape', [from]);
  const grid = graph.node(
    'Concat',
    [
      coordinates(build, moved, shape, { places, first: 0, side: 3, scale }),
      coordinates(build, moved, shape, { places, first: places, side: 2, scale }),
    ],
    { axis: -1 },
  );
  const grids = squeezed(build, grid, 0);
  const grouped = graph.node('Reshape', [from, graph.integers([groups, channels / groups, 0, 0])]);
  const taken = graph.node('GridSample', [grouped, grids], {
    mode: 'bilinear',
    padding_mode: 'border',
    align_corners: 0,
  });
  const whole = graph.node('Reshape', [taken, graph.integers([1, channels, 0, 0])]);
  return state.has(`${name}.end_conv.weight`) ? conv(build, whole, `${name}.end_conv`) : whole;
}

/** Computes one coordinate of the sampling grid, -1 to 1 over the picture: pixels' middles and offsets. */
function coordinates(
  build: Build,
  moved: string,
  shape: string,
  { places, first, side, scale }: { places: number; first: number; side: number; scale: number },
): string {
  const { graph } = build;
  const part = sliced(build, moved, 1, first, first + places);
  const length = graph.node('Cast', [graph.node('Gather', [shape, graph.integers([side])])], {
    to: floatTypes.single,
  });
  const single = squeezed(build, length, 0);
  const range = graph.node('Range', [graph.number(0), single, graph.number(1)]);
  const middles = add(build, range, graph.number(0.5));
  const along = side === 3 ? middles : unsqueezed(build, middles, 1);
  const doubled = times(build, graph.node('Div', [add(build, part, along), single]), 2);
  const around = graph.node('Sub', [doubled, graph.number(1)]);
  return unsqueezed(build, pixelShuffle(build, around, scale), 4);
}
