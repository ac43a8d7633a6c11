import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { externalName } from '../../../packages/onnx/src/rewrite-onnx.ts';
import { calling, madeToHarm, refusalOf } from '../../support/hostile-models.ts';
import type { Found } from '../../support/read-hostile-models.ts';

const reader = join(import.meta.dirname, '../../support/read-hostile-models.ts');

describe('files that are damaged or made to do harm', () => {
  it('are read or refused with a sentence, by hundreds, each in 2 s and all of them in 300 MB', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', reader]);
    const { files, refused, worstMs, peakMegabytes } = JSON.parse(stdout) as Found;
    expect(files).toBeGreaterThan(700);
    expect(refused).toBeGreaterThan(500);
    expect(worstMs).toBeLessThan(2000);
    // Only Linux tells the peak.
    expect(peakMegabytes ?? 0).toBeLessThan(300);
  }, 120_000);

  it.each([
    ['os', 'system'],
    ['posix', 'system'],
    ['nt', 'system'],
    ['builtins', 'eval'],
    ['builtins', 'exec'],
    ['builtins', '__import__'],
    ['__builtin__', 'getattr'],
    ['subprocess', 'Popen'],
    ['torch', 'load'],
    ['torch.storage', '_load_from_bytes'],
    ['torch._utils', '_rebuild_tensor'],
    ['collections', 'OrderedDict.__reduce__'],
    ['runpy', '_run_code'],
    ['numpy.core.multiarray', '_reconstruct'],
  ])('a pickle that names %s.%s is refused by that name', (module, name) => {
    const sentence = refusalOf('pth', calling(module, name));
    expect(sentence).toContain(`${module}.${name}`);
  });

  it.each(madeToHarm)('a .%s file with %s is refused', (format, _what, bytes) => {
    expect(refusalOf(format, bytes)).toMatch(/^[A-Z].{20,}/s);
  });

  it.each(['../weights', '/etc/passwd', 'a/b', 'C:\\weights', 'a\\b', '..', '.', '', 'a\0b'])(
    'weights at %j are not read',
    (location) => {
      expect(() => externalName(location)).toThrow(/right beside it/);
    },
  );
});
