/** The published client and its examples, built and run as their users do, over the running service. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type EnlargerError } from '../../../packages/client/src/index.ts';
import { buildClient } from '../../../packaging/client-package.ts';
import {
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../support/compat-service.ts';
import { root } from '../../support/program.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, hasAlpha } = await sharp(bytes).metadata();
  return { width, height, hasAlpha };
};
let jpeg: Uint8Array<ArrayBuffer>;
/** The built package, in a folder that npm could have made. */
const built = path.join(temporaryFolder(), 'node_modules/enlarger-client');
/** Of small networks. */
let pictures: CompatService;
beforeAll(async () => {
  pictures = await startPictureService();
  jpeg = new Uint8Array(await subjectJpeg());
  buildClient(path.join(built, 'dist'));
  await cp(path.join(root, 'packages/client/package.json'), path.join(built, 'package.json'));
});
afterAll(() => pictures.close());

/** What the compiler has against a program in one file, compiled like Enlarger itself. */
async function compilerMessages(file: string, text: string): Promise<string[]> {
  await writeFile(file, text);
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  ) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, types: [] }));
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the published client', () => {
  it('has the types of the contract, and imports nothing of it', async () => {
    const declared = await readFile(path.join(built, 'dist/types.d.ts'), 'utf8');
    expect(declared).not.toMatch(/^(import|export \*)|import\(|: unknown/m);
    const homes = {
      'models/model': ['ModelView'],
      request: ['UpscaleOptions', 'RemoveBackgroundOptions'],
      task: ['TaskView', 'TaskRecord', 'Estimate'],
    };
    const imports = Object.entries(homes).map(
      ([home, names]) =>
        `import type { ${names.join(', ')} } from '${root}/packages/contract/src/${home}.ts';\n`,
    );
    const published = `import type * as published from '${built}/dist/types.js';\n`;
    const checks = Object.values(homes)
      .flat()
      .map(
        (name) =>
          `export const to${name} = (value: ${name}): published.${name} => value;\n` +
          `export const keyOf${name} = (key: keyof published.${name}): keyof ${name} => key;\n`,
      );
    const wrong = '// @ts-expect-error\nexport const view: published.TaskView = { taskId: 1 };\n';
    const program = [published, ...imports, ...checks, wrong].join('');
    expect(await compilerMessages(path.join(temporaryFolder(), 'same.ts'), program)).toEqual([]);
  });

  it('enlarges and cuts out with progress, and tells what it would make', async () => {
    const { url, programKey } = pictures;
    const enlarger = createClient({ url: `${url}/`, key: programKey });
    const percents: number[] = [];
    const file = new File([jpeg], 'beach.jpg');
    const large = await enlarger.enlarge(file, { scale: 2, onProgress: (n) => percents.push(n) });
    const bytes = new Uint8Array(await (await large.blob()).arrayBuffer());
    expect(await sizeOf(bytes)).toMatchObject({ width: 640, height: 480 });
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(await large.record()).toMatchObject({
      source: { name: 'beach.jpg' },
      status: 'FINISHED',
    });
    const cut = await enlarger.removeBackground(jpeg, { crop: 5 });
    expect(await sizeOf(new Uint8Array(await (await cut.blob()).arrayBuffer()))).toMatchObject({
      hasAlpha: true,
    });
    expect(await enlarger.estimate(jpeg, { scale: 4 })).toMatchObject({ width: 1280, height: 960 });
    expect((await enlarger.models()).map(({ id }) => id)).toEqual(['natural', 'cutout']);
  });

  it('goes on with its task when the service was away for a moment', async () => {
    const { url, programKey } = pictures;
    let away = 2;
    const unsteady: typeof fetch = (input, init) => {
      const isFollowing = typeof input === 'string' && input.endsWith('/sse');
      if (isFollowing && (away -= 1) >= 0) return Promise.reject(new TypeError('fetch failed'));
      return fetch(input, init);
    };
    const enlarger = createClient({ url, key: programKey, fetch: unsteady });
    const result = await enlarger.enlarge(jpeg, { scale: 2 });
    expect(away).toBe(-1);
    expect(await result.record()).toMatchObject({ status: 'FINISHED', attempts: 1 });
  });

  it('cancels the task when its signal fires', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const enlarger = createClient({ url: service.url, key: service.key });
    const giving = new AbortController();
    const asked = enlarger.enlarge(jpeg, { signal: giving.signal });
    await expect.poll(() => service.engine.inFlight, { timeout: 20_000 }).toBe(1);
    giving.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    const { tasks } = (await service.call('GET', '/api/tasks')).body as {
      tasks: { error: { code: string } }[];
    };
    expect(tasks).toMatchObject([{ error: { code: 'CANCELLED' } }]);
  });

  it('cancels a task too that it was only just asked for', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const giving = new AbortController();
    const enlarger = createClient({
      url: service.url,
      key: service.key,
      async fetch(address, init) {
        const response = fetch(address, init);
        if (!(address as string).endsWith('/api/image-upscaler')) return response;
        giving.abort();
        return response;
      },
    });
    await expect(enlarger.enlarge(jpeg, { signal: giving.signal })).rejects.toThrow(/abort/i);
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({
      tasks: [{ error: { code: 'CANCELLED' } }],
    });
  });

  it('throws a code for what is refused and for a task that fails', async () => {
    const service = await openService({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });
    const client = (key: string) => createClient({ url: service.url, key });
    const failure = (error: EnlargerError) => [error.code, error.statusCode];
    expect(await client('no').enlarge(jpeg).catch(failure)).toEqual(['UNAUTHORIZED', 401]);
    expect(await client(service.key).enlarge('no address').catch(failure)).toEqual([
      'INVALID_REQUEST',
      400,
    ]);
    expect(await client(service.key).enlarge(jpeg).catch(failure)).toEqual([
      'UNREADABLE_IMAGE',
      undefined,
    ]);
    const nobody = createClient({ url: 'http://127.0.0.1:1', key: 'no' });
    expect(await nobody.enlarge(jpeg).catch(failure)).toEqual(['OFFLINE', undefined]);
  });
});

