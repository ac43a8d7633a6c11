import { describe, expect, it } from 'vitest';
import {
  commonDestination,
  destinationSetFor,
  distinctPlaces,
} from '../../../../renderer/state/options/destination.ts';

const upload = { source: { imageUrl: 'http://127.0.0.1/api/uploads/1' } };
const onDisk = { source: { imageUrl: 'file:///photos/a.jpg' } };
const onDiskDone = { record: { source: { kind: 'file' } } };
const sent = { record: { source: { kind: 'upload' } } };

describe('the destination of several photos', () => {
  it('is what they have in common', () => {
    const both = [upload, onDisk].map((photo) => ({ saveTo: '/out', photo }));
    expect(commonDestination(both)).toBe('/out');
    expect(commonDestination([])).toBeUndefined();
  });

  it('is one for those that were submitted and those that are still sent, of which none has a folder', () => {
    const all = [
      { saveTo: '', photo: sent },
      { saveTo: '.', photo: upload },
    ];
    expect(commonDestination(all)).toBe('');
    expect(commonDestination(all.toReversed())).toBe('');
  });

  it('is none where results go to several places, each of which is named once', () => {
    const all = [
      { saveTo: '', photo: sent },
      { saveTo: '.', photo: onDisk },
      { saveTo: '.', photo: upload },
    ];
    expect(commonDestination(all)).toBeUndefined();
    expect(distinctPlaces(all)).toEqual(['', '.']);
  });
});

describe('the destination that is set for a photo', () => {
  const photo = (phase: 'waiting' | 'running' | 'done', destination?: string) => ({
    isEditable: phase === 'waiting',
    isActive: phase !== 'done',
    choices: { saveTo: '/task' },
    versions: { destination },
  });

  it('is that of its task until this has ended, so that it stays the same as the task begins to run', () => {
    expect(destinationSetFor(photo('waiting'), '/new', '')).toBe('/task');
    expect(destinationSetFor(photo('running'), '/new', '')).toBe('/task');
    expect(destinationSetFor(photo('done'), '/new', '')).toBe('/new');
  });

  it("is the photo's own folder, or one in it, as it was set and not as the task names it", () => {
    const on = (imageUrl: string, saveTo: string) =>
      destinationSetFor(
        { ...photo('running'), source: { imageUrl }, choices: { saveTo } },
        '/new',
        '',
      );
    expect(on('file:///my%20photos/a.jpg', '/my photos')).toBe('.');
    expect(on('file:///photos/a.jpg', '/photos/large')).toBe('./large');
    expect(on('file:///photos/a.jpg', '/photos/large/two')).toBe('/photos/large/two');
    expect(on('file:///photos/a.jpg', '.')).toBe('.');
    expect(on('file:///photos/a.jpg', '')).toBe('');
    expect(on('file:///C:/photos/a.jpg', 'C:\\photos\\large')).toBe('./large');
  });

  it('is the folder of the last results where nothing else gives it a place', () => {
    expect(destinationSetFor(photo('done'), '.', '/last')).toBe('/last');
    expect(destinationSetFor(photo('done'), '', '/last')).toBe('/last');
    expect(destinationSetFor(photo('done'), '/new', '/last')).toBe('/new');
    expect(destinationSetFor({ ...photo('done'), ...onDiskDone }, '.', '/last')).toBe('.');
  });

  it('stays that of the watched folder that the photo came through', () => {
    const watched = { record: { source: { kind: 'file', watchId: 'watch' } } };
    expect(destinationSetFor({ ...photo('done'), ...watched }, '.', '/last')).toBe('/task');
    expect(destinationSetFor({ ...photo('done', '/own'), ...watched }, '.', '')).toBe('/own');
    const kept = { ...photo('done'), ...watched, choices: { saveTo: '' } };
    expect(destinationSetFor(kept, '.', '')).toBe('.');
  });

  it('is what was set for the photo since', () => {
    expect(destinationSetFor(photo('running', '/own'), '/new', '')).toBe('/own');
    expect(destinationSetFor(photo('done', '/own'), '/new', '')).toBe('/own');
  });
});
