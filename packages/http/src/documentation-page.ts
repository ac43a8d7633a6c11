/**
 * Shows the API's description with the files of swagger-ui, offline. Its plugin for Fastify would load a YAML library
 * and more at each start, a tenth of the time until the service answers.
 */
import fastifyStatic from '@fastify/static';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Api } from './server.ts';
import { sendPackedPage } from './packed-page.ts';

/** Own files and inline styles only. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * @param docsPath where the page is served; its files lie below
 * @param descriptionPath of the OpenAPI description
 */
export async function documentationPage(
  app: Api,
  docsPath: string,
  descriptionPath: string,
): Promise<void> {
  const filesPath = `${docsPath}/static`;
  const root = path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui'));
  const hidden = { schema: { hide: true } };
  app.addHook('onRoute', (route) => void (route.config = { ...route.config, open: true }));
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('content-security-policy', policy);
  });
  for (const url of [docsPath, `${docsPath}/`])
    app.get(url, hidden, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(pageOf(filesPath)),
    );
  app.get(`${filesPath}/show.js`, hidden, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(programOf(descriptionPath)),
  );
  sendPackedPage(app, filesPath);
  await app.register(fastifyStatic, {
    root: path.join(root, 'static'),
    prefix: filesPath,
    decorateReply: false,
    schemaHide: true,
  });
}

const pageOf = (filesPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The API of Enlarger</title>
<link rel="stylesheet" href="${filesPath}/swagger-ui.css">
<link rel="stylesheet" href="${filesPath}/index.css">
<link rel="icon" type="image/png" href="${filesPath}/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${filesPath}/swagger-ui-bundle.js"></script>
<script src="${filesPath}/show.js"></script>
</body>
</html>
`;

const programOf = (descriptionPath: string) => `SwaggerUIBundle({
  url: ${JSON.stringify(descriptionPath)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  // Without the bar for another description's URL.
  layout: 'BaseLayout',
  docExpansion: 'list',
  persistAuthorization: false,
  validatorUrl: null,
});
`;
