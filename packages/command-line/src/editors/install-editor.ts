/** Installs what a photo editor needs to pass photos to `enlarger edit-in`. */
import type { PhotoEditor } from '../../../contract/src/bridge.ts';
import { installScript, defaultFolder } from './darktable.ts';
import {
  hasLightroom,
  installLightroomPreset,
  lightroomFolder,
  type LightroomOptions,
} from './lightroom.ts';

interface EditorEnvironment extends Pick<LightroomOptions, 'programs' | 'command'> {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Installs with scale 2 and returns the path of the file. @throws Error a sentence */
export async function installEditor(
  editor: PhotoEditor,
  { platform, env, ...parts }: EditorEnvironment,
): Promise<string> {
  if (editor === 'darktable') return installScript(defaultFolder(platform, env));
  if (!hasLightroom(platform))
    throw new Error('Expected Windows or macOS, where Lightroom Classic runs.');
  const folder = lightroomFolder(platform, env);
  return installLightroomPreset({ platform, folder, scale: 2, ...parts });
}
