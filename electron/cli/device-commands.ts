/** `enlarger devices list|get|add|remove`: what networks run on here, and files that some devices need. */
import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { getThing } from './get-model.ts';
import type { RunModelWork } from './model-commands.ts';
import { openNamedBlob } from './named-blob.ts';
import { serviceOptions, type ServiceOptions } from './option-words.ts';

export function addDeviceCommands(program: Command, run: RunModelWork): void {
  const devices = program
    .command('devices')
    .description('list what networks run on, and fetch or remove files that a device needs');
  serviceOptions(
    devices
      .command('list', { isDefault: true })
      .description('list the devices, and why one is left'),
  ).action((options: ServiceOptions) => run(options, listDevices));
  serviceOptions(
    devices.command('get').description("fetch a device's files; without an id: list what there is"),
  )
    .argument('[id]', 'such as cuda-12')
    .action((id: string | undefined, options: ServiceOptions) =>
      run(options, (client, signal) => getFiles(client, id, signal)),
    );
  serviceOptions(
    devices
      .command('add')
      .description("install a device's files from their archive on this machine"),
  )
    .argument('<id>', 'such as cuda-12')
    .argument('<archive>', 'as its publisher has it, .tgz')
    .action((id: string, archive: string, options: ServiceOptions) =>
      run(options, async (client, signal) => {
        const { blob } = await openNamedBlob(archive);
        await client.addDeviceFiles(id, blob, signal);
        console.log(`Added ${id}.`);
        return 0;
      }),
    );
  serviceOptions(devices.command('remove').description("remove a device's files"))
    .argument('<id>')
    .action((id: string, options: ServiceOptions) =>
      run(options, async (client) => {
        await client.removeDeviceFiles(id);
        return 0;
      }),
    );
}

async function listDevices(client: Client): Promise<number> {
  const { devices } = await client.devices();
  for (const { provider, name, state, reason } of devices)
    console.log(`${provider.padEnd(8)} ${state.padEnd(10)} ${name}${reason ? `: ${reason}` : ''}`);
  return 0;
}

async function getFiles(
  client: Client,
  id: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { deviceFiles, installedId } = await client.deviceFiles();
  const wanted = deviceFiles.find((one) => one.id === id);
  if (id !== undefined) return getThing(client.deviceDownloads, id, wanted, signal);
  for (const one of deviceFiles) {
    const mark = one.id === installedId ? '*' : ' ';
    console.log(
      `${mark} ${one.id.padEnd(8)} ${one.description} Needs ${one.needs}. (${one.licence})`,
    );
  }
  if (deviceFiles.length === 0)
    console.log('No device of this system needs files beside Enlarger.');
  return 0;
}
