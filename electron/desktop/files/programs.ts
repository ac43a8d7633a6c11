/** Other programs: how a picture is opened in one that the person picked, and how one is started and let go. */
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  file: string;
  args: string[];
}

/**
 * macOS: open(1) with an application's folder. Linux: an entry of the applications menu by gtk-launch(1).
 * Else the program itself with the picture as its argument.
 */
export function planOpenWith(platform: NodeJS.Platform, program: string, picture: string): Command {
  if (platform === 'darwin') return { file: 'open', args: ['-a', program, picture] };
  if (platform === 'linux' && program.endsWith('.desktop'))
    return { file: 'gtk-launch', args: [path.basename(program, '.desktop'), picture] };
  return { file: program, args: [picture] };
}

/** Where the dialog begins, and what it shows. */
export function programsOf(platform: NodeJS.Platform): { folder: string; endings: string[] } {
  if (platform === 'darwin') return { folder: '/Applications', endings: ['app'] };
  if (platform === 'win32')
    return { folder: process.env.ProgramFiles ?? 'C:\\Program Files', endings: ['exe'] };
  return { folder: '/usr/share/applications', endings: [] };
}

/** Returns when it runs; it outlives the application. Throws a sentence when it cannot be started. */
export async function runCommand({ file, args }: Command): Promise<void> {
  const child = spawn(file, args, {
    detached: true,
    stdio: 'ignore',
    shell: false,
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new Error(`${file} could not be started.`, { cause });
  }
  child.unref();
}
