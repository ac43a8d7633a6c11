/** The page's Content-Security-Policy, tried by breaking it in a real browser: each way out is closed by the browser. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { openAddress } from '../support/open-address.ts';
import { openService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patient } from '../support/machine-pace.ts';

/** What a script that got into the page would try; `at` is a server of another origin. */
const ways = (at: string): Record<string, string> => ({
  'a script of another origin': `add('script', { src: '${at}/a.js' })`,
  'a script that stands in the page': `add('script', { textContent: 'document.title = "broken"' })`,
  'a handler that stands in the page': `document.body.innerHTML += '<img src="x" onerror="document.title = String(1)">'`,
  eval: `eval('document.title = "broken"')`,
  'a request to another origin': `fetch('${at}/fetch')`,
  'a beacon': `navigator.sendBeacon('${at}/beacon', 'x')`,
  'a picture of another origin': `add('img', { src: '${at}/a.png' })`,
  'a picture in the address': `add('img', { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' })`,
  'a style of another origin': `add('link', { rel: 'stylesheet', href: '${at}/a.css' })`,
  'a style that stands in the page': `add('style', { textContent: 'body { color: red }' })`,
  'a frame': `add('iframe', { src: '${at}/frame' })`,
  'an object': `add('object', { data: '${at}/object' })`,
  'a web socket': `new WebSocket('${at.replace('http', 'ws')}/socket')`,
  'a form': `add('form', { action: '${at}/form', method: 'post' }).submit()`,
  'another base': `add('base', { href: '${at}/' })`,
  'a worker of another origin': `new Worker(URL.createObjectURL(new Blob(['fetch("${at}/worker")'])))`,
});

it.skipIf(chromiumPath === undefined)(
  'lets a script that got into the page reach nothing',
  async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*').end('x');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

    const pageDir = path.join(temporaryFolder(), 'page');
    await mkdir(pageDir);
    await writeFile(
      path.join(pageDir, 'index.html'),
      '<!doctype html><title>whole</title><script src="ways.js"></script>',
    );
    await writeFile(path.join(pageDir, 'ways.js'), scriptOf(ways(at)));
    const service = await openService({ pageDir });
    const page = await openAddress(service.url);
    // Playwright's own way of waiting evaluates strings, which the policy forbids too.
    const tried = () => page.locator('html').getAttribute('data-tried');
    await expect.poll(tried, { timeout: patient(160_000) }).not.toBeNull();
    const violated = JSON.parse((await tried()) ?? '{}') as Record<string, string[]>;
    for (const way of Object.keys(ways(at))) expect(violated[way], way).not.toEqual([]);
    await expect.poll(() => page.locator('title').textContent()).toBe('whole');
    expect(asked).toEqual([]);
  },
  180_000,
);

/** Tries each way by itself, and writes down which rules the browser says were violated meanwhile. */
function scriptOf(all: Record<string, string>): string {
  const tries = Object.entries(all)
    .map(([way, code]) => `await tryOut(${JSON.stringify(way)}, () => { ${code}; });`)
    .join('\n');
  return `
    const violated = {};
    let now;
    document.addEventListener('securitypolicyviolation', (event) => now?.push(event.effectiveDirective));
    const add = (name, given) => {
      const element = Object.assign(document.createElement(name), given);
      (document.body ?? document.documentElement).append(element);
      return element;
    };
    async function tryOut(way, work) {
      now = violated[way] = [];
      try {
        await work();
      } catch (error) {
        now.push(String(error));
      }
      // The browser may say so late; what it never says ends the try.
      for (let i = 0; i < 400 && now.length === 0; i += 1) await new Promise((next) => setTimeout(next, 25));
    }
    addEventListener('load', async () => {
      ${tries}
      document.documentElement.dataset.tried = JSON.stringify(violated);
    });`;
}
