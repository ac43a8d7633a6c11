/**
 * What holds for every program that Enlarger starts, and for every file that calls onnxruntime
 * (a Tensor alone holds values and calls nothing).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/program.ts';

const folder = path.join(root, 'electron');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

/** Of each call that starts a program, what stands up to its end. */
function startsIn(text: string): string[] {
  if (!text.includes("from 'node:child_process'")) return [];
  const calls = text.matchAll(
    /(?<![.\w]|function )(?:spawn|spawnSync|spawnSandboxed|exec|execFile|execFileSync|fork)\(/g,
  );
  return [...calls].map(({ index }) => text.slice(index, text.indexOf('});', index)));
}

const starts = sources.flatMap(({ file, text }) => startsIn(text).map((call) => ({ file, call })));
const filesOf = (found: readonly { file: string }[]) => found.map(({ file }) => file);

it('no program is started that opens a console window on Windows', () => {
  expect(starts.length).toBeGreaterThan(4);
  const shown = starts.filter(({ call }) => !call.includes('windowsHide: true'));
  expect(filesOf(shown)).toEqual([]);
});

it('what is started with a channel to it, as the engine is, has the environment of the engine', () => {
  const children = starts.filter(({ call }) => call.includes("'ipc'"));
  expect(children.length).toBeGreaterThan(1);
  const others = children.filter(({ call }) => !call.includes('engineEnvironment()'));
  expect(filesOf(others)).toEqual([]);
});

it('no call of onnxruntime is made where nobody looked whether it sends usage', () => {
  const calling = sources.filter(({ text }) => {
    const [, names = ''] = /^import \{([^}]*)\} from 'onnxruntime-node'/m.exec(text) ?? [];
    return names.split(',').some((name) => name.trim() !== '' && name.trim() !== 'Tensor');
  });
  expect(calling.length).toBeGreaterThan(1);
  expect(filesOf(calling.filter(({ text }) => !text.includes('assertNoTelemetry();')))).toEqual([]);
});
