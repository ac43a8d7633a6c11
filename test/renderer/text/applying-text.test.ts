import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => void vi.stubGlobal('$state', (value: unknown) => value));
afterEach(() => void vi.unstubAllGlobals());

it('puts progress in brackets, which need no full stop after one of an abbreviation', async () => {
  const { applyingText } = await import('../../../renderer/components/touch-up/applying-text.ts');
  const awaited = { phase: 'PROCESSING', progress: 26, etaSeconds: 5 };
  expect(
    applyingText({ awaited, paintsArea: false } as Parameters<typeof applyingText>[0]),
  ).toMatch(/^Finding the edge at full size\. \(26%, 5 secs? left\)$/);
});
