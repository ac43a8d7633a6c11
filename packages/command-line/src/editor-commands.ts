/** `enlarger darktable` and `lightroom` install what these editors need to call `enlarger edit-in`. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option, type Command } from 'commander';
import type { AnyScale } from '../../contract/src/common.ts';
import { defaultDataDir } from '../../files/src/data-dir.ts';
import { installScript, defaultFolder } from './editors/darktable.ts';
import { hasLightroom, installLightroomPreset, lightroomFolder } from './editors/lightroom.ts';
import { readScale } from './option-words.ts';
import { t } from './text.ts';

export function addEditorCommands(program: Command, programUrl: string): void {
  program
    .command('darktable')
    .description("install the script that enlarges as a target of darktable's export")
    .option('--config <folder>', "darktable's folder", defaultFolder(process.platform, process.env))
    .action(async ({ config }: { config: string }) => {
      const script = await installScript(path.resolve(config));
      console.log(
        t('{file} is written. Start darktable again, and export to "enlarge with Enlarger".', {
          file: script,
        }),
      );
    });
  program
    .command('lightroom')
    .description("install the preset that enlarges under Lightroom Classic's Edit In")
    .option('--config <folder>', "Lightroom's folder (default: where it makes it)")
    .addOption(
      new Option('-s, --scale <times>', 'how many times as wide; 1 only cleans')
        .argParser(readScale)
        .default(2),
    )
    .action(async ({ config, scale }: { config?: string; scale: AnyScale }) => {
      const { platform, env, execPath } = process;
      if (!hasLightroom(platform))
        throw new Error(t('Expected Windows or macOS, where Lightroom Classic runs.'));
      const preset = await installLightroomPreset({
        platform,
        folder: config === undefined ? lightroomFolder(platform, env) : path.resolve(config),
        programs: path.join(defaultDataDir(), 'editors'),
        command: [execPath, fileURLToPath(programUrl)],
        scale,
      });
      console.log(
        t('{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.', {
          file: preset,
        }),
      );
    });
}
