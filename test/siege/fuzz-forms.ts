/** Forms of strangers, read as the submits, the uploads and the compatibility port read them. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import { hasCode } from '../../packages/files/src/file-errors.ts';
import { UpscaleBody } from '../../packages/contract/src/request.ts';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { createOpenStreams } from '../../packages/http/src/streams/event-stream.ts';
import { modelFileRoutes } from '../../electron/service/api/model-file-routes.ts';
import { formAsBody, readSubmitForms } from '../../electron/service/api/submit-form.ts';
import { uploadRoutes } from '../../electron/service/api/upload-routes.ts';
import { createBodyBudget } from '../../packages/http/src/bodies/body-budget.ts';
import { readJsonBodies } from '../../packages/http/src/bodies/content-types.ts';
import { createErrorHandler } from '../../packages/http/src/errors.ts';
import { createServer, defaultLimits } from '../../packages/http/src/server.ts';
import type { SentModel } from '../../electron/service/models/import-model.ts';
import { createStagedImages } from '../../electron/service/sources/staged-images.ts';
import { withForm } from '../../packages/compat/src/form.ts';
import { defaultSettings } from '../support/default-settings.ts';

/** A form that is not answered by then hangs. */
const maxAnswerMs = 60_000;
const maxSourceBytes = 64 * 1024;

const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const whole = (type: string, ...parts: string[]) =>
  Buffer.from(`${type}\n${parts.join('')}--b--\r\n`);
const type = 'multipart/form-data; boundary=b';
const file = (name: string, bytes: string) =>
  part(name, bytes, '; filename="sea.jpg"\r\nContent-Type: image/jpeg');

/** The first line is the header Content-Type, the rest the body. */
export const formSeeds = [
  whole(type, file('file', 'picture'), part('scale', '4'), part('outputFormat', 'png')),
  whole(
    type,
    part('strokes', '[{"kind":"keep","radius":0.1,"points":[[0.5,0.5]]}]'),
    file('file', 'x'),
  ),
  whole(type, part('image_file_b64', 'a'.repeat(70_000)), part('size', 'auto')),
  whole(
    `${type}; charset=utf-16`,
    part('image', 'x', "; filename*=UTF-8''%e2%82%ac.png\r\nContent-Transfer-Encoding: base64"),
    part('__proto__', '{}'),
  ),
  Buffer.from('application/x-www-form-urlencoded\nimage_url=data%3A%2Cx&size=auto&scale=2'),
];

/** @throws Error if a form is answered by a fault, not at all, or leaves files behind */
export async function openFormReader(): Promise<(bytes: Buffer) => Promise<void>> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'enlarger-fuzz-forms-'));
  const stagedImages = createStagedImages(scratch);
  const limits = { maxSourceBytes, maxBodyBytes: 128 * 1024 };
  const settings = { get: () => ({ ...defaultSettings, ...limits }) };
  const faults: string[] = [];
  const log = (_level: string, message: string, details?: object) =>
    void faults.push(`${message} ${JSON.stringify(details)}`);
  const app = createServer(log, defaultLimits);
  app.setErrorHandler(createErrorHandler(log));
  readJsonBodies(app, {
    maxBodyBytes: () => settings.get().maxBodyBytes,
    pictures: stagedImages,
    fields: { depths: {}, takesBare: true },
    budget: createBodyBudget({
      totalBytes: defaultLimits.bodyBytes,
      keyBytes: defaultLimits.bodyBytes,
    }),
  });
  const notUsed = () => Promise.reject(new Error('A form that is only read makes nothing.'));
  const receiveFile = async (chunks: AsyncIterable<Uint8Array>, name: string) => {
    const placeholder = await stagedImages.receive(chunks, { name, maxBytes: maxSourceBytes });
    const discard = () => stagedImages.drop([placeholder]);
    return { size: notUsed, make: notUsed, asBackground: notUsed, discard };
  };
  const uploads = {
    async receive(chunks: AsyncIterable<Uint8Array>, { name }: { name: string }) {
      await (await receiveFile(chunks, name)).discard();
      return { uploadId: 'one', path: '', name, createdOn: 0, sizeBytes: 0, sha256: '' };
    },
  };
  await app.register(async (scope) => {
    await readSubmitForms(scope);
    const preValidation = formAsBody(UpscaleBody, { settings, stagedImages });
    scope.post('/submit', { preValidation }, ({ body }, reply) => reply.send({ body }));
  });
  await app.register((scope) => uploadRoutes(scope, { settings, uploads }));
  const notShown = (): never => {
    throw new Error('No model comes of it.');
  };
  const importSent = async (sent: SentModel): Promise<never> => {
    for await (const { name, chunks } of sent.files)
      await (await receiveFile(chunks, name)).discard();
    throw new EnlargerError('MODEL_REFUSED', JSON.stringify(sent.about()));
  };
  await app.register((scope) =>
    modelFileRoutes(
      scope,
      {
        ...{ settings, importer: { importSent }, engine: { speeds: () => [] } },
        ...{ models: { view: notShown }, log: () => undefined },
      },
      createOpenStreams(15_000),
    ),
  );
  await app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    const deps = { pictures: { receiveFile }, settings, stagedImages };
    scope.post('/compat', (request) =>
      withForm(request, deps, (form) =>
        Promise.resolve({ names: form.names(), size: form.text('size') }),
      ),
    );
  });
  // By a socket: multipart's parser waits for ever in a chunk of more than 64 KB, which no socket delivers.
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  const post = async (url: string, contentType: string, body: Buffer) => {
    const signal = AbortSignal.timeout(maxAnswerMs);
    const headers = { 'content-type': contentType };
    const request = { method: 'POST', headers, body: new Uint8Array(body), signal };
    try {
      const response = await fetch(address + url, request);
      const text = await response.text();
      const fault = faults.splice(0).join('\n');
      if (response.status >= 500) throw new Error(`${url} ${response.status} ${text} ${fault}`);
    } catch (error) {
      // What is refused by its header may be closed while it is sent.
      if (!hasCode(error instanceof Error ? error.cause : error, ['ECONNRESET', 'EPIPE']))
        throw error;
    }
  };
  return async (bytes) => {
    const end = bytes.indexOf(0x0a);
    const head = bytes.subarray(0, end < 0 ? 0 : end).toString('latin1');
    // Other characters are refused before a header reaches the application.
    const contentType = head.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
    const body = bytes.subarray(end + 1);
    for (const url of ['/submit', '/api/uploads', '/api/models', '/compat'])
      await post(url, contentType, body);
    // Files are deleted right after the response.
    for (let turns = 0; readdirSync(scratch).length > 0; turns += 1) {
      if (turns > 1000) throw new Error(`Left behind: ${readdirSync(scratch).join(', ')}`);
      await sleep(1);
    }
  };
}
