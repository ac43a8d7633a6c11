/** Translates the names that other programs have for networks that enlarge into installed networks. */
import type { Operation } from '../../../electron/contract/request.ts';
import type { CompatModels, CompatSettings } from './pictures.ts';

export interface ModelChoiceDeps {
  models: CompatModels;
  settings: CompatSettings;
}

/** The ids of the installed models for an operation, in their order. */
export const modelIds = ({ models }: CompatModels, operation: Operation): string[] =>
  models.filter(({ task }) => task === operation).map(({ id }) => id);

export interface UpscaleWork {
  model: string;
  /** The name says this scale; it is undefined where the name says none. */
  scale?: number;
  /** The name is another program's, and the usual network is used in its place. */
  isStandIn?: true;
}

/** These are names that clients carry in their own lists, with the scale that each stands for. */
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
 * Finds an installed network by its id or name, or the usual network for a name that other programs know. The
 * answer is undefined for any other name.
 */
export function upscalerOf(
  name: string,
  { models, settings }: ModelChoiceDeps,
): UpscaleWork | undefined {
  const wanted = name.trim().toLowerCase();
  const found = models.models.find(
    (model) =>
      model.task === 'upscale' &&
      [model.id, model.name, shownName(model)].some((one) => one.toLowerCase() === wanted),
  );
  if (found) return { model: found.id };
  const scale = foreign.find(([pattern]) => pattern.test(name.trim()))?.[1];
  if (scale === undefined) return undefined;
  return { model: settings.get().defaultUpscaler, scale, isStandIn: true };
}

/** Answers the name by which lists of other programs show one of our networks. */
export const shownName = ({ name }: { name: string }) => `Enlarger ${name}`;
