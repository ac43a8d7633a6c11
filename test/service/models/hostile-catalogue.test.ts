/** Catalogues that anyone wrote: read, or refused in a sentence, and in time. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../electron/service/models/catalogue.ts';
import { readObtainable } from '../../../electron/service/models/obtain/obtainable.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const maxMs = 1000;
const defaults = { defaultUpscaler: 'natural', defaultRemover: 'cutout', defaultSelector: '' };

const kinds = [
  [
    'catalogue.json',
    (folder: string) => {
      const catalogue = openCatalogue(folder);
      // What is taken for a catalogue can be shown and planned with.
      for (const { id, task } of catalogue.models)
        if (task === 'upscale')
          for (const scale of catalogue.scalesOf(id)) catalogue.planPasses(id, scale);
      return catalogue.list([], defaults);
    },
  ],
  ['obtainable.json', readObtainable],
] as const;

const shipped = (name: string) =>
  JSON.parse(readFileSync(path.join(root, 'models', name), 'utf8')) as fc.JsonValue;

/** One value of a whole catalogue, somewhere in it, in place of what stands there. */
function changed(value: fc.JsonValue, way: readonly number[], other: fc.JsonValue): fc.JsonValue {
  const [turn, ...rest] = way;
  if (turn === undefined || typeof value !== 'object' || value === null) return other;
  const copy = structuredClone(value) as Record<string, fc.JsonValue>;
  const names = Object.keys(copy);
  const name = names[turn % Math.max(1, names.length)];
  if (name === undefined) return other;
  copy[name] = changed(copy[name] ?? null, rest, other);
  return copy;
}

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<fc.JsonValue>(-1, 0, 1e308, 2 ** 53, '', '../../etc/passwd', '__proto__', []),
  fc.integer({ min: 1, max: 200_000 }).map((length) => 'a'.repeat(length)),
);

describe.each(kinds)('%s', (name, read) => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });

  /** Reads a text as the file; what it throws is a sentence of ours. */
  function attempt(text: string | Uint8Array): void {
    writeFileSync(path.join(folder, name), text);
    const started = performance.now();
    try {
      read(folder);
    } catch (thrown) {
      expect(String(thrown)).toMatch(/^Error: (The (catalogue|list) of |The model )/);
    }
    expect(performance.now() - started).toBeLessThan(maxMs);
  }

  it('may be any JSON, and no JSON', () => {
    fc.assert(fc.property(fc.json(), attempt), { numRuns: 100 });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), attempt), { numRuns: 100 });
  });

  it('may have any value in any of its places', () => {
    const whole = shipped(name);
    const way = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(way, odd, (turns, other) =>
        attempt(JSON.stringify(changed(whole, turns, other))),
      ),
      { numRuns: 250 },
    );
  });

  it('may be cut short, nested deeply or very long', () => {
    const text = readFileSync(path.join(root, 'models', name), 'utf8');
    for (let at = 0; at < text.length; at += Math.ceil(text.length / 97))
      attempt(text.slice(0, at));
    attempt(`{"models":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    attempt(`{"models":[${'{},'.repeat(50_000)}{}]}`);
    attempt(`{"models":${JSON.stringify('x'.repeat(1 << 20))}}`);
  });
});
