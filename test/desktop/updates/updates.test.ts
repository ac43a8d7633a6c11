import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  canUpdate,
  isAccepted,
  nextStep,
  readableNotes,
  updateChoices,
  updaterSettings,
} from '../../../electron/desktop/updates/decide.ts';
import { createUpdates, type Updater } from '../../../electron/desktop/updates/updates.ts';

describe('what is decided about updates', () => {
  it('looks only where a release was installed and nobody else brings updates', () => {
    const installed = {
      hasFeed: true,
      isSystemPackage: false,
      platform: 'win32',
      env: {},
    } as const;
    expect(canUpdate(installed)).toBe(true);
    expect(canUpdate({ ...installed, hasFeed: false })).toBe(false);
    expect(canUpdate({ ...installed, env: { FLATPAK_ID: 'app.enlarger.desktop' } })).toBe(false);
    expect(canUpdate({ ...installed, env: { PORTABLE_EXECUTABLE_DIR: 'D:\\' } })).toBe(false);
  });

  it('takes on Linux an AppImage and a package of the system, and nothing that was only unpacked', () => {
    const unpacked = { hasFeed: true, isSystemPackage: false, platform: 'linux', env: {} } as const;
    expect(canUpdate(unpacked)).toBe(false);
    expect(canUpdate({ ...unpacked, isSystemPackage: true })).toBe(true);
    expect(canUpdate({ ...unpacked, env: { APPIMAGE: '/home/ada/E.AppImage' } })).toBe(true);
  });

  it('does nothing at all while a batch runs, and nothing ever after a no', () => {
    for (const isStaged of [false, true]) {
      for (const choice of updateChoices)
        expect(nextStep({ choice, isWorking: true, isStaged })).toBe(
          choice === 'off' ? 'nothing' : 'wait',
        );
      expect(nextStep({ choice: 'off', isWorking: false, isStaged })).toBe('nothing');
    }
    expect(nextStep({ choice: 'unasked', isWorking: false, isStaged: false })).toBe('ask');
    expect(nextStep({ choice: 'on', isWorking: false, isStaged: false })).toBe('look');
    expect(nextStep({ choice: 'on', isWorking: false, isStaged: true })).toBe('offer');
  });

  it('takes betas only when asked for, and shows notes as text', () => {
    expect([isAccepted('1.1.0', false), isAccepted('1.1.0-beta.1', false)]).toEqual([true, false]);
    expect(isAccepted('1.1.0-beta.1', true)).toBe(true);
    expect(readableNotes('<h2>Fixed</h2>\n<ul><li>A &amp; B &lt;3</li></ul>')).toBe(
      'Fixed\n- A & B <3',
    );
    expect(readableNotes([{ note: 'one' }, { note: null }])).toBe('one');
    expect(readableNotes(null)).toBe('');
    expect(readableNotes('x'.repeat(5000)).length).toBeLessThan(1300);
  });

  it('never allows a downgrade, though naming a channel does', () => {
    const updater = new FakeUpdater('1.0.0');
    Object.assign(updater, updaterSettings(true));
    expect([updater.channel, updater.allowDowngrade]).toEqual(['beta', false]);
  });
});

/** Follows electron-updater: setting `channel` allows downgrades. */
class FakeUpdater extends EventEmitter implements Updater {
  autoRunAppAfterInstall = true;
  allowPrerelease = true;
  allowDowngrade = false;
  autoDownload = true;
  autoInstallOnAppQuit = true;
  readonly done: string[] = [];
  #channel: string | null = null;
  readonly #version: string;
  constructor(version: string) {
    super();
    this.#version = version;
  }
  get channel() {
    return this.#channel;
  }
  set channel(name) {
    this.#channel = name;
    this.allowDowngrade = true;
  }
  checkForUpdates() {
    this.done.push('check');
    const updateInfo = { version: this.#version, releaseNotes: '<p>Faster</p>' };
    return Promise.resolve({ isUpdateAvailable: this.#version !== '1.0.0', updateInfo });
  }
  downloadUpdate() {
    this.done.push('download');
    return Promise.resolve();
  }
  quitAndInstall(isSilent: boolean, startsAgain: boolean) {
    this.done.push(`install ${isSilent ? 'silently' : 'seen'} ${startsAgain ? 'and start' : ''}`);
  }
}

const failed = () => undefined;

function start(version: string, responses: { consent: boolean; restart: boolean }) {
  const updater = new FakeUpdater(version);
  const now = { updates: 'unasked' as 'unasked' | 'on' | 'off', betas: false, isWorking: false };
  const said: string[] = [];
  const updates = createUpdates({
    loadUpdater: () => Promise.resolve(updater),
    preferences: () => now,
    choose: (choice) => (now.updates = choice),
    isWorking: () => now.isWorking,
    askConsent: () => {
      said.push('consent');
      return Promise.resolve(responses.consent);
    },
    askRestart: (offered, notes) => {
      said.push(`${offered}: ${notes}`);
      return Promise.resolve(responses.restart);
    },
    quit: () => said.push('quit'),
    log: () => undefined,
  });
  onTestFinished(() => updates.close());
  return { updates, updater, said, now };
}

describe('updates', () => {
  it('are asked about once, and not looked for after a no', async () => {
    const { updates, updater, said } = start('1.1.0', { consent: false, restart: true });
    await updates.check();
    await updates.check();
    expect([said, updater.done, updates.install(failed)]).toEqual([['consent'], [], false]);
  });

  it('wait for the end of a batch', async () => {
    const { updates, updater, said, now } = start('1.1.0', { consent: true, restart: true });
    now.isWorking = true;
    await updates.check();
    expect([said, updater.done]).toEqual([[], []]);
    now.isWorking = false;
    await updates.check();
    expect(said).toEqual(['consent', '1.1.0: Faster', 'quit']);
    expect(updates.install(failed)).toBe(true);
    expect(updater.done).toEqual(['check', 'download', 'install seen and start']);
  });

  it('are installed at the end when the person goes on working', async () => {
    const { updates, updater, said } = start('1.1.0', { consent: true, restart: false });
    await updates.check();
    await updates.check();
    expect(said).toEqual(['consent', '1.1.0: Faster']);
    expect(updates.install(failed)).toBe(true);
    expect(updater.done).toEqual(['check', 'download', 'install silently ']);
  });

  it('start again only for a person who wanted that, on a Mac too', async () => {
    for (const restart of [true, false]) {
      const { updates, updater } = start('1.1.0', { consent: true, restart });
      await updates.check();
      updates.install(failed);
      expect(updater.autoRunAppAfterInstall).toBe(restart);
    }
  });

  it('let the program end when their installer could not be started', async () => {
    const { updates, updater } = start('1.1.0', { consent: true, restart: true });
    await updates.check();
    const ended: string[] = [];
    expect(updates.install(() => ended.push('ended'))).toBe(true);
    expect(ended).toEqual([]);
    updater.emit('error', new Error('The disk is read-only.'));
    expect(ended).toEqual(['ended']);
  });

  it('are not fetched when there is none, or only a pre-release', async () => {
    for (const version of ['1.0.0', '1.1.0-beta.2']) {
      const { updates, updater } = start(version, { consent: true, restart: true });
      await updates.check();
      expect([updater.done, updates.install(failed)]).toEqual([['check'], false]);
    }
  });

  it('come to nothing without a connection, and say so only in the log', async () => {
    const { updates, updater } = start('1.1.0', { consent: true, restart: true });
    updater.checkForUpdates = () => Promise.reject(new Error('offline'));
    await expect(updates.check()).resolves.toBeUndefined();
    expect(updates.install(failed)).toBe(false);
  });
});
