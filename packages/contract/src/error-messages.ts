/**
 * Error codes of system and network as sentences for people; the texts of libraries go to the log only.
 * Imports only errors.ts, so that every process can use it.
 */
import { EnlargerError } from './errors.ts';

/** An internal error whose message is for people. Unlike EnlargerError it has no code of its own. */
export class UserFacingError extends Error {}

/** Wraps thrown values that are no Error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Code of an error or of its cause; of an AggregateError, that of the first error. */
export function errorCodeOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return '';
  const one: unknown = thrown instanceof AggregateError ? thrown.errors[0] : undefined;
  const own = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return own || errorCodeOf(one, depth + 1) || errorCodeOf(thrown.cause, depth + 1);
}

/** By their codes; the end of a sentence, without full stop. */
export const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'a file or folder is not there (any more)',
  ENOTDIR: 'a file or folder is not there (any more)',
  EACCES: 'the system does not allow it',
  EPERM: 'the system does not allow it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'another program holds a file',
  EISDIR: 'a folder is where a file was expected',
  EEXIST: 'there is something of that name already',
  ENAMETOOLONG: 'a name is too long',
  EADDRINUSE: 'another program uses that port',
  EIO: 'the disk reports a fault',
  ESTALE: 'the folder of the network was mounted anew or is gone',
  ENOTCONN: 'the folder of the network is gone',
  ELOOP: 'links lead round in circles',
};

export const isFileErrorCode = (code: string): boolean => code in fileReasons;

/**
 * Reason of a failure, as the end of a sentence without full stop. Unknown errors are named by their code,
 * and described in the log.
 */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof EnlargerError || thrown instanceof UserFacingError)
    return thrown.message.replace(/\.$/, '');
  const code = errorCodeOf(thrown);
  const known = fileReasons[code];
  if (known) return known;
  if (connectionReasons[code] ?? tlsCodes.test(code))
    return `the other side ${connectionReasonOf(thrown)}`;
  const named = isErrorName(code) ? ` (${code})` : '';
  return `something unexpected happened${named}; logs/enlarger.log in the data folder says more`;
}

const connectionReasons: Record<string, string> = {
  ENOTFOUND: 'is not known to the name service',
  EAI_AGAIN: 'cannot be looked up: the name service does not answer',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'did not answer in time',
  EHOSTUNREACH: 'cannot be reached from here',
  EHOSTDOWN: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped sending in the midst of the picture',
  UND_ERR_SOCKET: 'closed the connection before the picture was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent less than it announced',
  Z_DATA_ERROR: 'sent data that cannot be unpacked',
  Z_BUF_ERROR: 'closed the connection before the picture was complete',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  EPROTO: 'does not speak HTTPS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak HTTPS there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak HTTPS there',
};
/** Node's names of OpenSSL's codes. */
const tlsCodes = /CERT|^UNABLE_TO_|^ERR_(SSL|TLS)_|^HOSTNAME_MISMATCH$/;
const isCertificate = /CERT|^UNABLE_TO_|ISSUER/;

/** Reason why a connection failed, to follow the host's name in a sentence, without full stop. */
export function connectionReasonOf(thrown: unknown): string {
  const code = errorCodeOf(thrown);
  const known = connectionReasons[code];
  if (known) return known;
  if (isCertificate.test(code)) return `has a certificate that is not trusted here (${code})`;
  if (tlsCodes.test(code)) return `could not agree on an encryption (${code})`;
  if (thrown instanceof Error && /^(TimeoutError|AbortError)$/.test(thrown.name))
    return 'did not answer in time';
  return isErrorName(code) ? `cannot be reached (${code})` : 'cannot be reached';
}

const isErrorName = (code: string) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code);

/** Refusal of a path inside of what was granted, where nothing is. */
export const nothingThereSentence = (path: string, kind: 'file' | 'folder'): string =>
  kind === 'file'
    ? `Expected a file but found none at ${path}. Check its path.`
    : `Expected a folder but found none at ${path}. Make it first, or name another one.`;

const goneWords = 'was removed from the data folder';

/** Of a photo that the service kept itself. */
export const goneSentence = (path: string): string =>
  `Expected the photo that was sent at ${path}, but it ${goneWords}. Add the photo again.`;

/** Whether a failure's sentence is a `goneSentence`. */
export const isGone = (message: string): boolean => message.includes(goneWords);

const otherKindStart =
  'Expected a JPEG, PNG, WebP, TIFF, GIF, AVIF, HEIC, JPEG XL, BMP or camera RAW picture, but the file is';
/** A kind that is known by its name. One that says what to do itself does so after a semicolon. */
const named = /^an? [^;]*$/;

/** Refusal of a file by its first bytes, as the end of a sentence without full stop. */
export const otherKindSentence = (what: string): string =>
  `${otherKindStart} ${what}.${named.test(what) ? ' Export it as JPEG, PNG or TIFF from the program that opens it.' : ''}`;

/** Whether a failure is an `otherKindSentence` of a kind that is known, of which no new copy can be read. */
export const isOtherKind = (message: string): boolean =>
  /, but the file is (an?|what) /.test(message);
