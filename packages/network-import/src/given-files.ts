/** Finds the network among the files that were brought, and its format, by their names alone. It is pure. */
import { isNetworkName } from '../../../electron/contract/models/model-files.ts';
import type { ModelFormat } from '../../../electron/contract/models/model.ts';
import type { GivenFile } from './request.ts';
import { refused } from '../../../electron/engine/onnx/refused.ts';

export interface GivenNetwork {
  format: ModelFormat;
  /** The network's name is its file's name without the ending. */
  name: string;
  main: GivenFile;
  /** The other files that were brought; the network may need some of them. */
  others: GivenFile[];
}

/** Finds the one network. It throws MODEL_REFUSED for none, several, or a .param without its .bin. */
export function networkAmong(files: readonly GivenFile[]): GivenNetwork {
  const mains = files.filter(({ name }) => isNetworkName(name));
  const [main] = mains;
  if (!main) throw refused(noneAmong(files));
  if (mains.length > 1)
    throw refused(
      `${mains.length} networks were brought at once (${listed(mains)}). Bring them one after the other.`,
    );
  const others = files.filter((file) => file !== main);
  const format = formatOf(main.name);
  const name = main.name.slice(0, main.name.lastIndexOf('.'));
  if (format === 'ncnn' && !others.some((file) => isBin(file)))
    throw refused(`${main.name} needs the .bin file of the same name. Bring both together.`);
  return { format, name, main, others };
}

export const isBin = ({ name }: GivenFile) => /\.bin$/i.test(name);

function formatOf(name: string): ModelFormat {
  if (/\.onnx$/i.test(name)) return 'onnx';
  if (/\.param$/i.test(name)) return 'ncnn';
  return /\.safetensors$/i.test(name) ? 'safetensors' : 'pytorch';
}

const listed = (files: readonly GivenFile[]) =>
  files
    .slice(0, 4)
    .map(({ name }) => name.slice(0, 60))
    .join(', ');

function noneAmong(files: readonly GivenFile[]): string {
  if (files.some(isBin))
    return `${listed(files)} needs the .param file of the same name. Bring both together.`;
  return `Expected a network as .onnx, .param with .bin, .pth, .ckpt or .safetensors but received ${listed(files) || 'no file'}.`;
}
