/**
 * Lists graphics cards and the versions of their drivers, as the system knows them: with a new driver a
 * network is measured anew, and among several cards one can be chosen. Drivers that are part of Linux's
 * kernel or of macOS change with the version of the system, which outcomes depend on, too.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphicsCard } from '../../contract/models/model.ts';

/** The class of display adapters in the registry of Windows. */
const displayClass =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}';
const limitMs = 5000;

/** Lists the cards, which takes some milliseconds; the list is empty where the system cannot tell. */
export function graphicsCards(platform: NodeJS.Platform = process.platform): GraphicsCard[] {
  try {
    if (platform === 'linux') return nvidiaCards('/proc/driver/nvidia');
    if (platform === 'win32') return windowsCards(askRegistry());
  } catch (error) {
    process.stderr.write(`Graphics cards could not be listed: ${String(error)}\n`);
  }
  return [];
}

const askRegistry = () =>
  execFileSync('reg.exe', ['query', displayClass, '/s'], {
    encoding: 'utf8',
    timeout: limitMs,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Reads what `reg query` prints: a line with the key of each adapter, and its values below it. */
export function windowsCards(printed: string): GraphicsCard[] {
  return printed.split(/^HKEY_/m).flatMap((adapter) => {
    // The key of an adapter ends in four digits; its subkeys are no adapters.
    if (!/^[^\r\n]*\\\d{4}\r?$/m.test(adapter)) return [];
    const valueOf = (name: string) =>
      new RegExp(`^\\s+${name}\\s+REG_SZ\\s+(.+?)\\s*$`, 'm').exec(adapter)?.[1];
    const [name, driver] = [valueOf('DriverDesc'), valueOf('DriverVersion')];
    if (name === undefined || /^Microsoft (Basic|Remote)/.test(name)) return [];
    return [{ name, ...(driver !== undefined && { driver }) }];
  });
}

/** Reads the folder in which NVIDIA's driver for Linux tells its version and its cards. */
export function nvidiaCards(folder: string): GraphicsCard[] {
  if (!existsSync(join(folder, 'version'))) return [];
  const driver = /(\d+\.\d+(?:\.\d+)?)/.exec(readFileSync(join(folder, 'version'), 'utf8'))?.[1];
  return readdirSync(join(folder, 'gpus'))
    .toSorted()
    .map((place) => {
      const said = readFileSync(join(folder, 'gpus', place, 'information'), 'utf8');
      const name = /^Model:\s*(.+?)\s*$/m.exec(said)?.[1] ?? 'NVIDIA';
      return { name, ...(driver !== undefined && { driver }) };
    });
}

/** Names the cards and drivers that a measurement depends on: with others it is made anew. */
export const driversOf = (cards: readonly GraphicsCard[]): string =>
  cards.map(({ name, driver = 'system' }) => `${name} ${driver}`).join();

/** The variable that tells the engine, and every process that it starts, which card is chosen. */
export const cardVariable = 'ENLARGER_GRAPHICS_CARD';

export const chosenCard = (): number => Number(process.env[cardVariable] ?? 0);
