import type { SupabaseClient } from '@supabase/supabase-js';
import { type Received, receiveStored } from '../../../media/receive.ts';
import { MediaRefused } from '../../../media/refusal.ts';
import { type FunctionContext, refusal, required } from '../context.ts';
import { enforceMemberQuota, storeUpload, withMember, withMemberUpload } from '../member-upload.ts';

const INCOMING = 'incoming-media';
const MAX_BODY_BYTES = 2000;

/**
 * Makes a member's picture or clip fit to be shown, and stores it where only they and moderators see it. It
 * comes as a form, or has been uploaded through begin-media-upload: then the body is JSON, `{path, name}`.
 */
export default function processMediaUpload(request: Request, context: FunctionContext): Promise<Response> {
  if (/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return withMember(request, context, (member, client) => processStored(request, context, member, client));
  return withMemberUpload(request, context, undefined, (file, member, client) =>
    processFile(file, context, member, client),
  );
}

async function processStored(
  request: Request,
  context: FunctionContext,
  member: string,
  client: SupabaseClient,
): Promise<Response> {
  const { path, name } = await readBody(request);
  const upload: { name: string } | null = await required(
    client.from('incoming_uploads').select('name').eq('name', path).eq('user_id', member).maybeSingle(),
  );
  const stored = upload && (await client.storage.from(INCOMING).info(path));
  if (stored?.error && stored.error.statusCode !== '404') throw stored.error;
  if (!stored?.data)
    return refusal(404, 'Upload Not Found', `${name}: The upload has expired. Please try again.`);
  let isOver = true;
  try {
    const open = async () => {
      const arriving = await required(client.storage.from(INCOMING).download(path).asStream());
      if (!arriving) throw new Error('the storage service gave no file');
      return arriving;
    };
    const sent = { name, declared: stored.data.contentType ?? '' };
    const file = await receiveStored(open, sent, context.media.folder, 'video');
    try {
      return await processFile(file, context, member, client);
    } finally {
      await file.discard();
    }
  } catch (error) {
    // A fault or a full queue is no verdict on the clip, which stays so that another try need not send it again.
    isOver = error instanceof MediaRefused && ![429, 503, 507].includes(error.status);
    throw error;
  } finally {
    if (isOver) {
      // The response stands even if these fail: the sweep removes the rest.
      await client.from('incoming_uploads').delete().eq('name', path);
      await client.storage.from(INCOMING).remove([path]);
    }
  }
}

/** @throws MediaRefused when a field is missing, or the body is too long */
async function readBody(request: Request): Promise<{ path: string; name: string }> {
  const malformed = new MediaRefused(400, 'Bad Request', 'The request must have the fields path and name.');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY_BYTES) throw malformed;
  }
  try {
    const { path, name }: Record<string, unknown> = JSON.parse(text);
    if (typeof path === 'string' && typeof name === 'string') return { path, name };
  } catch {
    // Refused below.
  }
  throw malformed;
}

async function processFile(
  file: Received,
  context: FunctionContext,
  member: string,
  client: SupabaseClient,
): Promise<Response> {
  await enforceMemberQuota(client, member);
  const renditions = await context.media.process(file, file.kind === 'video' ? 'video' : 'images', member);
  const { width, height, duration } = renditions;
  const row = await storeUpload(client, member, file, renditions.files, ([first, second, third]) => ({
    media_url: first,
    // A picture comes in three sizes; a clip is its own compressed form and has a still.
    compressed_url: third === undefined ? first : second,
    thumbnail_url: third ?? second,
    media_type: file.kind,
    width,
    height,
    duration_seconds: duration,
  }));
  return Response.json({
    originalUrl: row.media_url,
    compressedUrl: row.compressed_url,
    thumbnailUrl: row.thumbnail_url,
    mediaType: row.media_type,
    width,
    height,
    duration,
  });
}
