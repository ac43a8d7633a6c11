/** Reads an encoder and its decoder, which together are a network that takes prompts. */
import { copyFileSync } from 'node:fs';
import {
  type OpenBytes,
  floatTypes,
  isPromptDecoder,
  promptDecoderPorts,
  promptEncoderPorts,
  promptSidePx,
  type PromptDecoderPorts,
  readOnnx,
  type OnnxStructure,
  type TensorInfo,
  refused,
  isSelfContained,
  rewriteOnnx,
  writePieces,
} from '../../onnx/src/index.ts';
import {
  decoderPath,
  networkPath,
  type ImportFile,
  type ImportRequest,
  type ReadNetwork,
} from './request.ts';
import { withFiles } from './with-files.ts';

interface OpenNetwork {
  file: ImportFile;
  source: OpenBytes;
  model: OnnxStructure;
}

/**
 * Writes both files to the request's folder. Returns undefined if none of the two takes points.
 *
 * @throws EnlargerError MODEL_REFUSED with the reason
 */
export function readPair(
  request: ImportRequest,
  files: readonly [ImportFile, ImportFile],
): Pick<ReadNetwork, 'name' | 'ports' | 'decoder'> | undefined {
  const others = request.files.filter((file) => !files.includes(file));
  return withFiles([...files, ...others], (open) => {
    const both = files.map((file, i) => openNetwork(file, open[i]));
    const decoder = both.find(({ model }) => isPromptDecoder(model));
    const encoder = both.find((one) => one !== decoder);
    if (!decoder || !encoder) return undefined;
    if (isPromptDecoder(encoder.model))
      throw refused('Both files are decoders. Bring an encoder and its decoder.');
    const companions = new Map(others.map(({ name }, i) => [name, sourceOf(open[i + 2])]));
    const ports = promptDecoderPorts(decoder.model);
    writeDecoder(decoder, companions, decoderPath(request));
    return {
      name: pairName(encoder.file.name),
      ports: writeEncoder(encoder, ports, companions, networkPath(request)),
      decoder: ports,
    };
  });
}

const openNetwork = (file: ImportFile, source: OpenBytes | undefined): OpenNetwork => {
  const open = sourceOf(source);
  return { file, source: open, model: readOnnx(open) };
};

function sourceOf(source: OpenBytes | undefined): OpenBytes {
  if (!source) throw new Error('Every file was opened');
  return source;
}

function writeDecoder(
  { source, file, model }: OpenNetwork,
  companions: ReadonlyMap<string, OpenBytes>,
  path: string,
): void {
  const [input] = model.inputs;
  if (!input) throw new Error('A decoder has inputs');
  const ports = { input, outputs: [], isHalf: false };
  if (isSelfContained(model, ports)) copyFileSync(file.path, path);
  else writePieces(path, rewriteOnnx(source, model, ports, companions).pieces);
}

function writeEncoder(
  { source, file, model }: OpenNetwork,
  decoder: PromptDecoderPorts,
  companions: ReadonlyMap<string, OpenBytes>,
  path: string,
): ReadNetwork['ports'] {
  const { input: declared, outputs } = promptEncoderPorts(model, decoder);
  const input = { ...declared, shape: triedShape(declared.shape, decoder) };
  const made = outputs.flatMap((name) => model.outputs.find((one) => one.name === name) ?? []);
  const ports = { input, outputs: made, isHalf: input.elementType === floatTypes.half };
  if (isSelfContained(model, ports)) {
    copyFileSync(file.path, path);
    return { input, outputs };
  }
  const rewritten = rewriteOnnx(source, model, ports, companions);
  writePieces(path, rewritten.pieces);
  return { input: { ...input, name: rewritten.input }, outputs: rewritten.outputs };
}

/** Free sides become that of the square with which the encoder is tried, which limits of an import depend on. */
const triedShape = (shape: TensorInfo['shape'], decoder: PromptDecoderPorts) =>
  shape?.map((side, i) =>
    typeof side === 'number' || (i === 0 && shape.length === 4) ? side : promptSidePx(decoder),
  );

/** `mobile_sam` of `mobile_sam.encoder.onnx`. */
function pairName(encoder: string): string {
  const stem = encoder.slice(0, encoder.lastIndexOf('.'));
  return stem.replace(/[^\p{L}\p{N}]*(?:image|vision)?[^\p{L}\p{N}]*encoder.*$/iu, '') || 'objects';
}
