/** Serves the tools for agents on standard input and output, by means of the service. */
import { once } from 'node:events';
import path from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { EnlargerError } from '../../contract/src/errors.ts';
import { nameOfResult } from '../../contract/src/naming.ts';
import type { Client } from '../../api-client/src/client.ts';
import { type OwnFiles, createMcpServer } from '../../mcp/src/index.ts';
import {
  assertGrantedFile,
  assertGrantedFolder,
  openGrantedFile,
  openGrantedFolder,
} from '../../files/src/granted.ts';
import { saveResult } from './photos/save.ts';

/** Serves until the agent closes its end, or the signal fires. */
export async function serveMcp(
  client: Client,
  { allowFolder }: { allowFolder: string[] },
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<number> {
  const ownFiles = filesOf(client, allowFolder);
  const handle = serveStdio(() => createMcpServer({ version, client, ownFiles }), {
    onerror: (error) => console.error(error.message),
  });
  await once(process.stdin, 'close', { signal }).catch(() => undefined);
  await handle.close();
  return 0;
}

function filesOf(client: Client, folders: readonly string[]): OwnFiles {
  return {
    folders,
    async firstOutside(allowed, file, folder) {
      if (await isOutside(assertGrantedFile(file, allowed))) return file;
      if (folder !== undefined && (await isOutside(assertGrantedFolder(folder, allowed))))
        return folder;
      return undefined;
    },
    async upload(file, allowed, signal) {
      const handle = await openGrantedFile(file, allowed);
      try {
        const blob = new Blob([await handle.readFile()]);
        return await client.upload({ blob, name: path.basename(file) }, signal);
      } finally {
        await handle.close();
      }
    },
    async save(record, folder, allowed, signal) {
      const name = nameOfResult(record.source.name, record) ?? record.source.name;
      const response = await client.download(record.imageUrl ?? '', signal);
      const handle = await openGrantedFolder(folder, allowed);
      try {
        const saved = await saveResult(response, handle.pathOf(name), 'number', folder);
        if (saved === undefined) throw new Error(`The result was not saved in ${folder}.`);
        await handle.assertSame();
        return path.join(folder, path.basename(saved));
      } finally {
        await handle.close();
      }
    },
  };
}

async function isOutside(check: Promise<string>): Promise<boolean> {
  try {
    await check;
    return false;
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code === 'FORBIDDEN_PATH') return true;
    throw thrown;
  }
}
