/** Serves the tools for agents on standard input and output, by means of the service. */
import { once } from 'node:events';
import path from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { nameOfResult } from '../contract/naming.ts';
import type { Client } from '../client/client.ts';
import type { OwnFiles } from '../mcp/make-picture.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import { openNamedBlob } from '../local-files.ts';
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
    async upload(file, signal) {
      return client.upload(await openNamedBlob(file), signal);
    },
    async save(record, folder, signal) {
      const response = await client.download(record.imageUrl ?? '', signal);
      const saved = await saveResult(
        response,
        path.join(folder, nameOfResult(record.source.name, record) ?? record.source.name),
        'number',
      );
      if (saved === undefined) throw new Error(`The result was not saved in ${folder}.`);
      return saved;
    },
  };
}
