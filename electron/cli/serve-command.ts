/** `enlarger serve`: the service without a window. Its own words are those of `headless.ts`. */
import type { Command } from 'commander';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service without a window, for other programs, until Ctrl+C')
    .argument('[options...]', '`enlarger serve --help` lists them')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: string[]) => {
      process.argv = [...process.argv.slice(0, 2), ...words];
      await import('../headless.ts');
    });
}
