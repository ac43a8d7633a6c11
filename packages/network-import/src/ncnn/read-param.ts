/**
 * Reads ncnn's .param files: they have the magic number, two counts, then one layer a line. Binary ones are
 * refused. https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure
 */
import { refused } from '../../../../electron/engine/onnx/refused.ts';

export interface Layer {
  type: string;
  name: string;
  inputs: string[];
  outputs: string[];
  numbers: Map<number, number>;
  lists: Map<number, number[]>;
}

const magic = '7767517';
const mostLayers = 20_000;

/** Reads the layers of a text .param file. It throws MODEL_REFUSED. */
export function readParam(text: string): Layer[] {
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
  if (found.length > mostLayers || found.length !== layers)
    throw refused(
      `The .param file is cut short or damaged: it announces ${layers} layers and has ${found.length}.`,
    );
  return found.map(readLayer);
}

function readLayer(line: string): Layer {
  const [type = '', name = '', inputs, outputs, ...rest] = line.split(/\s+/);
  const inputCount = Number(inputs);
  const outputCount = Number(outputs);
  const names = rest.slice(0, inputCount + outputCount);
  const isWhole = Number.isInteger(inputCount) && Number.isInteger(outputCount);
  if (!isWhole || inputCount < 0 || outputCount < 0 || names.length < inputCount + outputCount)
    throw refused(`The .param file is damaged: its line "${line.slice(0, 60)}" is no layer.`);
  const layer: Layer = {
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

/** The key of a list is -23300 less its number, and the list's first value says how many values follow. */
const listKey = -23300;

function readSetting(layer: Layer, part: string): void {
  const [key = '', value = ''] = part.split('=');
  const number = Number(key);
  const values = value.split(',').map(Number);
  if (!Number.isInteger(number) || values.some((one) => !Number.isFinite(one)))
    throw refused(`The .param file is damaged: ${layer.name} says "${part.slice(0, 40)}".`);
  if (number <= listKey) layer.lists.set(listKey - number, values.slice(1));
  else layer.numbers.set(number, values[0] ?? 0);
}
