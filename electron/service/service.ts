/** Starts the service: data folder and engine first, and what is loaded beside the engine's start. */
import { existsSync } from 'node:fs';
import { createClosers } from './closers.ts';
import { openDataFolder } from './data-folder.ts';
import { openEngineParts } from './engine-parts.ts';
import { createLogFile } from './log-file.ts';
import type { ServiceOptions } from './service-options.ts';
import type { Service } from './wire-service.ts';

export type { Service } from './wire-service.ts';

/** Resolves when requests are served. On failure nothing keeps running. @throws Error a sentence */
export async function startService(input: ServiceOptions): Promise<Service> {
  const closers = createClosers();
  try {
    const folder = openDataFolder(input.dataDir);
    closers.add(() => folder.close());
    const options = { ...input, log: createLogFile(folder.root, input.log) };
    warnOfMissingFolders(options);
    const parts = await openEngineParts(options, folder, closers);
    const { wireService } = await import('./wire-service.ts');
    return await wireService(options, parts, closers);
  } catch (error) {
    await closers.closeAll(AbortSignal.abort());
    throw error;
  }
}

function warnOfMissingFolders({ allowFolders = [], log }: ServiceOptions): void {
  for (const folder of allowFolders)
    if (!existsSync(folder)) log('warn', 'A folder that was allowed is not there.', { folder });
}
