/** The first half of a cut-out: the picture small, in sRGB, through the network that finds its subject. */
import type { MaskDone } from '../inference/protocol.ts';
import type { InferenceThread } from '../inference/thread.ts';
import type { CutoutJob } from '../protocol.ts';
import { toDisplay, type OwnColours } from '../raster/display-colours.ts';
import { hasAlpha, type Raster } from '../raster/raster-file.ts';
import { certainParts } from './certain-parts.ts';
import { sizeForNetwork, tensorOf } from './mask-tensor.ts';
import { reduceRaster, type SmallPicture } from './reduce-raster.ts';

/** @param icc absent: the picture's numbers are sRGB's */
export async function findMask(
  { network, device, scratchDir }: Pick<CutoutJob, 'network' | 'device' | 'scratchDir'>,
  source: Raster,
  icc: Buffer | undefined,
  inference: Pick<InferenceThread, 'runMask'>,
  signal: AbortSignal,
): Promise<MaskDone> {
  const size = sizeForNetwork(network.size, source.shape);
  const { bands, data } = coloursOnWhite(await reduceRaster(source, size, signal));
  const colours = await toDisplay({ ...size, bands, data, icc }, scratchDir);
  const tensor = tensorOf(colours, network);
  const done = await inference.runMask({ network, tensor, ...size, device }, signal);
  // What a matting network leaves faint is faint: glass, smoke, a veil.
  return network.matting ? done : { ...done, mask: certainParts(done.mask) };
}

/** What is transparent stands on white, as the pictures that networks learn from. */
export function coloursOnWhite({
  width,
  height,
  bands,
  data,
}: SmallPicture): Pick<OwnColours, 'bands' | 'data'> {
  const colours = bands < 3 ? 1 : 3;
  const isClear = hasAlpha({ width, height, bands, bits: 8 });
  const flat = Float32Array.from({ length: width * height * colours }, (_, i) => {
    const pixel = Math.floor(i / colours) * bands;
    const alpha = isClear ? (data[pixel + bands - 1] as number) : 1;
    return 1 + ((data[pixel + (i % colours)] as number) - 1) * alpha;
  });
  return { bands: colours, data: flat };
}
