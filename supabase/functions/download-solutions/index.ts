import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { applySiteSettings, SITE_COLUMNS, siteName } from '../../../app/site.ts';
import { citationKey } from '../../../app/solution/citing/citation.ts';
import { isUuid } from '../../../app/ui/texts/uuid.ts';
import { type FunctionContext, refusal } from '../context.ts';
import { isRemoved } from '../is-removed.ts';
import { bytesOf, openedEntry, type ZipEntry, zipLength, zipStream } from '../zip.ts';
import { contentsOf, type Entry, fileName } from './contents.ts';
import { createReader, type Reader } from './reader.ts';
import { shownOutcomes, type TakenSolution } from './solution.ts';

/** A form has an id and a token; in bytes. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * One published solution, or those of a collection, as a ZIP that is made while it is read: texts, images, videos and build files, as
 * far as the reader sees them and their licences let others copy them. A visitor comes by a link, a member's browser sends its
 * token with a form; both are led to the page of what they cannot have, which says why.
 */
export default async function downloadSolutions(
  request: Request,
  context: FunctionContext,
): Promise<Response> {
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return refusal(405, 'Method Not Allowed', 'Solutions are downloaded by GET or POST.');
  const asked = await readQuestion(request);
  if (!asked) return refusal(413, 'Content Too Large', 'The form is too large.');
  const kind = asked.has('collection') ? 'collection' : 'solution';
  const id = asked.get(kind) ?? '';
  const page = `${context.siteUrl}/${kind}s/${encodeURIComponent(id)}`;
  // An address is kept in histories and logs, where no token may be.
  const token = request.method === 'POST' ? asked.get('access_token') : null;
  const reader = isUuid(id) && (await createReader(context, token ?? ''));
  if (!reader) return away(page);
  if (request.method !== 'HEAD') context.admitArchive(reader.member);
  const settings = await reader.db.from('site_settings').select(SITE_COLUMNS).single();
  if (settings.error) throw new Error(settings.error.message, { cause: settings.error });
  applySiteSettings(settings.data);
  const make = kind === 'solution' ? ofSolution : ofCollection;
  const made = await make(reader, id, context.siteUrl);
  return made ? answer(request, made) : away(page);
}

/** What the address or the form asks for; null where the form is too large. */
async function readQuestion(request: Request): Promise<URLSearchParams | null> {
  if (request.method !== 'POST') return new URL(request.url).searchParams;
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= MAX_FORM_BYTES)) return null;
  return new URLSearchParams(await request.text());
}

const away = (location: string) => new Response(null, { status: 303, headers: { location } });

interface Archive {
  name: string;
  /** From this byte on, opened as it is read. */
  zip: (start: number) => ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Left out where not every file is known beforehand. */
  known?: { length: number; tag: string };
}

async function ofSolution(reader: Reader, id: string, siteUrl: string): Promise<Archive | null> {
  const solution = await reader.solution(id);
  if (!solution) return null;
  const entries = await reader.permitted(contentsOf(solution, siteUrl));
  const sized = (
    await Promise.all(
      entries.map(async (entry) => {
        if ('text' in entry)
          return { ...entry, size: Buffer.byteLength(entry.text), tag: entry.text, crc32: crc32(entry.text) };
        const head = await reader.open(entry.path, 'HEAD');
        if (!head.ok) {
          // An answer without a body does not say why.
          const whole = await reader.open(entry.path);
          if (await isRemoved(whole, entry.path)) return [];
          await whole.body?.cancel();
          throw new Error(`${entry.path} could not be read: ${head.status}`);
        }
        const size = Number(head.headers.get('content-length'));
        const version = `${entry.path} ${head.headers.get('etag')}`;
        return { ...entry, size, tag: `${entry.name} ${version}`, version, crc32: sumOf(head, version) };
      }),
    )
  ).flat();
  const tags = sized.map(({ name, size, tag, lastModified }) => [name, size, tag, lastModified]);
  const tag = createHash('sha256').update(JSON.stringify(tags)).digest('hex').slice(0, 32);
  const files = sized.map(
    (entry): ZipEntry => ({
      ...entry,
      async open(start) {
        const file = await opened(entry, solution, reader, start);
        // The answer has said its length, so that a browser would wait for what is missing.
        if (!file) throw new Error(`${entry.name} of the solution ${id} has gone while it was downloaded.`);
        return file;
      },
      onRead: (sum) => 'version' in entry && keepSum(entry.version, sum),
    }),
  );
  return {
    name: `${citationKey({ id, version: solution.version })}.zip`,
    zip: (start) => zipStream(files, start),
    known: { length: zipLength(sized), tag: `"${tag}"` },
  };
}

