/** Networks for tests: the catalogue's, with absolute paths. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  CatalogueFile,
  NetworkDescriptor,
  NetworkVariant,
  Precision,
} from '../../packages/contract/src/models/model.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';

export const modelsDir = join(import.meta.dirname, '../../models');

/** Every network that ships. */
export const embeddedNetworks = (): NetworkFile[] => networksIn(modelsDir);

/** The models of a folder's catalogue. */
export const modelsIn = (folder: string): CatalogueFile['models'] =>
  (JSON.parse(readFileSync(join(folder, 'catalogue.json'), 'utf8')) as CatalogueFile).models;

/** Every upscaler's network of a folder with a catalogue. */
export const networksIn = (folder: string): NetworkFile[] =>
  modelsIn(folder)
    .filter((model) => model.task === 'upscale')
    .flatMap((model) => model.networks.map((network) => atPath(folder, model.id, network)));

function atPath(
  folder: string,
  modelId: string,
  { blurNetwork, ...network }: NetworkDescriptor,
): NetworkFile {
  const withPaths = <Network extends { variants: NetworkVariant[] }>(of: Network) => ({
    ...of,
    modelId,
    variants: of.variants.map((v) => ({ ...v, path: join(folder, v.file) })),
  });
  return { ...withPaths(network), ...(blurNetwork && { blurNetwork: withPaths(blurNetwork) }) };
}

/** The shipped network of one scale. */
export function embeddedNetwork(scale: number): NetworkFile {
  const found = embeddedNetworks().find((network) => network.scale === scale);
  if (!found) throw new Error(`No embedded network enlarges ${scale} times`);
  return found;
}

/** What most networks for tests take and give; how much they enlarge is said by each. */
export const plainContract: Omit<NetworkDescriptor, 'scale' | 'variants' | 'blurNetwork'> = {
  input: 'input',
  output: 'output',
  layout: 'NCHW',
  channels: 'RGB',
  range: [0, 1],
  marginPx: 0,
  padding: 'replicate',
  multiple: 1,
  minSizePx: 1,
  tileExact: true,
};

/** A network from a file, with a plain contract where nothing else is said. */
export function networkFromFile(
  path: string,
  needs: Partial<Omit<NetworkDescriptor, 'blurNetwork'>> & { scale: number },
  precision: Precision = 'fp32',
): NetworkFile {
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    modelId: 'test',
    ...plainContract,
    ...needs,
    variants: [{ precision, file: path, path, sha256, sizeBytes: bytes.length }],
  };
}

/** As a catalogue beside the file names it. */
export const catalogued = ({
  precision,
  file,
  sha256,
  sizeBytes,
}: NetworkVariant): NetworkVariant => ({ precision, file: basename(file), sha256, sizeBytes });
