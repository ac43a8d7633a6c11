/** The first half of an import turns a person's files into one ONNX file. Nothing of them is run. */
import { copyFileSync, createReadStream } from 'node:fs';
import { openBytes, type OpenBytes } from '../../../electron/engine/onnx/byte-source.ts';
import { networkAmong, isBin, type GivenNetwork } from './given-files.ts';
import { blendOnnx } from '../../../electron/engine/onnx/blend-onnx.ts';
import { checkOnnx } from '../../../electron/engine/onnx/check-onnx.ts';
import { floatTypes } from '../../../electron/engine/onnx/encode-onnx.ts';
import { readOnnx } from '../../../electron/engine/onnx/read-onnx.ts';
import { rewriteOnnx, isSelfContained } from '../../../electron/engine/onnx/rewrite-onnx.ts';
import { inputName, outputName, writePieces } from '../../../electron/engine/onnx/write-onnx.ts';
import { ncnnToOnnx } from './ncnn/ncnn-to-onnx.ts';
import { readParam } from './ncnn/read-param.ts';
import {
  networkPath,
  type Ends,
  type FileHashes,
  type GivenFile,
  type ImportRequest,
  type ReadNetwork,
} from './request.ts';
import { refused } from '../../../electron/engine/onnx/refused.ts';
import { buildNetwork } from './torch/architectures/registry.ts';
import { readCheckpoint } from './torch/read-checkpoint.ts';
import { readSafetensors } from './torch/read-safetensors.ts';
import { createHash } from 'node:crypto';

/** A .param file larger than this is no text of layers. */
const longestParamBytes = 8 * 1024 * 1024;

/** Writes `network.onnx` into the request's folder. It throws MODEL_REFUSED with the reason. */
export async function readNetwork(request: ImportRequest): Promise<ReadNetwork> {
  const { files, blend } = request;
  const path = networkPath(request);
  const given = blend ? asTwins(request, blend.name) : networkAmong(files);
  const ends = blend ? fromTwins(given, path, blend.share) : toOnnx(given, path);
  const hashes = await Promise.all(files.map((file) => hashFile(file.path)));
  return { name: given.name, format: given.format, ends, hashes };
}

function toOnnx(given: GivenNetwork, path: string): Ends {
  if (given.format === 'onnx') return fromOnnx(given, path);
  return given.format === 'ncnn' ? fromNcnn(given, path) : fromWeights(given, path);
}

/** Turns a file of weights into ONNX; the names of the weights tell the architecture. */
function fromWeights({ main, format }: GivenNetwork, path: string): Ends {
  return withFiles([main], ([source]) => {
    const weights = format === 'safetensors' ? readSafetensors(source) : readCheckpoint(source);
    const { pieces, channels, architecture } = buildNetwork(weights, inputName);
    writePieces(path, pieces);
    return { ...ownEnds(channels.input), architecture };
  });
}

/** Gives the ends of the graphs that are built here from weights or layers. */
const ownEnds = (channels: number): Ends => ({
  input: {
    name: inputName,
    elementType: floatTypes.single,
    shape: ['batch', channels, 'height', 'width'],
  },
  outputs: [outputName],
});

function fromNcnn({ main, others }: GivenNetwork, path: string): Ends {
  return withFiles([main, ...others.filter(isBin)], ([param, bin]) => {
    if (!bin) throw new Error('Both files were asked for');
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
    const model = readOnnx(source);
    const ends = checkOnnx(model);
    if (isSelfContained(model, ends)) {
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

/** Blends two networks that were imported before, so each is one file of single precision. */
function fromTwins({ main, others }: GivenNetwork, path: string, share: number): Ends {
  return withFiles([main, ...others], ([one, other]) => {
    if (!other) throw new Error('Two networks were to be given');
    const { input, outputs } = checkOnnx(readOnnx(one));
    writePieces(path, blendOnnx(one, other, share));
    return { input, outputs: outputs.map(({ name }) => name) };
  });
}

type Opened<Files> = { [Place in keyof Files]: OpenBytes };

/** Opens the files, calls `use` with them in their order, and closes them. */
export function withFiles<const Files extends readonly Pick<GivenFile, 'path'>[], T>(
  files: Files,
  use: (open: Opened<Files>) => T,
): T {
  const open: OpenBytes[] = [];
  try {
    for (const { path } of files) open.push(openBytes(path));
    return use(open as Opened<Files>);
  } finally {
    for (const file of open) file.close();
  }
}

/** Hashes a file, which is read once and in pieces. */
export async function hashFile(path: string): Promise<FileHashes> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    sha256.update(bytes);
    md5.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), sizeBytes };
}
