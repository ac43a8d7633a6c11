/** Networks that are not in the checkout, imported as a person's are. */
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { importNetwork } from '../../electron/engine/importing/import-network.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each network of a folder and of those in it, with the files that lie beside it and begin alike. */
export function networksIn(folder: string): { name: string; path: string }[][] {
  const names = readdirSync(folder, { withFileTypes: true });
  const here = names.filter((one) => one.isFile()).map(({ name }) => name);
  const own = here
    .filter((name) => /\.(onnx|param|pth|safetensors)$/.test(name))
    .toSorted()
    .map((name) => {
      const stem = name.slice(0, name.lastIndexOf('.'));
      const beside = here.filter((one) => one !== name && one.startsWith(`${stem}.`));
      return [name, ...beside].map((one) => ({ name: one, path: join(folder, one) }));
    });
  const inside = names.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name));
  return [...own, ...inside.toSorted().flatMap(networksIn)];
}

/** Those that enlarge; what is refused is said. They lie in a folder for temporary files. */
export async function enlargersIn(folder: string): Promise<NetworkFile[]> {
  const made: NetworkFile[] = [];
  for (const files of networksIn(folder)) {
    const [main] = files;
    const toFolder = temporaryFolder();
    try {
      const found = await importNetwork({ files, toFolder });
      if (found.task !== 'upscale') continue;
      const { path, sha256, sizeBytes } = found.file;
      const variants = [{ precision: 'fp32' as const, file: path, path, sha256, sizeBytes }];
      const kind = extname(main?.name ?? '').slice(1);
      made.push({ ...found.contract, modelId: `${found.name} (${kind})`, variants });
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${main?.name ?? ''} is left out: ${said}\n`);
    }
  }
  return made;
}
