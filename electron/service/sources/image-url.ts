/** Decides which of the forms that API.md allows an `imageUrl` has, before anything is read. */
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EnlargerError } from '../../contract/errors.ts';
import { withoutBrackets } from './remote/addresses.ts';
import { decodeDataUrl, isDataUrl } from './data-url.ts';

type ImageSource =
  | { kind: 'url'; url: string }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'upload'; uploadId: string }
  | { kind: 'file'; path: string };

interface ImageUrlContext {
  /** Says whether this service holds an upload of that id. */
  hasUpload(uploadId: string): boolean;
  /** This service listens on that port. */
  port: number;
  /** Says whether paths are Windows paths; by default they are those of this system. */
  windows?: boolean;
}

const longestUrl = 16_384;
const uploadPath = /^\/api\/uploads\/([A-Za-z0-9_-]{1,100})\/?$/;

/** Answers the URL by which an upload is submitted. */
export function uploadUrl(base: string, uploadId: string): string {
  return `${base}/api/uploads/${uploadId}`;
}

/**
 * Parses an `imageUrl`. It throws INVALID_REQUEST for what is not a URL, has another scheme, or
 * names an upload of this service that is not there. Whether the file may be read or the host be
 * called is decided later.
 */
export function parseImageUrl(imageUrl: string, context: ImageUrlContext): ImageSource {
  const text = imageUrl.trim();
  if (isDataUrl(text)) return { kind: 'data', bytes: decodeDataUrl(text) };
  if (text.length > longestUrl) throw refused(imageUrl, `longer than ${longestUrl} characters`);
  const url = URL.parse(text);
  if (url === null) throw refused(imageUrl, 'not a URL');
  if (url.protocol === 'file:') return { kind: 'file', path: pathOf(url, imageUrl, context) };
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(imageUrl, `a URL with the scheme ${url.protocol}`);
  return ownUpload(url, context) ?? { kind: 'url', url: url.href };
}

/** Finds an upload by the id in its URL, so that the URL outlives a restart on another port. */
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

/** Answers the id in an upload's URL, and undefined for any other text. */
export function uploadIdOf(text: string): string | undefined {
  const url = text.startsWith('http') ? URL.parse(text) : null;
  return url ? uploadIdIn(url) : undefined;
}

function isThisMachine(hostname: string): boolean {
  const bare = withoutBrackets(hostname);
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/**
 * Answers the path of a file: URL. On Windows another machine's name makes a network path, which is read only
 * inside granted folders.
 */
function pathOf(url: URL, imageUrl: string, { windows }: ImageUrlContext): string {
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
