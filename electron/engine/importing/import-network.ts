/** From the files that a person brought to one network file and its contract. Runs in a process of its own. */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openBytes, type OpenBytes } from './byte-source.ts';
import { networkAmong, isBin, type GivenFile, type GivenNetwork } from './given-files.ts';
import { hashFile, type FileHashes } from './hash-file.ts';
import { knownByMd5, knownBySha256, type KnownFile } from './known-files.ts';
import { blendOnnx } from './onnx/blend-onnx.ts';
import { colourInput, colourOnnx, colourOutput, takesBrightness } from './onnx/colour-onnx.ts';
import { checkOnnx } from './onnx/check-onnx.ts';
import { readOnnx, type Value } from './onnx/read-onnx.ts';
import { rewriteOnnx, standsAlone } from './onnx/rewrite-onnx.ts';
import { inputName, outputName, writePieces } from './onnx/write-onnx.ts';
import { ncnnToOnnx } from './ncnn/ncnn-to-onnx.ts';
import { readParam } from './ncnn/read-param.ts';
import type { ImportedNetwork, ImportRequest } from './protocol.ts';
import { refused } from './refused.ts';
import { buildNetwork } from './torch/architectures/registry.ts';
import { readCheckpoint } from './torch/read-checkpoint.ts';
import { readSafetensors } from './torch/read-safetensors.ts';
import type { FoundContract } from './trial/find-contract.ts';

/** Larger ones are no text of layers. */
const longestParamBytes = 8 * 1024 * 1024;

/** Throws MODEL_REFUSED with the reason. Writes `network.onnx` into the request's folder. */
export async function importNetwork(request: ImportRequest): Promise<ImportedNetwork> {
  const { files, toFolder, blend } = request;
  const path = join(toFolder, 'network.onnx');
  const given = blend ? asTwins(request, blend.name) : networkAmong(files);
  const made = blend ? fromTwins(given, path, blend.share) : toOnnx(given, path);
  const ends = takesBrightness(made.input) ? await withColours(path, made) : made;
  const hashes = await Promise.all(files.map((file) => hashFile(file.path)));
  const own = await hashFile(path);
  const known = knownAmong(hashes);
  const found = (known && asKnown(ends, known)) ?? (await tryOut(path, ends, own.sizeBytes));
  const common = {
    name: known?.name ?? given.name,
    ...(known && { licence: known.licence, author: known.author }),
    file: { path, sha256: own.sha256, sizeBytes: own.sizeBytes },
    origin: {
      format: given.format,
      files: files.map(({ name }) => name),
      sha256: hashes.map(({ sha256 }) => sha256),
      ...(ends.architecture !== undefined && { architecture: ends.architecture }),
      notes: [...(ends.notes ?? []), ...found.notes],
    },
  };
  return found.task === 'upscale'
    ? { ...common, task: found.task, contract: found.contract }
    : { ...common, task: found.task, contract: found.contract };
}

/** What the network that was written takes and gives. */
interface Ends {
  input: Value;
  outputs: string[];
  architecture?: string;
  /** What was noticed before it was tried. */
  notes?: string[];
}

function toOnnx(given: GivenNetwork, path: string): Ends {
  if (given.format === 'onnx') return fromOnnx(given, path);
  return given.format === 'ncnn' ? fromNcnn(given, path) : fromWeights(given, path);
}

/** Weights by name: the architecture is known by the names. */
function fromWeights({ main, format }: GivenNetwork, path: string): Ends {
  return withFiles([main], ([source]) => {
    if (!source) throw new Error('The file was asked for');
    const weights = format === 'safetensors' ? readSafetensors(source) : readCheckpoint(source);
    const { pieces, channels, architecture } = buildNetwork(weights, inputName);
    writePieces(path, pieces);
    return { ...ownEnds(channels.input), architecture };
  });
}

/** What the graphs that are made here take and give. */
const ownEnds = (channels: number): Ends => ({
  input: { name: inputName, elementType: 1, shape: ['batch', channels, 'height', 'width'] },
  outputs: [outputName],
});

function fromNcnn({ main, others }: GivenNetwork, path: string): Ends {
  return withFiles([main, ...others.filter(isBin)], ([param, bin]) => {
    if (!param || !bin) throw new Error('Both files were asked for');
    if (param.size > longestParamBytes)
      throw refused(`The .param file has ${param.size} bytes: it is no text of layers.`);
    const layers = readParam(param.read(0, param.size).toString('latin1'));
    const { pieces, channels } = ncnnToOnnx(layers, bin);
    writePieces(path, pieces);
    return ownEnds(channels.input);
  });
}

