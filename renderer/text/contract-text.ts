/** Words how a network is used, with a label and a value for each thing that matters to a person. */
import type { ModelView, NetworkContract } from '../../packages/contract/src/models/model.ts';
import { listText, numberText, text } from './text.ts';

export interface ContractRow {
  label: string;
  value: string;
}

/** A network's input usually has one of these means and deviations, which have names. */
export const defaultNormals = [
  {
    name: text.modelNormalImageNet,
    mean: [0.485, 0.456, 0.406] as [number, number, number],
    deviation: [0.229, 0.224, 0.225] as [number, number, number],
  },
  { name: text.modelNormalHalf, mean: same(0.5), deviation: same(1) },
  { name: text.modelNormalFull, mean: same(0.5), deviation: same(0.5) },
  { name: text.modelNormalNot, mean: same(0), deviation: same(1) },
];

function same(value: number): [number, number, number] {
  return [value, value, value];
}

type MaskContract = Exclude<NetworkContract, { scale: number }>;

/** Finds the usual normalisation of a network. It is undefined where the network has one of its own. */
export function normalOf({ mean, deviation }: Pick<MaskContract, 'mean' | 'deviation'>) {
  return defaultNormals.find(
    (one) => one.mean.join() === mean.join() && one.deviation.join() === deviation.join(),
  );
}

export const isUpscaling = (
  contract: NetworkContract,
): contract is Extract<NetworkContract, { scale: number }> => 'scale' in contract;

export const timesText = (scales: readonly number[]) =>
  text.modelScales(listText(scales.map((scale) => numberText(scale))));

export function contractRows(contract: NetworkContract): ContractRow[] {
  const { channels, range } = contract;
  const values = [
    { label: text.modelChannels, value: channels },
    { label: text.modelRange, value: range.map((one) => numberText(one)).join(' … ') },
  ];
  return isUpscaling(contract)
    ? [
        { label: text.modelScale, value: timesText([contract.scale]) },
        ...tileRows(contract),
        ...values,
      ]
    : [...maskRows(contract), ...values];
}

function tileRows({
  fixedPx,
  multiple,
  marginPx,
  tileExact,
}: Extract<NetworkContract, { scale: number }>): ContractRow[] {
  return [
    {
      label: text.modelSize,
      value: tileText(fixedPx, multiple),
    },
    {
      label: text.modelMargin,
      value: `${text.modelMarginPx(marginPx)}. ${tileExact ? text.modelExact : text.modelBlended}.`,
    },
  ];
}

function tileText(fixedPx: number | undefined, multiple: number): string {
  if (fixedPx !== undefined) return text.modelSizeFixed(fixedPx, fixedPx);
  return multiple === 1 ? text.modelSizeAny : text.modelSizeFree(multiple);
}

function maskRows(contract: MaskContract): ContractRow[] {
  const { size } = contract;
  const seen =
    size.kind === 'fixed'
      ? text.modelSizeFixed(size.width, size.height)
      : text.modelSizeShort(size.shortSidePx, size.multiple);
  const normal = normalOf(contract)?.name ?? text.modelNormalOwn;
  return [
    { label: text.modelSize, value: seen },
    { label: text.modelNormal, value: normal },
    { label: text.modelPlane, value: numberText(contract.outputPlane) },
    ...(contract.activation === 'sigmoid' ? [{ label: text.modelActivation, value: '✓' }] : []),
    ...(contract.matting ? [{ label: text.modelMatting, value: '✓' }] : []),
  ];
}

/** Words where a model came from. */
export function originRows({ origin, licence, author, trainedOn }: ModelView): ContractRow[] {
  return [
    { label: text.modelLicence, value: licence },
    { label: text.modelAuthor, value: author },
    ...(trainedOn === undefined ? [] : [{ label: text.modelTrained, value: trainedOn }]),
    ...(origin === undefined ? [] : [{ label: text.modelFormat, value: listText(origin.files) }]),
    ...(origin?.architecture === undefined
      ? []
      : [{ label: text.modelArchitecture, value: origin.architecture }]),
  ];
}

/** Whether a licence forbids commercial use, by the publisher's own words for it. */
export const isNonCommercial = (licence: string) => /\bNC\b|non-?commercial/i.test(licence);
