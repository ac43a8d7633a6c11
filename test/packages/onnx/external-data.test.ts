/** Data in another file is found wherever ONNX lets a tensor stand, and however its mark is written. */
import { expect, it } from 'vitest';
import { checkOnnx } from '../../../packages/onnx/src/check-onnx.ts';
import { bytesInMemory } from '../../../packages/onnx/src/byte-source.ts';
import { readOnnx } from '../../../packages/onnx/src/read-onnx.ts';
import { rewriteOnnx } from '../../../packages/onnx/src/rewrite-onnx.ts';
import { message } from '../../support/networks-onnx.ts';

type Field = Parameters<typeof message>[0];

const stolen = message([1, 'location'], [2, '../../cli.key']);
/** @param mark the value of data_location, 1 for a file of its own */
const tensor = (mark = 1, ...more: Field[]) =>
  message([1, 1], [2, 1], [8, 'weights'], ...more, [13, stolen], [14, mark]);
const attribute = (...fields: Field[]) => message([1, 'value'], ...fields);
const node = (...attributes: Uint8Array[]) =>
  message(
    [1, 'input'],
    [2, 'output'],
    [4, 'Constant'],
    ...attributes.map((one): Field => [5, one]),
  );
const sparse = message([1, tensor()], [3, 1]);

const value = (name: string) => {
  const sides = [1, 3, 8, 8].map((side): Field => [1, message([1, side])]);
  return message([1, name], [2, message([1, message([1, 1], [2, message(...sides)])])]);
};
const graph = (...fields: Field[]) =>
  message(
    [1, message([1, 'input'], [2, 'output'], [4, 'Identity'])],
    ...fields,
    [11, value('input')],
    [12, value('output')],
  );
const model = (body: Uint8Array, ...fields: Field[]) =>
  message([1, 8], [7, body], [8, message([1, ''], [2, 17])], ...fields);

/** A field whose tag has a bit that a parser of 32 bits drops. */
function wideTag(number: number, bytes: Uint8Array): Uint8Array {
  const tag = BigInt(number * 8 + 2) + 2n ** 32n;
  const head: number[] = [];
  let rest = tag;
  for (; rest > 127n; rest >>= 7n) head.push(Number(rest & 127n) | 128);
  return Buffer.concat([Buffer.from([...head, Number(rest), bytes.length]), bytes]);
}

const places: [place: string, bytes: Uint8Array][] = [
  ['a tensor of an attribute', model(graph([1, node(attribute([5, tensor()]))]))],
  ['a list of tensors of an attribute', model(graph([1, node(attribute([10, tensor()]))]))],
  ['a sparse tensor of an attribute', model(graph([1, node(attribute([22, sparse]))]))],
  ['a list of sparse tensors', model(graph([1, node(attribute([23, sparse]))]))],
  ['weights of a branch', model(graph([1, node(attribute([6, message([5, tensor()])]))]))],
  ['sparse weights of a branch', model(graph([1, node(attribute([11, message([15, sparse])]))]))],
  [
    'an attribute in a branch',
    model(graph([1, node(attribute([6, message([1, node(attribute([5, tensor()]))])]))])),
  ],
  ['sparse weights', model(graph([15, sparse]))],
  [
    'an attribute in a function',
    model(graph(), [25, message([1, 'f'], [7, node(attribute([5, tensor()]))])]),
  ],
  [
    "a function's own attribute",
    model(graph(), [25, message([1, 'f'], [11, attribute([5, tensor()])])]),
  ],
  ['weights of training', model(graph(), [20, message([1, message([5, tensor()])])])],
  ['a mark above 32 bits', model(graph([1, node(attribute([5, tensor(2 ** 32 + 1)]))]))],
  [
    'an attribute in two parts',
    model(graph([1, node(attribute([5, message([13, stolen], [14, 1])], [5, message([8, 'x'])]))])),
  ],
  ['a second graph', model(graph(), [7, message([5, tensor()])])],
  ['a tag above 32 bits', Buffer.concat([model(graph()), wideTag(7, message([5, tensor()]))])],
];

const check = (bytes: Uint8Array) => checkOnnx(readOnnx(bytesInMemory(bytes)));

it.each(places)('in %s it is refused', (_place, bytes) => {
  expect(() => check(bytes)).toThrow(/another file|more than one graph|or it is damaged/);
});

it('in weights with a mark of more than 32 bits, it is sought beside the network', () => {
  const bytes = model(graph([5, tensor(2 ** 32 + 1)]));
  const source = bytesInMemory(bytes);
  const read = readOnnx(source);
  expect(read.initializers[0]?.external?.location).toBe('../../cli.key');
  expect(() => rewriteOnnx(source, read, checkOnnx(read), new Map())).toThrow(/right beside it/);
});

it('in weights that are named twice, once inside, it is refused when the file is written', () => {
  const inside = message([1, 1], [2, 1], [8, 'weights'], [9, Buffer.alloc(4)]);
  const source = bytesInMemory(model(graph([5, tensor()], [5, inside])));
  const read = readOnnx(source);
  const write = () =>
    rewriteOnnx(source, read, checkOnnx(read), new Map()).pieces.map((piece) =>
      piece instanceof Uint8Array ? piece : piece.read(),
    );
  expect(write).toThrow(/names weights twice/);
});

it('a network whose data is all inside is read as before', () => {
  const inside = message([1, 1], [2, 1], [8, 'weights'], [9, Buffer.alloc(4)], [14, 0]);
  expect(check(model(graph([5, inside], [1, node(attribute([5, inside]))]))).input.name).toBe(
    'input',
  );
});
