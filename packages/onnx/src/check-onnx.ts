/** Refuses ONNX files that must not or cannot run, before anything of them runs. Pure. */
import { refused } from './refused.ts';
import { countOf } from './tensor.ts';
import { floatTypes } from './encode-onnx.ts';
import type { Operations, OnnxStructure, TensorInfo } from './read-onnx.ts';

/** Domains of onnxruntime's own operations. */
const knownDomains = ['', 'com.microsoft', 'com.microsoft.nchwc', 'ai.onnx.ml'];

/** Operations that may run for ever, and that no network for pictures needs. */
const endless = ['Loop', 'Scan'];

/** onnxruntime does not run older opsets well. */
const oldestOpset = 7;

/** Limit of nodes after expanding functions that call functions. */
const maxExpandedNodes = 1_000_000;

/** Element size in bytes, by ONNX's element type. */
const bytesOfElement: Record<number, number> = {
  1: 4,
  2: 1,
  3: 1,
  6: 4,
  7: 8,
  9: 1,
  10: 2,
  11: 8,
  16: 2,
};

/** Input and outputs of a network for pictures. */
export interface PicturePorts {
  input: TensorInfo;
  outputs: TensorInfo[];
  isHalf: boolean;
}

/** Checks the structure of a file. @throws EnlargerError MODEL_REFUSED with the reason */
export function checkOnnx(model: OnnxStructure): PicturePorts {
  assertRunnable(model);
  return picturePorts(model);
}

/** Checks all but the inputs and outputs. @throws EnlargerError MODEL_REFUSED with the reason */
export function assertRunnable(model: OnnxStructure): void {
  if (model.opset > 0 && model.opset < oldestOpset)
    throw refused(
      `The network was exported with opset ${model.opset}; ${oldestOpset} is the oldest that runs. Export it again with opset 17.`,
    );
  assertOperations(model.operations, model.functions);
  assertExpansion(model);
  for (const { name, shape, elementType, external, rawBytes } of model.initializers) {
    const bytes = countOf(shape) * (bytesOfElement[elementType] ?? 0);
    const stored = external?.length ?? rawBytes;
    if (stored !== undefined && bytes > 0 && stored !== bytes)
      throw refused(
        `The file is damaged: the weights ${name.slice(0, 60)} are ${shape.join(' x ')}, which is ${bytes} bytes, but ${stored} are stored.`,
      );
  }
}

function assertOperations(operations: Operations, functions: ReadonlyMap<string, Operations>) {
  for (const key of operations.keys()) {
    const [domain, operation] = splitKey(key);
    if (functions.has(key)) continue;
    if (!knownDomains.includes(domain))
      throw refused(
        `The network uses ${operation.slice(0, 40)} of ${domain.slice(0, 60)}, an extension that is not part of ONNX. Export it without extensions.`,
      );
    if (endless.includes(operation))
      throw refused(
        `The network uses ${operation}, which can run for ever and which no network for pictures needs. Export it without loops.`,
      );
  }
}

function splitKey(key: string): [string, string] {
  const at = key.lastIndexOf(':');
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Functions may call each other, but not recursively, and not expand to more than `maxExpandedNodes`. */
function assertExpansion({ operations, functions }: OnnxStructure): void {
  const sizes = new Map<string, number>();
  const open = new Set<string>();
  const sizeOf = (parts: Operations): number => {
    let sum = 0;
    for (const [key, count] of parts) {
      sum += count * functionSize(key);
      if (sum > maxExpandedNodes)
        throw refused(`The network's functions come to more than ${maxExpandedNodes} nodes.`);
    }
    return sum;
  };
  const functionSize = (key: string): number => {
    const parts = functions.get(key);
    if (!parts) return 1;
    const known = sizes.get(key);
    if (known !== undefined) return known;
    if (open.has(key)) throw refused(`The network's function ${key.slice(0, 60)} calls itself.`);
    open.add(key);
    assertOperations(parts, functions);
    const size = sizeOf(parts);
    open.delete(key);
    sizes.set(key, size);
    return size;
  };
  sizeOf(operations);
}

export const isFloat = (type: number): boolean =>
  type === floatTypes.single || type === floatTypes.half;

function picturePorts({ inputs, outputs, initializers }: OnnxStructure): PicturePorts {
  const weights = new Set(initializers.map(({ name }) => name));
  const taken = inputs.filter(({ name }) => !weights.has(name));
  const [input] = taken;
  if (input === undefined || taken.length !== 1)
    throw refused(
      `The network takes ${taken.length} inputs (${taken
        .map(({ name }) => name.slice(0, 30))
        .slice(0, 6)
        .join(', ')}); one that takes one picture can be used.`,
    );
  if (!isFloat(input.elementType))
    throw refused(
      `The network takes its picture as element type ${input.elementType}; 16- or 32-bit floats can be used. Export it without quantised input.`,
    );
  if (input.shape !== undefined && input.shape.length !== 4)
    throw refused(
      `The network takes something of ${input.shape.length} dimensions; a picture has four (batch, channels, height, width).`,
    );
  const pictures = outputs.filter(({ elementType }) => isFloat(elementType));
  if (pictures.length === 0)
    throw refused('The network gives no floats, so no picture and no mask.');
  return { input, outputs: pictures, isHalf: input.elementType === floatTypes.half };
}
