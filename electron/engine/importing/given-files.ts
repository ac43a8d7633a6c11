/** Which of the files that were brought are a network, and in what format. By their names and first bytes; pure. */
import { isNetworkName } from '../../contract/model-files.ts';
import type { ModelFormat } from '../../contract/model.ts';
import { refused } from './refused.ts';

export interface GivenFile {
  /** As it was called where it came from, without folders. */
  name: string;
  path: string;
}

export interface GivenNetwork {
  format: ModelFormat;
  /** The network's own name: its file's, without its ending. */
  name: string;
  main: GivenFile;
  /** Files that belong to it. */
  others: GivenFile[];
}

/** Throws MODEL_REFUSED when there is none, more than one, or one without its other half. */
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
