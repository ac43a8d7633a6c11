// node enlarge.mjs URL KEY photo.jpg photo-2x.jpg
import { readFile, writeFile } from 'node:fs/promises';

// In a checkout the package is not built, and Node (22.18 or newer) reads its source.
const { createClient } = await import('enlarger-client').catch(() => import('../src/index.ts'));

const [url, key, photo, target] = process.argv.slice(2);
const enlarger = createClient({ url, key });
try {
  const result = await enlarger.enlarge(new Uint8Array(await readFile(photo)), {
    scale: 2,
    onProgress: (percent) => console.log(`${percent} %`),
  });
  await writeFile(target, Buffer.from(await (await result.blob()).arrayBuffer()));
} catch (error) {
  // Of the service this is an EnlargerError, whose `code` is stable.
  console.error(error.message);
  process.exitCode = 1;
}
