/**
 * Picks the network and its format out of the files of an import by their file names alone; opens none of
 * them.
 */
import { isNetworkName } from '../../contract/src/models/model-files.ts';
import type { ModelFormat } from '../../contract/src/models/model.ts';
import type { ImportFile } from './request.ts';
import { refused } from '../../onnx/src/index.ts';

export interface PickedNetwork {
  format: ModelFormat;
  /** The file name of `main` without its extension. */
  name: string;
  main: ImportFile;
  /** Companion files, such as the .bin of a .param or the external weights of an ONNX file. */
  others: ImportFile[];
}

/** Two ONNX files, which are an encoder and its decoder if they are one network; undefined for anything else. */
export function pickPair(files: readonly ImportFile[]): [ImportFile, ImportFile] | undefined {
  const [one, other, ...more] = files.filter(({ name }) => isNetworkName(name));
  const arePair = one && other && more.length === 0 && isOnnx(one) && isOnnx(other);
  return arePair ? [one, other] : undefined;
}

const isOnnx = ({ name }: ImportFile) => /\.onnx$/i.test(name);

/** @throws MODEL_REFUSED for no or several networks, or a .param without its .bin. */
export function pickNetwork(files: readonly ImportFile[]): PickedNetwork {
  const candidates = files.filter(({ name }) => isNetworkName(name));
  const [main] = candidates;
  if (!main) throw refused(noNetworkMessage(files));
  if (candidates.length > 1)
    throw refused(
      `${candidates.length} networks were brought at once (${nameList(candidates)}). Bring them one after the other; only an encoder and its decoder belong together.`,
    );
  const others = files.filter((file) => file !== main);
  const format = formatOf(main.name);
  const name = main.name.slice(0, main.name.lastIndexOf('.'));
  if (format === 'ncnn' && !others.some((file) => isBinFile(file)))
    throw refused(`${main.name} needs the .bin file of the same name. Bring both together.`);
  return { format, name, main, others };
}

export const isBinFile = ({ name }: ImportFile) => /\.bin$/i.test(name);

function formatOf(name: string): ModelFormat {
  if (/\.onnx$/i.test(name)) return 'onnx';
  if (/\.param$/i.test(name)) return 'ncnn';
  return /\.safetensors$/i.test(name) ? 'safetensors' : 'pytorch';
}

const nameList = (files: readonly ImportFile[]) =>
  files
    .slice(0, 4)
    .map(({ name }) => name.slice(0, 60))
    .join(', ');

function noNetworkMessage(files: readonly ImportFile[]): string {
  if (files.some(isBinFile))
    return `${nameList(files)} needs the .param file of the same name. Bring both together.`;
  return `Expected a network as .onnx, .param with .bin, .pth, .ckpt or .safetensors but received ${nameList(files) || 'no file'}.`;
}
