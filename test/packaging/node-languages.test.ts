import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { isLeftOut, leaveLanguagesOut } from '../../packaging/node-languages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const mib = 2 ** 20;

test('of other languages only the order of letters stays', () => {
  const out = ['de.res', 'zh_Hant_HK.res', 'zone/sr_Latn_ME.res', 'es_419.res', 'unit/ja.res'];
  const alsoOut = ['brkitr/cjdict.dict', 'translit/root.res', 'rbnf/fr.res'];
  const english = [
    'en.res',
    'en_GB.res',
    'lang/en_150.res',
    'root.res',
    'pool.res',
    'curr/pool.res',
  ];
  const others = ['res_index.res', 'coll/sv.res', 'zoneinfo64.res', 'gb18030-2022.cnv', 'nfkc.nrm'];
  const files = [...out, ...alsoOut, ...english, ...others, 'brkitr/line_cj.brk'];
  expect(files.filter(isLeftOut)).toEqual([...out, ...alsoOut]);
});

test('a program of another form is refused with a sentence', () => {
  expect(() => leaveLanguagesOut(Buffer.alloc(4096))).toThrow(/^Expected Node's program to have/);
  const elf = Buffer.alloc(4096);
  elf.write('7f454c460201', 'hex');
  expect(() => leaveLanguagesOut(elf)).toThrow('one block of ICU data');
});

/** Prints what a program's ICU does. */
const script = `
  const date = new Date(Date.UTC(2026, 10, 26, 8, 45));
  const words = ['ö10', 'z', 'ö9', 'å', 'a', 'Ä', '写', '真', 'ch', 'cz'];
  const bytes = Uint8Array.of(0x83, 0x65, 0xb0, 0xa1, 0x41, 0xe4);
  const encodings = ['shift_jis', 'gb18030', 'euc-kr', 'big5', 'windows-1251', 'utf-16be'];
  const english = ['en', 'en-GB', 'en-IN'].map((tag) => [
    date.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'long', timeZone: 'Asia/Tokyo' }),
    new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' }).format(1234567.891),
    new Intl.NumberFormat(tag, { style: 'unit', unit: 'megabyte', unitDisplay: 'long' }).format(2),
    new Intl.RelativeTimeFormat(tag).format(-3, 'day'),
    new Intl.DisplayNames(tag, { type: 'region' }).of('FR'),
  ]);
  const sorted = ['de', 'sv', 'cs', 'zh', undefined].map((tag) =>
    words.toSorted(new Intl.Collator(tag, { numeric: true }).compare),
  );
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  console.log(
    JSON.stringify({
      english,
      sorted,
      decoded: encodings.map((encoding) => new TextDecoder(encoding).decode(bytes)),
      normalized: ['ﬁ①é'.normalize('NFKD'), 'e\\u0301'.normalize('NFC')],
      segments: [...graphemes.segment('👨‍👩‍👧e\\u0301น้ำ')].map(({ segment }) => segment),
      patterns: [/\\p{Script=Greek}/u.test('α'), /^\\p{RGI_Emoji}$/v.test('👨‍👩‍👧')],
      address: new URL('https://bücher.example/ä').href,
      zones: Intl.supportedValuesOf('timeZone').length,
    }),
  );`;

/** @param locale the value of LC_ALL */
async function icuOf(program: string, locale: string): Promise<unknown> {
  const env = { LC_ALL: locale, LANG: locale };
  const { stdout } = await promisify(execFile)(program, ['-e', script], { env });
  return JSON.parse(stdout);
}

describe.runIf(process.platform === 'linux')("this machine's Node without other languages", () => {
  let smaller: string;
  let savedBytes: number;

  beforeAll(async () => {
    const whole = await readFile(process.execPath);
    const { length } = whole;
    const bytes = leaveLanguagesOut(whole);
    savedBytes = length - bytes.length;
    smaller = path.join(temporaryFolder(), 'node');
    await writeFile(smaller, bytes, { mode: 0o755 });
  });

  it('is smaller by 19 MiB or more', () => {
    expect(savedBytes / mib).toBeGreaterThan(19);
  });

  it.each(['C', 'de_DE.UTF-8', 'sv_SE.UTF-8'])(
    'writes English, sorts, decodes and normalizes as before where LC_ALL is %s',
    async (locale) => {
      expect(await icuOf(smaller, locale)).toEqual(await icuOf(process.execPath, locale));
    },
  );

  it('writes dates and numbers of another language as the root locale does', async () => {
    const dates = `console.log(new Date(0).toLocaleString(undefined, { timeZone: 'UTC' }), (0.5).toLocaleString())`;
    const env = { LC_ALL: 'de_DE.UTF-8' };
    const { stdout } = await promisify(execFile)(smaller, ['-e', dates], { env });
    expect(stdout).toBe('1970-01-01 00:00:00 0.5\n');
  });

  it.skipIf(spawnSync('strip', ['--version']).error !== undefined)(
    'can be stripped afterwards, as distributions do',
    async () => {
      const stripped = `${smaller}-stripped`;
      await promisify(execFile)('strip', ['--strip-all', '-o', stripped, smaller]);
      expect(await icuOf(stripped, 'C')).toEqual(await icuOf(process.execPath, 'C'));
    },
  );
});
