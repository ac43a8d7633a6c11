import { describe, expect, it } from 'vitest';
import { notesOf } from '../../packaging/release-notes.ts';

const changelog = `# Changelog

## Unreleased

## [1.1.0] - 2027-01-02

### Fixed

- Faster.

## 1.1.0-beta.1 - 2026-12-24

- Tried.
`;

describe('what a release says of itself', () => {
  it('is what stands under its version, and nothing of another', () => {
    expect(notesOf(changelog, '1.1.0')).toBe('### Fixed\n\n- Faster.');
    expect(notesOf(changelog, '1.1.0-beta.1')).toBe('- Tried.');
  });

  it('is missed before there is a release that says nothing', () => {
    for (const version of ['1.2.0', 'Unreleased', ''])
      expect(() => notesOf(changelog, version)).toThrow(`"## ${version}"`);
  });
});
