/** Names that other programs have for upscaling networks. */
import type { CompatModels, CompatSettings } from './pictures.ts';

export interface ModelChoiceDeps {
  models: CompatModels;
  settings: CompatSettings;
}

export interface UpscaleWork {
  model: string;
  /** Scale in the name; undefined if it has none. */
  scale?: number;
  /** Another program's name, for which the default network is used. */
  isStandIn?: true;
}

/** Names that clients have in their own lists, with their scale. */
const foreign: readonly (readonly [RegExp, number])[] = [
  [/^real-?esrgan[-_ ]?x4plus([-_ ]anime.*)?$/i, 4],
  [/^real-?esrgan[-_ ]?x2plus$/i, 2],
  [/^realesr-(general|animevideo).*$/i, 4],
  [/^r-esrgan (4x\+( anime6b)?|general 4xv3|general wdn 4xv3)$/i, 4],
  [/^r-esrgan 2x\+$/i, 2],
  [/^(esrgan|swinir|dat|ldsr|scunet)[-_ ]?(x?4x?)?( gan| psnr)?$/i, 4],
  [/^4x[-_]?ultrasharp$/i, 4],
];

/**
 * An installed network by id or name, or the default network for a name that other programs know; undefined
 * for other names.
 */
export function upscalerOf(
  name: string,
  { models, settings }: ModelChoiceDeps,
): UpscaleWork | undefined {
  const normalised = name.trim().toLowerCase();
  const found = models.models.find(
    (model) =>
      model.task === 'upscale' &&
      [model.id, model.name, shownName(model)].some((one) => one.toLowerCase() === normalised),
  );
  if (found) return { model: found.id };
  const scale = foreign.find(([pattern]) => pattern.test(name.trim()))?.[1];
  if (scale === undefined) return undefined;
  return { model: settings.get().defaultUpscaler, scale, isStandIn: true };
}

/** Name of a network in lists of other programs. */
export const shownName = ({ name }: { name: string }) => `Enlarger ${name}`;
