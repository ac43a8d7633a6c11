/**
 * A trial: a network whose convolutions are given the last rows of what stood above, so that a tile computes no margin
 * above and below. Each run takes the next rows of one column of the picture and what the run before left, and answers
 * `lag` rows later. What is kept of a layer lies between a quantisation and its undoing, as 8-bit numbers, channels
 * last as onnxruntime computes them; delays of what goes round convolutions are kept rows, too.
 */
import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { bytesInMemory, type ByteSource } from '../../electron/engine/importing/byte-source.ts';
import { copied } from '../../electron/engine/importing/onnx/rewrite-onnx.ts';
import {
  bytesField,
  fieldsOf,
  numberField,
  numbersIn,
  textIn,
  type Piece,
  type WireField,
} from '../../electron/engine/importing/protobuf.ts';

/** Field numbers of onnx.proto. */
const inModel = { graph: 7 };
const inGraph = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 };
const inNode = { input: 1, output: 2, operation: 4, attribute: 5 };
const inAttribute = { name: 1, integer: 3, integers: 8, type: 20 };
const inTensor = { side: 1, elementType: 2, name: 8 };
const attributeTypes = { integer: 2, integers: 7 };
const elementTypes = { single: 1, byte: 2, long: 7 };

interface Node {
  operation: string;
  inputs: string[];
  outputs: string[];
  /** As they are written. */
  attributes: Piece[];
  /** Rows above and below that a convolution reads. */
  reach: number;
}

interface Network {
  nodes: Node[];
  /** Sides by name of the constants. */
  constants: Map<string, number[]>;
  /** Names that depend on the picture. */
  ofPicture: Set<string>;
  output: string;
  kept: WireField[];
  source: ByteSource;
}

/** What a layer is given of the run before: so many rows of a value of the graph. */
interface Carried {
  name: string;
  rows: number;
  channels: number;
  isPicture: boolean;
}

interface CarriedFile {
  file: Buffer;
  carried: Carried[];
  /** How many rows later than the picture's the answers come. */
  lag: number;
}

const nodeOf = (
  operation: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Piece[] = [],
): Piece[] =>
  bytesField(inGraph.node, [
    ...inputs.flatMap((name) => bytesField(inNode.input, name)),
    ...outputs.flatMap((name) => bytesField(inNode.output, name)),
    ...bytesField(inNode.operation, operation),
    ...attributes,
  ]);

const attribute = (name: string, value: number | readonly number[]): Piece[] =>
  bytesField(inNode.attribute, [
    ...bytesField(inAttribute.name, name),
    ...(typeof value === 'number'
      ? numberField(inAttribute.integer, value)
      : value.flatMap((one) => numberField(inAttribute.integers, one))),
    ...numberField(
      inAttribute.type,
      typeof value === 'number' ? attributeTypes.integer : attributeTypes.integers,
    ),
  ]);

/** A list of one whole number, as a constant. */
function wholeNumber(name: string, value: number): Piece[] {
  const raw = Buffer.alloc(8);
  raw.writeBigInt64LE(BigInt(value));
  return bytesField(inGraph.initializer, [
    ...numberField(1, 1),
    ...numberField(inTensor.elementType, elementTypes.long),
    ...bytesField(inTensor.name, name),
    ...bytesField(9, [raw]),
  ]);
}

/** What the graph takes or gives: a list of sides, each a number or free. */
function valueInfo(field: number, name: string, type: number, sides: readonly (number | '')[]) {
  const side = (one: number | '', i: number) =>
    bytesField(1, one === '' ? bytesField(2, `${name}.${i}`) : numberField(1, one));
  const tensor = [...numberField(1, type), ...bytesField(2, sides.flatMap(side))];
  return bytesField(field, [...bytesField(1, name), ...bytesField(2, bytesField(1, tensor))]);
}

