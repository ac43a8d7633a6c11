/** Forms that the client writes, read by the service's reader of forms. */
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { formBlob } from '../../../packages/api-client/src/form-blob.ts';

it('reads back as the form that was written', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(multipart);
  app.post('/', async (request) => {
    const parts: unknown[] = [];
    for await (const part of request.parts())
      parts.push(
        part.type === 'file'
          ? [part.filename, part.mimetype, [...(await part.toBuffer())]]
          : [part.fieldname, part.value],
      );
    return parts;
  });
  const blob = formBlob({ name: 'Grün', licence: undefined, author: 'x\r\n--y' }, [
    { blob: new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]), name: 'ä b.onnx' },
    { blob: new Blob(['{}'], { type: 'application/json' }), name: 'c.json' },
  ]);
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': blob.type },
    payload: Buffer.from(await blob.arrayBuffer()),
  });
  expect(response.json()).toEqual([
    ['name', 'Grün'],
    ['author', 'x\r\n--y'],
    ['ä b.onnx', 'application/octet-stream', [0, 13, 10, 45, 45, 255]],
    ['c.json', 'application/json', [123, 125]],
  ]);
});

it('escapes what would end a name', async () => {
  const blob = formBlob({}, [{ blob: new Blob([]), name: 'a"\r\nb.jpg' }]);
  expect(await blob.text()).toContain('filename="a%22%0D%0Ab.jpg"\r\n');
});
