/** What the window may do, and what becomes of it: decisions without effects. */

/** The page's own places that are for a browser of their own. */
const ownPlaces = ['/api/docs'];

/** Where licences and sources of what Enlarger ships are found. Nothing else is opened from the page. */
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

/** Whether a link of the page may be shown in the person's browser. */
export function mayOpenOutside(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, pathname } = new URL(url);
  if (isUnder(url, origin))
    return ownPlaces.some((place) => pathname === place || pathname.startsWith(`${place}/`));
  return protocol === 'https:' && port === '' && username === '' && knownHosts.includes(hostname);
}

/** The page copies to the clipboard and saves into folders that a dialog asked for; it gets nothing else. */
const permitted: readonly string[] = ['clipboard-sanitized-write', 'fileSystem'];

export function mayHave(permission: string, url: string, origin: string): boolean {
  return isUnder(url, origin) && permitted.includes(permission);
}

/** A closed window only hides while there is work without it; the tray shows it again. */
export function hidesOnClose(now: {
  isQuitting: boolean;
  goesOnAlone: boolean;
  staysInTray: boolean;
}): boolean {
  return !now.isQuitting && now.goesOnAlone && now.staysInTray;
}

const crashWindowMs = 60_000;
const mostReloads = 2;

/** A page that stops again and again is not reloaded for ever: then the person decides. */
export function afterCrash(crashesMs: readonly number[], nowMs: number): 'reload' | 'ask' {
  const recent = crashesMs.filter((atMs) => nowMs - atMs < crashWindowMs);
  return recent.length > mostReloads ? 'ask' : 'reload';
}
