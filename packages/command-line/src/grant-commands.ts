/** `enlarger grants list|add|remove` shows and changes which folders the service may read and write. */
import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../api-client/src/client.ts';
import { nothingThereSentence } from '../../contract/src/error-messages.ts';
import type { Ask } from './connect.ts';
import { serviceOptions, type ServiceFlags } from './option-words.ts';
import { printable } from './printable.ts';
import { eachOf } from './photos/report.ts';
import { failureText, t } from './text.ts';

export function addGrantCommands(program: Command, ask: Ask): void {
  const grants = program
    .command('grants')
    .description('list the folders that Enlarger may read and write, grant more, take some back');
  serviceOptions(
    grants.command('list', { isDefault: true }).description('list the folders'),
  ).action((options: ServiceFlags) => ask(options, ({ client }) => listGrants(client)));
  serviceOptions(grants.command('add').description('grant folders, or single files'))
    .argument('<folder...>')
    .action((folders: string[], options: ServiceFlags) =>
      ask(options, async ({ client, sharesDisk }) => {
        const paths = folders.map((folder) => path.resolve(folder));
        const missing = paths.find((folder) => sharesDisk && !existsSync(folder));
        if (missing !== undefined)
          throw new Error(failureText('NO_FOLDER', nothingThereSentence(missing, 'folder')));
        await client.grant(paths);
        return 0;
      }),
    );
  serviceOptions(grants.command('remove').description('take grants back'))
    .argument('<folder...>', 'as `list` shows it')
    .action((folders: string[], options: ServiceFlags) =>
      ask(options, ({ client }) =>
        eachOf(folders, String, (folder) => takeBack(client, path.resolve(folder))),
      ),
    );
}

async function listGrants(client: Client): Promise<number> {
  const { grantedFolders } = await client.settings();
  if (grantedFolders.length === 0) console.error(t('No folders are granted.'));
  for (const folder of grantedFolders) console.log(printable(folder));
  return 0;
}

/** Takes a grant back. It throws for a folder that is not granted, or stays so while the service runs. */
async function takeBack(client: Client, folder: string): Promise<void> {
  const { grantedFolders } = await client.settings();
  if (!grantedFolders.includes(folder))
    throw new Error(t('Expected a folder that `enlarger grants` lists; nothing was taken back.'));
  const left = await client.revokeGrant(folder);
  if (left.includes(folder))
    throw new Error(t('The service was started with this folder, and keeps it until it ends.'));
}
