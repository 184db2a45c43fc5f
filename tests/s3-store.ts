import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * A fault of the store:
 * - `error`: it answers 500
 * - `full`, `read-only`: it takes nothing
 * - `cut`: it ends an answer in its middle, and the connection
 * - `short`: it answers with the first half, as if that were all
 * - `lost`: it does what it is asked, and the answer is lost
 */
export type Fault = 'error' | 'full' | 'read-only' | 'cut' | 'short' | 'lost';

export interface S3Request {
  method: string;
  key: string;
}

/** A store of one bucket in memory that speaks S3, as far as a site uses it, and fails as it is told. */
export interface S3Store {
  /** Those that a site needs to use it. */
  settings: Record<string, string>;
  /** By their keys. */
  objects: Map<string, { bytes: Buffer; modified: Date }>;
  /** Uploads in parts that were neither completed nor given up. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; begun: Date }>;
  /** Asked before each request is carried out. */
  fault: (request: S3Request) => Fault | undefined;
  /** Waited for before each answer. */
  delay: (request: S3Request) => Promise<unknown>;
  /** The lead of its clock, in milliseconds. */
  clock: number;
  /** Whether strangers may read. */
  isPublic: boolean;
  /** The connections on which an answer is still being sent. */
  answering(): number;
  stop(): Promise<void>;
}

const BUCKET = 'files-of-a-test';
const [KEY, SECRET] = ['test-key', 'test-secret-of-the-store'];
const MAX_SKEW_MS = 900_000;
const MAX_LISTED = 20;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Starts a store on a port of its own. */
export async function startS3Store(): Promise<S3Store> {
  const answering = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    try {
      await answer(store, request, response);
    } catch (error) {
      const { status, code } = error instanceof Refusal ? error : new Refusal(500, 'InternalError');
      respond(response, status, request.method === 'HEAD' ? '' : xml('Error', `<Code>${code}</Code>`));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const store: S3Store = {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    objects: new Map(),
    uploads: new Map(),
    fault: () => undefined,
    delay: async () => undefined,
    clock: 0,
    isPublic: false,
    answering: () => answering.size,
    async stop() {
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
  return store;
}

async function answer(store: S3Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '' } = request;
  const url = new URL(request.url ?? '', 'http://store');
  const body = await buffer(request);
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  response.setHeader('date', new Date(Date.now() + store.clock).toUTCString());
  const isStranger = request.headers.authorization === undefined;
  if (isStranger && !(store.isPublic && method === 'GET')) throw new Refusal(403, 'AccessDenied');
  if (!isStranger) checkSignature(store, request, url, body);
  if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
  const asked = { method, key };
  const fault = store.fault(asked);
  if (fault === 'error') throw new Refusal(500, 'InternalError');
  if (fault === 'full') throw new Refusal(403, 'QuotaExceeded');
  if (fault === 'read-only') throw new Refusal(403, 'AccessDenied');
  await store.delay(asked);
  if (method === 'GET' && key !== '') return sendObject(store, key, request.headers.range, response, fault);
  const [status, text] = carryOut(store, asked, url.searchParams, request, body, response);
  if (fault === 'lost') response.destroy();
  else respond(response, status, text);
}

/** @returns status and text of the answer */
function carryOut(
  { objects, uploads, clock }: S3Store,
  { method, key }: S3Request,
  query: URLSearchParams,
  { headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): [number, string] {
  const modified = new Date(Date.now() + clock);
  const uploadId = query.get('uploadId') ?? '';
  const found = objects.get(key);
  if (method === 'GET' && query.has('uploads'))
    return [200, xml('ListMultipartUploadsResult', [...uploads].map(uploadXml).join(''))];
  if (method === 'GET') return [200, listed(objects, query)];
  if (method === 'HEAD') {
    if (!found) throw new Refusal(404, 'NoSuchKey');
    response.setHeader('content-length', found.bytes.length);
    response.setHeader('last-modified', found.modified.toUTCString());
    return [200, ''];
  }
  if (method === 'DELETE' && uploadId) uploads.delete(uploadId);
  else if (method === 'DELETE') objects.delete(key);
  if (method === 'DELETE') return [204, ''];
  if (method === 'POST' && query.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map(), begun: modified });
    return [200, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`)];
  }
  const upload = uploads.get(uploadId);
  if (uploadId && upload?.key !== key) throw new Refusal(404, 'NoSuchUpload');
  response.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`);
  if (method === 'PUT' && upload) {
    upload.parts.set(Number(query.get('partNumber')), body);
    return [200, ''];
  }
  if (method === 'POST' && upload) {
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
    const parts = numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0));
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 ** 2))
      throw new Refusal(400, 'EntityTooSmall');
    objects.set(key, { bytes: Buffer.concat(parts), modified });
    uploads.delete(uploadId);
    return [200, xml('CompleteMultipartUploadResult', '<ETag>"whole"</ETag>')];
  }
  const source = headers['x-amz-copy-source'];
  if (source === undefined) {
    objects.set(key, { bytes: body, modified });
    return [200, ''];
  }
  const original = objects.get(decodeURIComponent(String(source)).replace(`${BUCKET}/`, ''));
  if (!original) throw new Refusal(404, 'NoSuchKey');
  objects.set(key, { bytes: original.bytes, modified });
  return [200, xml('CopyObjectResult', '<ETag>"copy"</ETag>')];
}

