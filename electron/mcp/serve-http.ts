/**
 * Serves MCP over Streamable HTTP: the revision without sessions, and the one before it, from the same
 * tools. Host, Origin and the key were checked before a request comes here. Each request calls the
 * service with its own key.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient } from '../client/client.ts';
import { createMcpServer } from './mcp-server.ts';

export interface McpHttp {
  answer(request: Request, key: string, parsedBody: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** @param url answers the service's own address; it is asked at each request */
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
