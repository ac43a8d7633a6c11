/**
 * What a person does with the service, in one go; run behind a seal, with the program of the service. Ends with 0 when
 * all of it worked.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { StartLine } from '../../../packages/contract/src/settings/settings.ts';
import type { TaskView } from '../../../packages/contract/src/task.ts';
import { onnxModel } from '../networks-onnx.ts';
import { smallJpeg } from '../pictures.ts';

/** A network that a person brings, which is run to find out how. */
const sameSize = {
  nodes: [{ kind: 'Relu', inputs: ['input'], output: 'output' }],
  constants: [],
  input: [1, 3, 'h', 'w'],
  output: [1, 3, 'H', 'W'],
};

const child = spawn(process.execPath, [...process.argv.slice(2), '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  await visit(JSON.parse(line) as StartLine);
} finally {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function visit({ url, keyFile }: StartLine): Promise<void> {
  const authorization = `KEY ${(await readFile(keyFile, 'utf8')).trim()}`;
  const call = async (
    method: string,
    route: string,
    type?: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ) => {
    const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
    const response = await fetch(url + route, { method, headers, ...(body && { body }) });
    if (!response.ok) throw new Error(`${method} ${route}: ${await response.text()}`);
    return response.json();
  };
  const photo = new Uint8Array(await smallJpeg(60, 40));
  const work = async (route: string) => {
    const { imageUrl } = (await call('POST', '/api/uploads', 'image/jpeg', photo)) as TaskView;
    const body = JSON.stringify({ imageUrl });
    const { taskId } = (await call('POST', route, 'application/json', body)) as TaskView;
    for (;;) {
      const view = (await call('GET', `/api/task/${taskId}`)) as TaskView;
      if (view.status === 'FINISHED' || view.error?.code === 'NO_SUBJECT') return taskId;
      if (view.status === 'FAILED') throw new Error(JSON.stringify(view.error));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await call('GET', '/api/devices');
  const taskId = await work('/api/image-upscaler');
  await call('GET', `/api/tasks/${taskId}`);
  await work('/api/remove-bg');
  await call('GET', '/api/openapi.json');
  const model = (await call(
    'POST',
    '/api/models?name=Same.onnx',
    'application/octet-stream',
    Uint8Array.from(onnxModel(sameSize)),
  )) as { id: string };
  if (model.id !== 'same') throw new Error(`A network was added as ${model.id}.`);
}
