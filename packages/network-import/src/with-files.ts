/** Opens files of an import for as long as they are read. */
import { openBytes, type OpenBytes } from '../../onnx/src/index.ts';
import type { ImportFile } from './request.ts';

type OpenFiles<Files> = { [Place in keyof Files]: OpenBytes };

/** Opens the files, calls `use` with them in their order, and closes them. */
export function withFiles<const Files extends readonly Pick<ImportFile, 'path'>[], T>(
  files: Files,
  use: (open: OpenFiles<Files>) => T,
): T {
  const open: OpenBytes[] = [];
  try {
    for (const { path } of files) open.push(openBytes(path));
    return use(open as OpenFiles<Files>);
  } finally {
    for (const file of open) file.close();
  }
}
