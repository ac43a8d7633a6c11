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
    run(context: object | string, options: object): Promise<{ violations: AxeViolation[] }>;
    getRules(tags: readonly string[]): { ruleId: string; tags: string[] }[];
  };
}

type Rules = 'all' | 'of colours';

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * A sentence for each thing that is wrong, in an open dialog alone: what is behind it is inactive, is looked at in the
 * views without a dialog, and takes most of the time. Animations are to have ended before.
 */
export const findBarriers = (page: Page): Promise<string[]> => violationsOf(page, 'all');

/**
 * By all rules in light, and in dark, in which it leaves the page, by those of colours: the other rules look at
 * nothing that a colour scheme changes. Each sentence begins with its scheme.
 */
export async function findBarriersInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await findBarriers(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await violationsOf(page, 'of colours');
  return [
    ...inLight.map((barrier) => `light: ${barrier}`),
    ...inDark.map((barrier) => `dark: ${barrier}`),
  ];
}

const dialog = '[role=dialog], [role=alertdialog]';
/** Menus of a dialog hang at the end of the document. */
const inFront = `${dialog}, [role=menu]`;
async function violationsOf(page: Page, which: Rules): Promise<string[]> {
  await injectAxe(page);
  const hasDialog = (await page.locator(dialog).count()) > 0;
  const violations = await page.evaluate(
    async ({ values, rule, selector }) => {
      const { axe, document } = globalThis as unknown as AxeWindow;
      if (axe === undefined) throw new Error('axe is not on the page.');
      const others = axe
        .getRules(values)
        .filter(({ tags }) => rule === 'of colours' && !tags.includes('cat.color'));
      // Menus hang at the end of the document, outside its landmarks, as their pattern has it.
      const left = ['region', ...others.map(({ ruleId }) => ruleId)];
      const rules = Object.fromEntries(left.map((ruleId) => [ruleId, { enabled: false }]));
      const runOnly = { type: 'tag', values };
      // What passes needs no selectors, whose search takes as long as the rules.
      const options = { runOnly, rules, resultTypes: ['violations'] };
      return (await axe.run(selector ?? document, options)).violations;
    },
    { values: levels, rule: which, selector: hasDialog ? inFront : undefined },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help}\n${target.join(' ')}\n${failureSummary.slice(0, 300)}`,
    ),
  );
}

/** As a driver's own script: the page's policy allows no others. */
async function injectAxe(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => (globalThis as unknown as AxeWindow).axe !== undefined);
  if (isThere) return;
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(file, 'utf8'));
}
