/** What a command prints while a test runs. */
import { onTestFinished, vi } from 'vitest';

export function heard() {
  const [lines, warnings]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const error = vi
    .spyOn(console, 'error')
    .mockImplementation((line: string) => void warnings.push(line));
  onTestFinished(() => [log, error].forEach((spy) => spy.mockRestore()));
  return { lines, warnings };
}
