/**
 * Enlarger asks nothing of any network, and leaves nothing outside its data folder: README.md and SECURITY.md
 * rest on this file. Run without CI in the environment, which quietens what would else speak.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { root } from '../support/program.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { canSeal, needsSeal, runSealed, type Sealed } from '../support/sealed/run-sealed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { cliProgram, headlessProgram } from '../support/programs.ts';

const program = (name: string) => path.join(root, 'test/support/sealed', name);
const dataFolder = path.join('.local', 'share', 'enlarger');

const quiet = { code: 0, names: [], packets: 0 };
const outside = ({ left }: Sealed) => left.filter((file) => !file.startsWith(dataFolder));

describe.skipIf(!canSeal)(`nothing leaves (${needsSeal})`, () => {
  it('hears what a program asks of the world', async () => {
    const ask = "fetch('http://enlarger.example').catch(() => process.exit(0))";
    const { names, packets } = await runSealed([
      '-e',
      `setTimeout(() => process.exit(0), 3000); ${ask}`,
    ]);
    expect(names).toContain('enlarger.example');
    expect(packets).toBeGreaterThan(0);
  });

  it('works as a service', async () => {
    const sealed = await runSealed([program('service-journey.ts'), headlessProgram]);
    expect(sealed, sealed.stderr).toMatchObject(quiet);
    expect(outside(sealed)).toEqual([]);
  });

  it('works from the command line', async () => {
    const folder = temporaryFolder();
    await writeSmallJpeg(path.join(folder, 'a.jpg'));
    const sealed = await runSealed([
      cliProgram,
      'upscale',
      folder,
      '--out',
      path.join(folder, 'out'),
    ]);
    expect(sealed, sealed.stderr).toMatchObject(quiet);
    expect(outside(sealed)).toEqual([]);
  });

  it('works as what another program edits with', async () => {
    const folder = temporaryFolder();
    const photo = path.join(folder, 'a.jpg');
    await writeSmallJpeg(photo);
    const before = (await stat(photo)).size;
    const sealed = await runSealed([cliProgram, 'edit-in', photo]);
    expect(sealed, sealed.stderr).toMatchObject(quiet);
    expect(outside(sealed)).toEqual([]);
    expect((await stat(photo)).size).toBeGreaterThan(before);
  });

  it.skipIf(chromiumPath === undefined)(
    'works in the page (needs Chromium)',
    async () => {
      const sealed = await runSealed([program('page-journey.ts')]);
      expect(sealed.code, sealed.stderr).toBe(0);
      const hosts = sealed.stdout
        .trim()
        .split('\n')
        .filter((url) => url.startsWith('http')) // and not blob:
        .map((url) => new URL(url).hostname);
      expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']));
      expect(sealed.names.filter((name) => !isChromiums(name))).toEqual([]);
    },
    240_000,
  );
});

/** The browser of the test machine speaks for itself; the page's own requests are listed by the page. */
const isChromiums = (name: string) => /(^|\.)(google|googleapis|gstatic)\.com$/.test(name);
