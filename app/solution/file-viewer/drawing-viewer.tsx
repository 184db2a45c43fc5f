import type { ShownFile } from '#app/solution/build-files/build-file.ts';
import { SolutionLightbox } from '#app/solution/media-viewer/lightbox.tsx';
import { modelText } from './model-facts.ts';

/** The picture of a flat pattern over the whole screen, with zoom. */
export function DrawingViewer({ file, onClose }: { file: ShownFile; onClose: () => void }) {
  const picture = file.picture_url ?? '';
  return (
    <SolutionLightbox
      media={[
        {
          media_type: 'image',
          media_url: picture,
          thumbnail_url: picture,
          width: null,
          height: null,
          description: modelText(file),
        },
      ]}
      title={file.file_name}
      start={0}
      onClose={onClose}
    />
  );
}
