/** Opens a picture in a program that the person picked, and starts programs that outlive this one. */
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  file: string;
  args: string[];
}

/**
 * Plans how a picture is opened in a program: on macOS by open(1) with the application's folder, on
 * Linux by gtk-launch(1) for an entry of the applications menu, and otherwise by the program with the
 * picture as its argument.
 */
export function planOpenWith(platform: NodeJS.Platform, program: string, picture: string): Command {
  if (platform === 'darwin') return { file: 'open', args: ['-a', program, picture] };
  if (platform === 'linux' && program.endsWith('.desktop'))
    return { file: 'gtk-launch', args: [path.basename(program, '.desktop'), picture] };
  return { file: program, args: [picture] };
}

/** Answers the folder in which the dialog begins, and the endings of files that it shows. */
export function programsOf(platform: NodeJS.Platform): { folder: string; endings: string[] } {
  if (platform === 'darwin') return { folder: '/Applications', endings: ['app'] };
  if (platform === 'win32')
    return { folder: process.env.ProgramFiles ?? 'C:\\Program Files', endings: ['exe'] };
  return { folder: '/usr/share/applications', endings: [] };
}

/** Starts a command, which outlives the application. It resolves when the command runs, or throws a sentence. */
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
