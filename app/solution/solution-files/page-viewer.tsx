import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unwrap } from '#app/errors.ts';
import { previewUrl, type ShownFile } from '#app/solution/build-files/build-file.ts';
import { SolutionLightbox } from '#app/solution/media-viewer/lightbox.tsx';
import { RENEW_SIGNED_MS, signFiles } from '#app/solution/solutions/private-files.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** The pages of a document as pictures over the whole screen, each with its text for screen readers. */
export function PageViewer({ file, onClose }: { file: ShownFile; onClose: () => void }) {
  const { data: pages, isError } = useQuery({
    queryKey: ['build-file-pages', file.id, file.stored_url],
    queryFn: async () => {
      const db = await browserClient();
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
  useEffect(() => {
    if (!isError) return;
    toast({ tone: 'error', title: 'Failed to load the pages', text: 'Check your connection and try again.' });
    onClose();
  }, [isError, onClose]);
  if (!pages) return null;
  return <SolutionLightbox media={pages} title={file.file_name} start={0} onClose={onClose} />;
}
