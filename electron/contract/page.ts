/** What the page keeps among the service's settings, so that the window and a browser's tab show the same. */
import { Type, type Static } from 'typebox';
import { themes } from './bridge.ts';
import { anyScales, bitDepths, closed, oneOf } from './common.ts';
import { outputFormats } from './formats.ts';
import { PrintSize, printSides } from './print-size.ts';
import {
  conflictRules,
  enlargeOrders,
  Grain,
  keepChoices,
  metadataChoices,
  operations,
  Restore,
} from './submit.ts';

export const sizings = ['scale', 'longEdge', 'width', 'height', 'megapixels', 'print'] as const;
export type Sizing = (typeof sizings)[number];

const usual = {
  operation: 'upscale',
  isEnlarged: false,
  enlargeFirst: 'enlarge',
  sizing: 'scale',
  scale: 2,
  sidePx: 3840,
  megapixels: 24,
  printSide: 'longEdge',
  printMillimetres: 300,
  printPpi: 300,
  upscaler: '',
  remover: '',
  format: 'same',
  quality: 92,
  bitDepth: 'same',
  metadata: 'keep',
  sharpen: 0,
  restore: 'auto',
  grain: 0,
  keep: '',
  background: 'transparent',
  backgroundImage: '',
  shadow: 0,
  feather: 0,
  decontaminate: 100,
  isOnCanvas: false,
  canvasWidth: 2000,
  canvasHeight: 2000,
  subjectScale: 85,
  positionX: 50,
  positionY: 50,
  isCropped: false,
  cropMargin: 5,
  maskOnly: false,
  saveTo: '.',
  name: '',
  onConflict: 'number',
} as const;

const id = { maxLength: 100, description: "A model's id, or '' for the usual one." };

/** What is done with a photo, as the page edits it. */
export const Choices = closed(
  {
    operation: oneOf(operations, { default: usual.operation }),
    isEnlarged: Type.Boolean({
      default: usual.isEnlarged,
      description: 'Whether a cut-out is enlarged, too, as the settings of enlarging say.',
    }),
    enlargeFirst: oneOf(enlargeOrders, {
      default: usual.enlargeFirst,
      description: 'What comes first then.',
    }),
    sizing: oneOf(sizings, { default: usual.sizing }),
    scale: oneOf(anyScales, { default: usual.scale }),
    sidePx: Type.Integer({
      default: usual.sidePx,
      minimum: 1,
      maximum: 1_000_000,
      description: 'Pixels of the side that sizing names.',
    }),
    megapixels: Type.Number({
      default: usual.megapixels,
      exclusiveMinimum: 0,
      maximum: 100_000,
    }),
    printSide: oneOf(printSides, { default: usual.printSide }),
    printMillimetres: Type.Number({
      ...PrintSize.properties.millimetres,
      default: usual.printMillimetres,
    }),
    printPpi: Type.Integer({ ...PrintSize.properties.ppi, default: usual.printPpi }),
    upscaler: Type.String({ default: usual.upscaler, ...id }),
    remover: Type.String({ default: usual.remover, ...id }),
    format: oneOf([...outputFormats, 'same'], { default: usual.format }),
    quality: Type.Integer({ default: usual.quality, minimum: 1, maximum: 100 }),
    bitDepth: oneOf([...bitDepths, 'same'], { default: usual.bitDepth }),
    metadata: oneOf(metadataChoices, { default: usual.metadata }),
    sharpen: Type.Integer({ default: usual.sharpen, minimum: 0, maximum: 100 }),
    restore: Type.Union(Restore.anyOf, { default: usual.restore }),
    grain: Type.Union(Grain.anyOf, { default: usual.grain }),
    keep: oneOf(['', ...keepChoices], {
      default: usual.keep,
      description: "What of the photo the result is brought back to; '': nothing.",
    }),
    background: Type.String({
      default: usual.background,
      minLength: 1,
      maxLength: 32,
      description: "'transparent', 'blur' or a colour such as #ffffff.",
    }),
    backgroundImage: Type.String({
      default: usual.backgroundImage,
      maxLength: 16_384,
      description: "The address of a picture in background's place; '': none.",
    }),
    shadow: Type.Integer({ default: usual.shadow, minimum: 0, maximum: 100 }),
    feather: Type.Integer({ default: usual.feather, minimum: 0, maximum: 200 }),
    decontaminate: Type.Integer({ default: usual.decontaminate, minimum: 0, maximum: 100 }),
    isOnCanvas: Type.Boolean({ default: usual.isOnCanvas }),
    canvasWidth: Type.Integer({ default: usual.canvasWidth, minimum: 1, maximum: 100_000 }),
    canvasHeight: Type.Integer({ default: usual.canvasHeight, minimum: 1, maximum: 100_000 }),
    subjectScale: Type.Integer({ default: usual.subjectScale, minimum: 1, maximum: 100 }),
    positionX: Type.Integer({ default: usual.positionX, minimum: 0, maximum: 100 }),
    positionY: Type.Integer({ default: usual.positionY, minimum: 0, maximum: 100 }),
    isCropped: Type.Boolean({ default: usual.isCropped }),
    cropMargin: Type.Integer({
      default: usual.cropMargin,
      minimum: 0,
      maximum: 100,
      description: "Percent of the subject's longer side that is left around it.",
    }),
    maskOnly: Type.Boolean({ default: usual.maskOnly }),
    saveTo: Type.String({
      default: usual.saveTo,
      maxLength: 4096,
      description:
        "A granted folder; '.' or './name': beside the photo where it is read from a folder; '': the result is only kept for a day.",
    }),
    name: Type.String({
      default: usual.name,
      maxLength: 255,
      description: "A name template; '': the service's own.",
    }),
    onConflict: oneOf(conflictRules, { default: usual.onConflict }),
  },
  { default: {}, description: 'What is done with photos that are added to the page.' },
);
export type Choices = Static<typeof Choices>;