function readNetwork(file: Buffer): Network {
  const source = bytesInMemory(file);
  const partsOf = ({ at, value }: WireField) => [...fieldsOf(source, at, at + value)];
  const graph = [...fieldsOf(source, 0, source.size)].find(
    ({ number }) => number === inModel.graph,
  );
  if (!graph) throw new Error('The file has no graph.');
  const fields = partsOf(graph);
  const textsOf = (parts: readonly WireField[], number: number) =>
    parts.filter((part) => part.number === number).map((part) => textIn(source, part));
  const numbersOf = (parts: readonly WireField[], number: number) =>
    parts.filter((part) => part.number === number).flatMap((part) => numbersIn(source, part));
  const all = (number: number) => fields.filter((field) => field.number === number).map(partsOf);
  const nodes = all(inGraph.node).map((parts): Node => {
    const operation = textsOf(parts, inNode.operation).join();
    const attributes = parts.filter(({ number }) => number === inNode.attribute);
    const pads = attributes
      .map(partsOf)
      .find((one) => textsOf(one, inAttribute.name).includes('pads'));
    const [above = 0, left = 0] = pads ? numbersOf(pads, inAttribute.integers) : [];
    const others = attributes.filter(
      (one) => !textsOf(partsOf(one), inAttribute.name).includes('pads'),
    );
    return {
      operation,
      inputs: textsOf(parts, inNode.input),
      outputs: textsOf(parts, inNode.output),
      attributes: [
        ...others.flatMap((one) => copied(source, one)),
        ...(operation === 'Conv' ? attribute('pads', [0, left, 0, left]) : []),
      ],
      reach: operation === 'Conv' ? above : 0,
    };
  });
  const constants = new Map(
    all(inGraph.initializer).map((parts) => [
      textsOf(parts, inTensor.name).join(),
      numbersOf(parts, inTensor.side),
    ]),
  );
  const ofPicture = new Set(all(inGraph.input).flatMap((parts) => textsOf(parts, 1)));
  for (const { inputs, outputs } of nodes)
    if (inputs.some((name) => ofPicture.has(name))) outputs.forEach((name) => ofPicture.add(name));
  const output = all(inGraph.output)
    .flatMap((parts) => textsOf(parts, 1))
    .join();
  const kept = fields.filter(({ number }) => ![inGraph.node, inGraph.valueInfo].includes(number));
  return { nodes, constants, ofPicture, output, kept, source };
}

/** By how many rows each value comes later than the picture, as late as its users allow: so least is kept. */
function lagsOf({ nodes, ofPicture, output }: Network): Map<string, number> {
  const earliest = new Map<string, number>();
  for (const { inputs, outputs, reach } of nodes) {
    const given = inputs.filter((name) => ofPicture.has(name));
    const latest = Math.max(...given.map((name) => earliest.get(name) ?? 0));
    if (given.length > 0) outputs.forEach((name) => earliest.set(name, latest + reach));
  }
  const lags = new Map([[output, earliest.get(output) ?? 0]]);
  for (const { inputs, outputs, reach } of nodes.toReversed()) {
    const own = lags.get(outputs[0] ?? '');
    if (own === undefined) continue;
    for (const name of inputs.filter((one) => ofPicture.has(one)))
      lags.set(name, Math.min(lags.get(name) ?? Infinity, own - reach));
  }
  return lags;
}

const picture = 'input';

