import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { connectionReasonOf, reasonOf } from '../../../packages/contract/src/error-messages.ts';
import { sentenceOf } from '../../../packages/files/src/file-errors.ts';
import { taskErrorOf } from '../../../electron/service/tasks/failures.ts';

const systemError = (code: string, message: string) => Object.assign(new Error(message), { code });
const missing = systemError(
  'ENOENT',
  "ENOENT: no such file or directory, open '/home/ada/.local/share/enlarger/uploads/17'",
);
const corrupt = systemError('SQLITE_CORRUPT', 'database disk image is malformed');
const handshake = systemError(
  'ERR_SSL_WRONG_VERSION_NUMBER',
  '80C8:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl_record.c:354:',
);

describe('the text of a library', () => {
  it.each([
    ['of the file system', missing],
    ['of SQLite', corrupt],
    ['of OpenSSL', handshake],
    ['of OpenSSL, as a cause', new TypeError('fetch failed', { cause: handshake })],
    ['without a code', new Error('VipsJpeg: premature end of JPEG image')],
  ])('%s stays out of what people are told', (_, thrown) => {
    const told = [
      taskErrorOf(thrown).message,
      sentenceOf(thrown),
      `It ${connectionReasonOf(thrown)}.`,
    ];
    for (const sentence of told) {
      expect(sentence).not.toMatch(/\/home|malformed|routines|fetch failed|Vips|ENOENT:/);
      expect(sentence).toMatch(/[^.]\.$/);
    }
  });

  it('has sentences in its place where its code is known', () => {
    expect(reasonOf(missing)).toBe('a file or folder is not there (any more)');
    expect(connectionReasonOf(handshake)).toBe('does not speak HTTPS there');
    const untrusted = systemError('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in chain');
    expect(connectionReasonOf(untrusted)).toBe(
      'has a certificate that is not trusted here (SELF_SIGNED_CERT_IN_CHAIN)',
    );
  });

  it('names what it does not know by its code, and where more is said', () => {
    expect(reasonOf(corrupt)).toBe(
      'something unexpected happened (SQLITE_CORRUPT); logs/enlarger.log in the data folder says more',
    );
  });

  it('does not touch our own sentences', () => {
    const own = new EnlargerError('SOURCE_REFUSED', 'It is no picture.');
    expect(taskErrorOf(own)).toEqual({ code: 'SOURCE_REFUSED', message: 'It is no picture.' });
  });
});
