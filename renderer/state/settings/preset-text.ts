/** Words in a line what a preset holds, so that a person sees it before applying the preset. */
import { formats } from '../../../packages/contract/src/formats.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { hasQuality, isTransparent } from '../options/choices.ts';
import { destinationOf } from '../options/destination.ts';
import { sizeBadge } from '../photo/phase.ts';
import { percentText, text } from '../../text/text.ts';
import { dialParts } from './dial-parts.ts';
import { sizingNames } from './sizing-names.ts';

type NameOfModel = (id: string) => string;

export const presetText = (choices: Choices, nameOfModel: NameOfModel): string =>
  settingsParts(choices, nameOfModel).join(', ');

/** Words the settings one by one, without most of those that are as usual. */
export const settingsParts = (choices: Choices, nameOfModel: NameOfModel = String): string[] => [
  ...(choices.operation === 'upscale'
    ? enlarging(choices, nameOfModel)
    : cutting(choices, nameOfModel)),
  ...output(choices),
];

function enlarging(choices: Choices, nameOfModel: NameOfModel): string[] {
  const { operation, sizing, upscaler, keep, amountMask, isOnCanvas } = choices;
  const isSide = sizing === 'longEdge' || sizing === 'width' || sizing === 'height';
  const size = isSide ? `${sizingNames[sizing]} ${sizeBadge(choices)}` : sizeBadge(choices);
  // A canvas, which is named by its size, sets that of its subject.
  const isByCanvas = operation === 'remove-bg' && isOnCanvas;
  return [
    isByCanvas ? text.canvasEnlarge : `${text.enlarge} ${size}`,
    ...(upscaler === '' ? [] : [`${text.model} ${nameOfModel(upscaler)}`]),
    ...dialParts(choices),
    ...(amountMask === '' ? [] : [amountNames[amountMask]]),
    ...(keep === '' ? [] : [keepNames[keep]]),
  ];
}

const amountNames = { subject: text.amountSubject, background: text.amountBackground };
const keepNames = { colours: text.keepPhotoColours, faithful: text.keepPhotoFaithful };

function cutting(choices: Choices, nameOfModel: NameOfModel): string[] {
  const { isEnlarged, enlargeFirst } = choices;
  const isCutFirst = isEnlarged && enlargeFirst === 'cutout' && !choices.maskOnly;
  const { background, isCropped, cropMargin, maskOnly, remover } = choices;
  const { backgroundImage, shadow, feather, decontaminate, isOnCanvas, canvasWidth, canvasHeight } =
    choices;
  const named: Record<string, string> = {
    transparent: text.backgroundTransparent,
    blur: text.backgroundBlur,
    '#ffffff': text.backgroundWhite,
    '#000000': text.backgroundBlack,
  };
  return [
    text.cutOut,
    maskOnly
      ? text.maskOnly
      : `${text.background} ${backgroundImage === '' ? (named[background] ?? background) : text.backgroundPicture}`,
    ...(shadow > 0 && !maskOnly ? [`${text.shadow} ${percentText(shadow)}`] : []),
    ...(isOnCanvas ? [`${text.onCanvas} ${canvasWidth} × ${canvasHeight}`] : []),
    ...(isCropped ? [`${text.crop} ${percentText(cropMargin)}`] : []),
    ...(feather > 0 ? [`${text.feather} ${text.brushPixels(feather)}`] : []),
    ...(decontaminate < 100 && !maskOnly
      ? [`${text.decontaminate} ${percentText(decontaminate)}`]
      : []),
    ...(remover === '' ? [] : [`${text.model} ${nameOfModel(remover)}`]),
    ...(isEnlarged ? enlarging(choices, nameOfModel) : []),
    ...(isCutFirst ? [`${text.first}: ${text.firstCutOut}`] : []),
  ];
}

function output(choices: Choices): string[] {
  const { format, quality, bitDepth, metadata, saveTo } = choices;
  const png = isTransparent(choices) ? text.formatTransparent : formats.png.label;
  const unset = choices.operation === 'upscale' ? text.formatSame : png;
  const metadataNames = {
    keep: undefined,
    private: text.metadataPrivate,
    none: text.metadataNone,
  };
  const carried = metadataNames[metadata];
  return [
    `${text.format}: ${format === 'same' ? unset : formats[format].label}`,
    ...(hasQuality(choices) ? [`${text.quality} ${quality}`] : []),
    ...(bitDepth === 'same' ? [] : [text.bits(bitDepth)]),
    ...(carried === undefined ? [] : [`${text.metadata}: ${carried}`]),
    ...(saveTo === '' ? [] : [`${text.destination}: ${placeText(saveTo)}`]),
  ];
}

/** Names a destination as the list of destinations does. */
function placeText(saveTo: string): string {
  const { kind, name, folder } = destinationOf(saveTo);
  const names = {
    beside: text.placeBeside,
    subfolder: `${text.placeSubfolder} (${name})`,
    folder,
    keep: text.placeKeep,
  };
  return names[kind];
}
