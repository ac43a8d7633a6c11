/** Finds files that are in the list already, by their address or their contents. */
import type { IncomingFile } from '../photo/photo.svelte.ts';

/** What is known of a photo that is in the list. */
interface Present {
  readonly name: string;
  readonly file: File | undefined;
  readonly source?: { readonly imageUrl: string } | undefined;
  readonly record?: KnownInput | undefined;
  readonly estimate?: KnownInput | undefined;
}

interface KnownInput {
  readonly input?: { readonly sizeBytes: number } | undefined;
}

/** Larger files are compared by name, size and time alone, because hashing reads them whole. */
const maxHashedBytes = 256 * 1024 * 1024;

interface DuplicateCheck {
  fresh: IncomingFile[];
  /** The same files are in the list, or stand twice among the added ones. */
  known: IncomingFile[];
  /** Those of `fresh` with the contents of another file, `of`, under another name. */
  copies: { added: IncomingFile; of: string }[];
}

/** Sorts added files into new ones and those that are in the list already. */
export async function splitKnown(
  added: readonly IncomingFile[],
  present: readonly Present[],
): Promise<DuplicateCheck> {
  const addresses = new Set(present.flatMap(({ source }) => source?.imageUrl ?? []));
  const bySize = new Map<number, NamedFile[]>();
  for (const { name, file, record, estimate } of present) {
    const sizeBytes = file?.size ?? (record ?? estimate)?.input?.sizeBytes;
    if (sizeBytes !== undefined) note(bySize, sizeBytes, { name, file });
  }
  const sorted: DuplicateCheck = { fresh: [], known: [], copies: [] };
  for (const one of added) {
    const { imageUrl, file, name } = one;
    const alike = file === undefined ? [] : (bySize.get(file.size) ?? []);
    const isSameAddress = imageUrl !== undefined && addresses.has(imageUrl);
    const twin = isSameAddress ? undefined : await twinOf(one, alike);
    if (isSameAddress || twin?.name === name) sorted.known.push(one);
    else sorted.fresh.push(one);
    if (twin !== undefined && twin.name !== name) sorted.copies.push({ added: one, of: twin.name });
    if (imageUrl !== undefined) addresses.add(imageUrl);
    if (file !== undefined) note(bySize, file.size, { name, file });
  }
  return sorted;
}

function note<Value>(map: Map<number, Value[]>, key: number, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

interface NamedFile {
  name: string;
  file: File | undefined;
}

/** Finds the file with the same contents among those of the same size, first one of the same name. */
async function twinOf(
  { file, name }: IncomingFile,
  alike: readonly NamedFile[],
): Promise<NamedFile | undefined> {
  if (file === undefined || file.size === 0) return undefined;
  const byName = alike.toSorted((one) => (one.name === name ? -1 : 1));
  for (const other of byName) {
    // A photo of an earlier visit has no file here any more.
    if (other.file === undefined ? other.name === name : await isSame(file, other.file))
      return other;
  }
  return undefined;
}

async function isSame(left: File, right: File): Promise<boolean> {
  if (left.name === right.name && left.lastModified === right.lastModified) return true;
  if (left.size > maxHashedBytes) return false;
  const [one, other] = await Promise.all([hashOf(left), hashOf(right)]);
  return one !== undefined && one === other;
}

const hashes = new WeakMap<File, Promise<string | undefined>>();

/** The hash is undefined for a file that cannot be read, which the service will say. */
function hashOf(file: File): Promise<string | undefined> {
  const known = hashes.get(file) ?? makeHash(file).catch(() => undefined);
  hashes.set(file, known);
  return known;
}

async function makeHash(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
