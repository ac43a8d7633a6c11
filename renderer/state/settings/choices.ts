/** What is done with a photo, as the page edits it, and the same as the API takes it. */
import { hasQuality as formatHasQuality } from '../../../electron/contract/formats.ts';
import { given, namesOf } from '../../../electron/contract/given.ts';
import { usualChoices, type Choices } from '../../../electron/contract/page.ts';
import type { PrintSize } from '../../../electron/contract/print-size.ts';
import type { Stroke } from '../../../electron/contract/strokes.ts';
import {
  requestOf as submittedOf,
  type RequestFields,
} from '../../../electron/contract/request.ts';
import {
  edgeChoices,
  finishingChoices,
  type Operation,
} from '../../../electron/contract/submit.ts';
import type { TaskRecord } from '../../../electron/contract/task.ts';

import { placeFor, type Placed } from './destination.ts';

/** A submit without its picture. Presets hold the same. */
export type Options = RequestFields;
interface Request {
  operation: Operation;
  options: Options;
}

export function hasQuality({ operation, format, maskOnly }: Choices): boolean {
  if (format === 'same') return operation === 'upscale';
  return formatHasQuality(format) && !(operation === 'remove-bg' && maskOnly);
}

/**
 * `strokes`: what was painted over a cut-out; an enlargement has none. `photo`: whose result may be saved
 * beside it; without one, such as for a preset, only a folder is a place.
 */
export function requestOf(
  choices: Choices,
  strokes: readonly Stroke[] = [],
  photo: Placed = {},
): Request {
  const { operation, bitDepth, metadata, quality, name, onConflict } = choices;
  const saveTo = placeFor(choices.saveTo, photo);
  const own = operation === 'upscale' ? enlargingOf(choices) : cuttingOf(choices, strokes);
  const options: Options = {
    ...own,
    bitDepth,
    metadata,
    ...(hasQuality(choices) && { quality }),
    ...(saveTo !== '' && { saveTo, onConflict }),
    ...(saveTo !== '' && name !== '' && { name }),
  };
  return { operation, options };
}

const printSizeOf = ({ printSide, printMillimetres, printPpi }: Choices): PrintSize => ({
  side: printSide,
  millimetres: printMillimetres,
  ppi: printPpi,
});

/** Whether a photo is enlarged, alone or with its cut-out. */
export const enlarges = ({ operation, isEnlarged }: Choices): boolean =>
  operation === 'upscale' || isEnlarged;

const enlargingOf = (choices: Choices): Options => ({
  ...enlargementOf(choices),
  format: choices.format,
});

/** With the order where it is not the usual one, and is about more than the mask. */
export const enlargementOf = (choices: Choices): NonNullable<Options['enlarge']> => ({
  ...sizedBy(choices),
  ...(choices.operation === 'remove-bg' && !choices.maskOnly && firstOf(choices)),
});

function sizedBy(choices: Choices): NonNullable<Options['enlarge']> {
  const { sizing, scale, sidePx, megapixels, upscaler, restore } = choices;
  const size =
    sizing === 'print'
      ? { printSize: printSizeOf(choices) }
      : sizing === 'scale'
        ? { scale }
        : sizing === 'megapixels'
          ? { megapixels }
          : { [sizing]: sidePx };
  const isCleaning = sizing === 'scale' && scale === 1;
  return {
    ...size,
    ...(isCleaning && { restore }),
    ...unusual(choices, namesOf(finishingChoices)),
    ...(upscaler !== '' && { model: upscaler }),
  };
}

function cuttingOf(choices: Choices, strokes: readonly Stroke[]): Options {
  const { isCropped, cropMargin, maskOnly, remover, format } = choices;
  return {
    ...(maskOnly ? { maskOnly } : behindOf(choices)),
    ...(choices.isOnCanvas && canvasOf(choices)),
    ...(isCropped && { crop: cropMargin }),
    ...(choices.isEnlarged && { enlarge: enlargementOf(choices) }),
    ...edgeOf(choices),
    ...(strokes.length > 0 && { strokes: [...strokes] }),
    ...(format !== 'same' && { format }),
    ...(remover !== '' && { model: remover }),
  };
}

/** A mask is enlarged with its photo. */
const firstOf = ({ enlargeFirst }: Choices) =>
  enlargeFirst === usualChoices.enlargeFirst ? {} : { first: enlargeFirst };

