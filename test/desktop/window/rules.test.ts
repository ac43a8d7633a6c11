import { describe, expect, it } from 'vitest';
import {
  afterCrash,
  hidesOnClose,
  mayHave,
  mayOpenOutside,
} from '../../../electron/desktop/window/rules.ts';
import { planOpenWith } from '../../../electron/desktop/files/programs.ts';
import { endingsOf, planSleep } from '../../../electron/desktop/queue/when-done.ts';

const origin = 'http://127.0.0.1:8617';

describe('a link of the page', () => {
  it('opens in the browser where it leads to a known place, over https', () => {
    expect(mayOpenOutside('https://github.com/lovell/sharp-libvips', origin)).toBe(true);
    expect(mayOpenOutside(`${origin}/api/docs`, origin)).toBe(true);
    expect(mayOpenOutside(`${origin}/api/docs/index.html`, origin)).toBe(true);
  });

  it.each([
    'http://github.com/',
    'https://github.com.example.org/',
    'https://github.com:8443/',
    'https://someone@github.com/',
    'https://example.org/',
    'file:///etc/passwd',
    'smb://host/share',
    'javascript:alert(1)',
    'not an address',
    `${origin}/api/documents`,
    `${origin}/api/tasks`,
    'http://127.0.0.1:8618/api/docs',
  ])('opens nowhere: %s', (url) => {
    expect(mayOpenOutside(url, origin)).toBe(false);
  });
});

describe('the page', () => {
  it('may write to the clipboard and into chosen folders, and nothing else', () => {
    expect(mayHave('clipboard-sanitized-write', `${origin}/`, origin)).toBe(true);
    for (const permission of ['media', 'geolocation', 'clipboard-read', 'openExternal', 'usb'])
      expect(mayHave(permission, `${origin}/`, origin)).toBe(false);
    expect(mayHave('clipboard-sanitized-write', 'http://127.0.0.1:1/', origin)).toBe(false);
  });

  it('is loaded again when it stops, until it stops for the third time in a minute', () => {
    expect(afterCrash([0], 0)).toBe('reload');
    expect(afterCrash([0, 30_000], 30_000)).toBe('reload');
    expect(afterCrash([0, 30_000, 59_000], 59_000)).toBe('ask');
    expect(afterCrash([0, 30_000, 61_000], 61_000)).toBe('reload');
  });
});

describe('a closed window', () => {
  it('hides only while there is work without it, when that is wanted, and not at the end', () => {
    const busy = { isQuitting: false, goesOnAlone: true, staysInTray: true };
    expect(hidesOnClose(busy)).toBe(true);
    expect(hidesOnClose({ ...busy, goesOnAlone: false })).toBe(false);
    expect(hidesOnClose({ ...busy, staysInTray: false })).toBe(false);
    expect(hidesOnClose({ ...busy, isQuitting: true })).toBe(false);
  });
});

describe('programs of the system', () => {
  it('open a picture in the way of each system', () => {
    expect(planOpenWith('darwin', '/Applications/Preview.app', '/p.png')).toEqual({
      file: 'open',
      args: ['-a', '/Applications/Preview.app', '/p.png'],
    });
    const entry = '/usr/share/applications/org.gimp.GIMP.desktop';
    expect(planOpenWith('linux', entry, '/p.png')).toEqual({
      file: 'gtk-launch',
      args: ['org.gimp.GIMP', '/p.png'],
    });
    expect(planOpenWith('win32', 'C:\\a b\\e.exe', 'C:\\p.png')).toEqual({
      file: 'C:\\a b\\e.exe',
      args: ['C:\\p.png'],
    });
  });

  it('put the machine to sleep where that is known', () => {
    expect(planSleep('darwin')?.args).toEqual(['sleepnow']);
    expect(planSleep('linux', {})?.args).toEqual(['suspend']);
    expect(planSleep('win32')?.args.at(-1)).toContain('SetSuspendState');
    expect(endingsOf('linux', {})).toEqual(['nothing', 'quit', 'sleep']);
    expect(endingsOf('linux', { FLATPAK_ID: 'app.enlarger.desktop' })).toEqual(['nothing', 'quit']);
    expect(endingsOf('freebsd')).toEqual(['nothing', 'quit']);
  });
});
