/** The tools for agents, called by the official client: over HTTP and over stdio, in both revisions of the protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync } from 'node:child_process';
import { readFile, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  openPictureService,
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../support/compat-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cliProgram } from '../../support/programs.ts';

const revisions = ['2026-07-28', '2025-11-25'] as const;
type Revision = (typeof revisions)[number];

/** Nothing is granted to it. */
let shared: CompatService;
/** It may read and write in a folder. */
let granted: CompatService & { folder: string };
beforeAll(async () => {
  shared = await startPictureService();
  const folder = await realpath(temporaryFolder());
  granted = { ...(await startPictureService({ allowFolders: [folder] })), folder };
});
afterAll(async () => {
  await shared.close();
  await granted.close();
});

interface Answer {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
}

function newClient(revision: Revision, roots?: string[]): Client {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode }, capabilities: roots ? { roots: {} } : {} },
  );
  if (roots)
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  onTestFinished(() => client.close());
  return client;
}

async function overHttp(service: CompatService, revision: Revision, key = service.programKey) {
  const client = newClient(revision);
  const headers = { Authorization: `Bearer ${key}` };
  const address = new URL(`${service.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}

async function overStdio(
  service: CompatService,
  revision: Revision,
  { roots, args = [] }: { roots?: string[]; args?: string[] },
) {
  const client = newClient(revision, roots);
  const program = cliProgram;
  const where = ['--url', service.url, '--key', service.key];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...where, ...args],
      env: { ...getDefaultEnvironment(), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
      stderr: 'ignore',
    }),
  );
  return client;
}

/** @param on folder in which it is made */
async function folderWithPhoto(on?: string): Promise<{ folder: string; photo: string }> {
  const folder = await realpath(temporaryFolder(on));
  const photo = path.join(folder, 'beach.jpg');
  await writeFile(photo, await subjectJpeg());
  return { folder, photo };
}

const call = async (
  client: Client,
  name: string,
  given: Record<string, unknown>,
  onProgress?: (percent: number) => void,
): Promise<Answer> =>
  (await client.callTool(
    { name, arguments: given },
    { onprogress: ({ progress }) => onProgress?.(progress), timeout: 120_000 },
  )) as Answer;

/** What is said of a call that is refused before the tool runs, in whichever way the protocol does. */
const refusalOf = async (response: Promise<Answer>): Promise<string> => {
  try {
    const given = await response;
    expect(given.isError).toBe(true);
    return JSON.stringify(given.content);
  } catch (thrown) {
    return String(thrown);
  }
};

/** The file that a link in the answer leads to. */
const linked = ({ content }: Answer) => {
  const uri = content.find(({ type }) => type === 'resource_link')?.uri;
  if (uri === undefined) throw new Error(JSON.stringify(content));
  return fileURLToPath(uri);
};

const sizeOf = async (file: string) => {
  const { width, height, hasAlpha } = await sharp(await readFile(file)).metadata();
  return { width, height, hasAlpha };
};

/** Ways out for whoever can write into an agent's text: to other addresses, folders and tasks. */
const notForAgents = [
  ...['callbackUrl', 'callbackEvents', 'imageUrl', 'backgroundImage', 'source'],
  ...['grants', 'saveTo', 'onlyAccepted', 'photo', 'priority'],
];

function valueOf(field: string): unknown {
  if (field === 'grants') return ['/'];
  if (field === 'callbackEvents') return ['started'];
  if (field === 'priority') return 10;
  if (field === 'onlyAccepted') return true;
  return field === 'saveTo' ? '/' : 'https://collector.example/';
}

describe.each(revisions)('MCP %s over HTTP', (revision) => {
  it('enlarges, cuts out, estimates and tells of models and tasks, by paths alone', async () => {
    const { folder, photo } = await folderWithPhoto(granted.folder);
    const client = await overHttp(granted, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'enlarge',
      'estimate',
      'list_models',
      'remove_background',
      'task_status',
    ]);
    // Nothing that would be read by its address: paths are held against the folders of the client.
    const { properties = {} } = tools.find(({ name }) => name === 'remove_background')!.inputSchema;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['path', 'shadow', 'canvas']));
    expect(properties).not.toHaveProperty('backgroundImage');
    expect(properties).not.toHaveProperty('imageUrl');
    for (const { inputSchema } of tools) {
      for (const field of notForAgents)
        expect(inputSchema.properties ?? {}).not.toHaveProperty(field);
      if (inputSchema.properties)
        expect(inputSchema).toMatchObject({ additionalProperties: false });
    }
    for (const tool of ['enlarge', 'remove_background', 'estimate'])
      for (const field of notForAgents)
        expect(
          await refusalOf(call(client, tool, { path: photo, [field]: valueOf(field) })),
        ).toMatch(new RegExp(`${field}|additional`, 'i'));
    for (const taskId of ['../settings', '../keys', '..', '%2e%2e/settings'])
      expect(await refusalOf(call(client, 'task_status', { taskId }))).toMatch(/taskId|pattern/i);

    const percents: number[] = [];
    const large = await call(client, 'enlarge', { path: photo, scale: 2 }, (n) => percents.push(n));
    expect(await sizeOf(linked(large))).toMatchObject({ width: 640, height: 480 });
    expect(large.structuredContent).toMatchObject({
      status: 'FINISHED',
      path: linked(large),
      width: 640,
    });
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(JSON.stringify(large).length).toBeLessThan(2000);

    const cut = await call(client, 'remove_background', { path: photo, outputFolder: folder });
    expect(await sizeOf(linked(cut))).toMatchObject({ width: 320, hasAlpha: true });

    const estimate = await call(client, 'estimate', { path: photo, scale: 4 });
    expect(estimate.structuredContent).toMatchObject({ width: 1280, height: 960 });
    const models = await call(client, 'list_models', {});
    expect(models.structuredContent).toMatchObject({
      models: [{ id: 'natural' }, { id: 'cutout' }],
    });

    const started = await call(client, 'enlarge', { path: photo, wait: false });
    const taskId = started.structuredContent?.taskId;
    const status = () => call(client, 'task_status', { taskId });
    await expect
      .poll(async () => (await status()).structuredContent?.status, { timeout: 60_000 })
      .toBe('FINISHED');
    expect(await sizeOf(linked(await status()))).toMatchObject({ width: 640 });
  });

  it('refuses what was not granted, what is no photo and a key that is none', async () => {
    const { folder, photo } = await folderWithPhoto();
    const client = await overHttp(shared, revision);
    const refused = await call(client, 'enlarge', { path: photo });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'FORBIDDEN_PATH' } });
    expect(await readdir(folder)).toEqual(['beach.jpg']);
    const relative = await call(client, 'enlarge', { path: 'beach.jpg' });
    expect(relative).toMatchObject({
      isError: true,
      structuredContent: { code: 'INVALID_REQUEST' },
    });
    const sentences: [tool: string, input: object, sentence: string][] = [
      ['enlarge', { scale: 3 }, 'Expected scale to be one of 1, 2, 4, 8, 16 but received 3'],
      ['enlarge', { onConflict: 'overwrite' }, 'Expected onConflict to be one of number, skip but'],
      ['remove_background', { grants: ['/'] }, 'Expected only the fields path, outputFolder, wait'],
      ['estimate', { path: undefined }, 'Expected path to be a string of 1 to 4096 characters but'],
      [
        'task_status',
        { taskId: '..' },
        'Expected taskId to be a string that matches ^[0-9a-fA-F-]',
      ],
    ];
    for (const [tool, input, sentence] of sentences) {
      const answer = await call(client, tool, {
        ...(tool !== 'task_status' && { path: photo }),
        ...input,
      });
      expect(answer).toMatchObject({
        isError: true,
        structuredContent: {
          code: 'INVALID_REQUEST',
          message: expect.stringContaining(sentence) as string,
        },
      });
      expect(answer.content[0]?.text).toMatch(/^Expected .*\(INVALID_REQUEST\)$/);
    }
    await expect(overHttp(shared, revision, 'wrong')).rejects.toThrow();
    const foreign = await fetch(`${shared.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shared.key}`, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });
});

describe.each(revisions)('MCP %s over stdio', (revision) => {
  it("works in the client's roots, and nowhere else", async () => {
    const { folder, photo } = await folderWithPhoto();
    const elsewhere = await folderWithPhoto();
    const client = await overStdio(shared, revision, { roots: [folder] });
    const large = await call(client, 'enlarge', { path: photo });
    expect(path.dirname(linked(large))).toBe(folder);
    expect(await sizeOf(linked(large))).toMatchObject({ width: 640, height: 480 });
    expect((await call(client, 'estimate', { path: photo })).structuredContent).toMatchObject({
      width: 640,
    });
    for (const given of [
      { path: elsewhere.photo },
      { path: photo, outputFolder: elsewhere.folder },
      { path: path.join(folder, '..', path.basename(elsewhere.folder), 'beach.jpg') },
    ])
      expect(await call(client, 'enlarge', given)).toMatchObject({
        isError: true,
        structuredContent: { code: 'FORBIDDEN_PATH' },
      });
    expect(await readdir(elsewhere.folder)).toEqual(['beach.jpg']);
  });

  it.runIf(process.platform === 'linux')(
    'reads plain files of its roots alone: no pipe holds it up, no link leads out',
    async () => {
      const { folder } = await folderWithPhoto();
      const elsewhere = await folderWithPhoto();
      const pipe = path.join(folder, 'pipe.jpg');
      execFileSync('mkfifo', [pipe]);
      const link = path.join(folder, 'link.jpg');
      await symlink(elsewhere.photo, link);
      const client = await overStdio(shared, revision, { roots: [folder] });
      for (const tool of ['enlarge', 'remove_background', 'estimate'])
        for (const file of [pipe, link])
          expect(await call(client, tool, { path: file })).toMatchObject({
            isError: true,
            structuredContent: { code: 'FORBIDDEN_PATH' },
          });
    },
  );

  it('reaches no other file with the key of the data folder, and replaces none', async () => {
    const { folder, photo } = await folderWithPhoto();
    const elsewhere = await folderWithPhoto();
    const client = await overStdio(shared, revision, { args: ['--allow-folder', folder] });
    const granting = { path: elsewhere.photo, grants: [elsewhere.folder] };
    for (const tool of ['enlarge', 'remove_background', 'estimate'])
      expect(await refusalOf(call(client, tool, granting))).toMatch(/grants|additional/i);
    expect(await readdir(elsewhere.folder)).toEqual(['beach.jpg']);

    const replacing = { path: photo, name: '{name}', format: 'jpeg', onConflict: 'overwrite' };
    const before = await readFile(photo);
    for (const tool of ['enlarge', 'remove_background'])
      expect(await refusalOf(call(client, tool, replacing))).toMatch(/onConflict|allowed/i);
    expect(await readFile(photo)).toEqual(before);
    const takingAway = { path: photo, oneVersion: true };
    for (const tool of ['enlarge', 'remove_background'])
      expect(await refusalOf(call(client, tool, takingAway))).toMatch(/oneVersion|additional/i);
  });

  it('works in folders that were allowed at its start or granted, for a client without roots', async () => {
    const allowed = await folderWithPhoto();
    const own = await folderWithPhoto(granted.folder);
    const client = await overStdio(granted, revision, { args: ['--allow-folder', allowed.folder] });
    for (const { photo, folder } of [allowed, own])
      expect(path.dirname(linked(await call(client, 'enlarge', { path: photo })))).toBe(folder);
    const none = path.join(own.folder, 'none');
    const messageOf = async (tool: string, input: Record<string, unknown>) =>
      (await call(client, tool, input)).structuredContent?.message;
    for (const tool of ['enlarge', 'estimate'])
      expect(await messageOf(tool, { path: none })).toContain(`found none at ${none}`);
    expect(await messageOf('enlarge', { path: own.photo, outputFolder: none })).toBe(
      `Expected a folder but found none at ${none}. Make it first, or name another one.`,
    );
  });

  it('cancels its task when the agent gives up the call', async () => {
    const { folder, photo } = await folderWithPhoto();
    const service = await openPictureService({ allowFolders: [folder] });
    await service.call('POST', '/api/queue/pause');
    const client = await overStdio(service, revision, {});
    const giving = new AbortController();
    const asked = client.callTool(
      { name: 'enlarge', arguments: { path: photo } },
      { signal: giving.signal, timeout: 60_000 },
    );
    const tasks = async () =>
      ((await service.call('GET', '/api/tasks')).body as { tasks: { error?: { code: string } }[] })
        .tasks;
    await expect.poll(async () => (await tasks()).length, { timeout: 30_000 }).toBe(1);
    giving.abort();
    await expect(asked).rejects.toThrow();
    await expect
      .poll(async () => (await tasks())[0]?.error?.code, { timeout: 10_000 })
      .toBe('CANCELLED');
  });
});
