import type { MenuItemConstructorOptions as Item } from 'electron';
import { describe, expect, it } from 'vitest';
import {
  buildMenu,
  buildTrayMenu,
  describeQueue,
  type MenuCalls,
  type MenuState,
} from '../../electron/desktop/menu.ts';
import { idleQueue } from '../../electron/desktop/queue/queue-state.ts';
import { textFor } from '../../electron/desktop/text.ts';

const en = textFor(['en-GB']);

function stateOf(change: Partial<MenuState> = {}): MenuState {
  return {
    platform: 'linux',
    text: en,
    queue: idleQueue,
    preferences: {
      staysInTray: true,
      isHidingExplained: false,
      notifies: false,
      recentFolders: [],
      theme: 'system',
      updates: 'unasked',
      betas: false,
    },
    ending: 'nothing',
    isDeveloping: false,
    ...change,
  };
}

/** Notes each call by its name and what it was given. */
function listen() {
  const received: unknown[][] = [];
  const note = (name: string) => (value?: unknown) =>
    void received.push(value === undefined ? [name] : [name, value]);
  const calls: MenuCalls = {
    addFiles: note('addFiles'),
    addFolder: note('addFolder'),
    openFolder: note('openFolder'),
    switchQueue: note('switchQueue'),
    prefer: note('prefer'),
    chooseEnding: note('chooseEnding'),
    page: note('page'),
    openDocs: note('openDocs'),
    show: note('show'),
    quit: note('quit'),
  };
  return { heard: received, calls };
}

const submenuOf = ({ submenu }: Item): Item[] => (Array.isArray(submenu) ? submenu : []);
const flat = (items: Item[]): Item[] => items.flatMap((item) => [item, ...flat(submenuOf(item))]);

/** As a click by the person; `checked` is what the box then shows. */
function click(items: Item[], label: string, checked = false): void {
  const item = flat(items).find((one) => one.label === label);
  if (item?.click === undefined) throw new Error(`There is no entry ${label}.`);
  Reflect.apply(item.click, undefined, [{ checked }]);
}

describe('the menus', () => {
  it('call what they say', () => {
    const { heard, calls } = listen();
    const state = stateOf({
      preferences: {
        staysInTray: true,
        isHidingExplained: false,
        notifies: false,
        recentFolders: ['/a & b'],
        theme: 'system',
        updates: 'unasked',
        betas: false,
      },
    });
    const menu = buildMenu(state, calls);
    click(menu, en.addFiles);
    click(menu, '/a && b');
    click(menu, en.clearRecent);
    click(menu, en.start);
    click(menu, en.pause);
    click(menu, en.endings.sleep);
    click(menu, en.notifies, true);
    click(menu, en.undoRemoval);
    click(menu, en.shortcuts);
    expect(heard).toEqual([
      ['addFiles'],
      ['openFolder', '/a & b'],
      ['prefer', { recentFolders: [] }],
      ['page', 'start'],
      ['switchQueue', 'pause'],
      ['chooseEnding', 'sleep'],
      ['prefer', { notifies: true }],
      ['page', 'undoRemoval'],
      ['page', 'shortcuts'],
    ]);
  });

  it('offer the other direction while the queue is paused', () => {
    const { heard, calls } = listen();
    const state = stateOf({ queue: { ...idleQueue, waiting: 2, paused: true } });
    click(buildMenu(state, calls), en.resume);
    click(buildTrayMenu(state, calls), en.resume);
    expect(heard).toEqual([
      ['switchQueue', 'resume'],
      ['switchQueue', 'resume'],
    ]);
  });

  it('show what was chosen', () => {
    const items = flat(buildMenu(stateOf({ ending: 'quit' }), listen().calls));
    const checked = items.filter((item) => item.checked === true).map((item) => item.label);
    expect(checked).toEqual([en.endings.quit, en.staysInTray]);
  });

  it("leave the page's own keys to the page", () => {
    const items = flat(buildMenu(stateOf({ platform: 'win32' }), listen().calls));
    const keys = items.filter((item) => item.registerAccelerator === false);
    expect(keys.map((item) => item.accelerator)).toEqual(['CmdOrCtrl+Enter']);
  });

  it.each(['darwin', 'win32', 'linux'] as const)('have one way to quit on %s', (platform) => {
    const menu = buildMenu(stateOf({ platform }), listen().calls);
    const roles = flat(menu).map((item) => item.role);
    expect(roles.filter((role) => role === 'quit')).toHaveLength(1);
    expect(menu[0]?.role === 'appMenu').toBe(platform === 'darwin');
  });

  it("keep the page's tools to who develops", () => {
    const zooming = flat(buildMenu(stateOf({}), listen().calls)).filter(({ role }) =>
      /zoom/i.test(role ?? ''),
    );
    expect(zooming.filter(({ visible }) => visible !== false).map(({ role }) => role)).toEqual([
      'zoomIn',
      'zoomOut',
      'resetZoom',
    ]);
    // The key with the equals sign is the one with the plus on many keyboards.
    expect(zooming.map(({ accelerator }) => accelerator)).toEqual(
      expect.arrayContaining(['CmdOrCtrl+Plus', 'CmdOrCtrl+=', 'CmdOrCtrl+-', 'CmdOrCtrl+0']),
    );
    const roles = (isDeveloping: boolean) =>
      flat(buildMenu(stateOf({ isDeveloping }), listen().calls)).map((item) => item.role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });
});

describe('the choice of betas', () => {
  it('is made already in a beta, which takes further ones', () => {
    const item = (isBeta: boolean) =>
      flat(buildMenu(stateOf({ canUpdate: true, isBeta }), listen().calls)).find(
        ({ label }) => label === en.betas,
      );
    expect(item(false)).toMatchObject({ checked: false, enabled: true });
    expect(item(true)).toMatchObject({ checked: true, enabled: false });
  });
});

describe('the line in the tray', () => {
  it('says what the queue does', () => {
    const working = {
      ...idleQueue,
      waiting: 2,
      running: 1,
      batch: { finished: 1, failed: 0 },
      progress: new Map([['a', 50]]),
    };
    expect(describeQueue(idleQueue, en)).toBe('Nothing to do');
    expect(describeQueue({ ...idleQueue, watching: 2 }, en)).toBe('Watching 2 folders');
    expect(describeQueue(working, en)).toBe('1 of 4 done, 37 %');
    expect(describeQueue({ ...idleQueue, waiting: 3, paused: true }, en)).toBe('Paused, 3 waiting');
    expect(describeQueue(working, textFor(['ko', 'de-CH']))).toBe('1 von 4 fertig, 37 %');
    expect(describeQueue({ ...idleQueue, watching: 2 }, textFor(['ja']))).toBe(
      '2個のフォルダーを監視中',
    );
  });

  it('is told at the end of a batch with its counts', () => {
    expect(en.batchBody(1, 0)).toBe('1 photo finished');
    expect(en.batchBody(12, 2)).toBe('12 photos finished, 2 failed');
    const pl = textFor(['pl-PL']);
    expect([1, 3, 5].map((count) => pl.batchBody(count, 0))).toEqual([
      'Ukończono 1 zdjęcie',
      'Ukończono 3 zdjęcia',
      'Ukończono 5 zdjęć',
    ]);
    expect([en.batchTitle(0), en.batchTitle(1)]).toEqual([
      'Photos are ready',
      'Done, with problems',
    ]);
  });
});
