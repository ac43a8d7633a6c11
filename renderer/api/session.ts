/**
 * Gets the key that this page works with. In the application the preload gives the key; in a browser the
 * one-time token of the page's link is exchanged for it. Such a key dies with the service, so the browser keeps it,
 * and a tab that was closed opens again by its address. A key that a person typed outlives the service: it is kept
 * for its tab only. No key stands in the address.
 */
import type { SessionKey } from '../../packages/contract/src/settings/settings.ts';
import type { Bridge } from '../../packages/contract/src/bridge.ts';

declare global {
  interface Window {
    readonly enlarger?: Bridge;
  }
}

/** The session is one object for the life of the page. Its key changes when the service was started anew. */
export type PageSession = SessionKey;

const storageName = 'enlarger.key';

/** Opens the session. Undefined without a key, because the page was opened without its link. */
export async function openSession(): Promise<PageSession | undefined> {
  if (window.enlarger !== undefined) return { key: await window.enlarger.sessionKey() };
  const session = await sessionOfLink();
  if (session !== undefined) {
    shareKey(session.key);
    return session;
  }
  const known = sessionStorage.getItem(storageName) ?? (await keyOfBrowser());
  return known === null ? undefined : { key: known };
}

/** The latest key of a link, unless the service has been started anew since. */
async function keyOfBrowser(): Promise<string | null> {
  const key = localStorage.getItem(storageName);
  return key !== null && (await opens(key)) ? key : null;
}

async function opens(key: string): Promise<boolean> {
  const headers = { authorization: `KEY ${key}` };
  const response = await fetch('/api/settings', { headers }).catch(() => undefined);
  return response?.ok === true;
}

/**
 * Gets another key after one was refused, because the service was started anew. The application gives it; in
 * a browser it comes with the new link, and the answer is undefined until then.
 */
export async function renewedKey(refused: string): Promise<string | undefined> {
  sessionStorage.removeItem(storageName);
  // The application may be looking for the service itself at this moment.
  const key = await window.enlarger?.sessionKey().catch(() => undefined);
  return key === refused ? undefined : key;
}

/**
 * Keeps a key that a person typed, for this tab and those that a restart of the service left without one.
 * Returns false, and keeps nothing, where the key does not open the page.
 */
export async function openWithKey(key: string): Promise<boolean> {
  if (!(await opens(key))) return false;
  sessionStorage.setItem(storageName, key);
  shareKey(key);
  return true;
}

/**
 * Calls `take` with the key of a link that is opened in this tab, or in another one, while the page is open.
 * @returns a function that ends this
 */
export function onNewKey(take: (key: string) => void): () => void {
  const others = new BroadcastChannel(storageName);
  const keep = (key: string) => {
    sessionStorage.setItem(storageName, key);
    take(key);
  };
  const follow = async () => {
    const session = await sessionOfLink();
    if (session === undefined) return;
    shareKey(session.key);
    take(session.key);
  };
  const listen = () => void follow();
  others.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') keep(data);
  };
  window.addEventListener('hashchange', listen);
  return () => {
    others.close();
    window.removeEventListener('hashchange', listen);
  };
}

/** Shares the key with tabs that a restart of the service left without one. */
function shareKey(key: string): void {
  const others = new BroadcastChannel(storageName);
  others.postMessage(key);
  others.close();
}

/**
 * Exchanges the token in the address for a key, and keeps the key. The token leaves the address only when
 * there is an answer, because a page that is loaded anew while it waits for one would have neither.
 */
async function sessionOfLink(): Promise<PageSession | undefined> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return undefined;
  const session = await exchange(token);
  if (session !== undefined) {
    sessionStorage.setItem(storageName, session.key);
    localStorage.setItem(storageName, session.key);
  }
  history.replaceState(null, '', location.pathname);
  return session;
}

async function exchange(token: string): Promise<PageSession | undefined> {
  const response = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return undefined;
  return (await response.json()) as SessionKey;
}
