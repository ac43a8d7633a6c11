/** Roots: folders in which an MCP client works. Requested by the call that needs them. */
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

const rootsRequest = 'roots';

/** Roots, or a request for them to return instead of a result; undefined if the client has none. */
export function rootsOf(
  server: McpServer,
  { mcpReq }: ServerContext,
): string[] | InputRequiredResult | undefined {
  const response = inputResponse(mcpReq.inputResponses, rootsRequest);
  if (response.kind === 'roots') return response.roots.flatMap(({ uri }) => pathOf(uri));
  if (!declaresRoots(server, mcpReq)) return undefined;
  return inputRequired({ inputRequests: { [rootsRequest]: inputRequired.listRoots() } });
}

/** The newer revision declares roots in each call, the previous one once. */
function declaresRoots(server: McpServer, { envelope }: ServerContext['mcpReq']): boolean {
  const capabilities = (envelope as Record<string, unknown> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  if (typeof capabilities === 'object' && capabilities !== null) return 'roots' in capabilities;
  // oxlint-disable-next-line typescript/no-deprecated -- It holds for the one before.
  return server.server.getClientCapabilities()?.roots !== undefined;
}

function pathOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Not a folder of this machine.
    return [];
  }
}
