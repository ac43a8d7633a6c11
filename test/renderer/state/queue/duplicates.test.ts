import { describe, expect, it } from 'vitest';
import { splitKnown } from '../../../../renderer/state/queue/duplicates.ts';

const fileOf = (name: string, content: string, lastModified = 1) =>
  new File([content], name, { lastModified });
const added = (name: string, content: string, lastModified = 2) => {
  const file = fileOf(name, content, lastModified);
  return { name, file };
};
const names = (files: readonly { name: string }[]) => files.map(({ name }) => name);

describe('files that are in the list already', () => {
  it('are found by their contents, not by their size', async () => {
    const present = [{ name: 'a.jpg', file: fileOf('a.jpg', 'one') }];
    const given = [added('a.jpg', 'one'), added('a.jpg', 'two', 3), added('b.jpg', 'three')];
    const { fresh, known, copies } = await splitKnown(given, present);
    expect(names(known)).toEqual(['a.jpg']);
    expect(await Promise.all(fresh.map(({ file }) => file!.text()))).toEqual(['two', 'three']);
    expect(copies).toEqual([]);
  });

  it('are added under another name, and noticed', async () => {
    const present = [{ name: 'a.jpg', file: fileOf('a.jpg', 'one') }];
    const { fresh, known, copies } = await splitKnown([added('copy.jpg', 'one')], present);
    expect([names(fresh), names(known)]).toEqual([['copy.jpg'], []]);
    expect(copies).toEqual([{ added: fresh[0], of: 'a.jpg' }]);
  });

  it('are found twice among what is added, and by their address', async () => {
    const url = 'file:///photos/c.jpg';
    const present = [{ name: 'c.jpg', file: undefined, source: { imageUrl: url } }];
    const given = [added('d.jpg', 'x'), added('d.jpg', 'x'), { name: 'c.jpg', imageUrl: url }];
    const { fresh, known } = await splitKnown(given, present);
    expect([names(fresh), names(known)]).toEqual([['d.jpg'], ['d.jpg', 'c.jpg']]);
  });

  it('are found by name and size where an earlier visit added them', async () => {
    const size = { input: { sizeBytes: 3 } };
    const present = [
      { name: 'a.jpg', file: undefined, record: size },
      // It was not started then, so only its estimate is known.
      { name: 'c.jpg', file: undefined, estimate: size },
    ];
    const given = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => added(name, 'one'));
    const { known } = await splitKnown(given, present);
    expect(names(known)).toEqual(['a.jpg', 'c.jpg']);
  });
});
