/** Model files that are damaged or made to do harm, and how an import reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { bytesInMemory } from '../../packages/onnx/src/byte-source.ts';
import { ncnnToOnnx } from '../../packages/network-import/src/ncnn/ncnn-to-onnx.ts';
import { readParam } from '../../packages/network-import/src/ncnn/read-param.ts';
import { checkOnnx } from '../../packages/onnx/src/check-onnx.ts';
import { readOnnx } from '../../packages/onnx/src/read-onnx.ts';
import { buildNetwork } from '../../packages/network-import/src/torch/architectures/registry.ts';
import { readCheckpoint } from '../../packages/network-import/src/torch/read-checkpoint.ts';
import { readSafetensors } from '../../packages/network-import/src/torch/read-safetensors.ts';
import { onnxModel } from './networks-onnx.ts';

export type Format = 'pth' | 'safetensors' | 'onnx' | 'ncnn';
type Read = (bytes: Uint8Array) => void;

/** Reads files as an import does, their weights included. */
const readers: Record<Format, Read> = {
  pth: (bytes) => readAll(buildNetwork(readCheckpoint(bytesInMemory(bytes)), 'input').pieces),
  safetensors: (bytes) =>
    readAll(buildNetwork(readSafetensors(bytesInMemory(bytes)), 'input').pieces),
  onnx: (bytes) => void checkOnnx(readOnnx(bytesInMemory(bytes))),
  ncnn: (bytes) =>
    readAll(ncnnToOnnx(readParam(Buffer.from(bytes).toString('latin1')), weights).pieces),
};
const weights = bytesInMemory(new Uint8Array(4 + 36 * 4));

function readAll(pieces: readonly (Uint8Array | { read(): Uint8Array })[]): void {
  for (const piece of pieces) if (!(piece instanceof Uint8Array)) piece.read();
}

/** @returns the sentence of the refusal, if there is one @throws anything else, which is a defect of Enlarger */
export function refusalOf(format: Format, bytes: Uint8Array): string | undefined {
  try {
    readers[format](bytes);
    return undefined;
  } catch (error) {
    if (error instanceof EnlargerError && error.code === 'MODEL_REFUSED') return error.message;
    throw error;
  }
}

const references = join(import.meta.dirname, '../packages/network-import/references');
const checkpoints = readdirSync(references)
  .filter((name) => name.endsWith('.pth'))
  .map((name) => readFileSync(join(references, name)));

const relu = { kind: 'Relu', inputs: ['input'], output: 'output' };
const onnx = onnxModel({
  nodes: [relu],
  constants: [{ name: 'weights', shape: [2, 2], values: [1, 2, 3, 4] }],
  input: [1, 3, 'h', 'w'],
  output: [1, 3, 'H', 'W'],
});
const param = Buffer.from(
  '7767517\n3 3\nInput in 0 1 data\nConvolution wide 1 1 data a 0=12 1=1 5=0 6=36\nPixelShuffle up 1 1 a out 0=2\n',
);
export const head = JSON.stringify({
  'body.0.weight': { dtype: 'F32', shape: [1], data_offsets: [0, 4] },
});
const tensors = safetensors(head, 4);

/** Whole files of each format, to be changed. */
export const wholeModels: Record<Format, readonly Uint8Array[]> = {
  pth: checkpoints,
  safetensors: [tensors],
  onnx: [onnx],
  ncnn: [param],
};

export function safetensors(json: string, bytes: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, Buffer.from(json), Buffer.alloc(bytes)]);
}

/** Cuts a file short, and changes single bytes, at places that are spread over the file. */
function* damagedFrom(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i += 1) {
    const at = Math.floor(((i * 0.618) % 1) * bytes.length);
    yield bytes.subarray(0, at);
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 + ((i * 37) % 255));
    yield changed;
  }
}

/** Files with their formats: whole files, each broken in one of hundreds of ways. */
export function* damagedFiles(): Generator<[Format, Uint8Array]> {
  for (const [format, files, count] of [
    ['pth', checkpoints, 6],
    ['onnx', [onnx], 60],
    ['ncnn', [param], 60],
    ['safetensors', [tensors], 40],
  ] as const)
    for (const file of files) for (const bytes of damagedFrom(file, count)) yield [format, bytes];
}

/** Makes a pickle of protocol 2 with a global, its arguments, and a call of it. */
export const calling = (module: string, name: string) =>
  Buffer.from(`\x80\x02c${module}\n${name}\n(X\x02\x00\x00\x00idtR.`, 'latin1');

/** Files by format and by what is wrong with them; each is refused. */
export const madeToHarm: [Format, string, Uint8Array][] = [
  [
    'pth',
    'dictionaries that grow without end',
    Buffer.from(`\x80\x02${'}0'.repeat(10_000)}`, 'latin1'),
  ],
  ['pth', 'a reference to nothing', Buffer.from('\x80\x02h\x07.', 'latin1')],
  ['pth', 'a call of a number', Buffer.from('\x80\x02K\x01)R.', 'latin1')],
  ['pth', 'a word of four gigabytes', Buffer.from('\x80\x02X\xff\xff\xff\xff', 'latin1')],
  ['pth', 'an end without a start', Buffer.from('\x80\x02t.', 'latin1')],
  ['pth', 'nothing at all', Buffer.alloc(0)],
  ['pth', 'a zip file of nothing', Buffer.from('PK\x03\x04'.padEnd(60), 'latin1')],
  [
    'safetensors',
    'a head that is longer than the file',
    Buffer.from('\xff\xff\xff\xff\x00\x00\x00\x00{}', 'latin1'),
  ],
  ['safetensors', 'a head that is no JSON', safetensors('{"a":', 4)],
  ['safetensors', 'weights beyond its end', safetensors(head.replace('[0,4]', '[4,8]'), 4)],
  ['safetensors', 'weights before its start', safetensors(head.replace('[0,4]', '[-4,0]'), 4)],
  [
    'safetensors',
    'a gigantic shape',
    safetensors(head.replace('[1]', '[1000000,1000000,1000000]'), 4),
  ],
  ['safetensors', 'another length than its shape', safetensors(head.replace('[1]', '[3]'), 4)],
  ['safetensors', 'an unknown type', safetensors(head.replace('F32', 'F8_E4M3'), 4)],
  ['safetensors', 'no weights', safetensors('{}', 0)],
];
