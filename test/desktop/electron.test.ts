/** The application in the real Electron, driven by Playwright, where Electron's binary can be had. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { _electron as electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const binary = findBinary();
const isBuilt = existsSync(path.join(root, 'out/main/main.js'));
const skipped = binary === undefined ? "Electron's binary is not here" : isBuilt ? '' : 'not built';

/** Looks only: requiring the package would start a download. */
function findBinary(): string | undefined {
  const folder = path.join(root, 'node_modules/electron');
  const pathFile = path.join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const file = path.join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(file) ? file : undefined;
}

describe.skipIf(skipped !== '')(`in Electron${skipped && ` (skipped: ${skipped})`}`, () => {
  let dir: string;
  let application: ElectronApplication;
  let page: Page;

  beforeAll(async () => {
    dir = temporaryFolder();
    const photo = path.join(dir, 'photo.jpg');
    await writeSmallJpeg(photo);
    application = await electron.launch({
      executablePath: binary ?? '',
      args: [root, `--data-dir=${path.join(dir, 'data')}`, photo],
    });
    page = await application.firstWindow();
  });
  afterAll(async () => {
    await application.close();
  });

  it('shows the page with its bridge and without Node', async () => {
    const found = await page.evaluate(() => [
      typeof Reflect.get(globalThis, 'enlarger'),
      typeof Reflect.get(globalThis, 'require'),
      typeof Reflect.get(globalThis, 'process'),
    ]);
    expect(found).toEqual(['object', 'undefined', 'undefined']);
  });

  it('shows the photo that it was started with', async () => {
    await page.getByText('photo.jpg').first().waitFor();
  });

  it('opens nothing and goes nowhere', async () => {
    const before = page.url();
    await page.evaluate("open('https://example.org'); location.href = 'https://example.org'");
    await page.waitForTimeout(500);
    expect(page.url()).toBe(before);
    expect(application.windows()).toHaveLength(1);
  });

  it('asks nothing of the network but its service', async () => {
    await expect(page.evaluate("fetch('https://example.org')")).rejects.toThrow();
    expect(await page.evaluate("fetch('/api/health').then((answer) => answer.status)")).toBe(200);
  });

  it('loads no native module of the engine into its main process', async () => {
    const loaded = await application.evaluate(
      () => (process.report.getReport() as { sharedObjects?: string[] }).sharedObjects,
    );
    expect(loaded?.length).toBeGreaterThan(0);
    expect(loaded?.filter((file) => /sharp|vips|onnxruntime/.test(file))).toEqual([]);
  });
});
