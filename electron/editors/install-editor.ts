/** Puts into a photo editor's own folder what it needs to hand a photo to `enlarger edit-in`. */
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

/** Installs for an editor with a scale of 2, and answers the written file's path. It throws a sentence. */
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
