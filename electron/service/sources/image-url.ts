/** Parses the forms of `imageUrl` in API.md, before anything is read. */
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { withoutBrackets } from './remote/addresses.ts';
import { decodeDataUrl, isDataUrl } from './data-url.ts';

type ImageSource =
  | { kind: 'url'; url: string }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'upload'; uploadId: string }
  | { kind: 'file'; path: string };

interface ImageUrlContext {
  hasUpload(uploadId: string): boolean;
  /** Port of this service. */
  port: number;
  /** Parse paths as on Windows; by default as on this system. */
  windows?: boolean;
}

const maxUrlLength = 16_384;
const uploadPath = /^\/api\/uploads\/([A-Za-z0-9_-]{1,100})\/?$/;

export function uploadUrl(base: string, uploadId: string): string {
  return `${base}/api/uploads/${uploadId}`;
}

/**
 * Does not check whether the file may be read or the host be called.
 * @throws EnlargerError INVALID_REQUEST for a malformed URL, another scheme, or an upload of this service
 *   that does not exist
 */
export function parseImageUrl(imageUrl: string, context: ImageUrlContext): ImageSource {
  const text = imageUrl.trim();
  if (isDataUrl(text)) return { kind: 'data', bytes: decodeDataUrl(text) };
  if (text.length > maxUrlLength) throw refused(imageUrl, `longer than ${maxUrlLength} characters`);
  const url = URL.parse(text);
  if (url === null) throw refused(imageUrl, 'not a URL');
  if (url.protocol === 'file:') return { kind: 'file', path: pathOf(url, imageUrl, context) };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(imageUrl, `a URL with the scheme ${url.protocol}`);
  return ownUpload(url, context) ?? { kind: 'url', url: url.href };
}

/** Uploads are found by the id in the URL, which therefore outlives a change of port. */
function ownUpload(url: URL, context: ImageUrlContext): ImageSource | undefined {
  const uploadId = uploadIdIn(url);
  if (uploadId === undefined) return undefined;
  if (context.hasUpload(uploadId)) return { kind: 'upload', uploadId };
  if (Number(url.port) !== context.port) return undefined;
  throw new EnlargerError(
    'INVALID_REQUEST',
    'Expected imageUrl to be an upload that is still kept, but this one is gone or never was. ' +
      'Uploads that no task uses are removed after an hour: upload it again.',
  );
}

function uploadIdIn({ pathname, hostname }: URL): string | undefined {
  return isThisMachine(hostname) ? uploadPath.exec(pathname)?.[1] : undefined;
}

/** Returns undefined for any other text. */
export function uploadIdOf(text: string): string | undefined {
  const url = text.startsWith('http') ? URL.parse(text) : null;
  return url ? uploadIdIn(url) : undefined;
}

function isThisMachine(hostname: string): boolean {
  const bare = withoutBrackets(hostname);
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** On Windows another machine's name makes a UNC path, read only inside granted folders. */
function pathOf(url: URL, imageUrl: string, { windows }: ImageUrlContext): string {
  if (url.hash !== '' || url.search !== '')
    throw refused(imageUrl, 'a file: URL with # or ?: in a path they are %23 and %3F');
  const isWindows = windows ?? process.platform === 'win32';
  const isHere = url.hostname === '' || url.hostname === 'localhost';
  if (!isHere && !isWindows) throw refused(imageUrl, 'a file: URL that names another machine');
  if (isHere) url.hostname = '';
  try {
    const path = fileURLToPath(url, windows === undefined ? {} : { windows });
    if (!path.includes('\0')) return path;
  } catch (cause) {
    throw refused(imageUrl, 'a file: URL that is no path of this system', cause);
  }
  throw refused(imageUrl, 'a file: URL with a NUL character');
}

function refused(imageUrl: string, what: string, cause?: unknown): EnlargerError {
  const shown = imageUrl.length > 80 ? `${imageUrl.slice(0, 80)}…` : imageUrl;
  return new EnlargerError(
    'INVALID_REQUEST',
    `Expected imageUrl to be an http:, https:, data: or file: URL, or the URL of an upload, ` +
      `but received ${JSON.stringify(shown)}, which is ${what}.`,
    { cause },
  );
}