export function carriedFile(file: Buffer): CarriedFile {
  const network = readNetwork(file);
  const { nodes, constants, ofPicture, output, kept, source } = network;
  const lags = lagsOf(network);
  const makerOf = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  const lagOf = (name: string) => lags.get(name) ?? 0;
  /** Rows are kept before they are made floats again. */
  const storedOf = (name: string) => {
    const maker = makerOf.get(name);
    const [stored = name, ...rest] = maker?.operation === 'DequantizeLinear' ? maker.inputs : [];
    return { stored, rest };
  };
  const needsOf = ({ inputs, outputs, reach }: Node) =>
    inputs
      .filter((name) => ofPicture.has(name))
      .map((name) => {
        const delay = lagOf(outputs[0] ?? '') - reach - lagOf(name);
        return { name, delay, rows: delay + 2 * reach };
      });
  const channelsOf = (name: string): number => {
    const maker = makerOf.get(name);
    if (!maker) return 3;
    const kernel = maker.inputs[1] ?? '';
    const sides = constants.get(kernel) ?? constants.get(makerOf.get(kernel)?.inputs[0] ?? '');
    if (maker.operation === 'Conv') return sides?.[0] ?? 0;
    return channelsOf(maker.inputs.find((one) => ofPicture.has(one)) ?? '');
  };
  const wanted = new Map<string, number>();
  for (const { name, rows } of nodes
    .filter(({ outputs }) => lags.has(outputs[0] ?? ''))
    .flatMap(needsOf)) {
    const { stored } = storedOf(name);
    if (rows > 0) wanted.set(stored, Math.max(rows, wanted.get(stored) ?? 0));
  }
  const carried = [...wanted].map(([name, rows]): Carried => {
    const isPicture = name === picture;
    if (!isPicture && makerOf.get(name)?.operation !== 'QuantizeLinear')
      throw new Error(`Expected ${name} to be of 8 bits: rows of other values are not carried.`);
    return { name, rows, channels: channelsOf(name), isPicture };
  });

  const made: { node: Piece[]; inputs: readonly string[]; outputs: readonly string[] }[] = [];
  const numbers = new Map<number, string>();
  const add = (...[operation, inputs, outputs, attributes]: Parameters<typeof nodeOf>) =>
    made.push({ node: nodeOf(operation, inputs, outputs, attributes), inputs, outputs });
  const number = (value: number) => {
    const name = `number.${value}`;
    numbers.set(value, name);
    return name;
  };
  const end = 2 ** 31 - 1;
  const rowsOf = (from: string, first: number, last: number, to: string) =>
    add('Slice', [from, number(first), number(last), number(2)], [to]);
  const known = new Set<string>();
  const once = (name: string, make: () => void) => {
    if (!known.has(name)) make();
    known.add(name);
    return name;
  };
  /** A value with the rows that were kept of it above its own; what is kept next are its last ones. */
  const joined = (name: string) =>
    once(`${name}.joined`, () => {
      const rows = wanted.get(name) ?? 0;
      const planes = name === picture ? '' : '.planes';
      if (planes)
        add(
          'Transpose',
          [`${name}.before`],
          [`${name}.before.planes`],
          attribute('perm', [0, 3, 1, 2]),
        );
      add('Concat', [`${name}.before${planes}`, name], [`${name}.joined`], attribute('axis', 2));
      rowsOf(`${name}.joined`, -rows, end, `${name}.after${planes}`);
      if (planes)
        add(
          'Transpose',
          [`${name}.after.planes`],
          [`${name}.after`],
          attribute('perm', [0, 2, 3, 1]),
        );
    });
  const taken = ({ name, delay, rows }: ReturnType<typeof needsOf>[number]) => {
    if (rows === 0) return name;
    const { stored, rest } = storedOf(name);
    const all = joined(stored);
    const above = (wanted.get(stored) ?? 0) - rows;
    const part =
      above === 0 && delay === 0
        ? all
        : once(`${all}.${above}.${delay}`, () =>
            rowsOf(all, above, delay === 0 ? end : -delay, `${all}.${above}.${delay}`),
          );
    if (rest.length === 0) return part;
    return once(`${part}.float`, () => add('DequantizeLinear', [part, ...rest], [`${part}.float`]));
  };
  for (const node of nodes) {
    const changed = lags.has(node.outputs[0] ?? '') ? needsOf(node) : [];
    const names = new Map(changed.map((need) => [need.name, taken(need)]));
    add(
      node.operation,
      node.inputs.map((name) => names.get(name) ?? name),
      node.outputs,
      node.attributes,
    );
  }
  const used = new Set([output, ...carried.map(({ name }) => `${name}.after`)]);
  const pieces = made.toReversed().filter(({ inputs, outputs }) => {
    const isUsed = outputs.some((name) => used.has(name));
    if (isUsed) inputs.forEach((name) => used.add(name));
    return isUsed;
  });
  const ends = carried.flatMap(({ name, rows, channels, isPicture }) => {
    const sides = isPicture
      ? (['', channels, rows, ''] as const)
      : (['', rows, '', channels] as const);
    const type = isPicture ? elementTypes.single : elementTypes.byte;
    return [
      ...valueInfo(inGraph.input, `${name}.before`, type, sides),
      ...valueInfo(inGraph.output, `${name}.after`, type, sides),
    ];
  });
  const graph = [
    ...pieces.toReversed().flatMap(({ node }) => node),
    ...[...numbers].flatMap(([value, name]) => wholeNumber(name, value)),
    ...kept.flatMap((field) => copied(source, field)),
    ...ends,
  ];
  const whole = [...fieldsOf(source, 0, source.size)].flatMap((field) =>
    field.number === inModel.graph ? bytesField(inModel.graph, graph) : copied(source, field),
  );
  const bytes = whole.map((piece) => (piece instanceof Uint8Array ? piece : piece.read()));
  return { file: Buffer.concat(bytes), carried, lag: lagOf(output) };
}

export interface CarriedNetwork {
  lag: number;
  /** A column of a picture of that width, from its top: each call takes its next rows, [3, height, width]. */
  column: (width: number) => (rows: Float32Array, height: number) => Promise<Float32Array>;
  close(): Promise<void>;
}

/** On the CPU, with the options of the engine's own sessions. */
export async function openCarried(path: string): Promise<CarriedNetwork> {
  const { file, carried, lag } = carriedFile(readFileSync(path));
  const session = await InferenceSession.create(file, {
    executionProviders: ['cpu'],
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const nothing = ({ rows, channels, isPicture }: Carried, width: number): Tensor =>
    isPicture
      ? new Tensor('float32', new Float32Array(channels * rows * width), [1, channels, rows, width])
      : new Tensor('uint8', new Uint8Array(channels * rows * width), [1, rows, width, channels]);
  const column = (width: number) => {
    let before = carried.map((one) => nothing(one, width));
    return async (rows: Float32Array, height: number) => {
      const given = carried.map(({ name }, i) => [`${name}.before`, before[i] as Tensor] as const);
      const answer = await session.run({
        ...Object.fromEntries(given),
        input: new Tensor('float32', rows, [1, 3, height, width]),
      });
      before = carried.map(({ name }) => answer[`${name}.after`] as Tensor);
      return answer['output']?.data as Float32Array;
    };
  };
  return { lag, column, close: () => session.release() };
}
