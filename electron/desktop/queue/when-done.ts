/** What happens once when the batch has ended: nothing, quit, or sleep. */
import type { Command } from '../files/programs.ts';

export const endings = ['nothing', 'quit', 'sleep'] as const;
export type Ending = (typeof endings)[number];

/** Time for the person to cancel. */
export const graceSeconds = 30;

/**
 * Command that suspends the machine: pmset(1) on macOS, .NET's SetSuspendState without force on Windows,
 * systemctl(1) on Linux, which logind permits to the person at the screen. Undefined in a Flatpak, which has
 * no systemctl, and on other systems.
 */
export function planSleep(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv = process.env,
): Command | undefined {
  if (platform === 'darwin') return { file: '/usr/bin/pmset', args: ['sleepnow'] };
  if (platform === 'linux' && env.FLATPAK_ID === undefined)
    return { file: 'systemctl', args: ['suspend'] };
  if (platform === 'win32')
    return { file: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', suspend] };
  return undefined;
}

const suspend =
  'Add-Type -AssemblyName System.Windows.Forms; ' +
  "[System.Windows.Forms.Application]::SetSuspendState('Suspend', $false, $false)";

/** Endings that this system offers. */
export function endingsOf(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv = process.env,
): readonly Ending[] {
  return planSleep(platform, env) === undefined ? ['nothing', 'quit'] : endings;
}
