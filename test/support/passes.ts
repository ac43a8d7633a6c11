/** One pass over a picture in memory, on the CPU, by rasters in files. */
import { join } from 'node:path';
import { openSession, type Session } from '../../electron/engine/inference/sessions/session.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import {
  createRaster,
  createSamples,
  type Raster,
  type RasterShape,
} from '../../electron/engine/raster/raster-file.ts';
import { runColumns, type ColumnPass } from '../../electron/engine/tiles/run-columns.ts';
import { runPass, type Pass, type PassReport } from '../../electron/engine/tiles/run-pass.ts';
import type { Precision } from '../../packages/contract/src/models/model.ts';
import type { Pixels } from './images.ts';
import { temporaryFolder } from './temporary-folder.ts';

const bitsOf = (picture: Pixels) => (picture.data instanceof Uint16Array ? 16 : 8);

interface PassResult extends PassReport {
  picture: Pixels;
}

/** The picture, or what is wanted of it, through the network in tiles of `tilePx`. */
export const passOver = (
  picture: Pixels,
  network: NetworkFile,
  session: Pick<Session, 'run'>,
  tilePx: number,
  options: Partial<Pick<Pass, 'region' | 'batch' | 'onTile' | 'throwIfCancelled'>> = {},
): Promise<PassResult> =>
  overRasters(picture, network, (input, output) =>
    runPass({
      input,
      output,
      network,
      tilePx,
      runTile: session.run,
      onTile: () => undefined,
      throwIfCancelled: () => undefined,
      ...options,
    }),
  );

/** The picture through the network in columns. */
export const columnsOver = (
  picture: Pixels,
  network: NetworkFile,
  openStream: ColumnPass['openStream'],
  options: Partial<Pick<ColumnPass, 'beforeStrip' | 'lanes'>> = {},
): Promise<PassResult> =>
  overRasters(picture, network, (input, output) =>
    runColumns({
      ...{ input, output, network, openStream },
      beforeStrip: () => Promise.resolve(),
      ...options,
    }),
  );

async function overRasters(
  picture: Pixels,
  network: NetworkFile,
  run: (input: Raster, output: Raster) => Promise<PassReport>,
): Promise<PassResult> {
  const folder = temporaryFolder();
  const bits = bitsOf(picture);
  const { width, height, channels } = picture;
  const own: RasterShape = { width, height, bands: channels, bits };
  const input = createRaster(join(folder, 'in.v'), own);
  input.writeRect({ x: 0, y: 0, width, height }, picture.data, 0, width * channels);
  const large = { ...own, width: width * network.scale, height: height * network.scale };
  const output = createRaster(join(folder, 'out.v'), large);
  try {
    const report = await run(input, output);
    const data = createSamples(large, large.width * large.height * channels);
    output.readRect({ x: 0, y: 0, ...large }, data, 0, large.width * channels);
    return { ...report, picture: { ...picture, data, width: large.width, height: large.height } };
  } finally {
    input.close();
    output.close();
  }
}

/** Runs with a session of the network, which is closed afterwards. */
export async function withSession<T>(
  network: NetworkFile,
  precision: Precision,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(network, precision, 'cpu');
  try {
    return await run(session);
  } finally {
    await session.close();
  }
}
