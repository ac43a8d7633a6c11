/** A person's visit to the page in Chromium, with a photo added; prints every address that the page asked. */
import { openPage } from '../page.ts';
import { smallJpeg } from '../pictures.ts';

const open = await openPage();
const { page, line } = open;
try {
  page.on('request', (request) => console.log(request.url()));
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add photos' }).click(),
  ]);
  const buffer = await smallJpeg(60, 40);
  await chooser.setFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer }]);
  await page.getByRole('option', { name: /a\.jpg/ }).waitFor();
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  console.log([line.url, ...loaded].join('\n'));
} finally {
  await open.close();
}
