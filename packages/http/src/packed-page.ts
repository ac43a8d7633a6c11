/**
 * Serves the large files of the API page, which installed applications contain in compressed form only
 * (packaging/pack.ts). A checkout and the npm package have the plain files.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Api } from './server.ts';

export const packedPageFiles = [
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];

export function sendPackedPage(app: Pick<Api, 'get'>, prefix: string): void {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui'));
  for (const name of packedPageFiles) {
    const packed = path.join(folder, 'static', `${name}.gz`);
    if (!existsSync(packed)) continue;
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    app.get(`${prefix}/${name}`, { schema: { hide: true } }, async (request, reply) => {
      const bytes = await readFile(packed);
      const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      void reply.type(`${type}; charset=utf-8`).header('Vary', 'Accept-Encoding');
      return acceptsGzip ? reply.header('Content-Encoding', 'gzip').send(bytes) : gunzipSync(bytes);
    });
  }
}
