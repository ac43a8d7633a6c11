/** The published client in Chromium, in a page of another origin that was allowed. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildClient } from '../../../packaging/client-package.ts';
import { chromiumPath } from '../../support/browser.ts';
import { openAddress } from '../../support/open-address.ts';
import { openPictureService, subjectJpeg } from '../../support/compat-service.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What a page without a bundler says of where packages lie. */
const html = `<!doctype html><title>Client</title>
<script type="importmap">
{ "imports": { "enlarger-client": "/client/index.js", "eventsource-parser": "/parser/index.js" } }
</script>`;

/** Runs there, where the types of a page are. */
const enlargeInPage = `async ({ url, key, photo }) => {
  const { createClient } = await import('enlarger-client');
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const file = new File([bytes], 'beach.jpg', { type: 'image/jpeg' });
  const enlarger = createClient({ url, key });
  const percents = [];
  const onProgress = (percent) => percents.push(percent);
  const result = await enlarger.enlarge(file, { scale: 2, onProgress });
  const { width, height } = await createImageBitmap(await result.blob());
  const signal = AbortSignal.abort();
  const gaveUp = await enlarger.enlarge(file, { signal }).catch(({ name }) => name);
  const stranger = createClient({ url, key: 'no' });
  const refused = await stranger.enlarge(file).catch(({ code }) => code);
  const { source } = await result.record();
  return { width, height, last: percents.at(-1), gaveUp, refused, source };
}`;
const askInPage = `async ({ url, key }) => {
  const { createClient } = await import('enlarger-client');
  return createClient({ url, key }).models().catch(({ message }) => message);
}`;

async function serveClient(): Promise<string> {
  const built = temporaryFolder();
  buildClient(built);
  const folders: Record<string, string> = {
    client: built,
    parser: path.join(root, 'node_modules/eventsource-parser/dist'),
  };
  const server = createServer((request, response) => {
    const [, place = '', file = ''] = (request.url ?? '').split('/');
    const folder = folders[place];
    if (folder === undefined) {
      response.setHeader('content-type', 'text/html').end(html);
      return;
    }
    readFile(path.join(folder, path.basename(file))).then(
      (bytes) => response.setHeader('content-type', 'text/javascript').end(bytes),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(chromiumPath === undefined)(
  'the published client in a browser (needs Chromium)',
  () => {
    it('enlarges with progress, gives up, and reads a refusal', async () => {
      const service = await openPictureService();
      const origin = await serveClient();
      await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
      const page = await openAddress(origin);
      const photo = (await subjectJpeg()).toString('base64');
      const asked = { url: service.url, key: service.programKey, photo };
      const seen = await page.evaluate(`(${enlargeInPage})(${JSON.stringify(asked)})`);
      expect(seen).toMatchObject({
        width: 640,
        height: 480,
        last: 100,
        gaveUp: 'AbortError',
        refused: 'UNAUTHORIZED',
        source: { name: 'beach.jpg' },
      });
    });

    it('is not let in from a page that was not allowed', async () => {
      const service = await openPictureService();
      const origin = await serveClient();
      const page = await openAddress(origin);
      const asked = { url: service.url, key: service.programKey };
      const failed = await page.evaluate(`(${askInPage})(${JSON.stringify(asked)})`);
      expect(failed).toBe(`No service answers at ${service.url}, or it does not allow this page.`);
    });
  },
);
