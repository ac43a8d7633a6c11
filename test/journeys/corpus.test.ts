/**
 * Files of the shared corpus, valid and malformed, through one running service: every one of an archive that
 * ENLARGER_CORPUS names; of the one beside the checkout, which is skipped where it is not, fewer of long series.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskErrorCodes } from '../../packages/contract/src/errors.ts';
import type { TaskView } from '../../packages/contract/src/task.ts';
import { startMadeService, upscaler } from '../support/made-service.ts';
import { toldNetwork } from '../support/networks-made.ts';
import type { TestService } from '../support/service.ts';
import { corpusArchive as archive } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patient as patientFor } from '../support/machine-pace.ts';

/** Behind a file that is waited for some others end, too: each look takes the service's and the test's time. */
const patient = { timeout: patientFor(60_000), interval: 500 };
/** It is told what was measured of each picture, as the usual one is, and repeats its pixels. */
const told = (folder: string) => toldNetwork(folder, 2, [0, 0]);
/** Of 255: a wrong profile, channel order, fill or depth moves a picture's mean colour further. */
const meanShiftLevels = 10;

/** The formats that the test's own reader can decode, to compare colours. */
const readBySharp = ['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'];

/** What the files of a series differ by: a fuzzer's hash, numbers, or the profile that a valid one has. */
const serial = /[\da-f]{20,}|(?<=icc_)[^_]+|\d+(?!bit|ch\.)/g;

/**
 * Without most members of long series: malformed files that the same damage to one file made, or one fuzzer, and valid
 * ones of one kind. Of malformed ones the first and the last one stay, of valid ones the middle one, too.
 */
function shortenSeries(files: readonly string[]): string[] {
  const series = Object.groupBy(files, (file) => file.replace(serial, ''));
  return Object.values(series).flatMap((members = []) => {
    const last = members.length - 1;
    const isValid = members[0]?.includes(`${path.sep}valid${path.sep}`);
    const staying = new Set([0, last, ...(isValid ? [Math.floor(last / 2)] : [])]);
    return members.filter((_, i) => staying.has(i));
  });
}

interface Reading {
  /** A source may break a rule of its format and be whole. */
  failOn?: 'none' | 'warning';
  /** sharp takes any channel too many of a TIFF for alpha, also where the file says that it is none. */
  ignoresAlpha?: boolean;
  ground?: string;
}

/** The picture's mean sRGB colour over white, or another ground. */
async function meanColour(
  bytes: Buffer,
  { failOn = 'warning', ignoresAlpha = false, ground = '#fff' }: Reading = {},
): Promise<number[]> {
  const picture = sharp(bytes, { limitInputPixels: false, failOn });
  const opaque = ignoresAlpha ? picture.removeAlpha() : picture.flatten({ background: ground });
  const flat = await opaque.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const { data, info } = flat;
  return [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let i = channel % info.channels; i < data.length; i += info.channels) sum += data[i]!;
    return sum / (info.width * info.height);
  });
}

