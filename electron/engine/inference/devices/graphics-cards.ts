/**
 * Graphics cards and the versions of their drivers, as the system lists them: a new driver is measured anew, and
 * among several cards one can be chosen. What is in Linux's kernel or in macOS comes with their own versions.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphicsCard } from '../../../contract/model.ts';

/** The class of display adapters in the registry of Windows. */
const displayClass =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}';
const limitMs = 5000;

/** Empty where the system cannot say. Takes some milliseconds. */
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

/** Of what `reg query` prints: a line with the key of each adapter, and below it its values. */
export function windowsCards(printed: string): GraphicsCard[] {
  return printed.split(/^HKEY_/m).flatMap((adapter) => {
    // Each adapter has a key of four digits; what lies below them is of no adapter.
    if (!/^[^\r\n]*\\\d{4}\r?$/m.test(adapter)) return [];
    const valueOf = (name: string) =>
      new RegExp(`^\\s+${name}\\s+REG_SZ\\s+(.+?)\\s*$`, 'm').exec(adapter)?.[1];
    const [name, driver] = [valueOf('DriverDesc'), valueOf('DriverVersion')];
    if (name === undefined || /^Microsoft (Basic|Remote)/.test(name)) return [];
    return [{ name, ...(driver !== undefined && { driver }) }];
  });
}

/** Of the folder in which NVIDIA's driver for Linux says what it is and what it drives. */
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

/** What a measurement depends on of them: other drivers or other cards, and it is made anew. */
export const driversOf = (cards: readonly GraphicsCard[]): string =>
  cards.map(({ name, driver = 'system' }) => `${name} ${driver}`).join();

/** Tells the engine, and all that it starts, which card is chosen. */
export const cardVariable = 'ENLARGER_GRAPHICS_CARD';

export const chosenCard = (environment: NodeJS.ProcessEnv = process.env): number =>
  Number(environment[cardVariable] ?? 0);
