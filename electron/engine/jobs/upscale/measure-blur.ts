/** Measures a photo's blur, by the network of blur that belongs to an upscaling network. */
import { readBlurPatches } from '../../analysis/blur-patches.ts';
import type { YieldTurn } from '../../cancellation/yield.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { Blur, Damage } from '../../protocol/damage.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import type { Raster } from '../../raster/raster-file.ts';

/**
 * Reads the patches of a photo and begins to measure their blur, beside what this thread does next.
 *
 * @returns undefined if the network is not conditioned by blur, or the picture is too small
 * @throws the reason of the aborted signal
 */
export async function beginBlur(
  { jpegQuality }: Pick<Damage, 'jpegQuality'>,
  raster: Pick<Raster, 'shape' | 'readRect'>,
  network: Pick<NetworkFile, 'blurNetwork'> | undefined,
  inference: Pick<InferenceThread, 'measureBlur'>,
  yieldTurn: YieldTurn,
): Promise<{ blur: Promise<Blur> } | undefined> {
  if (!network?.blurNetwork) return undefined;
  const patches = await readBlurPatches(raster, yieldTurn);
  if (!patches) return undefined;
  const blur = inference.measureBlur({
    network: network.blurNetwork,
    patches,
    ...(jpegQuality !== undefined && { jpegQuality }),
  });
  return { blur };
}

/** Adds the blur to the damage. @throws EnlargerError, and as `beginBlur` */
export async function withBlur(
  damage: Damage,
  ...of: Parameters<typeof beginBlur> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Damage> {
  const begun = await beginBlur(damage, ...of);
  return begun ? { ...damage, blur: await begun.blur } : damage;
}
