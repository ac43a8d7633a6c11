/** What others named is printed without what a terminal obeys. */
import { expect, it, vi } from 'vitest';
import { createReport } from '../../../packages/command-line/src/photos/report.ts';
import type { Picture } from '../../../packages/command-line/src/photos/inputs.ts';
import { helperLine } from '../../../packages/command-line/src/pool-commands.ts';
import { printable } from '../../../packages/command-line/src/printable.ts';

const escape = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\u202egpj.exe';

it('control characters and turned text are written as escapes, and all other text stays', () => {
  expect(printable(`a${escape}`)).toBe(
    String.raw`a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{d}\u{a}\u{202e}gpj.exe`,
  );
  expect(printable('Sommer 夏 é 👩‍👩‍👧.jpg')).toBe('Sommer 夏 é 👩‍👩‍👧.jpg');
});

it("a photo's name and a helper's say nothing to the terminal", () => {
  const lines: unknown[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const report = createReport({ json: false, total: 1, pictures: [] });
  report.ended(
    { shown: escape } as Picture,
    { status: 'failed', code: 'X', message: escape } as never,
  );
  report.missing(escape, escape);
  report.close();
  log.mockRestore();
  error.mockRestore();
  lines.push(
    helperLine(
      {
        id: 'a',
        name: escape,
        isThis: false,
        state: 'aside',
        reason: escape,
        speeds: [],
        doing: [],
        finished: 0,
      },
      24,
    ),
  );
  expect(lines.length).toBeGreaterThanOrEqual(4);
  for (const line of lines) expect(String(line)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});
