/** /mcp: tools for agents, with a key in either form. The first request loads the SDK. */
import type { FastifyRequest } from 'fastify';
import type { McpHttp } from '../../../packages/mcp/src/index.ts';
import { clientGone, type Api } from '../../../packages/http/src/index.ts';

export interface McpDeps {
  version: string;
  /** Port of the server. */
  port(): number;
}

export function mcpRoutes(app: Api, deps: McpDeps): void {
  const url = () => `http://127.0.0.1:${deps.port()}`;
  let loading: Promise<McpHttp> | undefined;
  const load = async () => {
    const { createMcpHttp } = await import('../../../packages/mcp/src/index.ts');
    return createMcpHttp({ version: deps.version, url });
  };
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    schema: { hide: true },
    handler: async (request, reply) => {
      loading ??= load();
      const mcp = await loading;
      const forwarded = new Request(url() + request.url, {
        method: request.method,
        headers: headersOf(request),
        signal: clientGone(reply),
      });
      const response = await mcp.answer(forwarded, keyOf(request), request.body);
      void reply.removeHeader('cache-control');
      return reply.send(response);
    },
  });
  app.addHook('preClose', async () => {
    await (await loading)?.close();
  });
}

function headersOf({ headers }: FastifyRequest): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length' && name !== 'connection')
      copied.set(name, [value].flat().join(', '));
  return copied;
}

const keyOf = ({ headers }: FastifyRequest) =>
  /^\w+ +(\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
