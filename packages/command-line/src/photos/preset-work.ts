/** Puts a preset's options beneath those of the command line. All here is pure. */
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { RequestFields } from '../../../contract/src/request.ts';
import { sizeFields } from '../../../contract/src/request.ts';
import type { Preset } from '../../../contract/src/settings/preset.ts';
import type { PhotoCommand } from './photo-commands.ts';
import { assertBackground, defaultScale, idleOptionError } from './photo-options.ts';
import type { ProcessOptions, PhotoOperation } from './result-target.ts';
import { t } from '../text.ts';

const commandOf = { upscale: 'upscale', 'remove-bg': 'cutout' } as const;

/**
 * What stands on the command line wins: a size replaces the preset's size, a background its background.
 *
 * @throws InvalidArgumentError for a preset of the other operation, and for options that contradict each other
 */
export function optionsWithPreset(
  command: Pick<PhotoCommand, 'options' | 'out' | 'hasOwnName' | 'hasOwnConflictRule'>,
  { name: presetName, operation, options: presetOptions }: Preset,
): ProcessOptions {
  const { options, out, hasOwnName, hasOwnConflictRule } = command;
  if (operation !== options.work.operation)
    throw new InvalidArgumentError(
      t('--preset: {preset} is for `enlarger {command}`.', {
        preset: presetName,
        command: commandOf[operation],
      }),
    );
  const { saveTo, name, onConflict, ...rest }: RequestFields = presetOptions;
  return {
    ...options,
    work: mergedWork(options.work, rest),
    ...(out === undefined && saveTo !== undefined && placeOf(saveTo)),
    ...(name !== undefined && !hasOwnName && { nameTemplate: name }),
    ...(onConflict !== undefined && !hasOwnConflictRule && { onConflict }),
  };
}

/** A preset saves into an absolute folder, or with '.' and './name' beside each photo or below its folder. */
const placeOf = (saveTo: string): Pick<ProcessOptions, 'outDir' | 'subfolder'> =>
  path.isAbsolute(saveTo) ? { outDir: saveTo } : { outDir: undefined, subfolder: saveTo };

function mergedWork(work: PhotoOperation, preset: RequestFields): PhotoOperation {
  if (work.operation === 'upscale') {
    const body = { ...withoutReplaced(preset, work.body), ...work.body };
    return { ...work, body: isSized(body) ? body : { ...body, ...defaultScale } };
  }
  const { enlarge } = work.body;
  const body = { ...withoutReplaced(preset, work.body), ...work.body };
  const enlarging =
    preset.enlarge && enlarge
      ? { ...withoutReplaced(preset.enlarge, enlarge), ...enlarge }
      : (enlarge ?? preset.enlarge);
  const [idle] = Object.keys(enlarge ?? {});
  if (idle !== undefined && !preset.enlarge && !isSized(enlarge ?? {})) throw idleOptionError(idle);
  assertBackground(body);
  return { ...work, body: { ...body, ...(enlarging && { enlarge: enlarging }) } };
}

const isSized = (options: object) => sizeFields.some((field) => field in options);

const backgroundFields = ['background', 'backgroundImage'] as const;

/** Leaves out fields of which the command line has a counterpart under another name. */
function withoutReplaced<T extends object>(preset: T, own: object): T {
  const replaced = [sizeFields, backgroundFields]
    .filter((fields) => fields.some((field) => field in own))
    .flat();
  const entries = Object.entries(preset).filter(
    ([field]) => !replaced.some((one) => one === field),
  );
  return Object.fromEntries(entries) as T;
}
