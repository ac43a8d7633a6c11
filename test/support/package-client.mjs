/**
 * A program that knows nothing but the start line of the service: starts it, has a photo enlarged and its
 * subject's mask made, ends it, and prints what came of it as one line of JSON.
 * Arguments: the service's program, its data folder, the photo.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const [program, dataDir, photo] = process.argv.slice(2);
const startedAt = performance.now();
const child = spawn(process.execPath, [program, '--port', '0', '--data-dir', dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(createInterface({ input: child.stdout }), 'line');
const startMs = Math.round(performance.now() - startedAt);
const { url, keyFile } = JSON.parse(line);
const headers = { Authorization: `KEY ${(await readFile(keyFile, 'utf8')).trim()}` };

async function call(route, type, body) {
  const answer = await fetch(url + route, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(type && { 'Content-Type': type }) },
    body,
  });
  return answer.json();
}

async function run(route, options) {
  const { imageUrl } = await call(
    '/api/uploads',
    'application/octet-stream',
    await readFile(photo),
  );
  const body = JSON.stringify({ imageUrl, ...options });
  const { taskId } = await call(route, 'application/json', body);
  for (;;) {
    const task = await call(`/api/task/${taskId}`);
    if (task.status === 'FINISHED' || task.status === 'FAILED')
      return task.error?.code ?? task.status;
    await wait(200);
  }
}

const enlarged = await run('/api/image-upscaler', { scale: 2 });
const masked = await run('/api/remove-bg', { maskOnly: true });
child.kill('SIGTERM');
await once(child, 'exit');
const interfaces = Object.keys(networkInterfaces());
console.log(JSON.stringify({ enlarged, masked, startMs, interfaces }));
