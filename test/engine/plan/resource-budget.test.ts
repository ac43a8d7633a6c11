import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  budgetFor,
  applyPriority,
  workPriority,
  tileWithinBudget,
} from '../../../electron/engine/plan/resource-budget.ts';
import { engineEnvironment } from '../../../electron/engine/host/engine-environment.ts';
import { engineProgram } from '../../support/programs.ts';
import { createTestEngine } from '../../support/engine.ts';
import { asSharp, photo, readPixels } from '../../support/images.ts';
import { blurNetwork } from '../../support/networks-made.ts';
import { differenceOf } from '../../support/pixels.ts';

const atRest = { onBattery: false, personElsewhere: false };

describe('the budget of a job', () => {
  it('is little where nothing speaks for more', () => {
    const little = { hasLowestPriority: false, savesMemory: false };
    expect(budgetFor({ leave: 'auto', around: atRest }, 8)).toEqual(little);
    const around = { onBattery: true, personElsewhere: true };
    expect(budgetFor({ leave: 'little', around }, 8)).toEqual(little);
  });

  it('is half of the processor on battery, or when that was chosen', () => {
    const half = { threads: 4, hasLowestPriority: true, savesMemory: false };
    expect(budgetFor({ leave: 'auto', around: { ...atRest, onBattery: true } }, 8)).toEqual(half);
    expect(budgetFor({ leave: 'half', around: atRest }, 8)).toEqual(half);
  });

  it('is the first turn for the programs that a person works in', () => {
    const budget = budgetFor({ leave: 'auto', around: { ...atRest, personElsewhere: true } }, 8);
    expect(budget).toEqual({ hasLowestPriority: true, savesMemory: false });
  });

  it('is most of processor and memory when that was chosen, and never all', () => {
    expect(budgetFor({ leave: 'most', around: atRest }, 8)).toEqual({
      threads: 2,
      hasLowestPriority: true,
      savesMemory: true,
    });
    expect(budgetFor({ leave: 'most', around: atRest }, 1).threads).toBe(1);
  });

  it('makes tiles smaller where that changes no pixel', () => {
    const budget = budgetFor({ leave: 'most', around: atRest }, 8);
    const network = { tileExact: true, minPx: 24 };
    expect(tileWithinBudget(budget, 384, network)).toBe(160);
    expect(tileWithinBudget(budget, 96, network)).toBe(96);
    expect(tileWithinBudget(budget, 384, { ...network, minPx: 200 })).toBe(200);
    expect(tileWithinBudget(budget, 384, { ...network, tileExact: false })).toBe(384);
    expect(tileWithinBudget(budget, 384, { ...network, fixedPx: 384 })).toBe(384);
    expect(tileWithinBudget(undefined, 384, network)).toBe(384);
  });
});

describe('a job with a budget', () => {
  const engine = createTestEngine();
  afterAll(() => engine.close());

  it('makes the same picture on one thread, of smaller tiles, behind all other programs', async () => {
    const sourcePath = join(engine.dir, 'source.png');
    writeFileSync(sourcePath, await asSharp(photo(700, 420)).png().toBuffer());
    const passes = [blurNetwork(join(engine.dir, 'networks'))];
    const defaults = await engine.run({ sourcePath, passes });
    expect(getPriority(engine.host.pid ?? 0)).toBe(workPriority);
    const budget = { threads: 1, hasLowestPriority: true, savesMemory: true };
    const small = await engine.run({ sourcePath, passes, budget });
    expect(small.report.tiles.sizePx).toBeLessThanOrEqual(160);
    const pictures = [await readPixels(defaults.outputPath), await readPixels(small.outputPath)];
    expect(differenceOf(pictures[0]!, pictures[1]!).most).toBeLessThanOrEqual(1);
    expect(getPriority(engine.host.pid ?? 0)).toBe(constants.priority.PRIORITY_LOW);
  });

  it.skipIf(process.platform === 'win32')(
    'starts where a lower priority was given to it',
    async () => {
      const nice = ['-n', '15', process.execPath, engineProgram, 'inspect'];
      const child = spawn('nice', nice, {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
        env: engineEnvironment(),
      });
      try {
        const [message] = (await once(child, 'message')) as [{ kind: string }];
        expect(message.kind).toBe('ready');
        expect(getPriority(child.pid ?? 0)).toBe(15);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  it('keeps its priority where the system lets nobody raise it', () => {
    const before = getPriority();
    expect(() => applyPriority({ hasLowestPriority: false, savesMemory: false })).not.toThrow();
    expect(getPriority()).toBeGreaterThanOrEqual(before);
  });
});
