/** Plain onnxruntime-node in a process of its own, which shares no settings with the product. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { engineEnvironment } from '../../../electron/engine/host/engine-environment.ts';
import type { BareCost, BareNetwork, BareReply, BareRequest, Tile } from './bare-protocol.ts';

export interface BareRunner {
  /** Median seconds of each tile. @throws what onnxruntime throws */
  compare(network: BareNetwork, tiles: Tile[], rounds: number): Promise<number[]>;
  /** Runs one tile `count` times. @throws what onnxruntime throws */
  repeat(network: BareNetwork, tile: Tile, count: number): Promise<BareCost>;
  close(): void;
}

export function startBare(): BareRunner {
  const env = engineEnvironment();
  const child = fork(join(import.meta.dirname, 'bare-process.ts'), { env });
  const request = async (message: BareRequest): Promise<Exclude<BareReply, { error: string }>> => {
    child.send(message);
    const [reply] = (await once(child, 'message')) as [BareReply];
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  };
  return {
    async compare(network, tiles, rounds) {
      const reply = await request({ network, compare: tiles, rounds });
      return 'medians' in reply ? reply.medians : [];
    },
    async repeat(network, tile, count) {
      const reply = await request({ network, repeat: tile, count });
      if ('cost' in reply) return reply.cost;
      throw new Error('Expected a cost');
    },
    close: () => child.disconnect(),
  };
}