export const usualChoices: Choices = usual;

/**
 * slider: both in one place under a divider. side: beside each other. result: the result alone. versions: all
 * versions of the photo and its source beside each other.
 */
export const compareModes = ['slider', 'side', 'result', 'versions'] as const;
export type CompareMode = (typeof compareModes)[number];

/** single: one photo. strip: a strip of all below it. grid: all as small pictures. */
export const layouts = ['single', 'strip', 'grid'] as const;
export type Layout = (typeof layouts)[number];

/**
 * added: as they were dropped. captured: as they were taken, what does not tell it last. done: what has ended
 * first. queue: as they run, what has ended last.
 */
const listOrders = ['added', 'name', 'captured', 'done', 'queue'] as const;
export type ListOrder = (typeof listOrders)[number];

const colour = '#[0-9A-Fa-f]{6}';

export const usualPage = {
  singleKeys: true,
  compare: 'slider',
  ground: 'checker',
  ownGround: '#3c7a4b',
  locksView: true,
  layout: 'single',
  order: 'added',
  theme: 'system',
  language: 'system',
} as const;

export const PageSettings = closed(
  {
    singleKeys: Type.Boolean({
      default: usualPage.singleKeys,
      description: 'Whether shortcuts work that are one key without Ctrl.',
    }),
    compare: oneOf(compareModes, { default: usualPage.compare }),
    ground: Type.String({
      default: usualPage.ground,
      pattern: `^(checker|${colour})$`,
      description: "What lies behind a cut-out: 'checker', or a colour such as #ffffff.",
    }),
    ownGround: Type.String({
      default: usualPage.ownGround,
      pattern: `^${colour}$`,
      description: 'The colour that was picked by eye last.',
    }),
    locksView: Type.Boolean({
      default: usualPage.locksView,
      description: 'Whether zoom and position stay from photo to photo.',
    }),
    layout: oneOf(layouts, { default: usualPage.layout }),
    order: oneOf(listOrders, {
      default: usualPage.order,
      description: 'In which photos are listed.',
    }),
    theme: oneOf(themes, { default: usualPage.theme }),
    language: Type.String({
      default: usualPage.language,
      pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
      description: "The tag of a language, or 'system'.",
    }),
  },
  { default: {}, description: 'How a person works with the page.' },
);
export type PageSettings = Static<typeof PageSettings>;
