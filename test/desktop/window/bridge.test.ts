/** The door between page and application: who is heard, and with what. */
import type { BrowserWindow } from 'electron';
import { describe, expect, it } from 'vitest';
import {
  bridgeCalls,
  type BridgeAnswers,
  type BridgeCall,
} from '../../../packages/contract/src/bridge.ts';
import { serveBridge } from '../../../electron/desktop/window/bridge.ts';
import { channelOf } from '../../../electron/desktop/window/channels.ts';

const origin = 'http://127.0.0.1:8617';

/** A window that only keeps what is handled, and who asks. */
function openDoor() {
  const handlers = new Map<string, (event: object, ...given: unknown[]) => Promise<unknown>>();
  const mainFrame = { origin };
  const webContents = {
    mainFrame,
    ipc: { handle: handlers.set.bind(handlers) },
  };
  const received: unknown[][] = [];
  const responses = Object.fromEntries(
    Object.keys(bridgeCalls).map((call) => [
      call,
      (...given: unknown[]) => Promise.resolve(received.push([call, ...given])),
    ]),
  ) as unknown as BridgeAnswers;
  const window = { webContents } as unknown as BrowserWindow;
  serveBridge({ window, origin: () => origin, answers: responses });
  const ask = (call: BridgeCall, given: unknown[], senderFrame: object | null = mainFrame) => {
    const handle = handlers.get(channelOf(call));
    if (handle === undefined) throw new Error(`${call} is not served.`);
    return new Promise((resolve) => resolve(handle({ senderFrame }, ...given)));
  };
  return { ask, heard: received, mainFrame };
}

describe('the door', () => {
  it('serves every call of the bridge with what it takes', async () => {
    const { ask, heard } = openDoor();
    await ask('sessionKey', []);
    await ask('grantFiles', [['/a.jpg']]);
    await ask('startDrag', [['0b8f7f0c-7d3a-4b8e-9d1c-3f2b1a0c9d8e']]);
    await ask('setTheme', ['dark']);
    await ask('showFolder', ['/photos']);
    expect(heard.map(([call]) => call)).toEqual([
      'sessionKey',
      'grantFiles',
      'startDrag',
      'setTheme',
      'showFolder',
    ]);
  });

  it.each([
    ['installEditor', ['paint']],
    ['sessionKey', ['more']],
    ['openResult', []],
    ['openResult', ['../../etc/passwd']],
    ['openResult', [{ taskId: 'a' }]],
    ['startDrag', [[]]],
    ['startDrag', ['a']],
    ['startDrag', [Array.from({ length: 101 }, () => 'a')]],
    ['setTheme', ['sepia']],
    ['grantFiles', [['']]],
    ['grantFiles', [[1]]],
    ['showFolder', ['x'.repeat(5000)]],
  ] as const)('refuses %s with %j', async (call, given) => {
    const { ask, heard } = openDoor();
    await expect(ask(call, [...given])).rejects.toThrow('something else than it takes');
    expect(heard).toEqual([]);
  });

  it('hears no frame inside the page, no other page, and none that is gone', async () => {
    const { ask, heard, mainFrame } = openDoor();
    for (const frame of [{ origin }, { origin: 'https://example.org' }, null])
      await expect(ask('sessionKey', [], frame)).rejects.toThrow('may not call');
    mainFrame.origin = 'https://example.org';
    await expect(ask('sessionKey', [])).rejects.toThrow('may not call');
    expect(heard).toEqual([]);
  });
});
