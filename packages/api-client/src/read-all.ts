import type { FetchAnswer } from './transport.ts';

/** Reads a response's text as it arrives. */
export async function readAll(
  { body }: Pick<FetchAnswer, 'body'>,
  onText: (text: string) => void,
): Promise<void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const chunks = 'getReader' in body ? chunksOf(body) : body;
  for await (const chunk of chunks) onText(decoder.decode(chunk, { stream: true }));
}

/** Not every browser iterates over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
