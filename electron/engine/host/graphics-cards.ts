/**
 * Lists graphics cards and their driver versions as the system knows them: with a new driver networks are
 * measured anew, and one of several cards can be chosen. Drivers that are part of the Linux kernel or of
 * macOS change with the system's version, on which outcomes depend as well.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GraphicsCard } from '../../../packages/contract/src/models/model.ts';

/** Display adapters in the registry of Windows. */
const displayClass =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}';
const limitMs = 5000;

/** Takes some milliseconds; empty where the system has no such list. */
export function graphicsCards(platform: NodeJS.Platform = process.platform): GraphicsCard[] {
  try {
    if (platform === 'linux') return nvidiaCards('/proc/driver/nvidia');
    if (platform === 'win32') return windowsCards(queryRegistry());
  } catch (error) {
    process.stderr.write(`Graphics cards could not be listed: ${String(error)}\n`);
  }
  return [];
}

const queryRegistry = () =>
  execFileSync('reg.exe', ['query', displayClass, '/s'], {
    encoding: 'utf8',
    timeout: limitMs,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Parses the output of `reg query`: a line with the key of each adapter, and its values below it. */
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

/** Reads the version and the cards from the folder of NVIDIA's Linux driver. */
export function nvidiaCards(folder: string): GraphicsCard[] {
  if (!existsSync(join(folder, 'version'))) return [];
  const driver = /(\d+\.\d+(?:\.\d+)?)/.exec(readFileSync(join(folder, 'version'), 'utf8'))?.[1];
  return readdirSync(join(folder, 'gpus'))
    .toSorted()
    .map((slot) => {
      const information = readFileSync(join(folder, 'gpus', slot, 'information'), 'utf8');
      const name = /^Model:\s*(.+?)\s*$/m.exec(information)?.[1] ?? 'NVIDIA';
      return { name, ...(driver !== undefined && { driver }) };
    });
}

/** Identifies the cards and drivers on which a measurement depends. */
export const driversOf = (cards: readonly GraphicsCard[]): string =>
  cards.map(({ name, driver = 'system' }) => `${name} ${driver}`).join();

/** Index of the chosen card, for the engine and every process that it starts. */
export const cardVariable = 'ENLARGER_GRAPHICS_CARD';

export const chosenCard = (): number => Number(process.env[cardVariable] ?? 0);

/**
 * Finds the largest memory of a graphics card of its own, in megabytes; undefined where none has its own or the system
 * does not know. Processors with graphics may report the part of the machine's memory that is set aside for them.
 */
export async function graphicsMemory(
  platform: NodeJS.Platform = process.platform,
): Promise<number | undefined> {
  const found: number[] = [];
  if (platform === 'win32') found.push(...(await attempt(windowsMemory)));
  if (platform === 'linux') {
    found.push(...amdMemory('/sys/class/drm'));
    if (existsSync('/proc/driver/nvidia/version')) found.push(...(await attempt(nvidiaMemory)));
  }
  return found.length === 0 ? undefined : Math.max(...found);
}

const runFile = promisify(execFile);
const quietly = { encoding: 'utf8', timeout: limitMs, windowsHide: true } as const;

async function windowsMemory(): Promise<number[]> {
  return memoryInRegistry(
    (await runFile('reg.exe', ['query', displayClass, '/s'], quietly)).stdout,
  );
}

async function nvidiaMemory(): Promise<number[]> {
  const query = ['--query-gpu=memory.total', '--format=csv,noheader,nounits'];
  const { stdout } = await runFile('nvidia-smi', query, quietly);
  return stdout.split('\n').flatMap((line) => (/^\d+/.test(line) ? [mebibytes(Number(line))] : []));
}

const mebibytes = (count: number) => Math.round((count * 2 ** 20) / 1e6);

async function attempt(read: () => Promise<number[]>): Promise<number[]> {
  try {
    return await read();
  } catch (error) {
    process.stderr.write(`The memory of graphics cards could not be read: ${String(error)}\n`);
    return [];
  }
}

/** Parses the output of `reg query`, in which drivers state bytes as a hexadecimal REG_QWORD. */
export const memoryInRegistry = (printed: string): number[] =>
  [...printed.matchAll(/^\s+HardwareInformation\.qwMemorySize\s+REG_QWORD\s+(0x[0-9a-f]+)/gim)].map(
    ([, bytes]) => Math.round(Number(bytes) / 1e6),
  );

/** Reads what AMD's driver of the Linux kernel states, in bytes. */
export function amdMemory(folder: string): number[] {
  const cards = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^card\d+$/.test(name))
    : [];
  return cards
    .map((card) => join(folder, card, 'device/mem_info_vram_total'))
    .filter((file) => existsSync(file))
    .map((file) => Math.round(Number(readFileSync(file, 'utf8')) / 1e6));
}
