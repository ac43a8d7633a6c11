// node enlarge.mjs URL KEY photo.jpg photo-2x.jpg
import { readFile, writeFile } from 'node:fs/promises';
import { createClient } from 'enlarger-client';

const [url, key, photo, target] = process.argv.slice(2);
const enlarger = createClient({ url, key });
const result = await enlarger.enlarge(new Uint8Array(await readFile(photo)), {
  scale: 2,
  onProgress: (percent) => console.log(`${percent} %`),
});
await writeFile(target, Buffer.from(await (await result.blob()).arrayBuffer()));
