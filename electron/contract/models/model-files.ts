/** Names tell which files are networks, and which belong together. All here is pure. */

/** The names of networks' files end like this. Weights of ncnn and of large ONNX networks lie in a second file. */
const networkEndings = ['onnx', 'param', 'pth', 'pt', 'ckpt', 'safetensors'] as const;
const besideEndings = ['bin', 'data'] as const;

const endsIn = (name: string, endings: readonly string[]) =>
  endings.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** Tells by its name whether a file is a network. */
export const isNetworkName = (name: string): boolean => endsIn(name, networkEndings);
/** Tells whether a file is a network or belongs to one. */
export const isModelFileName = (name: string): boolean =>
  isNetworkName(name) || endsIn(name, besideEndings);

export interface Sorted<Named> {
  photos: Named[];
  /** The files of each network stand together. */
  models: Named[][];
}

/** Takes every file for a network, so that the reader of networks says what is wrong with one that is none. */
export function allAsModels<Named extends { name: string }>(
  files: readonly Named[],
): Sorted<Named> {
  const { models, photos } = sortFiles(files);
  return { photos: [], models: [...models, ...photos.map((file) => [file])] };
}

const stemOf = (name: string) => name.slice(0, name.lastIndexOf('.'));

/**
 * A network takes the files that are called as it is, and a single one all that are no photos. Weights
 * without a network stand alone, so that whoever reads them says what is missing.
 */
export function sortFiles<Named extends { name: string }>(files: readonly Named[]): Sorted<Named> {
  const ofModels = files.filter(({ name }) => isModelFileName(name));
  const photos = files.filter((file) => !ofModels.includes(file));
  const networks = ofModels.filter(({ name }) => isNetworkName(name));
  const beside = ofModels.filter((file) => !networks.includes(file));
  if (networks.length === 0) return { photos, models: beside.length > 0 ? [beside] : [] };
  if (networks.length === 1) return { photos, models: [[...networks, ...beside]] };
  const models = networks.map((network) => [
    network,
    ...beside.filter(({ name }) => name.startsWith(`${stemOf(network.name)}.`)),
  ]);
  return { photos, models };
}
