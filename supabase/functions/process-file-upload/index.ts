import { cutText } from '../../../texts/cut-text.ts';
import type { FunctionContext } from '../context.ts';
import { enforceMemberQuota, storeUpload, withMemberUpload } from '../member-upload.ts';

/** Makes a member's build file safe to pass on, and stores it where only they and moderators can open it. */
export default function processFileUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMemberUpload(request, context, 'file', async (sent, member, client) => {
    await enforceMemberQuota(client, member);
    const { files, file } = await context.media.process(sent, 'file', member);
    if (!file) throw new Error('no build file was made');
    const { facts, type, pageTexts } = file;
    const row = await storeUpload(client, member, sent, files, ([file_url], [byte_size]) => ({
      file_url,
      file_name: shownName(sent.name, type),
      file_type: type,
      byte_size,
      facts,
      previews: files.slice(1),
      page_texts: pageTexts,
    }));
    return Response.json({ ...row, previews: undefined, page_texts: undefined });
  });
}

/** The sender's name for the file with the ending of its real type. */
function shownName(name: string, type: string): string {
  const base = name.replace(/\.[^.]*$/, '').trim() || 'file';
  return `${cutText(base, 100)}.${type}`;
}
