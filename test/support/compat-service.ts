/** The service with its port for programs of other services open, and clients that know nothing but address and key. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { CompatState } from '../../electron/contract/admin.ts';
import { openService, type TestService, type TestServiceOptions } from './service.ts';

export interface CompatService extends TestService {
  compatUrl: string;
  /** A key of a program, which may change no settings. */
  programKey: string;
}

export async function openCompatService(options: TestServiceOptions = {}): Promise<CompatService> {
  return withCompat(await openService({ compatPort: 0, ...options }));
}

export async function withCompat(service: TestService): Promise<CompatService> {
  const { url = '' } = (await service.call('GET', '/api/compat')).body as CompatState;
  const made = await service.call('POST', '/api/keys', { name: 'Program' });
  const { key } = made.body as { key: string };
  return { ...service, compatUrl: url, programKey: key };
}

/** Everything that lies in the folders of sources, uploads and scratch. */
export async function leftFiles(service: TestService): Promise<string[]> {
  const folders = ['sources', 'uploads', 'scratch'].map((name) => path.join(service.dataDir, name));
  return (await Promise.all(folders.map((folder) => readdir(folder)))).flat();
}

/** A text with a part, for comparisons inside of objects. */
export const containing = (part: string) => expect.stringContaining(part) as string;