const uploadXml = ([id, { key, begun }]: [string, { key: string; begun: Date }]) =>
  `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`;

function listed(objects: S3Store['objects'], query: URLSearchParams): string {
  const most = Math.min(MAX_LISTED, Number(query.get('max-keys') ?? MAX_LISTED));
  const keys = [...objects.keys()]
    .filter(
      (key) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('continuation-token') ?? ''),
    )
    .sort();
  const page = keys.slice(0, most);
  const contents = page.map((key) => {
    const { bytes, modified } = objects.get(key) ?? { bytes: Buffer.alloc(0), modified: new Date(0) };
    return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
  });
  const isCut = keys.length > most;
  const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml(
    'ListBucketResult',
    `<IsTruncated>${isCut}</IsTruncated><KeyCount>${page.length}</KeyCount>${next}${contents.join('')}`,
  );
}

function sendObject(
  { objects }: S3Store,
  key: string,
  range: string | undefined,
  response: ServerResponse,
  fault: Fault | undefined,
): void {
  const bytes = objects.get(key)?.bytes;
  if (!bytes) throw new Refusal(404, 'NoSuchKey');
  const [, start = '0', last = String(bytes.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (range && Number(start) >= bytes.length) throw new Refusal(416, 'InvalidRange');
  const end = Math.min(Number(last), bytes.length - 1);
  if (range) response.setHeader('content-range', `bytes ${start}-${end}/${bytes.length}`);
  const part = bytes.subarray(Number(start), end + 1);
  const half = part.subarray(0, Math.ceil(part.length / 2));
  const sent = fault === 'short' ? half : part;
  response.writeHead(range ? 206 : 200, { 'content-length': sent.length });
  if (fault === 'cut') response.write(half, () => response.destroy());
  else response.end(sent);
}

function checkSignature({ clock }: S3Store, { method, headers }: IncomingMessage, url: URL, body: Buffer) {
  const [, key, scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (key !== KEY) throw new Refusal(403, 'InvalidAccessKeyId');
  const moment = String(headers['x-amz-date']);
  const sentAt = Date.parse(moment.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (Math.abs(sentAt - Date.now() - clock) > MAX_SKEW_MS) throw new Refusal(403, 'RequestTimeTooSkewed');
  const hash = String(headers['x-amz-content-sha256']);
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const canonical = [
    method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    hash,
  ].join('\n');
  const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest();
  const secret = scope
    .split('/')
    .reduce<Buffer>((before, part) => hmac(before, part), Buffer.from(`AWS4${SECRET}`));
  const expected = hmac(secret, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n'));
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal(403, 'SignatureDoesNotMatch');
}

const xml = (name: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, text ? { 'content-type': 'application/xml' } : {});
  response.end(text);
}