function fromOnnx({ main, others }: GivenNetwork, path: string): Ends {
  return withFiles([main, ...others], ([source, ...rest]) => {
    if (!source) throw new Error('The file was asked for');
    const model = readOnnx(source);
    const ends = checkOnnx(model);
    if (standsAlone(model, ends)) {
      copyFileSync(main.path, path);
      return { input: ends.input, outputs: ends.outputs.map(({ name }) => name) };
    }
    const beside = new Map(others.map(({ name }, i) => [name, rest[i] as OpenBytes]));
    const rewritten = rewriteOnnx(source, model, ends, beside);
    writePieces(path, rewritten.pieces);
    const { input, outputs } = rewritten;
    return { input: { ...ends.input, name: input }, outputs };
  });
}

const asTwins = ({ files: [main, ...others] }: ImportRequest, name: string): GivenNetwork => {
  if (!main) throw new Error('Two networks were to be given');
  return { format: 'onnx', name, main, others };
};

/** Of networks that were imported before: they stand alone and are of single precision. */
function fromTwins({ main, others }: GivenNetwork, path: string, share: number): Ends {
  return withFiles([main, ...others], ([one, other]) => {
    if (!one || !other) throw new Error('Two networks were to be given');
    const { input, outputs } = checkOnnx(readOnnx(one));
    writePieces(path, blendOnnx(one, other, share));
    return { input, outputs: outputs.map(({ name }) => name) };
  });
}

function withFiles<T>(files: readonly GivenFile[], use: (open: OpenBytes[]) => T): T {
  const open: OpenBytes[] = [];
  try {
    for (const { path } of files) open.push(openBytes(path));
    return use(open);
  } finally {
    for (const file of open) file.close();
  }
}

const knownAmong = (hashes: readonly FileHashes[]): KnownFile | undefined =>
  hashes
    .map(({ sha256, md5 }) => knownBySha256[sha256] ?? knownByMd5[md5])
    .find((known) => known !== undefined);

/** A published file needs no trial, where it says the size that it takes. */
function asKnown({ input, outputs }: Ends, { contract }: KnownFile): FoundContract | undefined {
  const [, channels, height, width] = input.shape ?? [];
  const [output] = outputs;
  const size =
    typeof height === 'number' && typeof width === 'number'
      ? { kind: 'fixed' as const, width, height }
      : contract.size;
  if (channels !== 3 || output === undefined || size === undefined) return undefined;
  return {
    task: 'remove-bg',
    notes: [],
    contract: {
      input: input.name,
      output,
      layout: 'NCHW',
      channels: 'RGB',
      fit: 'stretch',
      outputPlane: 0,
      matting: false,
      ...contract,
      size,
    },
  };
}

/** A network of brightness alone gets colours in its own file. */
async function withColours(path: string, ends: Ends): Promise<Ends> {
  const { openTrial } = await import('../inference/try-network.ts');
  const { findPlaneScale } = await import('./trial/find-plane-scale.ts');
  const session = await openTrial(path, ends.input.name).catch(cannotLoad);
  const found = await findPlaneScale(session, ends.input).finally(() => session.close());
  const coloured = `${path}.coloured`;
  withFiles([{ name: 'network', path }], ([source]) => {
    if (!source) throw new Error('The file was asked for');
    writePieces(coloured, colourOnnx(source, readOnnx(source), { input: ends.input, ...found }));
  });
  renameSync(coloured, path);
  const [batch = 'batch', , height = 'height', width = 'width'] = ends.input.shape ?? [];
  return {
    ...ends,
    input: { ...ends.input, name: colourInput, shape: [batch, 3, height, width] },
    outputs: [colourOutput],
    notes: ['It takes brightness alone; colours are enlarged by interpolation.'],
  };
}

async function cannotLoad(error: unknown): Promise<never> {
  const { firstLine } = await import('../inference/first-line.ts');
  throw refused(`onnxruntime cannot load the network: ${firstLine(error)}`);
}

/** Loaded only now: what is refused by reading needs no onnxruntime. */
async function tryOut(path: string, { input }: Ends, sizeBytes: number): Promise<FoundContract> {
  const { openTrial } = await import('../inference/try-network.ts');
  const { findContract } = await import('./trial/find-contract.ts');
  const session = await openTrial(path, input.name).catch(cannotLoad);
  try {
    return await findContract(session, input, sizeBytes / 4);
  } finally {
    await session.close();
  }
}
