/** The service with its port for programs of other services open, and clients that know nothing but address and key. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { CompatState } from '../../packages/contract/src/settings/settings.ts';
import { asSharp } from './images.ts';
import { openMadeService, startMadeService, remover, upscaler } from './made-service.ts';
import { openService, type TestService, type TestServiceOptions } from './service.ts';
import { subjectPhoto } from './subjects.ts';

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

/** With the real engine, a network that repeats each pixel 2 x 2 times, and one that takes what is bright for the subject. */
export const openPictureService = async (options: TestServiceOptions = {}) =>
  withCompat(await openMadeService(pictureModels, { compatPort: 0, ...options }));

/** The same outside of a test: whoever starts it closes it. */
export const startPictureService = async (options: TestServiceOptions = {}) =>
  withCompat(await startMadeService(pictureModels, { compatPort: 0, ...options }));

const pictureModels = [upscaler('Natural'), remover];

export const subjectBox = { x: 100, y: 60, width: 120, height: 90 };

/** 320 x 240, with a bright subject in that box. */
export const subjectJpeg = () =>
  asSharp(subjectPhoto(320, 240, subjectBox))
    .jpeg({ quality: 95 })
    .toBuffer();
