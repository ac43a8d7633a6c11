import type { NamedBlob } from './task-calls.ts';

/** Escapes a name of a field or file as browsers do. */
const escaped = (name: string) =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/**
 * Writes a form as multipart/form-data (RFC 7578). A Blob in place of FormData because the fetch of Node 24
 * throws an error that nobody can catch when a form is aborted or its connection is reset while it is sent
 * (nodejs/undici#5715).
 * @param files are sent in fields of the name `file`
 */
export function formBlob(fields: object, files: readonly NamedBlob[]): Blob {
  const boundary = `form-${crypto.randomUUID()}`;
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name=`;
  const parts: (string | Blob)[] = [];
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined)
      parts.push(`${disposition}"${escaped(name)}"\r\n\r\n${String(value)}\r\n`);
  for (const { blob, name } of files) {
    const type = blob.type || 'application/octet-stream';
    const head = `${disposition}"file"; filename="${escaped(name)}"\r\ncontent-type: ${type}\r\n\r\n`;
    parts.push(head, blob, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}
