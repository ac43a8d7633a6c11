/** Second half of an import, in a process of its own: runs the network to find its contract. */
import { note } from '../../../packages/contract/src/notes/notes.ts';
import { renameSync } from 'node:fs';
import {
  decoderPath,
  hashFile,
  networkPath,
  readNetwork,
  withFiles,
  type NetworkPorts,
  type FileHashes,
  type ImportRequest,
  type ReadNetwork,
} from '../../../packages/network-import/src/index.ts';
import { knownByMd5, knownBySha256, type KnownFile } from './known-files.ts';
import {
  colourInput,
  colourOnnx,
  colourOutput,
  takesLuma,
  readOnnx,
  writePieces,
  refused,
} from '../../../packages/onnx/src/index.ts';
import type { OnImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import type { ImportedNetwork } from '../protocol/importing.ts';
import type { FoundContract } from './trial/find-contract.ts';

/** Reads and tries a network in this process. */
export const importNetwork = async (request: ImportRequest): Promise<ImportedNetwork> =>
  tryNetwork(request, await readNetwork(request));

/** Tries the network in the request's folder. @throws EnlargerError MODEL_REFUSED with the reason */
export async function tryNetwork(
  request: ImportRequest,
  network: ReadNetwork,
  onProgress: OnImportProgress = () => undefined,
): Promise<ImportedNetwork> {
  return network.decoder
    ? tryPair(request, { ...network, decoder: network.decoder }, onProgress)
    : trySingle(request, network, onProgress);
}

async function trySingle(
  request: ImportRequest,
  { name, format, ports: read, hashes }: ReadNetwork,
  onProgress: OnImportProgress,
): Promise<ImportedNetwork> {
  const path = networkPath(request);
  const ports = takesLuma(read.input) ? await withColours(path, read) : read;
  const own = await hashFile(path);
  const known = knownAmong(hashes);
  const { notes, ...found } =
    (known && knownContract(ports, known)) ??
    (await trialContract(path, ports, own.sizeBytes, onProgress));
  return {
    ...found,
    name: known?.name ?? name,
    ...(known && { licence: known.licence, author: known.author }),
    file: { path, sha256: own.sha256, sizeBytes: own.sizeBytes },
    origin: {
      format,
      files: request.files.map((file) => file.name),
      sha256: hashes.map(({ sha256 }) => sha256),
      ...(ports.architecture !== undefined && { architecture: ports.architecture }),
      notes: [...(ports.notes ?? []), ...notes],
    },
  };
}

/** Tries an encoder and its decoder. */
async function tryPair(
  request: ImportRequest,
  { name, format, ports, decoder, hashes }: ReadNetwork & Required<Pick<ReadNetwork, 'decoder'>>,
  onProgress: OnImportProgress,
): Promise<ImportedNetwork> {
  const { loadForTrial } = await import('../inference/sessions/trial-session.ts');
  const { findPrompts } = await import('./trial/find-prompts.ts');
  const { createTrialProgress } = await import('./trial/trial-progress.ts');
  const paths = [networkPath(request), decoderPath(request)] as const;
  const sessions = {
    encoder: await loadForTrial(paths[0]).catch(cannotLoad),
    decoder: await loadForTrial(paths[1]).catch(cannotLoad),
  };
  const progress = createTrialProgress(onProgress);
  const { contract, notes } = await findPrompts({
    ...sessions,
    ...ports,
    ports: decoder,
    progress,
  });
  const [file, decoderFile] = await Promise.all(paths.map(writtenFile));
  if (!file || !decoderFile) throw new Error('Both files were written');
  return {
    task: 'select',
    name,
    contract,
    file,
    decoderFile,
    origin: {
      format,
      files: request.files.map((one) => one.name),
      sha256: hashes.map(({ sha256 }) => sha256),
      notes,
    },
  };
}

async function writtenFile(path: string) {
  const { sha256, sizeBytes } = await hashFile(path);
  return { path, sha256, sizeBytes };
}

const knownAmong = (hashes: readonly FileHashes[]): KnownFile | undefined =>
  hashes
    .map(({ sha256, md5 }) => knownBySha256[sha256] ?? knownByMd5[md5])
    .find((known) => known !== undefined);

/** Contract of a known published file, without a trial; undefined if its size is unknown. */
function knownContract(
  { input, outputs }: NetworkPorts,
  { contract }: KnownFile,
): FoundContract | undefined {
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

/** Rewrites the file of a luma network so that it takes and gives colours. */
async function withColours(path: string, ports: NetworkPorts): Promise<NetworkPorts> {
  const { openTrial } = await import('../inference/sessions/trial-session.ts');
  const { findPlaneScale } = await import('./trial/find-plane-scale.ts');
  const session = await openTrial(path, ports.input.name).catch(cannotLoad);
  let found: Awaited<ReturnType<typeof findPlaneScale>>;
  try {
    found = await findPlaneScale(session, ports.input);
  } finally {
    await session.close();
  }
  const coloured = `${path}.coloured`;
  withFiles([{ path }], ([source]) => {
    writePieces(coloured, colourOnnx(source, readOnnx(source), { input: ports.input, ...found }));
  });
  renameSync(coloured, path);
  const [batch = 'batch', , height = 'height', width = 'width'] = ports.input.shape ?? [];
  return {
    ...ports,
    input: { ...ports.input, name: colourInput, shape: [batch, 3, height, width] },
    outputs: [colourOutput],
    notes: [note('BRIGHTNESS_ONLY')],
  };
}

async function cannotLoad(error: unknown): Promise<never> {
  const { firstLine } = await import('../inference/devices/device-fault.ts');
  throw refused(`onnxruntime cannot load the network: ${firstLine(error)}`);
}

/** Finds the contract by running. onnxruntime is loaded only here: refused files do not need it. */
async function trialContract(
  path: string,
  { input }: NetworkPorts,
  sizeBytes: number,
  onProgress: OnImportProgress,
): Promise<FoundContract> {
  const { openTrial } = await import('../inference/sessions/trial-session.ts');
  const { findContract } = await import('./trial/find-contract.ts');
  const { createTrialProgress } = await import('./trial/trial-progress.ts');
  const progress = createTrialProgress(onProgress);
  const session = await openTrial(path, input.name).catch(cannotLoad);
  try {
    return await findContract(progress.counted(session), input, sizeBytes / 4, progress);
  } finally {
    await session.close();
  }
}
