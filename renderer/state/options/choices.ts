/** Converts between the choices for a photo, as the page edits them, and the request that the API takes. */
import { formats, hasQuality as formatHasQuality } from '../../../packages/contract/src/formats.ts';
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import { defaultChoices, type Choices } from '../../../packages/contract/src/settings/page.ts';
import type { PrintSize } from '../../../packages/contract/src/options/print-size.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import {
  edgeChoices,
  finishingChoices,
  type AmountMask,
  type Operation,
  type RequestFields,
} from '../../../packages/contract/src/request.ts';
import { requestOf as submittedOf, type TaskRecord } from '../../../packages/contract/src/task.ts';
import { placeFor, type DestinationFacts } from './destination.ts';
import { fitToPhoto, photoSizeOf, type SizeFacts } from './fit-to-photo.ts';
import { paperOfTemplate, templateOfPrint } from './paper.ts';

export interface Request {
  operation: Operation;
  options: RequestFields;
}

export function hasQuality({ operation, format, maskOnly }: Choices): boolean {
  if (format === 'same') return operation === 'upscale';
  return formatHasQuality(format) && !(operation === 'remove-bg' && maskOnly);
}

/** Whether the result of a cut-out has transparent parts, where its format holds them. */
export const isTransparent = ({
  operation,
  background,
  backgroundImage,
  maskOnly,
}: Choices): boolean =>
  operation === 'remove-bg' && !maskOnly && background === 'transparent' && backgroundImage === '';

/** Whether the result of a cut-out has transparent parts, and its format holds none. */
export const losesTransparency = (choices: Choices): boolean =>
  choices.format !== 'same' && !formats[choices.format].alpha && isTransparent(choices);

interface PaintedFacts {
  /** Strokes over an enlargement change this area. */
  readonly amountMask?: AmountMask | undefined;
}

/**
 * Makes the request of choices. `strokes` were painted over `photo`. The result may be saved beside it, and is as large
 * as it needs; without a photo, such as for a preset, it can only be saved in a folder.
 */
export function requestOf(
  chosen: Choices,
  strokes: readonly Stroke[] = [],
  photo: DestinationFacts & SizeFacts & PaintedFacts = {},
): Request {
  const choices = fitToPhoto(chosen, photoSizeOf(photo));
  const { operation, bitDepth, metadata, quality } = choices;
  const name = templateOf(choices);
  const saveTo = placeFor(choices.saveTo, photo);
  const own =
    operation === 'upscale'
      ? { ...enlargementOf(choices), ...areaOf(choices, strokes, photo), format: choices.format }
      : cuttingOf(choices, strokes);
  const options: RequestFields = {
    ...own,
    bitDepth,
    metadata,
    ...(hasQuality(choices) && { quality }),
    ...savingIn(saveTo, choices),
    // A result that is only kept has this name once it is saved.
    ...(name !== '' && { name }),
  };
  return { operation, options };
}

/** Saves into a folder what is to be in it, which is known here alone, where versions are accepted and rejected. */
export const savingIn = (
  saveTo: string,
  { onConflict, onlyAccepted }: Pick<Choices, 'onConflict' | 'onlyAccepted'>,
): RequestFields =>
  saveTo === ''
    ? {}
    : { saveTo, onConflict, oneVersion: true, ...(onlyAccepted && { onlyAccepted }) };

/** The name template to request: a person's own, or one that says how large a print is. '' means the service's. */
export function templateOf(choices: Choices): string {
  const { name, operation, sizing } = choices;
  const isPrint = operation === 'upscale' && sizing === 'print';
  return name === '' && isPrint ? templateOfPrint(choices) : name;
}

const printSizeOf = ({ printSide, printMillimetres, printPpi }: Choices): PrintSize => ({
  side: printSide,
  millimetres: printMillimetres,
  ppi: printPpi,
});

/** Whether a photo is enlarged, alone or with its cut-out. */
export const enlarges = ({ operation, isEnlarged }: Choices): boolean =>
  operation === 'upscale' || isEnlarged;

/** Returns where an enlargement uses the model. An area that is only painted is no choice, and stays with its strokes. */
function areaOf(
  { amountMask: chosen }: Choices,
  strokes: readonly Stroke[],
  { amountMask: painted }: PaintedFacts,
): RequestFields {
  const isPainted = strokes.length > 0 && (painted === 'painted' || painted === 'everywhere');
  const amountMask = chosen || (isPainted ? painted : undefined);
  if (amountMask === undefined) return {};
  return { amountMask, ...(strokes.length > 0 && { strokes: [...strokes] }) };
}

/** Returns an enlargement, with the order of work if that is unusual. A mask is enlarged with its photo. */
export const enlargementOf = (choices: Choices): NonNullable<RequestFields['enlarge']> => ({
  ...sizedBy(choices),
  ...(choices.operation === 'remove-bg' && !choices.maskOnly && firstOf(choices)),
});

function sizedBy(choices: Choices): NonNullable<RequestFields['enlarge']> {
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
    ...unusual(choices, keysOf(finishingChoices)),
    ...(upscaler !== '' && { model: upscaler }),
  };
}

