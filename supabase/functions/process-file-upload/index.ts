import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type FunctionContext, required } from '../context.ts';
import { enforceMemberQuota, storeAll, targetPaths, withMemberUpload } from '../member-upload.ts';

const BUCKET = 'pending-media';

/** Makes a member's build file safe to pass on, and stores it where only they and moderators can open it. */
export default function processFileUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMemberUpload(request, context, 'file', async (sent, member, client) => {
    await enforceMemberQuota(client, member);
    const { files: names, file } = await context.media.process(sent, 'file', member);
    if (!file) throw new Error('no build file was made');
    const files = targetPaths(sent, names, `${member}/${randomUUID()}`);
    const [main] = files;
    if (!main) throw new Error('no build file was made');
    await storeAll(client, BUCKET, files);
    const row = {
      file_url: `/storage/v1/object/authenticated/${BUCKET}/${main.to}`,
      file_name: shownName(sent.name, file.type),
      file_type: file.type,
      byte_size: (await stat(main.from)).size,
    };
    try {
      await required(
        client.from('file_uploads').insert({
          ...row,
          user_id: member,
          facts: file.facts,
          previews: names.slice(1),
          page_texts: file.pageTexts,
        }),
      );
    } catch (error) {
      await client.storage.from(BUCKET).remove(files.map(({ to }) => to));
      throw error;
    }
    return Response.json({ ...row, facts: file.facts });
  });
}

/** The sender's name for the file with the ending of its real type. */
function shownName(name: string, type: string): string {
  const base = name.replace(/\.[^.]*$/, '').trim() || 'file';
  return `${base.slice(0, 100)}.${type}`;
}
