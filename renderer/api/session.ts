/**
 * The key that this page works with. In the application the preload gives it; in a browser the
 * one-time token of the page's link is exchanged for it. It is kept for this tab only, and never
 * stands in the address after the first moment.
 */
import type { SessionKey } from '../../electron/contract/admin.ts';
import type { Bridge } from '../../electron/contract/bridge.ts';

declare global {
  interface Window {
    readonly enlarger?: Bridge;
  }
}

export interface Session {
  readonly key: string;
}

const storageName = 'enlarger.key';

/** Undefined when there is no key to be had: the page was opened without its link. */
export async function openSession(): Promise<Session | undefined> {
  if (window.enlarger !== undefined) return { key: await window.enlarger.sessionKey() };
  const token = takeToken();
  const key = token === undefined ? undefined : await exchange(token);
  if (key !== undefined) sessionStorage.setItem(storageName, key);
  const known = key ?? sessionStorage.getItem(storageName);
  return known === null ? undefined : { key: known };
}

/** The key was refused: the service was started anew. */
export function forgetSession(): void {
  sessionStorage.removeItem(storageName);
}

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return undefined;
  history.replaceState(null, '', location.pathname);
  return token;
}

async function exchange(token: string): Promise<string | undefined> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return undefined;
  return ((await response.json()) as SessionKey).key;
}
