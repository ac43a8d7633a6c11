import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { shareOrder } from '../../../../renderer/state/queue/kept-order.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';

/** They keep a process running. */
class ClosedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    onTestFinished(() => this.close());
  }
}
beforeEach(() => void vi.stubGlobal('BroadcastChannel', ClosedChannel));

/** Its own listing of the same photos. */
function openTab() {
  const photos = ['a', 'b', 'c', 'running'].map((key, at) => ({
    versions: { key },
    phase: key === 'running' ? 'PROCESSING' : 'ready',
    addedAtMs: at,
  })) as unknown as Photo[];
  const list = { photos, versionsOf: (photo: Photo) => [photo] };
  return { list, tell: shareOrder(list) };
}
const keysOf = ({ photos }: { photos: readonly Photo[] }) =>
  photos.map(({ versions, addedAtMs }) => `${versions.key} ${addedAtMs}`);

it('a photo that is moved in one tab is moved in the others', async () => {
  const [here, there] = [openTab(), openTab()];
  const [a, b, c] = here.list.photos;
  [c!.addedAtMs, a!.addedAtMs, b!.addedAtMs] = [0, 1, 2];
  here.tell([c!, a!, b!]);
  await vi.waitFor(() => expect(keysOf(there.list)).toEqual(['running 3', 'c 0', 'a 1', 'b 2']));
  new BroadcastChannel('enlarger.order').postMessage(new Map([['a', 'first']]));
  here.tell([b!]);
  await vi.waitFor(() => expect(keysOf(there.list)).toEqual(['running 3', 'b 2', 'c 0', 'a 1']));
});
