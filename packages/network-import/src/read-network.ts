/** First half of an import: converts the files to one ONNX file without running any of them. */
import { copyFileSync, createReadStream } from 'node:fs';
import {
  type OpenBytes,
  blendOnnx,
  checkOnnx,
  floatTypes,
  isPromptDecoder,
  readOnnx,
  rewriteOnnx,
  isSelfContained,
  inputName,
  outputName,
  writePieces,
  refused,
} from '../../onnx/src/index.ts';
import { pickNetwork, pickPair, isBinFile, type PickedNetwork } from './pick-network.ts';
import { ncnnToOnnx } from './ncnn/ncnn-to-onnx.ts';
import { readParam } from './ncnn/read-param.ts';
import { readPair } from './read-pair.ts';
import { withFiles } from './with-files.ts';
import {
  networkPath,
  type NetworkPorts,
  type FileHashes,
  type ImportRequest,
  type ReadNetwork,
} from './request.ts';
import { buildNetwork } from './torch/architectures/registry.ts';
import { readCheckpoint } from './torch/read-checkpoint.ts';
import { readSafetensors } from './torch/read-safetensors.ts';
import { createHash } from 'node:crypto';

/** Size limit of .param files, which are text. */
const maxParamBytes = 8 * 1024 * 1024;

/** Writes `network.onnx` to the request's folder. @throws MODEL_REFUSED with the reason. */
export async function readNetwork(request: ImportRequest): Promise<ReadNetwork> {
  const { files, blend } = request;
  const hashes = await Promise.all(files.map((file) => hashFile(file.path)));
  const pair = blend ? undefined : pickPair(files);
  const read = pair && readPair(request, pair);
  if (read) return { ...read, format: 'onnx', hashes };
  const path = networkPath(request);
  const network = blend ? asPair(request, blend.name) : pickNetwork(files);
  const ports = blend ? fromPair(network, path, blend.share) : toOnnx(network, path);
  return { name: network.name, format: network.format, ports, hashes };
}

function toOnnx(network: PickedNetwork, path: string): NetworkPorts {
  if (network.format === 'onnx') return fromOnnx(network, path);
  return network.format === 'ncnn' ? fromNcnn(network, path) : fromWeights(network, path);
}

/** Converts weights. Their names determine the architecture. */
function fromWeights({ main, format }: PickedNetwork, path: string): NetworkPorts {
  return withFiles([main], ([source]) => {
    const weights = format === 'safetensors' ? readSafetensors(source) : readCheckpoint(source);
    const { pieces, channels, architecture } = buildNetwork(weights, inputName);
    writePieces(path, pieces);
    return { ...builtPorts(channels.input), architecture };
  });
}

/** Ports of the graphs that this package builds from weights or layers. */
const builtPorts = (channels: number): NetworkPorts => ({
  input: {
    name: inputName,
    elementType: floatTypes.single,
    shape: ['batch', channels, 'height', 'width'],
  },
  outputs: [outputName],
});

function fromNcnn({ main, others }: PickedNetwork, path: string): NetworkPorts {
  return withFiles([main, ...others.filter(isBinFile)], ([param, bin]) => {
    if (!bin) throw new Error('Both files were asked for');
    if (param.size > maxParamBytes)
      throw refused(`The .param file has ${param.size} bytes: it is no text of layers.`);
    const layers = readParam(param.read(0, param.size).toString('latin1'));
    const { pieces, channels } = ncnnToOnnx(layers, bin);
    writePieces(path, pieces);
    return builtPorts(channels.input);
  });
}

function fromOnnx({ main, others }: PickedNetwork, path: string): NetworkPorts {
  return withFiles([main, ...others], ([source, ...rest]) => {
    const model = readOnnx(source);
    if (isPromptDecoder(model))
      throw refused(
        `${main.name.slice(0, 60)} is the decoder of a network that takes points. Bring its encoder together with it.`,
      );
    const ports = checkOnnx(model);
    if (isSelfContained(model, ports)) {
      copyFileSync(main.path, path);
      return { input: ports.input, outputs: ports.outputs.map(({ name }) => name) };
    }
    const companions = new Map(others.map(({ name }, i) => [name, rest[i] as OpenBytes]));
    const rewritten = rewriteOnnx(source, model, ports, companions);
    writePieces(path, rewritten.pieces);
    const { input, outputs } = rewritten;
    return { input: { ...ports.input, name: input }, outputs };
  });
}

const asPair = ({ files: [main, ...others] }: ImportRequest, name: string): PickedNetwork => {
  if (!main) throw new Error('Two networks were to be given');
  return { format: 'onnx', name, main, others };
};

/** Blends two networks that were imported before, so each is one file with 32-bit floats. */
function fromPair({ main, others }: PickedNetwork, path: string, share: number): NetworkPorts {
  return withFiles([main, ...others], ([one, other]) => {
    if (!other) throw new Error('Two networks were to be given');
    const { input, outputs } = checkOnnx(readOnnx(one));
    writePieces(path, blendOnnx(one, other, share));
    return { input, outputs: outputs.map(({ name }) => name) };
  });
}

/** Hashes a file in one pass, 1 MiB at a time. */
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
