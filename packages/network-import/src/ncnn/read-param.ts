/**
 * Parser of ncnn's text .param files: a magic number, the counts of layers and blobs, then one layer a line.
 * https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure
 */
import { refused } from '../../../onnx/src/index.ts';

export interface NcnnLayer {
  type: string;
  name: string;
  inputs: string[];
  outputs: string[];
  numbers: Map<number, number>;
  lists: Map<number, number[]>;
}

const magic = '7767517';
const maxLayers = 20_000;

/** @throws MODEL_REFUSED for binary, damaged or truncated files. */
export function readParam(text: string): NcnnLayer[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== magic)
    throw refused(
      `This is not a text .param file of ncnn: it starts with ${JSON.stringify((lines[0] ?? '').slice(0, 20))} and not with ${magic}. Binary ones (.param.bin) are not read; bring the text one.`,
    );
  const [layers = 0] = (lines[1] ?? '').split(/\s+/).map(Number);
  const found = lines.slice(2);
  if (found.length > maxLayers || found.length !== layers)
    throw refused(
      `The .param file is cut short or damaged: it announces ${layers} layers and has ${found.length}.`,
    );
  return found.map(readLayer);
}

function readLayer(line: string): NcnnLayer {
  const [type = '', name = '', inputs, outputs, ...rest] = line.split(/\s+/);
  const inputCount = Number(inputs);
  const outputCount = Number(outputs);
  const names = rest.slice(0, inputCount + outputCount);
  const isWhole = Number.isInteger(inputCount) && Number.isInteger(outputCount);
  if (!isWhole || inputCount < 0 || outputCount < 0 || names.length < inputCount + outputCount)
    throw refused(`The .param file is damaged: its line "${line.slice(0, 60)}" is no layer.`);
  const layer: NcnnLayer = {
    type,
    name,
    inputs: names.slice(0, inputCount),
    outputs: names.slice(inputCount),
    numbers: new Map(),
    lists: new Map(),
  };
  for (const part of rest.slice(inputCount + outputCount)) readSetting(layer, part);
  return layer;
}

/**
 * The id of an array is -23300 minus the parameter's; its first value is the number of values that follow.
 */
const arrayKey = -23300;

function readSetting(layer: NcnnLayer, part: string): void {
  const [key = '', value = ''] = part.split('=');
  const number = Number(key);
  const values = value.split(',').map(Number);
  if (!Number.isInteger(number) || values.some((one) => !Number.isFinite(one)))
    throw refused(`The .param file is damaged: ${layer.name} says "${part.slice(0, 40)}".`);
  if (number <= arrayKey) layer.lists.set(arrayKey - number, values.slice(1));
  else layer.numbers.set(number, values[0] ?? 0);
}
