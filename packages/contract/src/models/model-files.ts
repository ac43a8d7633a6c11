/** Which files are networks and which belong together, by name. Pure. */

/** Extensions of networks. Weights of ncnn and of large ONNX networks are in a second file. */
const networkEndings = ['onnx', 'param', 'pth', 'pt', 'ckpt', 'safetensors'] as const;
const besideEndings = ['bin', 'data'] as const;

const endsIn = (name: string, endings: readonly string[]) =>
  endings.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** True if the name is that of a network. */
export const isNetworkName = (name: string): boolean => endsIn(name, networkEndings);
/** True for a network or a file that belongs to one. */
export const isModelFileName = (name: string): boolean =>
  isNetworkName(name) || endsIn(name, besideEndings);

export interface SortedFiles<Named> {
  photos: Named[];
  /** Grouped by network. */
  models: Named[][];
}

/** Treats every file as a network, so that its reader reports what is wrong. */
export function allAsModels<Named extends { name: string }>(
  files: readonly Named[],
): SortedFiles<Named> {
  const { models, photos } = sortFiles(files);
  return { photos: [], models: [...models, ...photos.map((file) => [file])] };
}

const stemOf = (name: string) => name.slice(0, name.lastIndexOf('.'));

const decoderPart = /decoder/i;
const encoderPart = /encoder/i;

/** What the names of an encoder and its decoder have in common; undefined for other networks. */
function pairName(name: string): string | undefined {
  const part = decoderPart.test(name) ? decoderPart : encoderPart;
  return part.test(name) && endsIn(name, ['onnx']) ? name.replace(part, '') : undefined;
}

/** Groups an encoder with its decoder: of the same name otherwise, or the only two networks. */
function pairNetworks<Named extends { name: string }>(networks: readonly Named[]): Named[][] {
  const isDecoder = ({ name }: Named) => decoderPart.test(name);
  const [one, other] = networks;
  const areAlone = networks.length === 2 && one && other && isDecoder(one) !== isDecoder(other);
  if (areAlone && networks.every(({ name }) => pairName(name) !== undefined)) return [[one, other]];
  const groups = Map.groupBy(networks, (network) => {
    const pair = pairName(network.name);
    const isPair = (found: Named) =>
      pairName(found.name) === pair && isDecoder(found) !== isDecoder(network);
    return pair !== undefined && networks.some(isPair) ? pair : network;
  });
  return [...groups.values()];
}

/**
 * Each network gets the files with its own stem, and an encoder its decoder; a single network gets all files that are
 * no photos. Weights without a network form a group, whose reader reports what is missing.
 */
export function sortFiles<Named extends { name: string }>(
  files: readonly Named[],
): SortedFiles<Named> {
  const ofModels = files.filter(({ name }) => isModelFileName(name));
  const photos = files.filter((file) => !ofModels.includes(file));
  const networks = ofModels.filter(({ name }) => isNetworkName(name));
  const beside = ofModels.filter((file) => !networks.includes(file));
  if (networks.length === 0) return { photos, models: beside.length > 0 ? [beside] : [] };
  const groups = pairNetworks(networks);
  if (groups.length === 1) return { photos, models: [[...networks, ...beside]] };
  const belongsTo = (network: Named) =>
    beside.filter(({ name }) => name.startsWith(`${stemOf(network.name)}.`));
  return { photos, models: groups.map((group) => [...group, ...group.flatMap(belongsTo)]) };
}