describe('its examples', () => {
  const installed = (program: string) =>
    (process.env.PATH ?? '')
      .split(path.delimiter)
      .some((dir) => existsSync(path.join(dir, program)));

  /** A folder with a photo, the examples, and the package as npm would put it there. */
  async function folderWithExamples(): Promise<string> {
    const folder = temporaryFolder();
    await cp(path.join(root, 'packages/client/examples'), folder, { recursive: true });
    await writeFile(path.join(folder, 'photo.jpg'), jpeg);
    const modules = path.join(folder, 'node_modules');
    await cp(built, path.join(modules, 'enlarger-client'), { recursive: true });
    const parser = path.join(root, 'node_modules/eventsource-parser');
    await symlink(parser, path.join(modules, 'eventsource-parser'), 'dir');
    return folder;
  }

  async function proves(program: string, file: string): Promise<void> {
    const folder = await folderWithExamples();
    const target = path.join(folder, 'photo-2x.jpg');
    const photo = path.join(folder, 'photo.jpg');
    await run(program, [path.join(folder, file), pictures.url, pictures.programKey, photo, target]);
    expect(await sizeOf(await readFile(target))).toMatchObject({ width: 640, height: 480 });
    // It ends with an exit code and a reason where the photo is missing; the reason is the service's own where it is
    // refused, and where the task fails.
    const notes = path.join(folder, 'notes.txt');
    await writeFile(notes, 'no picture');
    const reasons: [key: string, photo: string, reason: RegExp][] = [
      [pictures.programKey, path.join(folder, 'missing.jpg'), /^[^\n]*missing\.jpg[^\n]*\n$/],
      ['no-key', photo, /^[^\n]*key[^\n]*\n$/],
      [pictures.programKey, notes, /^[^\n]*picture[^\n]*\n$/],
    ];
    for (const [key, source, reason] of reasons) {
      const failed = path.join(folder, 'failed.jpg');
      const ended = run(program, [path.join(folder, file), pictures.url, key, source, failed]);
      await expect(ended).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(reason) as string,
      });
      expect(existsSync(failed)).toBe(false);
    }
  }

  it('run in Node from a checkout, where nothing is built', async () => {
    const { url, programKey } = pictures;
    const folder = temporaryFolder();
    await cp(path.join(root, 'packages/client/src'), path.join(folder, 'src'), { recursive: true });
    await cp(path.join(root, 'packages/client/examples'), path.join(folder, 'examples'), {
      recursive: true,
    });
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
    const photo = path.join(folder, 'photo.jpg');
    await writeFile(photo, jpeg);
    const target = path.join(folder, 'photo-2x.jpg');
    const example = path.join(folder, 'examples/enlarge.mjs');
    await run(process.execPath, [example, url, programKey, photo, target]);
    expect(await sizeOf(await readFile(target))).toMatchObject({ width: 640, height: 480 });
  });
  it('run in Node, with the built package', async () => {
    await proves(process.execPath, 'enlarge.mjs');
  });
  it.skipIf(!installed('python3'))('run in Python (needs python3)', async () => {
    await proves('python3', 'enlarge.py');
  });
  it.skipIf(!installed('php'))('run in PHP (needs php)', async () => {
    await proves('php', 'enlarge.php');
  });
  it.skipIf(!installed('curl'))('run in the shell (needs curl)', async () => {
    await proves('sh', 'enlarge.sh');
  });
});
