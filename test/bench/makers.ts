/**
 * Photos of camera makers, enlarged twice and compared tag by tag with exiftool: a generated one of each maker, and the
 * files of folders. `node test/bench/makers.ts [FOLDER ...]`; Debian's source packages libimage-exiftool-perl (t/images)
 * and exiv2 (test/data) have small ones. Prints a line a maker, what is explained by which rule, and ends with 1 if a
 * whole file is refused, or a tag of a photo is lost or changed for no reason that is known.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { isPictureName } from '../../packages/contract/src/formats.ts';
import { createTestEngine, jobIn } from '../support/engine.ts';
import { changesOf, readAllTags, type Tags } from '../support/exiftool.ts';
import { makers as noteLayouts, photoOfMaker } from '../support/maker-notes.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { printTable } from './bench-pictures.ts';

const engine = createTestEngine();
const network = nearestNetwork(join(engine.dir, 'networks'));
const limits = { sourcePixels: 13e6, resultPixels: 1e9 };

const generated = join(engine.dir, 'generated');
mkdirSync(generated);
for (const [i, maker] of noteLayouts.entries())
  writeFileSync(join(generated, `generated-${i}.jpg`), await photoOfMaker(maker));

/** Files of these packages that were made to break readers. */
const isHostile = (name: string) =>
  /poc|fuzz|crash|coverage|overflow|oob|recursion|divbyzero/i.test(name);
const files = [generated, ...process.argv.slice(2)]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => isPictureName(basename(file)) && !isHostile(basename(file)));
const sources = readAllTags(files);
const makeOf = (tags: Tags): string | undefined => {
  const make = ['IFD0', 'CanonRaw', 'PanasonicRaw'].map((group) => tags[`${group}:Make`]);
  const found = make.find((one) => typeof one === 'string');
  return found?.trim();
};

/** Refusals that are right: these packages keep files without the data of their pictures. */
const rightRefusals =
  /cut short|damaged|cannot be read|rows? (are|is) there|no pixels|is of a kind|a JPEG 2000 picture|another compression|are allowed/;

interface MakerRow {
  files: number;
  finished: number;
  tags: number;
  unexplained: string[];
  refused: string[];
}
const rows = new Map<string, MakerRow>();
const results: { source: string; output: string; make: string }[] = [];
for (const file of files) {
  const make = makeOf(sources.get(file)?.tags ?? {});
  if (make === undefined || make === '') continue;
  const key = make.toUpperCase().split(/[ ,.]/)[0] ?? make;
  const row = rows.get(key) ?? { files: 0, finished: 0, tags: 0, unexplained: [], refused: [] };
  rows.set(key, row);
  row.files += 1;
  const job = jobIn(engine.dir, { sourcePath: file, passes: [network], format: 'jpeg', limits });
  try {
    const signal = AbortSignal.timeout(120_000);
    await engine.host.run(job, { signal, onProgress: () => undefined });
    row.finished += 1;
    results.push({ source: file, output: job.outputPath, make: key });
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    row.refused.push(`${basename(file)}: ${error.message}`);
  }
}

/** Tags that another picture has otherwise, by what they are. */
const rules: [pattern: RegExp, what: string][] = [
  [
    /Width|Height|Orientation|AppliedToDimensions|SubjectArea|SubjectLocation|FocalPlane|PixelsPerUnit/,
    'the new size, upright',
  ],
  [/(X|Y)Resolution|ResolutionUnit/, 'the resolution of its print'],
  [
    /Thumbnail|Preview|JpgFromRaw|^IFD[1-9]|SubIFD|OtherImage|^MP(F|Image)/,
    'previews and other pictures in the file',
  ],
  [/Software|ModifyDate|History|CreatorTool|InstanceID/, 'what made the file'],
  [
    /Offset|Start$|StripByte|RowsPer|PlanarConf|Compression|BitsPerSample|SamplesPer|Photometric|YCbCr|CFA|SubfileType|Predictor|SampleFormat|ExtraSamples|Tile|DNG|Padding|HasExtended/,
    'how the old file is laid out',
  ],
  [
    /^(PNG|SPIFF|CIFF|Ducky|FlashPix|RMETA|FLIR|GoPro|InfiRay|ICC-header|JFIF|APP\d+|Jpeg2000|AFCP|PhotoMechanic|FotoStation|Trailer|Scalado|NITF|Unknown|CanonVRD|PictureInfo|Qualcomm|JPEG-HDR|MediaJukebox|Samsung:(Embedded|SamsungTrailer)|JUMBF|JSON|MIE|GraphConv|AVI1|PrintIM)/,
    "programs' own segments and trailers",
  ],
  [/^IPTC[2-9]:/, 'further blocks of IPTC, of which readers take the first'],
  [/Photoshop(Quality|Format)|ProgressiveScans|Photoshop:.*Digest/, 'how the old file was written'],
];

function reasonOf(source: string, change: string, before: Tags): string | undefined {
  const name = change.split(' ', 1)[0] ?? '';
  if (before[name] === '' && change.endsWith(' is lost')) return 'an entry without a value';
  const isOverlapping = basename(source) === 'exiv2-bug876.jpg' && name === 'Canon:Canon_0x4027';
  if (isOverlapping) return 'a value outside its note, in the bytes of another tag';
  return rules.find(([pattern]) => pattern.test(name))?.[1];
}

const explained = new Map<string, number>();
const outputs = readAllTags(results.map(({ output }) => output));
for (const { source, output, make } of results) {
  const row = rows.get(make);
  // A RAW's own directories are those of its sensor; what is kept: photo-files/metadata/tiff/raw-metadata.test.ts.
  if (!row || !/\.(jpe?g|png|webp|tiff?|heic|avif)$/i.test(extname(source))) continue;
  const before = sources.get(source)?.tags ?? {};
  row.tags += Object.keys(before).length;
  for (const change of changesOf(before, outputs.get(output)?.tags ?? {})) {
    const why = reasonOf(source, change, before);
    if (why === undefined) row.unexplained.push(`${basename(source)}: ${change}`);
    else explained.set(why, (explained.get(why) ?? 0) + 1);
  }
}

printTable(
  ['maker', 'files', 'finished', 'tags', 'unexplained'],
  [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, row]) => [
      ...[name, String(row.files), String(row.finished), String(row.tags)],
      String(row.unexplained.length),
    ]),
);
console.log('\nExplained:');
for (const [what, count] of explained) console.log(`  ${count} x ${what}`);
console.log('\nRefused:');
for (const { refused } of rows.values()) for (const line of refused) console.log(`  ${line}`);
const wrong = [...rows.values()].flatMap(({ unexplained, refused }) => [
  ...unexplained,
  ...refused.filter((line) => !rightRefusals.test(line)),
]);
console.log(`\nUnexplained: ${wrong.length}`);
for (const line of wrong) console.log(`  ${line.slice(0, 220)}`);
console.log(`${rows.size} makers, ${results.length} files finished.`);
await engine.close();
process.exitCode = wrong.length > 0 ? 1 : 0;
