/** The words of `enlarger mcp`. What it does is loaded when it is asked for: no other command needs the SDK. */
import path from 'node:path';
import type { Command } from 'commander';
import { serviceOptions, type ServiceOptions } from './option-words.ts';

export interface McpOptions extends ServiceOptions {
  allowFolder: string[];
}

export function addMcpCommand(program: Command, run: (options: McpOptions) => Promise<void>): void {
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
    .action(run);
}
