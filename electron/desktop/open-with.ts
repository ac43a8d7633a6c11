/** How a picture is opened in a program that the person picked. */
import path from 'node:path';

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
