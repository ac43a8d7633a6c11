/** The bytes of a base64 data: URL. Throws for another address. */
export function blobOf(dataUrl: string): Blob {
  const match = /^data:([\w/+.-]+);base64,/.exec(dataUrl);
  if (match === null) throw new TypeError('Expected a base64 data: URL.');
  const text = atob(dataUrl.slice(match[0].length));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], {
    type: match[1] ?? '',
  });
}
