/** Opens pictures in a chosen program, and starts programs that outlive this one. */
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  file: string;
  args: string[];
}

/**
 * macOS: open(1) with the application bundle; Linux: gtk-launch(1) for a desktop entry; else the program with
 * the picture as argument.
 */
export function planOpenWith(platform: NodeJS.Platform, program: string, picture: string): Command {
  if (platform === 'darwin') return { file: 'open', args: ['-a', program, picture] };
  if (platform === 'linux' && program.endsWith('.desktop'))
    return { file: 'gtk-launch', args: [path.basename(program, '.desktop'), picture] };
  return { file: program, args: [picture] };
}

/** Initial folder of the dialog and file extensions it shows. */
export function programsOf(platform: NodeJS.Platform): { folder: string; endings: string[] } {
  if (platform === 'darwin') return { folder: '/Applications', endings: ['app'] };
  if (platform === 'win32')
    return { folder: process.env.ProgramFiles ?? 'C:\\Program Files', endings: ['exe'] };
  return { folder: '/usr/share/applications', endings: [] };
}

/** Starts a detached command. Resolves when it runs. @throws Error a sentence */
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
