/** What the program may do on macOS beyond the hardened runtime: nothing but what docs/systems.md gives a reason for. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/program.ts';

it('is one exception, and nothing of camera, microphone, places and the like', async () => {
  const plist = await readFile(path.join(root, 'resources/entitlements.mac.plist'), 'utf8');
  const keys = [...plist.matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key);
  expect(keys).toEqual(['com.apple.security.cs.allow-jit']);
  const systems = await readFile(path.join(root, 'docs/systems.md'), 'utf8');
  expect(systems).toContain('`allow-jit`');
});
