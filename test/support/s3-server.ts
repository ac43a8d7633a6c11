/**
 * A bucket over HTTP for tests: PUT (whole, or in parts), GET, HEAD, DELETE and lists, addressed by path. It
 * refuses requests whose signature has not the shape of AWS Signature Version 4, is of another key, or names
 * another hash than the body's.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TestBucket {
  /** Of pool.storage. */
  address: string;
  objects: Map<string, Buffer>;
  /** Names of the uploads in parts that were begun and neither completed nor given up. */
  openUploads(): string[];
  /** Sentences about requests that were refused. */
  refused: string[];
}

const accessKey = 'TESTKEY';
const authorization = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=${accessKey}/\\d{8}/test-1/s3/aws4_request, ` +
    'SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}$',
);

export async function openTestBucket(): Promise<TestBucket> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, { objects, uploads, refused });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `s3://${accessKey}:se%2Fcret@photos/studio?endpoint=http://127.0.0.1:${port}&region=test-1`,
    objects,
    openUploads: () => [...uploads.values()].map(({ key }) => key),
    refused,
  };
}

interface State {
  objects: Map<string, Buffer>;
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  refused: string[];
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const problem = problemOf(request, body);
  if (problem !== undefined) {
    state.refused.push(problem);
    response
      .writeHead(403)
      .end(`<Error><Code>AccessDenied</Code><Message>${problem}</Message></Error>`);
    return;
  }
  const url = new URL(request.url ?? '', 'http://bucket');
  const [, bucket, ...rest] = url.pathname.split('/');
  const key = rest.map(decodeURIComponent).join('/');
  if (bucket !== 'photos') {
    response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    return;
  }
  respond(request.method ?? '', url.searchParams, key, body, response, state);
}

function problemOf({ headers }: IncomingMessage, body: Buffer): string | undefined {
  const signed = authorization.exec(headers.authorization ?? '')?.[1]?.split(';');
  if (!signed) return `The signature is not one: ${headers.authorization ?? 'none'}`;
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!signed.includes(needed)) return `${needed} is not signed.`;
  if (!/^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date']))) return 'The date is not one.';
  const hash = createHash('sha256').update(body).digest('hex');
  return headers['x-amz-content-sha256'] === hash ? undefined : "The hash is not the body's.";
}

function respond(
  method: string,
  query: URLSearchParams,
  key: string,
  body: Buffer,
  response: ServerResponse,
  { objects, uploads }: State,
): void {
  const uploadId = query.get('uploadId') ?? '';
  const upload = uploads.get(uploadId);
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  if (method === 'HEAD' && key === '') response.writeHead(200).end();
  else if (method === 'GET' && query.get('list-type') === '2')
    response.writeHead(200, { 'content-type': 'application/xml' }).end(list(query, objects));
  else if (method === 'GET' && objects.has(key)) response.writeHead(200).end(objects.get(key));
  else if (method === 'GET')
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
  else if (method === 'POST' && query.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map() });
    response
      .writeHead(200)
      .end(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
  } else if (method === 'PUT' && upload) {
    upload.parts.set(Number(query.get('partNumber')), body);
    response.writeHead(200, { etag }).end();
  } else if (method === 'POST' && upload) {
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    objects.set(upload.key, Buffer.concat(parts));
    uploads.delete(uploadId);
    response
      .writeHead(200)
      .end(`<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
  } else if (method === 'DELETE' && upload) {
    uploads.delete(uploadId);
    response.writeHead(204).end();
  } else if (method === 'PUT') {
    objects.set(key, body);
    response.writeHead(200, { etag }).end();
  } else if (method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else response.writeHead(400).end();
}

function list(query: URLSearchParams, objects: Map<string, Buffer>): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const under = [...objects.keys()].filter((key) => key.startsWith(prefix));
  const groupOf = (key: string) => {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    return end < 0 ? undefined : key.slice(0, end + 1);
  };
  const groups = new Set(under.map(groupOf).filter((group) => group !== undefined));
  const plain = under.filter((key) => groupOf(key) === undefined);
  return [
    '<ListBucketResult><IsTruncated>false</IsTruncated>',
    ...plain.map((key) => `<Contents><Key>${key}</Key></Contents>`),
    ...[...groups].map((group) => `<CommonPrefixes><Prefix>${group}</Prefix></CommonPrefixes>`),
    '</ListBucketResult>',
  ].join('');
}
