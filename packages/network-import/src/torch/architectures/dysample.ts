/** DySample (Liu 2023): upsampling by learnt sampling positions instead of a pixel shuffle. */
import { floatTypes } from '../../../../onnx/src/index.ts';
import { add, conv, multiply, pixelShuffle, sigmoid, times, type NetworkBuild } from './state.ts';
import { sliced, squeezed, unsqueezed } from './tokens.ts';

/** Upsamples features. The offset of each sampling position is predicted per group of channels. */
export function dySample(build: NetworkBuild, from: string, name: string, scale: number): string {
  const { state, graph } = build;
  const channels = state.side(`${name}.offset.weight`, 1);
  const offsets = state.side(`${name}.offset.weight`, 0) / 2;
  const groups = offsets / scale ** 2;
  const scope = sigmoid(build, conv(build, from, `${name}.scope`));
  const offset = times(build, multiply(build, conv(build, from, `${name}.offset`), scope), 0.5);
  const moved = add(build, offset, graph.weights(state.get(`${name}.init_pos`)));
  const shape = graph.node('Shape', [from]);
  const grid = graph.node(
    'Concat',
    [
      coordinates(build, moved, shape, { offsets, first: 0, side: 3, scale }),
      coordinates(build, moved, shape, { offsets, first: offsets, side: 2, scale }),
    ],
    { axis: -1 },
  );
  const grids = squeezed(build, grid, 0);
  const grouped = graph.node('Reshape', [from, graph.integers([groups, channels / groups, 0, 0])]);
  const samples = graph.node('GridSample', [grouped, grids], {
    mode: 'bilinear',
    padding_mode: 'border',
    align_corners: 0,
  });
  const whole = graph.node('Reshape', [samples, graph.integers([1, channels, 0, 0])]);
  return state.has(`${name}.end_conv.weight`) ? conv(build, whole, `${name}.end_conv`) : whole;
}

/** One coordinate of the sampling grid, -1..1 over the picture: pixel centres plus offsets. */
function coordinates(
  build: NetworkBuild,
  moved: string,
  shape: string,
  { offsets, first, side, scale }: { offsets: number; first: number; side: number; scale: number },
): string {
  const { graph } = build;
  const part = sliced(build, moved, 1, first, first + offsets);
  const length = graph.node('Cast', [graph.node('Gather', [shape, graph.integers([side])])], {
    to: floatTypes.single,
  });
  const single = squeezed(build, length, 0);
  const range = graph.node('Range', [graph.number(0), single, graph.number(1)]);
  const centres = add(build, range, graph.number(0.5));
  const along = side === 3 ? centres : unsqueezed(build, centres, 1);
  const doubled = times(build, graph.node('Div', [add(build, part, along), single]), 2);
  const around = graph.node('Sub', [doubled, graph.number(1)]);
  return unsqueezed(build, pixelShuffle(build, around, scale), 4);
}
