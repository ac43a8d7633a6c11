/** Settings of the page, stored by the service, so that the window and browser tabs agree. */
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { themes } from '../bridge.ts';
import { anyScales, bitDepths, closed, oneOf, Quality, required } from '../common.ts';
import { outputFormats } from '../formats.ts';
import { PrintSize, printSides } from '../options/print-size.ts';
import {
  conflictRules,
  CropMargin,
  edgeChoices,
  enlargeOrders,
  finishingChoices,
  keepChoices,
  metadataChoices,
  operations,
  placingChoices,
  targetSizes,
} from '../request.ts';

export const sizings = ['scale', 'longEdge', 'width', 'height', 'megapixels', 'print'] as const;
export type Sizing = (typeof sizings)[number];

/** Defaults of a schema whose fields all have one. */
const defaultsOf = <T extends TProperties>({ properties }: TObject<T>) =>
  Object.fromEntries(
    Object.entries<{ default?: unknown }>(properties).map(([name, field]) => [name, field.default]),
  ) as Static<TObject<T>>;

const canvas = placingChoices.canvas.properties;
const position = placingChoices.position.properties;
const id = { maxLength: 100, description: "Model id, or '' for the default." };

/** Options of a photo as the page edits them. */
export const Choices = closed(
  {
    operation: oneOf(operations, { default: 'upscale' }),
    isEnlarged: Type.Boolean({
      default: false,
      description: 'Whether a cut-out is also enlarged, with the options for enlarging.',
    }),
    enlargeFirst: oneOf(enlargeOrders, {
      default: 'enlarge',
      description: 'Order of the two.',
    }),
    sizing: oneOf(sizings, { default: 'scale' }),
    scale: oneOf(anyScales, { default: 2 }),
    sidePx: Type.Integer({
      ...targetSizes.width,
      default: 3840,
      description: 'Length in pixels of the side named by sizing.',
    }),
    megapixels: Type.Number({ ...targetSizes.megapixels, default: 24 }),
    printPaper: Type.String({
      default: '',
      pattern: '^(\\d{1,5}(\\.\\d{1,2})?x\\d{1,5}(\\.\\d{1,2})?)?$',
      description:
        "Paper that a print covers, in millimetres, the shorter side first, such as 300x400; '': printMillimetres is the length of printSide.",
    }),
    printSide: oneOf(printSides, { default: 'longEdge' }),
    printMillimetres: Type.Number({ ...PrintSize.properties.millimetres, default: 300 }),
    printPpi: Type.Integer({ ...PrintSize.properties.ppi, default: 300 }),
    upscaler: Type.String({ default: '', ...id }),
    remover: Type.String({ default: '', ...id }),
    format: oneOf([...outputFormats, 'same'], { default: 'same' }),
    quality: Type.Integer({ ...Quality, default: 92 }),
    bitDepth: oneOf([...bitDepths, 'same'], { default: 'same' }),
    metadata: oneOf(metadataChoices, { default: 'keep' }),
    ...required(finishingChoices),
    keep: oneOf(['', ...keepChoices], {
      default: '',
      description: "What the result keeps of the photo; '': nothing is corrected.",
    }),
    amountMask: oneOf(['', 'subject', 'background'], {
      default: '',
      description: "Where the network's result is used; '': everywhere.",
    }),
    background: Type.String({
      default: 'transparent',
      minLength: 1,
      maxLength: 32,
      description: "'transparent', 'blur' or a colour such as #ffffff.",
    }),
    backgroundImage: Type.String({
      default: '',
      maxLength: 16_384,
      description: "Address of a background picture, in place of background; '': none.",
    }),
    ...required({ shadow: placingChoices.shadow, ...edgeChoices }),
    isOnCanvas: Type.Boolean({ default: false }),
    canvasWidth: Type.Integer({ ...canvas.width, default: 2000 }),
    canvasHeight: Type.Integer({ ...canvas.height, default: 2000 }),
    subjectScale: Type.Integer({ ...placingChoices.subjectScale, default: 85 }),
    positionX: Type.Number({ ...position.x, default: 50 }),
    positionY: Type.Number({ ...position.y, default: 50 }),
    isCropped: Type.Boolean({ default: false }),
    cropMargin: Type.Integer({
      ...CropMargin,
      default: 5,
      description: 'Margin around the subject in percent of its longer side.',
    }),
    maskOnly: Type.Boolean({ default: false }),
    saveTo: Type.String({
      default: '.',
      maxLength: 4096,
      description:
        "A granted folder; '.' or './name': the photo's own folder or one in it; '': not saved, the result is available for a day.",
    }),
    name: Type.String({
      default: '',
      maxLength: 255,
      description: "Name template; '': the default.",
    }),
    onConflict: oneOf(conflictRules, { default: 'number' }),
    onlyAccepted: Type.Boolean({
      default: false,
      description: 'Whether results are saved into saveTo only once they are accepted.',
    }),
  },
  { default: {}, description: 'Options for photos added in the page.' },
);
export type Choices = Static<typeof Choices>;

export const defaultChoices: Choices = defaultsOf(Choices);

/**
 * `slider`: both under a divider; `side`: side by side; `result`: the result alone; `versions`: all versions
 * and the source side by side.
 */
export const compareModes = ['slider', 'side', 'result', 'versions'] as const;
export type CompareMode = (typeof compareModes)[number];

/** `single`: one photo; `strip`: with a filmstrip; `grid`: thumbnails. */
export const layouts = ['single', 'strip', 'grid'] as const;
export type PageLayout = (typeof layouts)[number];

/**
 * `added`: order of addition; `captured`: capture time, photos without one last; `done`: ended ones first;
 * `queue`: order of processing, ended ones last.
 */
const listOrders = ['added', 'name', 'captured', 'done', 'queue'] as const;
export type ListOrder = (typeof listOrders)[number];

const colour = '#[0-9A-Fa-f]{6}';

export const PageSettings = closed(
  {
    singleKeys: Type.Boolean({
      default: true,
      description: 'Whether single-key shortcuts are on.',
    }),
    compare: oneOf(compareModes, { default: 'slider' }),
    ground: Type.String({
      default: 'checker',
      pattern: `^(checker|${colour})$`,
      description: "Backdrop behind transparent pixels: 'checker', or a colour such as #ffffff.",
    }),
    ownGround: Type.String({
      default: '#3c7a4b',
      pattern: `^${colour}$`,
      description: 'Last colour picked for the backdrop.',
    }),
    locksView: Type.Boolean({
      default: true,
      description: 'Whether zoom and position are kept from photo to photo.',
    }),
    layout: oneOf(layouts, { default: 'single' }),
    order: oneOf(listOrders, {
      default: 'added',
      description: 'Order of the photos in the list.',
    }),
    showsMore: Type.Boolean({
      default: false,
      description: 'Whether the section More options is open.',
    }),
    tileSizePx: Type.Integer({
      default: 176,
      minimum: 96,
      maximum: 480,
      description: 'Thumbnail size in review, in CSS pixels.',
    }),
    offersModels: Type.Boolean({
      default: true,
      description: 'Whether the recommended models are offered while no photo is listed.',
    }),
    printUnit: oneOf(['system', 'cm', 'in'], {
      default: 'system',
      description: "Unit for print sizes; 'system': by the region.",
    }),
    theme: oneOf(themes, { default: 'system' }),
    language: Type.String({
      default: 'system',
      pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
      description: "BCP 47 language tag, or 'system'.",
    }),
  },
  { default: {}, description: 'Preferences for the page.' },
);
export type PageSettings = Static<typeof PageSettings>;

export const defaultPageSettings: PageSettings = defaultsOf(PageSettings);
