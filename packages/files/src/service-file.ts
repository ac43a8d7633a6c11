/** service.json in the data folder, by which other programs find the service. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ServiceInfo {
  url: string;
  pid: number;
  version: string;
}

/** Another service has locked the data folder. */
export class DataFolderLocked extends Error {}

const fileIn = (dataDir: string) => join(dataDir, 'service.json');

/** Written atomically, readable by its user only. */
export function writeServiceFile(dataDir: string, info: ServiceInfo): void {
  const temporary = `${fileIn(dataDir)}.part`;
  writeFileSync(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600 });
  renameSync(temporary, fileIn(dataDir));
}

/** May be left by a crash. Undefined if missing or malformed. */
export function readServiceFile(dataDir: string): ServiceInfo | undefined {
  try {
    const found = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<ServiceInfo> | null;
    const { url, pid, version } = found ?? {};
    if (typeof url !== 'string' || typeof pid !== 'number' || typeof version !== 'string')
      return undefined;
    return URL.canParse(url) ? { url, pid, version } : undefined;
  } catch {
    return undefined;
  }
}

export const removeServiceFile = (dataDir: string): void =>
  rmSync(fileIn(dataDir), { force: true });
