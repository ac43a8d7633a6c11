/** Debian's exiftool as the reader that has nothing to do with us. */
import { execFileSync, spawnSync } from 'node:child_process';

export const hasExiftool = spawnSync('exiftool', ['-ver']).status === 0;
export const withoutExiftool = 'exiftool is not installed (Debian: libimage-exiftool-perl)';

/** Tags by group and name, such as IFD0:Make, as exiftool reads them without converting. */
export type Tags = Record<string, unknown>;

/** What speaks of the file and not of the photo. */
const ofTheFile =
  /^(SourceFile|ExifTool|System|File|Composite|JFIF|Adobe|RIFF|QuickTime|Meta|PNG-pHYs|ICC|IFD1|InteropIFD)/;

export function readTags(path: string): Tags {
  const [tags] = JSON.parse(
    execFileSync('exiftool', ['-j', '-G1', '-a', '-s', '-u', '-n', path], {
      maxBuffer: 64 * 1024 * 1024,
    }).toString(),
  ) as Tags[];
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
export function writeTags(path: string, ...args: string[]): void {
  execFileSync('exiftool', ['-q', '-q', '-overwrite_original', '-n', ...args, path]);
}

/** The bytes of one block, such as ICC_Profile or ThumbnailImage; empty when there is none. */
export const readBlock = (path: string, tag: string): Buffer =>
  execFileSync('exiftool', ['-b', `-${tag}`, path], { maxBuffer: 64 * 1024 * 1024 });

/** Tags of `before` that are gone or changed in `after`, a line each. */
export function changesOf(before: Tags, after: Tags): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    if (!(name in after)) return [`${name} is lost`];
    const [was, is] = [JSON.stringify(value), JSON.stringify(after[name])];
    return was === is ? [] : [`${name} ${was} -> ${is}`];
  });
}