const MAX_SUMS = 100_000;
/** Checksums of files whose storage does not give them, by the version of the file: the last that were read. */
const SUMS = new Map<string, number>();

function keepSum(version: string, sum: number): void {
  const [oldest = ''] = SUMS.size < MAX_SUMS ? [] : SUMS.keys();
  SUMS.delete(oldest);
  SUMS.set(version, sum);
}

/** The checksum of a file, where it is known. */
function sumOf(head: Response, version: string): number | undefined {
  const given = head.headers.get('x-amz-checksum-crc32');
  return given === null ? SUMS.get(version) : Buffer.from(given, 'base64').readUInt32BE();
}

async function ofCollection(reader: Reader, id: string, siteUrl: string): Promise<Archive | null> {
  const { data, error } = await reader.db.rpc('collection_page', { collection: id });
  if (error) throw new Error(error.message, { cause: error });
  const page = data as { title: string; items: { solution: { id: string } }[] } | null;
  if (!page) return null;
  const items = page.items.map(({ solution }, index) => ({ id: solution.id, index }));
  const read = async ({ id: each, index }: (typeof items)[number]) => {
    const whole = await reader.solution(each);
    // Withdrawn since the list was read.
    if (!whole) return null;
    const folder = `${String(index + 1).padStart(3, '0')} ${fileName(whole.title)}/`;
    const shown = { ...whole, outcomes: shownOutcomes(whole.outcomes) };
    return { solution: whole, entries: await reader.permitted(contentsOf(shown, siteUrl, folder)) };
  };
  async function* files() {
    for await (const taken of reader.each(items, read)) {
      if (!taken) continue;
      for (const entry of taken.entries) {
        const file = await opened(entry, taken.solution, reader, 0);
        if (file) yield* openedEntry(entry, file);
      }
    }
  }
  return {
    name: `${fileName(`${siteName()} ${page.title}`)}.zip`,
    zip: () => zipStream(files()),
  };
}

/** A file of an archive, once all before it are read, so that only one is on its way; null where its reader no longer sees it. */
async function opened(entry: Entry, solution: TakenSolution, reader: Reader, start: number) {
  if (!(await reader.stillSees(solution, entry))) return null;
  if ('text' in entry) return bytesOf(entry.text, start);
  const file = await reader.open(entry.path, 'GET', start);
  if ((await isRemoved(file, entry.path)) || !file.body) return null;
  return file.body.values();
}

/** An archive, or the rest of it from where a download was broken off. */
function answer(request: Request, { name, zip, known }: Archive): Response {
  const headers = new Headers({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${name.replace(/[^\x20-\x7E]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
    // What is withdrawn goes from no copy in between.
    'cache-control': request.method === 'POST' ? 'no-store' : 'no-cache',
  });
  let [status, start] = [200, 0];
  if (known) {
    headers.set('etag', known.tag);
    headers.set('accept-ranges', 'bytes');
    const condition = request.headers.get('if-range');
    const [, from] = /^bytes=(\d{1,15})-$/.exec(request.headers.get('range') ?? '') ?? [];
    if (from !== undefined && (condition === null || condition === known.tag)) {
      start = Number(from);
      status = start < known.length ? 206 : 416;
      headers.set(
        'content-range',
        status === 206 ? `bytes ${start}-${known.length - 1}/${known.length}` : `bytes */${known.length}`,
      );
    }
    headers.set('content-length', String(status === 416 ? 0 : known.length - start));
  }
  const body = request.method === 'HEAD' || status === 416 ? null : zip(start);
  return new Response(body, { status, headers });
}
