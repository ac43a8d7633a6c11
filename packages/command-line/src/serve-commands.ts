/** Declares the words of `enlarger serve` and `enlarger mcp`, whose code is loaded only when it is needed. */
import path from 'node:path';
import type { Command } from 'commander';
import type { Ask, Programs } from './connect.ts';
import { flagOf, serviceOptions, type ServiceFlags } from './option-words.ts';

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

interface ServeOptions {
  port?: string;
  compatPort?: string;
  dataDir?: string;
  allowFolder: string[];
  photo: string[];
  allowLocalSources?: true;
}

const collect = (one: string, others: string[]) => [...others, one];

/** Runs the service without a window. The values of the options are read by `headless.ts`. */
export function addServe(program: Command, serve: Programs['serve']): void {
  program
    .command('serve')
    .description('run the service without a window, for other programs, until Ctrl+C')
    .option('--port <number>', '8617 or the next free one by default; 0: any free one')
    .option(
      '--compat-port <number>',
      'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one',
    )
    .option('--data-dir <folder>', "the service's data folder")
    .option(
      '--allow-folder <folder>',
      'its files may be named as file: sources and saveTo; may be given several times',
      collect,
      [],
    )
    .option(
      '--photo <path>',
      'is in the queue of its page; may be given several times, as a file or a folder',
      collect,
      [],
    )
    .option('--allow-local-sources', 'fetch pictures from this machine and its network too')
    .action(async (options: ServeOptions) => {
      process.argv = [...process.argv.slice(0, 2), ...wordsOf(options)];
      await serve();
    });
}

const wordsOf = ({ allowLocalSources, ...valued }: ServeOptions): string[] => [
  ...Object.entries(valued).flatMap(([name, value]: [string, string | string[]]) =>
    [value].flat().map((one) => `${flagOf(name)}=${one}`),
  ),
  ...(allowLocalSources ? ['--allow-local-sources'] : []),
];
