/** Folders that a person names: they are granted to the service before it writes or reads there. */
import type { Client } from '../../electron/client/client.ts';

/** In the application the dialog grants it itself; a typed one is granted here. */
export async function grantFolder(client: Client, folder: string): Promise<void> {
  await client.grant([folder]);
}
