/** service.json in the data folder, by which other programs find the service that runs on it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ServiceInfo {
  url: string;
  pid: number;
  version: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'service.json');

/** Whole or not at all; readable by its user only. */
export function writeServiceFile(dataDir: string, info: ServiceInfo): void {
  const temporary = `${fileIn(dataDir)}.part`;
  writeFileSync(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600 });
  renameSync(temporary, fileIn(dataDir));
}

/** Undefined when it is not there or not whole; a crash leaves the file behind. */
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
