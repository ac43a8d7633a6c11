/** The pool in real Chromium over the real service and a real queue's server. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Heartbeat } from '../../packages/pool/src/messages.ts';
import { createRegistry, openPoolServer } from '../../packages/pool/src/queue/queue.ts';
import type { PoolServer } from '../../packages/pool/src/queue/server.ts';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { openFromMenu } from '../support/page-menus.ts';
import { openPage, type OpenPage } from '../support/page.ts';
import { redisProgram, startRedis, type TestRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const missing = [
  chromiumPath === undefined && 'Chromium',
  redisProgram === undefined && 'redis-server or valkey-server',
].filter((one) => one !== false);
const left = missing.length === 0 ? '' : ` (left out: needs ${missing.join(' and ')})`;

describe.skipIf(missing.length > 0)(`a pool in the page${left}`, () => {
  let open: OpenPage;
  let page: Page;
  let folder: string;
  let redis: TestRedis;
  let server: PoolServer;
  beforeAll(async () => {
    folder = temporaryFolder();
    await mkdir(path.join(folder, 'share'));
    redis = await startRedis(folder);
    server = openPoolServer(redis.address);
    open = await openPage({ networks: 'quick' });
    page = open.page;
    await openFromMenu(page, 'Share work with other computers');
  });
  afterAll(async () => {
    await open.close();
    server.close();
    await redis.kill();
  });

  const dialog = () => page.getByRole('dialog', { name: 'Share work with other computers' });
  const status = (words: string) => dialog().getByRole('status').filter({ hasText: words });
  const row = (words: string) => dialog().getByRole('row').filter({ hasText: words });

  it('is off at first, and entered with an address and a folder', async () => {
    await status('No work is shared.').waitFor();
    await dialog().getByText('Nothing is shared until you enter a server').waitFor();
    // Nothing reads as if it was shared already.
    await dialog().getByLabel('Key', { exact: true }).waitFor();
    expect(await dialog().getByRole('checkbox', { checked: true }).count()).toBe(0);
    await dialog().getByLabel('Server that hands out the work').fill(redis.address);
    await dialog().getByLabel('Shared folder').fill(path.join(folder, 'share'));
    await dialog().getByRole('button', { name: 'Use this server' }).click();
    await status('Connected.').waitFor();
    await dialog().getByText('No other computer is helping yet.').waitFor();
    const submits = dialog().getByLabel('Let other computers work on my photos');
    expect(await submits.isChecked()).toBe(true);
  });

  it('covers the key and a password in the address until they are asked for', async () => {
    const typeOf = (label: string) =>
      dialog().getByLabel(label, { exact: true }).getAttribute('type');
    const password = redis.address.replace('//', '//default:secret@');
    await dialog().getByLabel('Server that hands out the work').fill(password);
    expect(await typeOf('Server that hands out the work')).toBe('text');
    await dialog().getByRole('button', { name: 'Use this server' }).click();
    await expect.poll(() => typeOf('Server that hands out the work')).toBe('password');
    expect(await typeOf('Key')).toBe('password');
    await dialog().getByLabel('Show the key and the password').click();
    await expect.poll(() => typeOf('Key')).toBe('text');
    expect(await typeOf('Server that hands out the work')).toBe('text');
    await dialog().getByLabel('Server that hands out the work').fill(redis.address);
    await dialog().getByRole('button', { name: 'Use this server' }).click();
    await status('Connected.').waitFor();
  });

  it('lets this computer help, and no more, by a switch', async () => {
    const helpers = () => redis.send('HLEN enlarger:helpers');
    const help = dialog().getByLabel('Let this computer help others');
    await help.waitFor();
    expect(await help.isChecked()).toBe(false);
    await help.click();
    await row('(this one)').waitFor();
    await expect.poll(helpers).toBe(':1\r\n');
    await help.click();
    await dialog().getByText('No other computer is helping yet.').waitFor();
    await expect.poll(helpers).toBe(':0\r\n');
  });

  it('shows of each helper what it does, its speed, and why it is of no use', async () => {
    const registry = createRegistry(server.quick);
    const word: Heartbeat = {
      version: 1,
      id: 'c'.repeat(16),
      name: 'garage',
      skills: [
        {
          model: 'natural',
          digest: '0123456789abcdef',
          precision: 'fp32',
          megapixelsPerSecond: 1.5,
        },
      ],
      slots: 2,
      doing: [{ taskId: '1', submitter: 'd'.repeat(16), model: 'natural', percent: 40 }],
      finished: 1234,
    };
    // One that falls silent counts as away: it speaks on, as a helper does.
    const cells = async () => {
      await registry.beat(word);
      const texts = await row('garage').getByRole('cell').allTextContents();
      return texts.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
    };
    // Until this machine has measured its own network it cannot tell versions apart, and says that.
    await expect
      .poll(cells, { timeout: journeyWaitMs(), interval: 500 })
      .toEqual([
        'garage',
        "working Its natural is another version than this machine's: update both.",
        'natural 40%',
        'natural 1.5 MP/s',
        '1,234',
      ]);
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('says that its server is gone, and is left by an empty address', async () => {
    await redis.kill();
    await status('The server cannot be reached; photos run on this computer.').waitFor();
    await dialog().getByLabel('Server that hands out the work').fill('');
    await dialog().getByRole('button', { name: 'Use this server' }).click();
    await status('No work is shared.').waitFor();
    expect(open.complaints).toEqual([]);
  });
});
