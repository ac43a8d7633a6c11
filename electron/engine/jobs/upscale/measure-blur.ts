/** Measures a photo's blur, by the network of blur that belongs to an upscaling network. */
import { readBlurPatches } from '../../analysis/blur-patches.ts';
import type { YieldTurn } from '../../cancellation/yield.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { Damage } from '../../protocol/damage.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import type { Raster } from '../../raster/raster-file.ts';

/**
 * Adds the blur to the damage, if the network is conditioned by it and the picture is large enough.
 *
 * @throws EnlargerError, and the reason of the aborted signal
 */
export async function withBlur(
  damage: Damage,
  raster: Pick<Raster, 'shape' | 'readRect'>,
  network: Pick<NetworkFile, 'blurNetwork'> | undefined,
  inference: Pick<InferenceThread, 'measureBlur'>,
  yieldTurn: YieldTurn,
): Promise<Damage> {
  if (!network?.blurNetwork) return damage;
  const patches = await readBlurPatches(raster, yieldTurn);
  if (!patches) return damage;
  const { jpegQuality } = damage;
  const blur = await inference.measureBlur({
    network: network.blurNetwork,
    patches,
    ...(jpegQuality !== undefined && { jpegQuality }),
  });
  return { ...damage, blur };
}
