/** What the window may do, and what happens to it. Pure. */

/** Paths of the service that open in the person's browser. */
const ownPaths = ['/api/docs'];

/** Hosts of licences and sources of what Enlarger ships. The page links to no others. */
const knownHosts = [
  'github.com',
  'huggingface.co',
  'creativecommons.org',
  'opensource.org',
  'www.apache.org',
  'www.gnu.org',
  'spdx.org',
];

export function isUnder(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** True if a link of the page may open in the person's browser. */
export function mayOpenOutside(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, pathname } = new URL(url);
  if (isUnder(url, origin))
    return ownPaths.some((place) => pathname === place || pathname.startsWith(`${place}/`));
  return protocol === 'https:' && port === '' && username === '' && knownHosts.includes(hostname);
}

/** The page may only write to the clipboard, and save into folders that a dialog asked for. */
const permitted: readonly string[] = ['clipboard-sanitized-write', 'fileSystem'];

export function mayHave(permission: string, url: string, origin: string): boolean {
  return isUnder(url, origin) && permitted.includes(permission);
}

/** A closed window hides if work continues without it; the tray shows it again. */
export function hidesOnClose(now: {
  isQuitting: boolean;
  goesOnAlone: boolean;
  staysInTray: boolean;
}): boolean {
  return !now.isQuitting && now.goesOnAlone && now.staysInTray;
}

const crashWindowMs = 60_000;
const maxReloads = 2;

/** A page that crashes repeatedly is not reloaded; the person decides. */
export function afterCrash(crashesMs: readonly number[], nowMs: number): 'reload' | 'ask' {
  const recent = crashesMs.filter((atMs) => nowMs - atMs < crashWindowMs);
  return recent.length > maxReloads ? 'ask' : 'reload';
}
