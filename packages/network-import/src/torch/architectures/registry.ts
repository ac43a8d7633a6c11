/**
 * Supported architectures, tried in this order. An architecture whose weight names include all those of
 * another
 * must come before it.
 */
import { refused, createGraph, type FinishedGraph } from '../../../../onnx/src/index.ts';
import type { NamedWeights } from '../read-checkpoint.ts';
import { atd } from './atd.ts';
import { compact } from './compact.ts';
import { dat } from './dat.ts';
import { drct } from './drct.ts';
import { esrgan } from './esrgan.ts';
import { hat } from './hat.ts';
import { mosr } from './mosr.ts';
import { nafnet } from './nafnet.ts';
import { omniSr } from './omni-sr.ts';
import { rcan } from './rcan.ts';
import { realCugan } from './real-cugan.ts';
import { realPlksr } from './real-plksr.ts';
import { rgt } from './rgt.ts';
import { span } from './span.ts';
import { spsr } from './spsr.ts';
import { srformer } from './srformer.ts';
import { swinIr } from './swin-ir.ts';
import { type Architecture, State } from './state.ts';

export const architectures: readonly Architecture[] = [
  spsr,
  esrgan,
  compact,
  span,
  dat,
  swinIr,
  omniSr,
  realPlksr,
  srformer,
  hat,
  rgt,
  drct,
  atd,
  mosr,
  rcan,
  realCugan,
  nafnet,
];

/**
 * Builds the graph of a network from its weights. `architecture` is the name of the one that was recognised.
 *
 * @throws MODEL_REFUSED if no architecture recognises the names of the weights.
 */
export function buildNetwork(
  weights: NamedWeights,
  input: string,
): FinishedGraph & { architecture: string } {
  const state = new State(weights);
  const architecture = architectures.find((one) => one.recognises(state));
  if (!architecture)
    throw refused(
      `The architecture is not one of ${architectures.map(({ name }) => name).join(', ')}: its weights are called ${state.names().slice(0, 3).join(', ').slice(0, 160)} and so on. Bring the network as ONNX.`,
    );
  const graph = createGraph();
  const { output, channels } = architecture.build({ state, graph }, input);
  return { ...graph.finish(output, channels), architecture: architecture.name };
}
