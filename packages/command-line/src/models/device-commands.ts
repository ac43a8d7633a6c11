/** `enlarger devices` lists and chooses what networks run on, and fetches or removes files for it. */
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { Client } from '../../../api-client/src/client.ts';
import { deviceChoices, type DeviceChoice } from '../../../contract/src/models/devices.ts';
import { omitUndefined } from '../../../contract/src/pick-defined.ts';
import { padEnd, widestOf } from '../columns.ts';
import { getThing } from './download.ts';
import type { Ask } from '../connect.ts';
import { openNamedBlob } from '../local-files.ts';
import { serviceOptions, type ServiceFlags } from '../option-words.ts';
import { t } from '../text.ts';

export function addDeviceCommands(program: Command, ask: Ask): void {
  const devices = program
    .command('devices')
    .description('list what networks run on, choose one, and fetch or remove files that it needs');
  serviceOptions(
    devices
      .command('list', { isDefault: true })
      .description('list the devices, and why one is not used'),
  ).action((options: ServiceFlags) => ask(options, ({ client }) => listDevices(client)));
  serviceOptions(
    devices
      .command('use')
      .description('choose what networks run on, unless a photo says otherwise'),
  )
    .addArgument(new Argument('[device]', 'auto: the fastest').choices(deviceChoices))
    .option('--card <number>', 'which of several graphics cards, by its number in `list`', readCard)
    .action((device: DeviceChoice | undefined, options: ServiceFlags & { card?: number }) =>
      ask(options, ({ client }) => useDevice(client, device, options.card)),
    );
  serviceOptions(
    devices.command('get').description("fetch a device's files; without an id: list what there is"),
  )
    .argument('[id]', 'such as cuda-12')
    .action((id: string | undefined, options: ServiceFlags) =>
      ask(options, ({ client }, signal) => getFiles(client, id, signal), {
        isShared: id !== undefined,
      }),
    );
  serviceOptions(
    devices
      .command('add')
      .description("install a device's files from their archive on this machine"),
  )
    .argument('<id>', 'such as cuda-12')
    .argument('<archive>', 'as its publisher has it, .tgz')
    .action((id: string, archive: string, options: ServiceFlags) =>
      ask(
        options,
        async ({ client }, signal) => {
          const { blob } = await openNamedBlob(archive);
          await client.addDeviceFiles(id, blob, signal);
          console.log(t('Added {id}.', { id }));
          return 0;
        },
        { isShared: true },
      ),
    );
  serviceOptions(devices.command('remove').description("remove a device's files"))
    .argument('<id>')
    .action((id: string, options: ServiceFlags) =>
      ask(options, async ({ client }) => {
        await client.removeDeviceFiles(id);
        return 0;
      }),
    );
}

function readCard(text: string): number {
  if (/^(?:\d|1[0-5])$/.test(text)) return Number(text);
  throw new InvalidArgumentError(t('Expected a whole number from 0 to 15.'));
}

async function useDevice(
  client: Client,
  device: DeviceChoice | undefined,
  graphicsCard: number | undefined,
): Promise<number> {
  const { graphicsCards } = await client.devices();
  if (graphicsCard !== undefined && graphicsCard > 0 && graphicsCard >= graphicsCards.length) {
    const many = graphicsCards.length;
    throw new InvalidArgumentError(
      t(
        'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.',
        { number: graphicsCard, count: many },
      ),
    );
  }
  await client.changeSettings(omitUndefined({ device, graphicsCard }));
  return listDevices(client);
}

const stateWords = () => ({
  unchecked: t('unchecked'),
  'in-use': t('in use'),
  available: t('available'),
  left: t('not used'),
});

async function listDevices(client: Client): Promise<number> {
  const [{ devices, graphicsCards }, settings] = await Promise.all([
    client.devices(),
    client.settings(),
  ]);
  const words = stateWords();
  const stateWidth = widestOf(Object.values(words));
  for (const { provider, name, state, reason } of devices) {
    const columns = `${provider.padEnd(8)} ${padEnd(words[state], stateWidth)}`;
    console.log(`${columns}  ${name}${reason ? `: ${reason}` : ''}`);
  }
  const chosen = devices.find(({ provider }) => provider === settings.device);
  const isMissing = settings.device !== 'auto' && chosen === undefined;
  const reason = isMissing ? t('this system has none') : chosen?.reason;
  const { device } = settings;
  console.log(
    reason === undefined
      ? t('Chosen: {device}', { device })
      : t('Chosen: {device}, which cannot be used: {reason}', { device, reason }),
  );
  if (graphicsCards.length > 1)
    for (const [place, { name }] of graphicsCards.entries())
      console.log(
        `${place === settings.graphicsCard ? '*' : ' '} ${t('card {number}: {name}', { number: place, name })}`,
      );
  return 0;
}

async function getFiles(
  client: Client,
  id: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { deviceFiles, installedId } = await client.deviceFiles();
  if (id !== undefined) {
    const wanted = deviceFiles.find((one) => one.id === id);
    if (wanted) return getThing(client.deviceDownloads, id, wanted, signal);
    throw new InvalidArgumentError(
      t('`{command}` lists no {id}.', { command: 'enlarger devices get', id }),
    );
  }
  for (const one of deviceFiles) {
    const mark = one.id === installedId ? '*' : ' ';
    console.log(
      `${mark} ${one.id.padEnd(8)} ${one.description} ${t('Needs {needs}.', { needs: one.needs })} (${one.licence})`,
    );
  }
  if (deviceFiles.length === 0)
    console.log(t('No device of this system needs files beside Enlarger.'));
  return 0;
}
