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
  axe?: { run(context: object, options: object): Promise<{ violations: AxeViolation[] }> };
}

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A sentence for each thing that is wrong. Animations are to have ended before. */
export async function findBarriers(page: Page): Promise<string[]> {
  await injectAxe(page);
  const violations = await page.evaluate(async (values) => {
    const { axe, document } = globalThis as unknown as AxeWindow;
    if (axe === undefined) throw new Error('axe is not on the page.');
    // Menus hang at the end of the document, outside its landmarks, as their pattern has it.
    const rules = { region: { enabled: false } };
    return (await axe.run(document, { runOnly: { type: 'tag', values }, rules })).violations;
  }, levels);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help}\n${target.join(' ')}\n${failureSummary.slice(0, 300)}`,
    ),
  );
}

/** The same in light and in dark, in which it leaves the page; each sentence begins with its own. */
export async function findBarriersInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await findBarriers(page)).map((barrier) => `${colorScheme}: ${barrier}`));
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
