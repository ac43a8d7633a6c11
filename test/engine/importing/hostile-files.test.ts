import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../electron/contract/errors.ts';
import { bytesInMemory } from '../../../electron/engine/importing/byte-source.ts';
import { ncnnToOnnx } from '../../../electron/engine/importing/ncnn/ncnn-to-onnx.ts';
import { readParam } from '../../../electron/engine/importing/ncnn/read-param.ts';
import { checkOnnx } from '../../../electron/engine/importing/onnx/check-onnx.ts';
import { readOnnx } from '../../../electron/engine/importing/onnx/read-onnx.ts';
import { externalName } from '../../../electron/engine/importing/onnx/rewrite-onnx.ts';
import { buildNetwork } from '../../../electron/engine/importing/torch/architectures/registry.ts';
import { readCheckpoint } from '../../../electron/engine/importing/torch/read-checkpoint.ts';
import { readSafetensors } from '../../../electron/engine/importing/torch/read-safetensors.ts';
import { onnxModel } from '../../support/networks-onnx.ts';

type Read = (bytes: Uint8Array) => void;

/** As an import reads them, their weights included. */
const readers: Record<string, Read> = {
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

/** Nothing, or the sentence of the refusal; anything else that is thrown is a fault of ours. */
function refusalOf(read: Read, bytes: Uint8Array): string | undefined {
  try {
    read(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof EnlargerError && error.code === 'MODEL_REFUSED') return error.message;
    throw error;
  }
}

const references = join(import.meta.dirname, 'references');
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
const head = JSON.stringify({
  'body.0.weight': { dtype: 'F32', shape: [1], data_offsets: [0, 4] },
});
const tensors = safetensors(head, 4);

function safetensors(json: string, bytes: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, Buffer.from(json), Buffer.alloc(bytes)]);
}

/** Cut short, and with single bytes changed, at places that are spread over the file. */
function* damagedFrom(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i += 1) {
    const at = Math.floor(((i * 0.618) % 1) * bytes.length);
    yield bytes.subarray(0, at);
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 + ((i * 37) % 255));
    yield changed;
  }
}

describe('files that are damaged or made to do harm', () => {
  it.each([
    ['pth', checkpoints, 12],
    ['onnx', [onnx], 60],
    ['ncnn', [param], 60],
    ['safetensors', [tensors], 40],
  ] as const)('as .%s are read or refused with a sentence, and quickly', (kind, files, count) => {
    const read = readers[kind] as Read;
    let worstMs = 0;
    for (const file of files)
      for (const bytes of damagedFrom(file, count)) {
        const before = process.cpuUsage();
        const sentence = refusalOf(read, bytes);
        const { user, system } = process.cpuUsage(before);
        worstMs = Math.max(worstMs, (user + system) / 1000);
        if (sentence !== undefined) expect(sentence).toMatch(/^[A-Z].{20,}/s);
      }
    expect(worstMs).toBeLessThan(2000);
  });

  /** Protocol 2: a global, its arguments, and a call of it. */
  const calling = (module: string, name: string) =>
    Buffer.from(`\x80\x02c${module}\n${name}\n(X\x02\x00\x00\x00idtR.`, 'latin1');

  it.each([
    ['os', 'system'],
    ['posix', 'system'],
    ['nt', 'system'],
    ['builtins', 'eval'],
    ['builtins', 'exec'],
    ['builtins', '__import__'],
    ['__builtin__', 'getattr'],
    ['subprocess', 'Popen'],
    ['torch', 'load'],
    ['torch.storage', '_load_from_bytes'],
    ['torch._utils', '_rebuild_tensor'],
    ['collections', 'OrderedDict.__reduce__'],
    ['runpy', '_run_code'],
    ['numpy.core.multiarray', '_reconstruct'],
  ])('a pickle that names %s.%s is refused by that name', (module, name) => {
    const sentence = refusalOf(readers['pth'] as Read, calling(module, name));
    expect(sentence).toContain(`${module}.${name}`);
  });

  it.each([
    ['dictionaries that grow without end', Buffer.from(`\x80\x02${'}0'.repeat(10_000)}`, 'latin1')],
    ['a reference to nothing', Buffer.from('\x80\x02h\x07.', 'latin1')],
    ['a call of a number', Buffer.from('\x80\x02K\x01)R.', 'latin1')],
    ['a word of four gigabytes', Buffer.from('\x80\x02X\xff\xff\xff\xff', 'latin1')],
    ['an end without a start', Buffer.from('\x80\x02t.', 'latin1')],
    ['nothing at all', Buffer.alloc(0)],
    ['a zip file of nothing', Buffer.from('PK\x03\x04'.padEnd(60), 'latin1')],
  ])('a checkpoint with %s is refused', (_what, bytes) => {
    expect(refusalOf(readers['pth'] as Read, bytes)).toBeDefined();
  });

  it.each([
    [
      'a head that is longer than the file',
      Buffer.from('\xff\xff\xff\xff\x00\x00\x00\x00{}', 'latin1'),
    ],
    ['a head that is no JSON', safetensors('{"a":', 4)],
    ['weights beyond its end', safetensors(head.replace('[0,4]', '[4,8]'), 4)],
    ['weights before its start', safetensors(head.replace('[0,4]', '[-4,0]'), 4)],
    ['a gigantic shape', safetensors(head.replace('[1]', '[1000000,1000000,1000000]'), 4)],
    ['another length than its shape', safetensors(head.replace('[1]', '[3]'), 4)],
    ['an unknown type', safetensors(head.replace('F32', 'F8_E4M3'), 4)],
    ['no weights', safetensors('{}', 0)],
  ])('a .safetensors file with %s is refused', (_what, bytes) => {
    expect(refusalOf(readers['safetensors'] as Read, bytes)).toBeDefined();
  });

  it.each(['../weights', '/etc/passwd', 'a/b', 'C:\\weights', 'a\\b', '..', '.', '', 'a\0b'])(
    'weights at %j are not read',
    (location) => {
      expect(() => externalName(location)).toThrow(/right beside it/);
    },
  );
});
