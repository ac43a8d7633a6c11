/** Serves the built page under a strict content security policy, without remote resources. */
import fastifyStatic from '@fastify/static';
import type { Api } from '../../../packages/http/src/index.ts';

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function pageRoutes(app: Api, pageDir: string): Promise<void> {
  app.addHook('onRoute', (route) => void (route.config = { ...route.config, open: true }));
  await app.register(fastifyStatic, {
    root: pageDir,
    index: 'index.html',
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply, file) => {
      void reply.header('content-security-policy', pagePolicy);
      void reply.header('cross-origin-opener-policy', 'same-origin');
      void reply.header(
        'cache-control',
        isHashed(file) ? 'max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
}

/** The build puts content hashes into the names of its assets. */
function isHashed(file: string): boolean {
  return /[/\\]assets[/\\]/.test(file);
}
