import { expect, it } from 'vitest';
import { formBlob } from '../../electron/client/form-blob.ts';

it('reads back as the form that was written', async () => {
  const files = [
    { blob: new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]), name: 'ä "b"\r\n.onnx' },
    { blob: new Blob(['{}'], { type: 'application/json' }), name: 'c.json' },
  ];
  const blob = formBlob({ name: 'Grün', licence: undefined, author: 'x\r\n--y' }, files);
  const form = await new Response(blob, { headers: { 'content-type': blob.type } }).formData();
  expect([...form.keys()]).toEqual(['name', 'author', 'file', 'file']);
  expect([form.get('name'), form.get('author')]).toEqual(['Grün', 'x\r\n--y']);
  const [network, card] = form.getAll('file') as File[];
  expect(network?.name).toBe('ä "b"\r\n.onnx');
  expect([...new Uint8Array(await network!.arrayBuffer())]).toEqual([0, 13, 10, 45, 45, 255]);
  expect([card?.name, card?.type, await card?.text()]).toEqual([
    'c.json',
    'application/json',
    '{}',
  ]);
});
