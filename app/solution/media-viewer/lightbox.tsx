import { ZoomIn, ZoomOut } from 'lucide-react';
import Lightbox from 'yet-another-react-lightbox';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import Video from 'yet-another-react-lightbox/plugins/video';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { describeMedia, type ViewedMedia } from './media-description.ts';
import 'yet-another-react-lightbox/plugins/counter.css';
import 'yet-another-react-lightbox/styles.css';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { useBackCloses } from '#app/ui/states/back-closes.ts';

/** Visible over any picture. */
const arrow = { margin: '0 16px', padding: 10, borderRadius: 8, background: 'var(--over-picture)' };

/** The viewer over the whole screen, with previous, next, a counter and zoom. */
export function SolutionLightbox({
  media,
  title,
  start,
  onClose,
}: {
  media: ViewedMedia[];
  title: string;
  start: number;
  onClose: () => void;
}) {
  const fileUrl = useFileUrl();
  const isAlone = media.length < 2;
  useBackCloses(onClose);
  return (
    <Lightbox
      open
      className="viewer"
      close={onClose}
      labels={{ Lightbox: title, 'Photo gallery': 'Images and videos' }}
      index={start}
      plugins={isAlone ? [Video, Zoom] : [Counter, Video, Zoom]}
      carousel={{ finite: isAlone }}
      controller={{ closeOnBackdropClick: true }}
      animation={{ fade: 200, swipe: 200 }}
      styles={{
        root: { '--yarl__color_backdrop': '#0d100f', '--yarl__button_filter': 'none' },
        navigationPrev: arrow,
        navigationNext: arrow,
      }}
      render={{
        ...(isAlone ? { buttonPrev: () => null, buttonNext: () => null } : {}),
        iconPrev: () => <span className="icon icon-chevron-left size-6" />,
        iconNext: () => <span className="icon icon-chevron-right size-6" />,
        iconClose: () => <span className="icon icon-close size-6" />,
        iconLoading: () => <span className="icon icon-spinner size-8 animate-spin text-white" />,
        iconZoomIn: () => <ZoomIn className="size-6" strokeWidth={1.75} aria-hidden />,
        iconZoomOut: () => <ZoomOut className="size-6" strokeWidth={1.75} aria-hidden />,
        iconError: () => (
          <p role="alert" className="w-96 max-w-[100vw] px-20 text-center leading-6 text-white">
            This image couldn’t be loaded. Check your connection, then close the viewer and open it again.
          </p>
        ),
      }}
      video={{ controls: true, playsInline: true, preload: 'metadata' }}
      slides={media.map((item, index) =>
        item.media_type === 'video'
          ? {
              type: 'video' as const,
              autoPlay: index === start,
              poster: fileUrl(item.thumbnail_url),
              width: item.width ?? 1920,
              height: item.height ?? 1080,
              sources: [
                {
                  src: fileUrl(item.media_url),
                  type: item.media_url.includes('.webm') ? 'video/webm' : 'video/mp4',
                },
              ],
            }
          : {
              src: fileUrl(item.media_url),
              alt: describeMedia(item, title, index, media.length),
              ...(item.width && item.height ? { width: item.width, height: item.height } : {}),
            },
      )}
    />
  );
}
