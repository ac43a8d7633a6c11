/** The service listens on 127.0.0.1 and nowhere else; its port is found here, and the listening ended. */
import type { AddressInfo, Server } from 'node:net';
import { OwnWords } from '../../contract/faults.ts';
import type { Api } from './server.ts';

const usualPort = 8617;
const host = '127.0.0.1';
const portsTried = 100;

/**
 * @param port undefined means the usual one or the next that is free, 0 any. A port that was asked for and is taken
 *   makes an error with a sentence.
 * @returns the address, such as http://127.0.0.1:8617
 */
export async function listen(app: Api, port: number | undefined): Promise<string> {
  if (port !== undefined) {
    if (!(await tryPort(app, port)))
      throw new OwnWords(
        `Port ${port} is taken by another program. Name another one, or 0 for any.`,
      );
    return urlOf(app);
  }
  for (let next = usualPort; next < usualPort + portsTried; next++)
    if (await tryPort(app, next)) return urlOf(app);
  throw new OwnWords(`The ports ${usualPort} to ${usualPort + portsTried - 1} are all taken.`);
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

/** Answers 0 while the server does not listen. */
export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const graceMs = 2000;

/**
 * Closes the server: nothing new is taken, streams end, and what is being answered gets a moment.
 * @param hurry cuts the moment short
 */
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