describe.skipIf(!existsSync(archive))(
  'the corpus of valid and malformed files (skipped where its archive is not beside the checkout)',
  () => {
    let root: string;
    let service: TestService;
    let files: string[];

    beforeAll(async () => {
      root = temporaryFolder();
      execFileSync('tar', ['xJf', archive, '-C', root]);
      const all = (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .sort();
      files = process.env['ENLARGER_CORPUS'] === undefined ? shortenSeries(all) : all;
      service = await startMadeService([upscaler('Natural', told)]);
      // Bombs within the usual limit would keep the network busy for minutes: refused earlier here.
      const limit = await service.call('PATCH', '/api/settings', { maxSourcePixels: 1_000_000 });
      expect(limit.status).toBe(200);
    });
    afterAll(() => service.close());

    async function upload(file: string): Promise<string | undefined> {
      const type = { 'content-type': 'application/octet-stream' };
      const response = await service.call('POST', '/api/uploads', await readFile(file), type);
      return response.status < 300 ? (response.body as { imageUrl: string }).imageUrl : undefined;
    }

    async function untilEnded(taskId: string, name = taskId): Promise<TaskView> {
      let view: TaskView | undefined;
      const status = async () => (view = await service.task(taskId)).status;
      await expect.poll(status, { ...patient, message: name }).toMatch(/FINISHED|FAILED/);
      return view!;
    }

    test('ends each in FAILED with a code and a sentence, or in a result of the right size', async () => {
      const waiting: { file: string; taskId: string }[] = [];
      for (const file of files) {
        const imageUrl = await upload(file);
        if (imageUrl === undefined) continue; // an empty file is refused at once
        waiting.push({ file, taskId: await service.submit(imageUrl) });
      }
      const finished: string[] = [];
      for (const { file, taskId } of waiting) {
        const view = await untilEnded(taskId, file);
        await expectHonestEnd(file, view);
        if (view.status === 'FINISHED') finished.push(path.relative(root, file));
      }
      const isValid = (file: string) => file.startsWith('valid');
      const valid = files.map((file) => path.relative(root, file)).filter(isValid);
      expect(shifted).toEqual([]);
      const share = finished.filter(isValid).length / valid.length;
      expect(share, 'most valid files are enlarged').toBeGreaterThan(0.8);
    });

    /** Files whose colours are others after enlarging. */
    const shifted: string[] = [];

    async function expectHonestEnd(file: string, view: TaskView): Promise<void> {
      if (view.status === 'FAILED') {
        expect(taskErrorCodes, file).toContain(view.error?.code);
        expect(view.error?.code, `${file}: ${view.error?.message ?? ''}`).not.toBe('INTERNAL');
        expect(view.error?.code, file).not.toBe('ENGINE_CRASHED');
        expect(view.error?.message, file).toMatch(/\.$/);
        return;
      }
      const record = await service.record(view.taskId);
      const { input, output } = record;
      expect([output?.width, output?.height], file).toEqual([
        2 * (input?.width ?? 0),
        2 * (input?.height ?? 0),
      ]);
      const response = await fetch(view.imageUrl ?? '');
      expect(response.status, file).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      const stats = await sharp(bytes, { limitInputPixels: false })
        .metadata()
        .catch((error: unknown) => {
          throw new Error(`${file}: the result cannot be read: ${String(error)}`);
        });
      expect([stats.width, stats.height], file).toEqual([output?.width, output?.height]);
      // sharp cannot say what is in these; they are tested with readers of their own.
      if (['bmp', 'heic', 'raw'].includes(input?.format ?? '')) return;
      // Of the others the size is compared; their own decoders have tests of their own.
      if (!readBySharp.includes(input?.format ?? '')) return;
      const source = await sharp(file)
        .metadata()
        .catch(() => undefined);
      // sharp cuts floats off at 0 and 1; unusual-tiff.test.ts compares those.
      if (source?.depth === 'float') return;
      const ignoresAlpha = input?.format === 'tiff' && !stats.hasAlpha;
      const reading = { failOn: 'none', ignoresAlpha } as const;
      const before = await meanColour(await readFile(file), reading).catch((error: unknown) => {
        // Lab of 8 bits and colours in tiles of their own: sharp reads neither, unusual-tiff.test.ts compares them.
        if (input?.format === 'tiff') return undefined;
        throw error;
      });
      if (!before) return;
      // sharp shows black where no frame of a GIF covers its canvas; gif-coverage.test.ts compares those.
      const isUncovered = input?.format === 'gif' && stats.hasAlpha && !source?.hasAlpha;
      const after = await meanColour(bytes, isUncovered ? { ground: '#000' } : {});
      const shift = before.map((mean, channel) => Math.abs(mean - (after[channel] ?? NaN)));
      if (!(Math.max(...shift) < meanShiftLevels))
        shifted.push(`${file}: ${String(before)} became ${String(after)}`);
    }

    test('still enlarges a good picture afterwards', async () => {
      const good = await sharp({
        create: { width: 64, height: 48, channels: 3, background: '#a50' },
      })
        .jpeg()
        .toBuffer();
      const taskId = await service.submit(`data:image/jpeg;base64,${good.toString('base64')}`);
      expect(await untilEnded(taskId)).toMatchObject({ status: 'FINISHED' });
      expect((await service.call('GET', '/api/health')).body).toMatchObject({ status: 'ok' });
    });
  },
);