function cuttingOf(choices: Choices, strokes: readonly Stroke[]): RequestFields {
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

/** Returns which of enlarging and cutting out comes first, where that is unusual. */
const firstOf = ({ enlargeFirst }: Choices) =>
  enlargeFirst === defaultChoices.enlargeFirst ? {} : { first: enlargeFirst };

/** Returns the unusual options of the edge. A mask has no colours that could be freed. */
const edgeOf = (choices: Choices): RequestFields =>
  unusual(
    choices,
    keysOf(edgeChoices).filter((name) => !choices.maskOnly || name !== 'decontaminate'),
  );

const behindOf = ({ background, backgroundImage, shadow }: Choices): RequestFields => ({
  ...(backgroundImage === '' ? { background } : { backgroundImage }),
  ...(shadow > 0 && { shadow }),
});

const canvasOf = (choices: Choices): RequestFields => ({
  canvas: { width: choices.canvasWidth, height: choices.canvasHeight },
  subjectScale: choices.subjectScale,
  position: { x: choices.positionX, y: choices.positionY },
});

/**
 * Returns the choices about the canvas. Without a canvas, a scale or a position is about a canvas as large as
 * the photo, which the page does not offer.
 */
function placingIn({ canvas, subjectScale, position }: RequestFields): Partial<Choices> {
  return {
    isOnCanvas: canvas !== undefined,
    ...(canvas && { canvasWidth: canvas.width, canvasHeight: canvas.height }),
    ...(subjectScale !== undefined && { subjectScale }),
    ...(position && { positionX: Math.round(position.x), positionY: Math.round(position.y) }),
  };
}

/** The colours that requests also name, as the page has them. */
const hexOf: Partial<Record<string, string>> = { white: '#ffffff', black: '#000000' };

/** Returns the choices that a preset or a task asks for; fields that it leaves out are as usual. */
export function choicesOf({ operation, options }: Request): Choices {
  const { crop, background, maskOnly, enlarge, amountMask } = options;
  return withPaper({
    ...defaultChoices,
    saveTo: '',
    operation,
    ...sizeOf(options),
    ...(options.model !== undefined && {
      [operation === 'upscale' ? 'upscaler' : 'remover']: options.model,
    }),
    ...pick(options, ['format', 'quality', 'bitDepth', 'metadata']),
    ...pick(options, keysOf(finishingChoices)),
    ...((amountMask === 'subject' || amountMask === 'background') && { amountMask }),
    ...(enlarge && enlargingIn(enlarge)),
    ...pick(options, ['saveTo', 'name', 'onConflict', 'onlyAccepted']),
    ...(background !== undefined && { background: hexOf[background] ?? background }),
    ...pick(options, ['backgroundImage', 'shadow', ...keysOf(edgeChoices)]),
    ...placingIn(options),
    ...(maskOnly !== undefined && { maskOnly }),
    isCropped: crop !== undefined && crop !== false,
    cropMargin: typeof crop === 'number' ? crop : defaultChoices.cropMargin,
  });
}

/** Finds the paper of a print in the name template that the page requested for it. */
function withPaper(choices: Choices): Choices {
  const isPrint = choices.operation === 'upscale' && choices.sizing === 'print';
  const printPaper = isPrint ? paperOfTemplate(choices) : undefined;
  return printPaper === undefined ? choices : { ...choices, printPaper, name: '' };
}

function enlargingIn(enlarge: NonNullable<RequestFields['enlarge']>): Partial<Choices> {
  const { model, first } = enlarge;
  return {
    isEnlarged: true,
    ...sizeOf(enlarge),
    ...pick(enlarge, keysOf(finishingChoices)),
    ...(model !== undefined && { upscaler: model }),
    ...(first !== undefined && { enlargeFirst: first }),
  };
}

function sizeOf(options: RequestFields): Partial<Choices> {
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

/** Returns the unusual choices. The usual `keep` is not among them, and a submit does not know it. */
const unusual = (choices: Choices, names: readonly SharedField[]): RequestFields =>
  pickDefined(
    choices,
    names.filter((name) => choices[name] !== defaultChoices[name]),
  ) as RequestFields;

/** A submit names these fields as the choices do. */
type SharedField = Exclude<keyof RequestFields & keyof Choices, 'amountMask'>;

function pick(options: RequestFields, names: readonly SharedField[]): Partial<Choices> {
  return pickDefined(options, names);
}

/** Returns the choices of a task of the service. They are undefined for a task without a network. */
export function choicesOfRecord({
  operation,
  options,
}: Pick<TaskRecord, 'operation' | 'options'>): Choices | undefined {
  if (operation !== 'upscale' && operation !== 'remove-bg') return undefined;
  return choicesOf({ operation, options: submittedOf(options) });
}

/** Returns the value that all choices have in common; it is undefined where they differ. */
export function commonValue<Name extends keyof Choices>(
  all: readonly Choices[],
  name: Name,
): Choices[Name] | undefined {
  const first = all[0]?.[name];
  return all.every((choices) => choices[name] === first) ? first : undefined;
}
