import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ShownFile } from '#app/solution/build-files/build-file.ts';
import { SolutionLightbox } from '#app/solution/media-viewer/lightbox.tsx';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { pagesQuery } from './data.ts';

/** The pages of a document as pictures over the whole screen, each with its text for screen readers. */
export function PageViewer({ file, onClose }: { file: ShownFile; onClose: () => void }) {
  const { data: pages, isError } = useQuery(pagesQuery(browserClient, file));
  useEffect(() => {
    if (!isError) return;
    toast({ tone: 'error', title: 'Failed to load the pages', text: 'Check your connection and try again.' });
    onClose();
  }, [isError, onClose]);
  if (!pages) return null;
  return <SolutionLightbox media={pages} title={file.file_name} start={0} onClose={onClose} />;
}
