import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { previewUrl, type ShownFile } from '#app/solution/build-files/build-file.ts';
import { RENEW_SIGNED_MS, signFiles } from '#app/solution/solutions/private-files.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The pages of a document as images, each with its text for screen readers. */
export const pagesQuery = (client: ClientSource, file: ShownFile) =>
  queryOptions({
    queryKey: ['build-file-pages', file.id, file.stored_url],
    queryFn: async () => {
      const db = await client();
      const row = unwrap(await db.from('solution_files').select('page_texts').eq('id', file.id).single());
      const urls = file.previews.map((preview) => previewUrl(file.stored_url, preview));
      const signed = await signFiles(db, urls);
      return urls.map((url, index) => ({
        media_type: 'image',
        media_url: signed.get(url) ?? url,
        thumbnail_url: url,
        width: null,
        height: null,
        description: `Page ${index + 1} of ${urls.length}. ${row.page_texts[index] ?? ''}`,
      }));
    },
    staleTime: RENEW_SIGNED_MS,
    // The files of an approved solution move to the public bucket, also while their pages are looked at.
    placeholderData: keepPreviousData,
  });
