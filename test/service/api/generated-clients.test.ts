/** Clients that generators make of the service's description: they compile, and enlarge. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openPictureService, subjectJpeg } from '../../support/compat-service.ts';
import { patient } from '../../support/machine-pace.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
/** .ci/run installs the generators of Python clients, and what these import, there. */
const pythonPackages = path.join(root, 'node_modules/.cache/python');
const javaPackages = path.join(root, 'node_modules/.cache/java');
const hasPython = existsSync(path.join(pythonPackages, 'openapi_python_client'));
const generatorJar = existsSync(javaPackages)
  ? globSync('openapi-generator-cli-*.jar', { cwd: javaPackages })[0]
  : undefined;
const hasJava = generatorJar !== undefined && existsSync(path.join(pythonPackages, 'pydantic'));
const missing = 'skipped: it is not installed; .ci/run does';

/** A folder with a photo and the description of a running service. */
async function openFolder() {
  const service = await openPictureService();
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  await writeFile(at('photo.jpg'), new Uint8Array(await subjectJpeg()));
  const description = await fetch(`${service.url}/api/openapi.json`);
  await writeFile(at('openapi.json'), await description.text());
  return { service, folder, at };
}

const sizeOf = async (file: string) => {
  const { width, height } = await sharp(await readFile(file)).metadata();
  return [width, height];
};

const typescriptProgram = `
import { readFile, writeFile } from 'node:fs/promises';
import { createClient } from './client/client/index.js';
import { getTaskByTaskIdSse, postUploads, upscale } from './client/index.js';
import type { TaskView } from './client/index.js';

const [url = '', key = '', photo = '', target = ''] = process.argv.slice(2);
const client = createClient({ baseUrl: url, auth: key, throwOnError: true });
const body = new Blob([await readFile(photo)]);
const uploaded = await postUploads({ client, body, throwOnError: true });
const { imageUrl } = uploaded.data;
const submitted = await upscale({ client, body: { imageUrl, scale: 2 }, throwOnError: true });
const { taskId } = submitted.data;
const { stream } = await getTaskByTaskIdSse({ client, path: { taskId } });
let last: TaskView | undefined;
for await (const event of stream) last = event as TaskView;
if (last?.imageUrl === undefined) throw new Error(last?.error?.message ?? 'No event came.');
const result = await fetch(last.imageUrl);
await writeFile(target, Buffer.from(await result.arrayBuffer()));
`;

const pythonProgram = `
import sys, urllib.request
import httpx
from client.client import AuthenticatedClient
from client.api.tasks import upscale
from client.api.uploads import post_uploads
from client.models import UpscaleBody, UpscaleBodyScale
from client.types import File

url, key, photo, target = sys.argv[1:5]
client = AuthenticatedClient(base_url=url, token=key, timeout=httpx.Timeout(150))
uploaded = post_uploads.sync(client=client, body=File(payload=open(photo, 'rb')))
body = UpscaleBody(image_url=uploaded.image_url, scale=UpscaleBodyScale(2))
task = upscale.sync(client=client, body=body, prefer='wait=120')
urllib.request.urlretrieve(task.image_url, target)
`;

const pydanticProgram = `
import sys, urllib.request
import enlarger_client as enlarger

url, key, photo, target = sys.argv[1:5]
configuration = enlarger.Configuration(host=url, access_token=key)
with enlarger.ApiClient(configuration) as client:
    picture = open(photo, 'rb').read()
    uploaded = enlarger.UploadsApi(client).post_uploads(picture)
    body = enlarger.UpscaleBody(image_url=uploaded.image_url, scale=2)
    task = enlarger.TasksApi(client).upscale(body, prefer='wait=120')
    urllib.request.urlretrieve(task.image_url, target)
`;

describe('a client that is generated', { timeout: patient(120_000) }, () => {
  it('by @hey-api/openapi-ts compiles and enlarges', async () => {
    const { service, folder, at } = await openFolder();
    const options = { path: 'client', module: { extension: '.js' } };
    const config = { input: 'openapi.json', output: options };
    await writeFile(at('openapi-ts.config.mjs'), `export default ${JSON.stringify(config)};`);
    const generator = path.join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [generator], { cwd: folder });
    await writeFile(at('program.ts'), typescriptProgram);
    await writeFile(at('package.json'), '{"type":"module"}');
    await mkdir(at('node_modules'));
    await symlink(path.join(root, 'node_modules/@types'), at('node_modules/@types'), 'dir');
    const strict = ['--strict', '--exactOptionalPropertyTypes', 'false', '--skipLibCheck'];
    await run(
      process.execPath,
      [
        ...[path.join(root, 'node_modules/typescript/bin/tsc'), 'program.ts', ...strict],
        ...['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--outDir', 'out'],
      ],
      { cwd: folder },
    ).catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
    await run(process.execPath, [
      ...[at('out/program.js'), service.url, service.programKey],
      ...[at('photo.jpg'), at('large.jpg')],
    ]);
    expect(await sizeOf(at('large.jpg'))).toEqual([640, 480]);
  });

  it.skipIf(!hasPython)(
    `by openapi-python-client enlarges${hasPython ? '' : ` (${missing})`}`,
    async () => {
      const { service, folder, at } = await openFolder();
      const env = { ...process.env, PYTHONPATH: pythonPackages };
      const words = [
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'client',
        '--meta',
        'none',
      ];
      await run('python3', ['-m', 'openapi_python_client', ...words], { cwd: folder, env });
      await writeFile(at('program.py'), pythonProgram);
      const options = { cwd: folder, env };
      await run(
        'python3',
        ['program.py', service.url, service.programKey, 'photo.jpg', 'large.jpg'],
        options,
      );
      expect(await sizeOf(at('large.jpg'))).toEqual([640, 480]);
    },
  );

  it.skipIf(!hasJava)(
    `by openapi-generator (python) enlarges${hasJava ? '' : ` (${missing})`}`,
    async () => {
      const { service, folder, at } = await openFolder();
      const jar = path.join(javaPackages, generatorJar ?? '');
      const options = ['--additional-properties', 'packageName=enlarger_client'];
      const words = ['generate', '-g', 'python', '-i', 'openapi.json', '-o', '.', ...options];
      await run('java', ['-jar', jar, ...words], { cwd: folder, maxBuffer: 1 << 24 });
      await writeFile(at('program.py'), pydanticProgram);
      const env = { ...process.env, PYTHONPATH: [folder, pythonPackages].join(path.delimiter) };
      await run(
        'python3',
        ['program.py', service.url, service.programKey, 'photo.jpg', 'large.jpg'],
        { cwd: folder, env },
      );
      expect(await sizeOf(at('large.jpg'))).toEqual([640, 480]);
    },
  );
});
