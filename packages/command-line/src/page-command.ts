/** `enlarger page` opens the page in the browser, by a link that works once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandConnection } from './connect.ts';
import { t } from './text.ts';

/** Opens the page. With a service of its own, which the page needs, it stays until `signal` fires. */
export async function openPage(
  { client, isOwn }: CommandConnection,
  signal: AbortSignal,
  open: (url: string) => Promise<void> = openInBrowser,
): Promise<number> {
  const url = await client.newPageUrl();
  console.log(url);
  await open(url).catch(() =>
    console.error(t('No browser could be opened here: open the link above in one, once.')),
  );
  if (!isOwn) return 0;
  console.error(t('The page works until you end this command with Ctrl+C.'));
  if (!signal.aborted) await once(signal, 'abort');
  return 0;
}

/** These programs open a link on each system. Windows' own `start` would need a shell. */
const openers: Partial<Record<NodeJS.Platform, [file: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a link in the browser. It rejects when the system has no program for that. */
async function openInBrowser(url: string): Promise<void> {
  const [file, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(file, [...args, url], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  await once(child, 'spawn');
  child.unref();
}
