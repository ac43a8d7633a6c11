/** Tasks that another program submits to the service of an open page. */
import { readFile } from 'node:fs/promises';
import type { OpenPage } from './page.ts';
import { smallJpeg } from './pictures.ts';

const concurrency = 16;

/** Of small pictures, with what is set for new ones. Throws when one is refused. */
export async function submitTasks({ line }: Pick<OpenPage, 'line'>, count: number): Promise<void> {
  const key = (await readFile(line.keyFile, 'utf8')).trim();
  const jpeg = await smallJpeg(16, 12);
  const imageUrl = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const worker = async (from: number) => {
    for (let index = from; index < count; index += concurrency) {
      const response = await fetch(`${line.url}/api/image-upscaler`, {
        method: 'POST',
        headers: { authorization: `KEY ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ imageUrl }),
      });
      if (!response.ok) throw new Error(`A task was answered with ${response.status}.`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, from) => worker(from)));
}