/** A mask has no colours. */
const edgeOf = (choices: Choices): Options =>
  unusual(
    choices,
    namesOf(edgeChoices).filter((name) => !choices.maskOnly || name !== 'decontaminate'),
  );

const behindOf = ({ background, backgroundImage, shadow }: Choices): Options => ({
  ...(backgroundImage === '' ? { background } : { backgroundImage }),
  ...(shadow > 0 && { shadow }),
});

const canvasOf = (choices: Choices): Options => ({
  canvas: { width: choices.canvasWidth, height: choices.canvasHeight },
  subjectScale: choices.subjectScale,
  position: { x: choices.positionX, y: choices.positionY },
});

/** A scale or a position without a canvas is of one as large as the photo, which the page does not offer. */
function placingIn({ canvas, subjectScale, position }: Options): Partial<Choices> {
  return {
    isOnCanvas: canvas !== undefined,
    ...(canvas && { canvasWidth: canvas.width, canvasHeight: canvas.height }),
    ...(subjectScale !== undefined && { subjectScale }),
    ...(position && { positionX: Math.round(position.x), positionY: Math.round(position.y) }),
  };
}

/** What a preset or a task asks for; what it leaves out is as usual. */
export function choicesOf({ operation, options }: Request): Choices {
  const { crop, background, maskOnly, enlarge } = options;
  return {
    ...usualChoices,
    saveTo: '',
    operation,
    ...sizeOf(options),
    ...(options.model !== undefined && {
      [operation === 'upscale' ? 'upscaler' : 'remover']: options.model,
    }),
    ...pick(options, ['format', 'quality', 'bitDepth', 'metadata']),
    ...pick(options, namesOf(finishingChoices)),
    ...(enlarge && enlargingIn(enlarge)),
    ...pick(options, ['saveTo', 'name', 'onConflict']),
    ...(background !== undefined && { background }),
    ...pick(options, ['backgroundImage', 'shadow', ...namesOf(edgeChoices)]),
    ...placingIn(options),
    ...(maskOnly !== undefined && { maskOnly }),
    isCropped: crop !== undefined && crop !== false,
    cropMargin: typeof crop === 'number' ? crop : usualChoices.cropMargin,
  };
}

function enlargingIn(enlarge: NonNullable<Options['enlarge']>): Partial<Choices> {
  const { model, first } = enlarge;
  return {
    isEnlarged: true,
    ...sizeOf(enlarge),
    ...pick(enlarge, namesOf(finishingChoices)),
    ...(model !== undefined && { upscaler: model }),
    ...(first !== undefined && { enlargeFirst: first }),
  };
}

function sizeOf(options: Options): Partial<Choices> {
  const { scale, megapixels, printSize } = options;
  if (printSize !== undefined) {
    const { side, millimetres, ppi } = printSize;
    return { sizing: 'print', printSide: side, printMillimetres: millimetres, printPpi: ppi };
  }
  if (megapixels !== undefined) return { sizing: 'megapixels', megapixels };
  for (const sizing of ['longEdge', 'width', 'height'] as const) {
    const sidePx = options[sizing];
    if (sidePx !== undefined) return { sizing, sidePx };
  }
  return scale === undefined ? {} : { sizing: 'scale', scale };
}

/** Those that are not as usual; the usual `keep` is the one that a submit does not know. */
const unusual = (choices: Choices, names: readonly Shared[]): Options =>
  given(
    choices,
    names.filter((name) => choices[name] !== usualChoices[name]),
  ) as Options;

/** What a submit names as the choices do. */
type Shared = keyof Options & keyof Choices;

function pick(options: Options, names: readonly Shared[]): Partial<Choices> {
  return given(options, names);
}

/** Of a task of the service; undefined for one that no network ran for. */
export function choicesOfRecord({
  operation,
  options,
}: Pick<TaskRecord, 'operation' | 'options'>): Choices | undefined {
  if (operation !== 'upscale' && operation !== 'remove-bg') return undefined;
  return choicesOf({ operation, options: submittedOf(options) });
}

/** The value that all have in common; undefined where they differ. */
export function commonValue<Name extends keyof Choices>(
  all: readonly Choices[],
  name: Name,
): Choices[Name] | undefined {
  const first = all[0]?.[name];
  return all.every((choices) => choices[name] === first) ? first : undefined;
}
