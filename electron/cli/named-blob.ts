/** A file of this machine to be sent: streamed, never in memory as a whole. */
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import type { NamedBlob } from '../client/task-calls.ts';

export const openNamedBlob = async (file: string): Promise<NamedBlob> => ({
  blob: await openAsBlob(file),
  name: path.basename(file),
});
