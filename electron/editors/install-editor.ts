/** What a photo editor needs to hand a photo to `enlarger edit-in`, put into that editor's own folder. */
import type { PhotoEditor } from '../contract/bridge.ts';
import { installScript, usualFolder } from './darktable.ts';
import {
  hasLightroom,
  installLightroomPreset,
  lightroomFolder,
  type LightroomOptions,
} from './lightroom.ts';

interface EditorSurroundings extends Pick<LightroomOptions, 'programs' | 'command'> {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Enlarges twice. Answers the path of what was written. Throws a sentence. */
export async function installEditor(
  editor: PhotoEditor,
  { platform, env, ...parts }: EditorSurroundings,
): Promise<string> {
  if (editor === 'darktable') return installScript(usualFolder(platform, env));
  if (!hasLightroom(platform))
    throw new Error('Expected Windows or macOS, where Lightroom Classic runs.');
  const folder = lightroomFolder(platform, env);
  return installLightroomPreset({ platform, folder, scale: 2, ...parts });
}
