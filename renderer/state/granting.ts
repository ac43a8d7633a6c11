/** Folders that a person names: they are granted to the service before it writes or reads there. */
import type { Client } from '../api/client.ts';

let last: Promise<void> = Promise.resolve();

/** In the application the dialog grants it itself; a typed one is granted here. One at a time: the list is one. */
export function grantFolder(client: Client, folder: string): Promise<void> {
  const turn = last.then(() => grant(client, folder));
  last = turn.catch(() => undefined);
  return turn;
}

async function grant(client: Client, folder: string): Promise<void> {
  const { grantedFolders } = await client.settings();
  if (!grantedFolders.includes(folder))
    await client.changeSettings({ grantedFolders: [...grantedFolders, folder] });
}
