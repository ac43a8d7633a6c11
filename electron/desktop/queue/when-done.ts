/** Plans what happens once when the batch has ended: nothing, the application quits, or the machine sleeps. */
import type { Command } from '../files/programs.ts';

export const endings = ['nothing', 'quit', 'sleep'] as const;
export type Ending = (typeof endings)[number];

/** The person can still say no for so long. */
export const graceSeconds = 30;

/**
 * Names the command that puts the machine to sleep: pmset(1) on macOS, SetSuspendState of .NET without force
 * on Windows, and on Linux systemctl(1), which logind allows to the person at the screen. It is undefined in
 * a Flatpak, which has no systemctl, and on other systems.
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

/** Lists the endings that this system offers. */
export function endingsOf(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv = process.env,
): readonly Ending[] {
  return planSleep(platform, env) === undefined ? ['nothing', 'quit'] : endings;
}
