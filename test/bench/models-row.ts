/**
 * A process that measures one network on one device, for `bench:models`: a driver may end it, and its memory is
 * its own. It is sent what to measure and sends what it found.
 */
import { readFileSync } from 'node:fs';
import type { Precision } from '../../packages/contract/src/models/model.ts';
import {
  compareSessions,
  measureSession,
  type Difference,
} from '../../electron/engine/inference/checks/check.ts';
import { firstLine } from '../../electron/engine/inference/devices/device-fault.ts';
import { openSession, type Session } from '../../electron/engine/inference/sessions/session.ts';
import type { TileSpeed } from '../../electron/engine/inference/measuring/tile-size.ts';
import type { NetworkFile, Provider } from '../../electron/engine/protocol/messages.ts';
import { smallestTilePx } from '../../electron/engine/tiles/tile-plan.ts';

export interface RowRequest {
  network: NetworkFile;
  precision: Precision;
  provider: Provider;
}

export type RowFound =
  | (TileSpeed & {
      /** Of this process at its peak, with the tile that is fastest; known on Linux only. */
      peakMegabytes: number | undefined;
      /** The largest side of the tiles that ran: each twice the one before. */
      largestPx: number;
      /** Why no larger one ran or was tried. */
      ended: string;
      difference: Difference;
    })
  | { failed: string };

/** A larger tile than this is not tried. */
const largestTried = 4096;
/** Nor one that would take longer. */
const patienceMs = 8000;

function peakMegabytes(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(found?.[1]) / 1024;
}

async function largestTile(network: NetworkFile, session: Session) {
  if (network.fixedPx !== undefined) return { largestPx: network.fixedPx, ended: 'fixed' };
  let largestPx = 0;
  const least = Math.max(128, smallestTilePx(network));
  for (let wanted = least; wanted <= largestTried; wanted *= 2) {
    const side = Math.ceil(wanted / network.multiple) * network.multiple;
    const before = performance.now();
    try {
      await session.run(new Float32Array(3 * side * side).fill(0.5), side, side);
    } catch (error) {
      return { largestPx, ended: firstLine(error).slice(0, 40) };
    }
    largestPx = side;
    if (4 * (performance.now() - before) > patienceMs) return { largestPx, ended: 'time' };
  }
  return { largestPx, ended: 'not tried' };
}

async function measure({ network, precision, provider }: RowRequest): Promise<RowFound> {
  try {
    const session = await openSession(network, precision, provider);
    const speed = await measureSession(network, session);
    const peak = peakMegabytes();
    const reference = await openSession(network, 'fp32', 'cpu');
    const { difference } = await compareSessions(network, session, reference);
    await reference.close();
    return { ...speed, peakMegabytes: peak, ...(await largestTile(network, session)), difference };
  } catch (error) {
    return { failed: firstLine(error) };
  }
}

process.once('message', (request: RowRequest) => {
  void measure(request).then((found) => process.send?.(found, () => process.exit()));
});
