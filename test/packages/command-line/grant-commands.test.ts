import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../packages/command-line/src/program.ts';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { heard } from '../../support/heard.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('lists what is granted, grants more, and takes back what it is told', async () => {
  const [first, second, started] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const service = await openService({ allowFolders: [started] });
  const client = createClient({ url: service.url, key: service.key });
  const codes: number[] = [];
  const program = buildProgram('1.2.3', {
    programUrl: import.meta.url,
    serve: () => Promise.reject(new Error('No service was named.')),
    photos: () => Promise.reject(new Error('No photo was named.')),
    editIn: () => Promise.reject(new Error('No photo was named.')),
    async ask(_options, work) {
      const close = () => Promise.resolve();
      const connected = { client, isOwn: false, sharesDisk: true, close };
      codes.push(await work(connected, new AbortController().signal));
    },
  });
  const run = (...words: string[]) => program.parseAsync(words, { from: 'user' });
  const { lines, warnings } = heard();
  await run('grants', 'add', first, second);
  await run('grants', 'remove', first);
  await run('grants', 'remove', first, started);
  const none = join(first, 'none');
  await expect(run('grants', 'add', second, none)).rejects.toThrow(`found none at ${none}`);
  await run('grants');
  expect(lines).toEqual([second, started]);
  expect(codes).toEqual([0, 0, 1, 0]);
  expect(warnings.join()).toContain(`${first}: Expected a folder that`);
  expect(warnings.join()).toContain(`${started}: The service was started with this folder`);
});
