/** A name that leads elsewhere when it is checked and here a moment later, asked of a real nameserver. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canSeal, needsSeal } from '../../../support/sealed/run-sealed.ts';
import { root } from '../../../support/program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it.skipIf(!canSeal)(
  `reaches nothing of this machine however often it is rebound${canSeal ? '' : ` (${needsSeal})`}`,
  async () => {
    const script = path.join(root, 'test/support/sealed/rebinding.ts');
    const args = ['-rnm', process.execPath, script, temporaryFolder(), '100'];
    const { stdout } = await promisify(execFile)('unshare', args);
    const said = JSON.parse(stdout) as {
      asked: number;
      reached: number;
      ends: Record<string, number>;
    };
    expect(said.reached).toBe(0);
    expect(said.asked).toBeGreaterThanOrEqual(100);
    // Found to be here when it was asked, or held to the address elsewhere, which does not answer.
    expect(Object.keys(said.ends).sort()).toEqual(['SOURCE_REFUSED', 'SOURCE_UNREACHABLE']);
    expect(said.ends.SOURCE_REFUSED).toBeGreaterThanOrEqual(10);
  },
);
