/**
 * How soon the built service answers clicks on finished cut-outs, from sending them to having the whole mask:
 * `npm run bench:click-answers -- [SHARED]`, SHARED being `../shared` by default. Each photo's first answer includes the
 * network's encoder, further ones take its features from before.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createClient } from '../../packages/api-client/src/client.ts';
import type { StartLine } from '../../packages/contract/src/settings/settings.ts';
import { boxStroke, strokesOf, type Stroke } from '../../packages/contract/src/options/strokes.ts';
import { root, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './bench-pictures.ts';

const pictures = 8;
const clicksEach = 5;

const shared = resolve(process.argv[2] ?? join(root, '../shared'));
const folder = join(shared, 'benchmark/cutout/measure/ecssd/image');
if (!existsSync(folder)) throw new Error(`Expected pictures: ${folder} is not there.`);
const files = globSync('*.webp', { cwd: folder })
  .toSorted()
  .filter((_, i) => i % 8 === 0)
  .slice(0, pictures);

const program = startProgram(process.execPath, [
  join(root, 'out/main/headless.js'),
  ...['--port', '0', '--data-dir', temporaryFolder()],
]);
const line = JSON.parse(await program.firstLine) as StartLine;
const key = readFileSync(line.keyFile, 'utf8').trim();
const client = createClient({ url: line.url, key });

async function cutOut(file: string): Promise<string> {
  const bytes = readFileSync(join(folder, file)).toString('base64');
  const imageUrl = `data:image/webp;base64,${bytes}`;
  const submitted = await fetch(`${line.url}/api/remove-bg`, {
    method: 'POST',
    headers: { authorization: `KEY ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ imageUrl }),
  });
  const { taskId } = (await submitted.json()) as { taskId: string };
  for (;;) {
    const answer = await fetch(`${line.url}/api/task/${taskId}`, {
      headers: { authorization: `KEY ${key}`, prefer: 'wait=10' },
    });
    const { status } = (await answer.json()) as { status: string };
    if (status === 'FINISHED' || status === 'FAILED') return taskId;
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function secondsOf(taskId: string, strokes: Stroke[]): Promise<number> {
  const from = performance.now();
  await (await client.pictures.correctMask(taskId, { strokes })).arrayBuffer();
  return (performance.now() - from) / 1000;
}

/** Repeatable places in the middle of a picture. */
const placeOf = (at: number) => ({ x: 0.3 + 0.1 * (at % 5), y: 0.35 + 0.07 * ((at * 3) % 5) });

const seconds: Record<'first click' | 'further clicks' | 'a box', number[]> = {
  'first click': [],
  'further clicks': [],
  'a box': [],
};
for (const [i, file] of files.entries()) {
  const taskId = await cutOut(file);
  const points = Array.from({ length: clicksEach }, (_, at) => ({
    kind: at % 2 === 0 ? ('keep' as const) : ('remove' as const),
    ...placeOf(i + at),
  }));
  for (let count = 1; count <= clicksEach; count += 1)
    seconds[count === 1 ? 'first click' : 'further clicks'].push(
      await secondsOf(taskId, strokesOf(points.slice(0, count))),
    );
  const box = boxStroke('keep', { x: 0.2, y: 0.2, width: 0.6, height: 0.6 });
  seconds['a box'].push(await secondsOf(taskId, [box]));
  process.stderr.write(`${basename(file)}\n`);
}
program.child.kill('SIGTERM');
await program.ended;

const at = (sorted: number[], share: number) =>
  (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(3);
printTable(
  ['answer to', 'answers', 'median s', 'slowest of ten', 'slowest'],
  Object.entries(seconds).map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return [name, String(all.length), at(sorted, 0.5), at(sorted, 0.9), at(sorted, 1)];
  }),
);
