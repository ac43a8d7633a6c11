/**
 * Offers Enlarger under "Open with" for every format that it reads. `node packaging/open-with.ts` writes the lists of
 * the formats' rows into the files from which each system learns of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  formats,
  pictureEndings,
  readableFormats,
  type Format,
} from '../packages/contract/src/formats.ts';

/** A second name for JPEG that hardly any file has, and JPEG 2000, which is not read. */
const unoffered = ['jpe', 'jp2'];

const all = Object.values(readableFormats);
const written: readonly Format[] = Object.values(formats);
const onlyRead = all.filter((format) => !written.includes(format));

const mimeTypes = all.flatMap(({ mimeType, sharedMimeTypes }) => sharedMimeTypes ?? [mimeType]);
const uniformTypes = (rows: readonly Format[]) => rows.flatMap((row) => row.uniformTypes);
const endings = pictureEndings.filter((ending) => !unoffered.includes(ending));

const items = (indent: number, values: readonly string[]) =>
  values.map((value) => `${' '.repeat(indent)}- ${value}\n`).join('');

/** Returns the file's text with its lists taken from the rows; the rest stays as it is. */
type Fill = (text: string) => string;

/** Paths in the checkout. */
export const openWithFiles: Readonly<Record<string, Fill>> = {
  'electron-builder.yml': (text) =>
    text
      .replace(typesOf('Editor'), `$1${items(10, uniformTypes(written))}`)
      .replace(typesOf('Viewer'), `$1${items(10, uniformTypes(onlyRead))}`)
      .replace(/(\n {2}mimeTypes:\n)(?: {4}- .*\n)+/, `$1${items(4, mimeTypes)}`),
  'resources/installer.nsh': (text) =>
    text.replace(
      /(?: {2}!insertmacro offerFor .*\n)+/,
      endings.map((ending) => `  !insertmacro offerFor ".${ending}"\n`).join(''),
    ),
  'packaging/manifests/app.enlarger.desktop.yml': (text) =>
    text.replace(/(MimeType=).*/, `$1${mimeTypes.join(';')};`),
};

/** The content types of photos that electron-builder.yml names for a role on macOS. */
const typesOf = (role: string) =>
  new RegExp(
    `(CFBundleTypeName: Photo\\n {8}CFBundleTypeRole: ${role}\\n.*\\n {8}LSItemContentTypes:\\n)(?: {10}- .*\\n)+`,
  );

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, fill] of Object.entries(openWithFiles)) {
    const file = path.join(import.meta.dirname, '..', name);
    writeFileSync(file, fill(readFileSync(file, 'utf8')));
  }
}
