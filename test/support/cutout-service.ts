/** The whole service with a real engine, whose only remover takes what is bright for the subject. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEngineHost } from '../../electron/engine/host.ts';
import { brightNetwork, removerOf } from './networks-masks.ts';
import { root } from './program.ts';
import { openService, type TestService, type TestServiceOptions } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

export async function openCutoutService(options: TestServiceOptions = {}): Promise<TestService> {
  const modelsDir = temporaryFolder();
  const network = brightNetwork(modelsDir, { size: { kind: 'fixed', width: 64, height: 64 } });
  const [variant] = network.variants;
  const file = path.basename(variant?.path ?? '');
  const variants = network.variants.map((one) => ({ ...one, file }));
  const models = [removerOf({ ...network, variants })];
  await writeFile(path.join(modelsDir, 'catalogue.json'), JSON.stringify({ models }));
  return openService({
    ...options,
    modelsDir,
    createEngine: createEngineHost,
    enginePath: path.join(root, 'electron/engine/main.ts'),
  });
}
