/** The words of `enlarger devices`, against a service that says what cards there are. */
import { Command, InvalidArgumentError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addDeviceCommands } from '../../../../packages/command-line/src/models/device-commands.ts';
import type { Client } from '../../../../packages/api-client/src/client.ts';

afterEach(() => vi.restoreAllMocks());

/** What the words printed, their exit code and what they set. */
async function said(cards: string[], ...words: string[]) {
  const settings = { device: 'auto', graphicsCard: 0 };
  return saidWith(settings, cards, ...words);
}

async function saidWith(
  settings: { device: string; graphicsCard: number },
  cards: string[],
  ...words: string[]
) {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  vi.spyOn(console, 'log').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
  const cpu = { provider: 'cpu', state: 'in-use', name: 'A processor, 8 threads' };
  const client = {
    devices: () =>
      Promise.resolve({ devices: [cpu], graphicsCards: cards.map((name) => ({ name })) }),
    settings: () => Promise.resolve(settings),
    deviceFiles: () => Promise.resolve({ deviceFiles: [] }),
    changeSettings: (patch: object) => Promise.resolve(Object.assign(settings, patch)),
  } as unknown as Client;
  const program = new Command().exitOverride();
  let code = -1;
  addDeviceCommands(program, async (_options, work) => {
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    code = await work(connected, AbortSignal.abort());
  });
  await program.parseAsync(['devices', ...words], { from: 'user' });
  return { lines, code, settings };
}

const two = ['NVIDIA RTX A2000', 'NVIDIA GeForce RTX 3060'];

describe('enlarger devices', () => {
  it('lists the cards where there are several, and marks the chosen one', async () => {
    const { lines } = await said(two, 'list');
    expect(lines.slice(1)).toEqual([
      'Chosen: auto',
      '* card 0: NVIDIA RTX A2000',
      '  card 1: NVIDIA GeForce RTX 3060',
    ]);
    expect((await said(two.slice(1))).lines).toHaveLength(2);
  });

  it('chooses a device, a card, or both, and shows what is chosen then', async () => {
    expect((await said(two, 'use', 'cuda', '--card', '1')).settings).toEqual({
      device: 'cuda',
      graphicsCard: 1,
    });
    const { settings, lines, code } = await said(two, 'use', '--card', '1');
    expect(settings).toEqual({ device: 'auto', graphicsCard: 1 });
    expect([code, lines.at(-1)]).toEqual([0, '* card 1: NVIDIA GeForce RTX 3060']);
  });

  it('refuses a card that is not there, and changes nothing', async () => {
    const settings = { device: 'auto', graphicsCard: 0 };
    const refused = saidWith(settings, two, 'use', 'cuda', '--card', '2');
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow('it is number 2 and the system lists 2');
    expect(settings).toEqual({ device: 'auto', graphicsCard: 0 });
  });

  it('refuses files that it does not list', async () => {
    const refused = said(two, 'get', 'cuda-99');
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow('`enlarger devices get` lists no cuda-99.');
  });
});
