/** Paths of this installation: checkout (built or source) or package. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parts that startService needs; absolute paths. */
export interface Installation {
  enginePath: string;
  modelsDir: string;
  pageDir: string;
  version: string;
}

/** Derived from the program's own URL: out/main/<name>.js or electron/<name>.ts. */
export function findInstallation(programUrl: string): Installation {
  const program = fileURLToPath(programUrl);
  const isBuilt = program.endsWith('.js');
  const folder = path.dirname(program);
  const root = path.resolve(folder, isBuilt ? '../..' : '..');
  return {
    enginePath: path.join(folder, isBuilt ? 'engine.js' : 'engine/main.ts'),
    // In a package the networks are beside the folder of unpacked files.
    modelsDir: path.join(root, root.endsWith(unpacked) ? '../models' : 'models'),
    pageDir: path.join(root, 'out/renderer'),
    version: readVersion(path.join(root, 'package.json')),
  };
}

const unpacked = 'app.asar.unpacked';

function readVersion(packageFile: string): string {
  const description: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  if (
    typeof description === 'object' &&
    description !== null &&
    'version' in description &&
    typeof description.version === 'string'
  )
    return description.version;
  throw new Error(`${packageFile} names no version.`);
}
