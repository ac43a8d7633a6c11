/** Declares the words of `enlarger serve` and `enlarger mcp`, whose code is loaded only when it is needed. */
import path from 'node:path';
import type { Command } from 'commander';
import type { Ask, Programs } from './connect.ts';
import { serviceOptions, type ServiceFlags } from './option-words.ts';

export function addMcpCommand(program: Command, version: string, ask: Ask): void {
  serviceOptions(
    program
      .command('mcp')
      .description(
        'serve the tools for agents (Model Context Protocol) on standard input and output',
      ),
  )
    .option(
      '--allow-folder <folder>',
      "a folder that may be read and written, beside those granted and the client's roots; may be given several times",
      (folder: string, others: string[]) => [...others, path.resolve(folder)],
      [] as string[],
    )
    .action((options: ServiceFlags & { allowFolder: string[] }) =>
      ask(
        options,
        async ({ client }, signal) => {
          const { serveMcp } = await import('./serve-mcp.ts');
          return serveMcp(client, options, { version, signal });
        },
        { isShared: true },
      ),
    );
}

/** Runs the service without a window. The options behind the command are read by `headless.ts`. */
export function addServe(program: Command, serve: Programs['serve']): void {
  program
    .command('serve')
    .description('run the service without a window, for other programs, until Ctrl+C')
    .argument('[options...]', '`enlarger serve --help` lists them')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: string[]) => {
      process.argv = [...process.argv.slice(0, 2), ...words];
      await serve();
    });
}
