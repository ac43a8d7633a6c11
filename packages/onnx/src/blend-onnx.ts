/**
 * Interpolates the weights of two networks of one structure, so that a strongly cleaning network and its
 * gentler twin become a range of strengths (network interpolation, https://arxiv.org/abs/1811.10515).
 */
import type { ByteSource } from './byte-source.ts';
import {
  bytesField,
  fieldsIn,
  fieldsOf,
  textIn,
  type OutputPiece,
  type WireField,
} from './protobuf.ts';
import { refused } from './refused.ts';
import { toFloats } from './tensor.ts';
import { floatTypes } from './encode-onnx.ts';
import { copied } from './rewrite-onnx.ts';

interface StoredWeights {
  parts: WireField[];
  shape: string;
  raw: WireField | undefined;
  isFloat: boolean;
}

/** Maximum share of a file that is not blended: small constants that both networks have in common. */
const maxCopiedShare = 0.05;

/**
 * Blends two files lazily: weights are read and mixed when their piece is written.
 *
 * @param share weight of `other`, 0 to 1
 * @throws EnlargerError MODEL_REFUSED
 */
export function blendOnnx(one: ByteSource, other: ByteSource, share: number): OutputPiece[] {
  const theirs = new Map(weightsIn(other));
  let blended = 0;
  const pieces: OutputPiece[] = [];
  for (const field of fieldsOf(one, 0, one.size)) {
    if (field.number !== 7) {
      pieces.push(...copied(one, field));
      continue;
    }
    const graph: OutputPiece[] = [];
    for (const inner of fieldsIn(one, field)) {
      if (inner.number !== 5) {
        graph.push(...copied(one, inner));
        continue;
      }
      const [name, mine] = weightsOf(one, inner);
      const match = theirs.get(name);
      theirs.delete(name);
      if (match?.shape !== mine.shape || match.isFloat !== mine.isFloat) throw different(name);
      if (mine.isFloat && mine.raw && match.raw) {
        blended += mine.raw.value;
        graph.push(...blendedWeights(one, mine, other, match.raw, share));
      } else graph.push(...copied(one, inner));
    }
    pieces.push(...bytesField(7, graph));
  }
  const [unmatched] = theirs.keys();
  if (unmatched !== undefined) throw different(unmatched);
  if (blended < (1 - maxCopiedShare) * one.size)
    throw refused(
      'The weights of these networks are not stored as 32-bit floats, so they cannot be blended. Bring both as PyTorch weights or as ONNX of single precision.',
    );
  return pieces;
}

const different = (name: string) =>
  refused(
    `The two networks are built differently: the weights ${name.slice(0, 60)} are not the same in both. Only twins, trained from one network, can be blended.`,
  );

function* weightsIn(source: ByteSource): Generator<[string, StoredWeights]> {
  for (const field of fieldsOf(source, 0, source.size)) {
    if (field.number !== 7) continue;
    for (const inner of fieldsIn(source, field))
      if (inner.number === 5) yield weightsOf(source, inner);
  }
}

function weightsOf(source: ByteSource, field: WireField): [string, StoredWeights] {
  const parts = [...fieldsIn(source, field)];
  const named = parts.find(({ number }) => number === 8);
  const raw = parts.find(({ number }) => number === 9);
  const sides = parts.filter(({ number }) => number === 1);
  const shape = sides
    .map(({ kind, value, at }) =>
      kind === 'number' ? String(value) : source.read(at, value).toString('hex'),
    )
    .join();
  const type = parts.find(({ number }) => number === 2)?.value;
  return [
    named ? textIn(source, named) : '',
    { parts, shape: `${shape}:${raw?.value ?? 0}`, raw, isFloat: type === floatTypes.single },
  ];
}

function blendedWeights(
  one: ByteSource,
  { parts }: StoredWeights,
  other: ByteSource,
  theirs: WireField,
  share: number,
): OutputPiece[] {
  const changed = parts.flatMap((part) =>
    part.number === 9
      ? bytesField(9, [
          {
            byteLength: part.value,
            read() {
              const mine = toFloats(one.read(part.at, part.value), 'float32');
              const added = toFloats(other.read(theirs.at, theirs.value), 'float32');
              const mixed = mine.map((value, i) => value + share * ((added[i] as number) - value));
              return new Uint8Array(mixed.buffer);
            },
          },
        ])
      : copied(one, part),
  );
  return bytesField(5, changed);
}
