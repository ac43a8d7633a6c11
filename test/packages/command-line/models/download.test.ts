/** A model's way from its publisher, told by events: to the command that fetches it, and to all others. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { expect, it, onTestFinished } from 'vitest';
import { getModel } from '../../../../packages/command-line/src/models/download.ts';
import { createClient } from '../../../../packages/api-client/src/client.ts';
import { keepEvents } from '../../../../packages/api-client/src/events.ts';
import type { Download } from '../../../../packages/contract/src/models/obtainable.ts';
import { heard } from '../../../support/heard.ts';
import { openService, writeModels } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const sizeBytes = 200_000;

/** A publisher that sends half of its file, and the rest when it is told to. */
async function publisher() {
  const answers: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': sizeBytes });
    response.write(Buffer.alloc(sizeBytes / 2));
    answers.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const sendRest = () => answers.forEach((answer) => answer.end(Buffer.alloc(sizeBytes / 2)));
  return { url: `http://127.0.0.1:${port}/net.onnx`, sendRest };
}

async function openWithModel() {
  const { url, sendRest } = await publisher();
  const dataDir = temporaryFolder();
  const modelsDir = await writeModels(dataDir);
  const model = {
    ...{
      id: 'net',
      name: 'Net',
      description: 'For tests.',
      bestFor: 'tests',
      task: 'upscale',
      licence: 'MIT',
    },
    ...{
      speedClass: 'fast',
      author: 'Nobody',
      trainingData: 'none',
      homepage: 'http://127.0.0.1/',
    },
    files: [{ name: 'net.onnx', sizeBytes, urls: [url] }],
  };
  await writeFile(path.join(modelsDir, 'obtainable.json'), JSON.stringify({ models: [model] }));
  const service = await openService({ dataDir, modelsDir });
  const client = createClient({ url: service.url, key: service.key });
  const told: Download['state'][] = [];
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  await new Promise<void>((resolve) => {
    const onDownload = ({ state }: Download) => void told.push(state);
    void keepEvents(() => client, { onDownload, onReset: resolve }, ending.signal);
  });
  return { service, client, told, sendRest };
}

it('says how far it is, and why it cannot be taken, and asks for it once', async () => {
  const { service, client, told, sendRest } = await openWithModel();
  const { lines, warnings } = heard();
  const getting = getModel(client, 'net', new AbortController().signal);
  await expect.poll(() => warnings).toContain('50 %');
  sendRest();
  expect(await getting).toBe(1);
  expect(lines).toEqual([]);
  expect(warnings.at(-1)).toContain('damaged or hostile');
  await expect.poll(() => told.at(-1)).toBe('failed');
  expect(told[0]).toBe('fetching');
  const { body } = await service.call('GET', '/api/requests');
  const asked = (body as { requests: { path: string }[] }).requests.map((one) => one.path);
  expect(asked.filter((one) => one.includes('/net/download')).length).toBeLessThanOrEqual(2);
});

it('is cancelled with its command, and all are told', async () => {
  const { client, told } = await openWithModel();
  const { warnings } = heard();
  const stopping = new AbortController();
  const getting = getModel(client, 'net', stopping.signal);
  await expect.poll(() => warnings).toContain('50 %');
  stopping.abort();
  expect(await getting).toBe(1);
  expect(warnings.at(-1)).toContain('The download was cancelled');
  await expect.poll(() => told.at(-1)).toBe('cancelled');
});

it('is refused for a model that is not listed', async () => {
  const { client } = await openWithModel();
  const refused = getModel(client, 'nope', new AbortController().signal);
  await expect(refused).rejects.toThrow(InvalidArgumentError);
  await expect(refused).rejects.toThrow('`enlarger models get` lists no nope.');
});
