/** Debian's exiftool as the reader that has nothing to do with us. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';

export const hasExiftool = spawnSync('exiftool', ['-ver']).status === 0;
export const withoutExiftool = 'exiftool is not installed (Debian: libimage-exiftool-perl)';

/** Tags by group and name, such as IFD0:Make, as exiftool reads them without converting. */
export type Tags = Record<string, unknown>;

/** What speaks of the file and not of the photo. */
const ofTheFile =
  /^(SourceFile|ExifTool|System|File|Composite|JFIF|Adobe|RIFF|QuickTime|Meta|PNG-pHYs|ICC|IFD1|InteropIFD)/;

export async function readTags(path: string): Promise<Tags> {
  const output = await execute(['-j', '-G1', '-a', '-s', '-u', '-n', path]);
  const [tags] = JSON.parse(output.toString()) as Tags[];
  return ofThePhoto(tags!);
}

const ofThePhoto = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([name]) => !ofTheFile.test(name)));

export interface ReadFile {
  tags: Tags;
  /** Base64 of the profile's bytes. */
  icc: string | undefined;
}

/** The same of many files at once. */
export function readAllTags(paths: readonly string[]): Map<string, ReadFile> {
  const options = { input: paths.join('\n'), maxBuffer: 1024 * 1024 * 1024 };
  const list = (...args: string[]) => {
    const { stdout } = spawnSync('exiftool', ['-j', '-n', ...args, '-@', '-'], options);
    return JSON.parse(stdout.toString()) as Tags[];
  };
  const profiles = new Map(
    list('-b', '-ICC_Profile').map((one) => [String(one['SourceFile']), one['ICC_Profile']]),
  );
  return new Map(
    list('-G1', '-a', '-s', '-u').map((tags) => {
      const path = String(tags['SourceFile']);
      const icc = profiles.get(path);
      return [path, { tags: ofThePhoto(tags), icc: typeof icc === 'string' ? icc : undefined }];
    }),
  );
}

/** Writes tags, given as exiftool's own arguments, into a file. */
export async function writeTags(path: string, ...args: string[]): Promise<void> {
  await execute(['-q', '-q', '-overwrite_original', '-n', ...args, path]);
}

/** The bytes of one block, such as ICC_Profile or ThumbnailImage; empty when there is none. */
export const readBlock = (path: string, tag: string): Promise<Buffer> =>
  execute(['-b', `-${tag}`, path]);

/** Tags of `before` that are gone or changed in `after`, a line each. */
export function changesOf(before: Tags, after: Tags): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    if (!(name in after)) return [`${name} is lost`];
    const [was, is] = [JSON.stringify(value), JSON.stringify(after[name])];
    return was === is ? [] : [`${name} ${was} -> ${is}`];
  });
}

/** One for all calls of this process: starting it takes ten times as long as reading tags. */
let exiftool: ChildProcessWithoutNullStreams | undefined;
let lastCall: Promise<unknown> = Promise.resolve();

/** Runs commands one after the other. @param args without line breaks @returns standard output @throws if it fails */
function execute(args: string[]): Promise<Buffer> {
  const call = lastCall.then(() => executeNow(args));
  lastCall = call.catch(() => undefined);
  return call;
}

function executeNow(args: string[]): Promise<Buffer> {
  exiftool ??= startExiftool();
  const { stdin, stdout, stderr } = exiftool;
  let output = Buffer.alloc(0);
  let errors = '';
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const onError = (chunk: Buffer) => (errors += chunk.toString());
  const onOutput = (chunk: Buffer) => {
    output = Buffer.concat([output, chunk]);
    const end = /\{end (\d+)\}\r?\n\{ready1\}\r?\n$/.exec(output.subarray(-40).toString('latin1'));
    if (end === null) return;
    if (end[1] === '0') resolve(output.subarray(0, -end[0].length));
    else reject(new Error(`exiftool ${args.join(' ')}: ${errors || output.toString()}`));
  };
  stdout.on('data', onOutput);
  stderr.on('data', onError);
  setReferenced(exiftool, true);
  stdin.write([...args, '-echo3', '{end ${status}}', '-execute1', ''].join('\n'));
  return promise.finally(() => {
    stdout.off('data', onOutput);
    stderr.off('data', onError);
    if (exiftool) setReferenced(exiftool, false);
  });
}

/** At the end of its input, when this process has ended in whatever way, it would wait for more of it. */
const untilInputEnds = `{ cat; printf '%s\\n' -stay_open False; } | exiftool -stay_open True -@ -`;

const startExiftool = () => spawn('sh', ['-c', untilInputEnds]);

/** It keeps no program running but while it works. */
function setReferenced(child: ChildProcessWithoutNullStreams, isReferenced: boolean): void {
  const streams = [child.stdin, child.stdout, child.stderr];
  for (const part of [child, ...streams.filter((stream) => stream instanceof Socket)])
    if (isReferenced) part.ref();
    else part.unref();
}
