import { afterEach, describe, expect, it } from 'vitest';
import {
  padEnd,
  padStart,
  widestOf,
  widthOf,
  wrapText,
} from '../../../packages/command-line/src/columns.ts';
import { listTasks } from '../../../packages/command-line/src/commands.ts';
import { helperLine } from '../../../packages/command-line/src/pool-commands.ts';
import { listWatches } from '../../../packages/command-line/src/watch-commands.ts';
import { languages, loadLanguage, setCatalogue } from '../../../packages/command-line/src/text.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import type { HelperView } from '../../../packages/contract/src/settings/pool.ts';
import { heard } from '../../support/heard.ts';

afterEach(() => setCatalogue('en', {}));

describe('a column', () => {
  it('is as wide as the terminal draws its text', () => {
    expect(['', 'läuft', 'la\u0308uft', '処理中', 'キュー 3', '📷'].map(widthOf)).toEqual([
      ...[0, 5, 5, 6, 8, 2],
    ]);
    expect(widestOf([])).toBe(0);
    expect(widestOf(['abc', '完了'])).toBe(4);
  });

  it('is filled up to its width, and no text is cut', () => {
    expect(padEnd('完了', 6)).toBe('完了  ');
    expect(padStart('完了', 6)).toBe('  完了');
    expect(padEnd('finished', 3)).toBe('finished');
  });
});

describe('help', () => {
  it('breaks between words, and in scripts without spaces between characters', () => {
    expect(wrapText('one two  three', 8)).toBe('one two\nthree');
    expect(wrapText('a\n\nb', 8)).toBe('a\n\nb');
    expect(wrapText('無限に拡大する', 6)).toBe('無限に\n拡大す\nる');
  });

  it('begins no line with a closing sign, and ends none with an opening one', () => {
    expect(wrapText('拡大する。終わり', 8)).toBe('拡大す\nる。終わ\nり');
    expect(wrapText('写真の「編集」', 8)).toBe('写真の\n「編集」');
    expect(wrapText('拡大 (既定: 2)', 8)).toBe('拡大 (既\n定: 2)');
    expect(wrapText('le facteur : 2', 11)).toBe('le\nfacteur : 2');
  });

  it('keeps every character of the text', () => {
    const text = '“照片”菜单 --out：(1～1000000)、「x」 ：';
    expect(wrapText(text, 4).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
  });
});

describe.each(['en', ...languages])('lines in %s', (locale) => {
  const startsOf = (lines: unknown[], name: string) =>
    new Set(lines.map((line) => widthOf(String(line).split(name)[0] ?? '')));

  it('have their names in one column, whatever the state', async () => {
    await loadLanguage(locale);
    const { lines } = heard();
    const tasks = ['PENDING', 'PROCESSING', 'FINISHED', 'FAILED'].map((status) => ({
      ...{ taskId: 'id', status, progress: 5, source: { name: 'photo.jpg' } },
    }));
    await listTasks({ list: () => Promise.resolve({ tasks }) } as unknown as Client, {
      ...{ limit: 4, json: false },
    });
    expect(startsOf(lines, 'photo.jpg').size).toBe(1);

    lines.length = 0;
    const counts = { seen: 1, finished: 1, failed: 0 };
    const watches = ['watching', 'paused', 'unavailable'].map((state) => ({
      ...{ folder: '/in', saveTo: '/out', state, counts },
    }));
    await listWatches({ watches: () => Promise.resolve(watches) } as unknown as Client, {
      json: false,
    });
    expect(startsOf(lines, '/in').size).toBe(1);

    const helpers = (['idle', 'working', 'busy', 'away', 'aside'] as const).map(
      (state, place): HelperView => ({
        ...{ id: 'x', name: `h${'x'.repeat(place)}`, isThis: state === 'idle', state },
        ...{ speeds: [], doing: [], finished: 0, reason: 'reason' },
      }),
    );
    expect(
      startsOf(
        helpers.map((helper) => helperLine(helper, 30)),
        'reason',
      ).size,
    ).toBe(1);
  });
});
