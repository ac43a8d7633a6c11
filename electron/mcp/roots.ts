/** Roots are the folders that a client of MCP says it works in. The call that needs them asks for them. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isInside } from '../files/is-inside.ts';

const asked = 'roots';

/** Answers the roots, or a request for them in place of a result; undefined where the client has none. */
export function rootsOf(
  server: McpServer,
  { mcpReq }: ServerContext,
): string[] | InputRequiredResult | undefined {
  const response = inputResponse(mcpReq.inputResponses, asked);
  if (response.kind === 'roots') return response.roots.flatMap(({ uri }) => pathOf(uri));
  if (!declaresRoots(server, mcpReq)) return undefined;
  return inputRequired({ inputRequests: { [asked]: inputRequired.listRoots() } });
}

/** The newer revision declares roots in each call, the one before only once. */
function declaresRoots(server: McpServer, { envelope }: ServerContext['mcpReq']): boolean {
  const said = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (typeof said === 'object' && said !== null) return 'roots' in said;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- It holds for the one before.
  return server.server.getClientCapabilities()?.roots !== undefined;
}

function pathOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // The address names no folder of this machine.
    return [];
  }
}

/** Says whether a file lies in one of the folders. Links are followed first; a missing folder holds nothing. */
export async function isInsideOne(file: string, folders: readonly string[]): Promise<boolean> {
  const real = await realOf(file);
  for (const folder of folders) {
    const root = await realOf(folder);
    if (real === undefined || root === undefined) continue;
    if (isInside(real, root)) return true;
  }
  return false;
}

async function realOf(place: string): Promise<string | undefined> {
  if (!path.isAbsolute(place) || place.includes('\0')) return undefined;
  return realpath(place).catch(() => undefined);
}
