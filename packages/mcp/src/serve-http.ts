/**
 * MCP over Streamable HTTP: the revision without sessions and the one before, with the same tools. Host,
 * Origin and key are checked before. Each request calls the service with its own key.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient } from '../../api-client/src/client.ts';
import { createMcpServer } from './mcp-server.ts';

export interface McpHttp {
  answer(request: Request, key: string, parsedBody: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** @param url the service's own URL, read at each request */
export function createMcpHttp({ version, url }: { version: string; url: () => string }): McpHttp {
  const handler = createMcpHandler(({ authInfo }) => {
    const client = createClient({ url: url(), key: authInfo?.token ?? '' });
    return createMcpServer({ version, client });
  });
  return {
    answer: (request, key, parsedBody) =>
      handler.fetch(request, {
        authInfo: { token: key, clientId: 'enlarger', scopes: [] },
        ...(parsedBody !== undefined && { parsedBody }),
      }),
    close: () => handler.close(),
  };
}
