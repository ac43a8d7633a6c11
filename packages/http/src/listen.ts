/** Finds a port on 127.0.0.1, listens and closes. */
import type { AddressInfo, Server } from 'node:net';
import { UserFacingError } from '../../contract/src/error-messages.ts';
import type { Api } from './server.ts';

const defaultPort = 8617;
const host = '127.0.0.1';
const portsTried = 100;

/**
 * @param port undefined: the default or the next free one; 0: any
 * @returns the origin, e.g. http://127.0.0.1:8617
 * @throws UserFacingError if the port is taken
 */
export async function listen(app: Api, port: number | undefined): Promise<string> {
  if (port !== undefined) {
    if (!(await tryPort(app, port)))
      throw new UserFacingError(
        `Port ${port} is taken by another program. Name another one, or 0 for any.`,
      );
    return urlOf(app);
  }
  for (let next = defaultPort; next < defaultPort + portsTried; next++)
    if (await tryPort(app, next)) return urlOf(app);
  throw new UserFacingError(
    `The ports ${defaultPort} to ${defaultPort + portsTried - 1} are all taken.`,
  );
}

async function tryPort(app: Api, port: number): Promise<boolean> {
  try {
    await app.listen({ host, port, listenTextResolver: () => '' });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}

function urlOf(app: Api): string {
  return `http://${host}:${portOf(app.server)}`;
}

/** 0 unless listening. */
export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const graceMs = 2000;

/** Stops accepting, ends streams, and gives open requests `graceMs`. @param hurry ends the grace period */
export async function closeApp(app: Api, hurry: AbortSignal): Promise<void> {
  const cut = () => app.server.closeAllConnections();
  const timer = setTimeout(cut, graceMs);
  hurry.addEventListener('abort', cut, { once: true });
  try {
    const closed = app.close();
    if (hurry.aborted) cut();
    await closed;
  } finally {
    clearTimeout(timer);
    hurry.removeEventListener('abort', cut);
  }
}
