/** These decisions say what the window may do and what becomes of it. This is pure. */

/** These places of the service open in the person's browser. */
const ownPlaces = ['/api/docs'];

/** Licences and sources of what Enlarger ships are on these hosts. The page opens no others. */
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

/** Says whether a link of the page may be opened in the person's browser. */
export function mayOpenOutside(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, pathname } = new URL(url);
  if (isUnder(url, origin))
    return ownPlaces.some((place) => pathname === place || pathname.startsWith(`${place}/`));
  return protocol === 'https:' && port === '' && username === '' && knownHosts.includes(hostname);
}

/** The page may only copy to the clipboard and save into folders that a dialog asked for. */
const permitted: readonly string[] = ['clipboard-sanitized-write', 'fileSystem'];

export function mayHave(permission: string, url: string, origin: string): boolean {
  return isUnder(url, origin) && permitted.includes(permission);
}

/** Says whether a closed window only hides, because work goes on without it; the tray shows it again. */
export function hidesOnClose(now: {
  isQuitting: boolean;
  goesOnAlone: boolean;
  staysInTray: boolean;
}): boolean {
  return !now.isQuitting && now.goesOnAlone && now.staysInTray;
}

const crashWindowMs = 60_000;
const mostReloads = 2;

/** Decides what follows a crash. A page that crashes again and again is not reloaded; then the person decides. */
export function afterCrash(crashesMs: readonly number[], nowMs: number): 'reload' | 'ask' {
  const recent = crashesMs.filter((atMs) => nowMs - atMs < crashWindowMs);
  return recent.length > mostReloads ? 'ask' : 'reload';
}
