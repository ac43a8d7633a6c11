/** What axe finds wrong on a page, by the rules of WCAG 2.2 A and AA. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeViolation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}
interface AxeWindow {
  document: object;
  axe?: {
    run(context: object, options: object): Promise<{ violations: AxeViolation[] }>;
    getRules(tags: readonly string[]): { ruleId: string; tags: string[] }[];
  };
}

type Rules = 'all' | 'of colours';

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A sentence for each thing that is wrong. Animations are to have ended before. */
export async function findBarriers(page: Page, which: Rules = 'all'): Promise<string[]> {
  await injectAxe(page);
  const violations = await page.evaluate(
    async ({ values, isColours }) => {
      const { axe, document } = globalThis as unknown as AxeWindow;
      if (axe === undefined) throw new Error('axe is not on the page.');
      const others = axe.getRules(values).filter(({ tags }) => !tags.includes('cat.color'));
      // Menus hang at the end of the document, outside its landmarks, as their pattern has it.
      const left = ['region', ...(isColours ? others : []).map(({ ruleId }) => ruleId)];
      const rules = Object.fromEntries(left.map((ruleId) => [ruleId, { enabled: false }]));
      const runOnly = { type: 'tag', values };
      // What passes needs no selectors, whose search takes as long as the rules.
      const options = { runOnly, rules, resultTypes: ['violations'] };
      return (await axe.run(document, options)).violations;
    },
    { values: levels, isColours: which === 'of colours' },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help}\n${target.join(' ')}\n${failureSummary.slice(0, 300)}`,
    ),
  );
}

/**
 * By all rules in light, and in dark, in which it leaves the page, by those of colours: the other rules look at
 * nothing that a colour scheme changes. Each sentence begins with its scheme.
 */
export async function findBarriersInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, which] of [
    ['light', 'all'],
    ['dark', 'of colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await findBarriers(page, which)).map((barrier) => `${colorScheme}: ${barrier}`));
  }
  return found;
}

/** As a driver's own script: the page's policy allows no others. */
async function injectAxe(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => (globalThis as unknown as AxeWindow).axe !== undefined);
  if (isThere) return;
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(file, 'utf8'));
}
