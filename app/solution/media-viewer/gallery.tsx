import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { describeMedia } from '#app/solution/media-viewer/media-description.ts';
import type { Media } from '#app/solution/solutions/data.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { interfaceDirection } from '#app/ui/languages/interface-language.ts';
import { useWritten } from '#app/ui/languages/untranslated.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { Thumbnail } from './thumbnail.tsx';

const SolutionLightbox = lazyDialog(
  () => import('#app/solution/media-viewer/lightbox.tsx'),
  'SolutionLightbox',
);

/** The way in which the strip of images scrolls on. */
const FORWARD = interfaceDirection === 'rtl' ? -1 : 1;

/**
 * A strip that scrolls from one to the next, so that it works by touch and without JavaScript, and a row of small images. Each
 * opens in the viewer. By key the image and the row are one stop each, in which arrows go on to the next.
 */
export function Gallery({ media, title, language }: { media: Media[]; title: string; language: string }) {
  const fileUrl = useFileUrl();
  const written = useWritten(language);
  const strip = useRef<HTMLDivElement>(null);
  const thumbs = useRef<HTMLUListElement>(null);
  // Undefined before the reader goes on to another: what a page opens with is no news to announce.
  const [chosen, setChosen] = useState<number>();
  const current = chosen ?? 0;
  const [full, setFull] = useState<number>();
  // Where no script answers the arrows, each image is a stop of its own.
  const [hasArrows, setHasArrows] = useState(false);
  useEffect(() => setHasArrows(true), []);
  const tabIndex = (index: number) => (hasArrows && index !== current ? -1 : undefined);
  const total = media.length;
  // Nothing is cut off: the frame has the form of the first, within reason, and the others fit into it.
  const [first] = media;
  const ratio = Math.min(Math.max((first?.width ?? 16) / (first?.height ?? 9), 4 / 3), 16 / 9);

  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const follow = () => {
      const shown = Math.round(Math.abs(element.scrollLeft) / Math.max(element.clientWidth, 1));
      setChosen((before) => (shown === (before ?? 0) ? before : shown));
    };
    element.addEventListener('scroll', follow, { passive: true });
    return () => element.removeEventListener('scroll', follow);
  }, []);

  // The small image of the current one is always in sight; only their row scrolls, never the page.
  useEffect(() => {
    const row = thumbs.current;
    const thumb = row?.children[current] as HTMLElement | undefined;
    if (row && thumb) row.scrollTo({ left: thumb.offsetLeft - (row.clientWidth - thumb.offsetWidth) / 2 });
  }, [current]);

  const show = (index: number) => {
    const element = strip.current;
    element?.scrollTo({
      left: FORWARD * ((index + total) % total) * element.clientWidth,
      behavior: 'smooth',
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowRight: FORWARD, ArrowLeft: -FORWARD }[event.key];
    if (!by || total < 2 || !(event.target instanceof Element)) return;
    event.preventDefault();
    const next = (current + by + total) % total;
    show(next);
    const row = event.target.closest('ul, [data-strip]');
    row?.querySelectorAll('a')[next]?.focus({ preventScroll: true });
  };
  const step = 'absolute top-1/2 -translate-y-1/2 max-md:hidden';

  return (
    <section aria-label="Images and videos" onKeyDown={onKeyDown}>
      <div className="relative -mx-4 md:mx-0 print:mx-0">
        <div
          ref={strip}
          data-strip
          className="peer flex snap-x snap-mandatory overflow-x-auto [scrollbar-width:none] md:rounded-md"
        >
          {media.map((item, index) => (
            <div key={item.id} id={`media-${index + 1}`} className="w-full shrink-0 snap-center">
              {/* Without scripts the file itself opens. */}
              <a
                href={fileUrl(item.media_url)}
                tabIndex={tabIndex(index)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  setFull(index);
                }}
                className="relative block bg-sunken focus-visible:outline-none"
              >
                <span className="sr-only">
                  {item.media_type === 'video' ? 'Play video: ' : 'Show full size: '}
                </span>
                <Picture
                  {...(item.media_type === 'video'
                    ? { src: fileUrl(item.thumbnail_url) }
                    : {
                        src: fileUrl(item.compressed_url),
                        srcSet:
                          item.width && item.width > 960
                            ? `${fileUrl(item.compressed_url)} 960w, ${fileUrl(item.media_url)} ${item.width}w`
                            : undefined,
                      })}
                  sizes="(width >= 64rem) 860px, 100vw"
                  width={item.width ?? 960}
                  height={item.height ?? 540}
                  alt={describeMedia(item, title, index, total)}
                  {...(item.description && written(item.description))}
                  loading={index === 0 ? 'eager' : 'lazy'}
                  fetchPriority={index === 0 ? 'high' : undefined}
                  style={{ aspectRatio: ratio }}
                  className="w-full object-contain"
                />
                {item.media_type === 'video' && (
                  <span className="absolute inset-0 m-auto flex size-16 items-center justify-center rounded-full bg-over-picture text-white print:hidden">
                    <span className="icon icon-play size-7" />
                  </span>
                )}
              </a>
            </div>
          ))}
        </div>
        <div
          data-over-picture
          className="peer-has-focus-visible:after:pointer-events-none peer-has-focus-visible:after:absolute peer-has-focus-visible:after:inset-0 peer-has-focus-visible:after:shadow-[inset_0_0_0_6px_var(--surface)] peer-has-focus-visible:after:outline-3 peer-has-focus-visible:after:-outline-offset-3 peer-has-focus-visible:after:outline-focus md:after:rounded-md print:hidden"
        >
          {media[current]?.media_type !== 'video' && (
            <span
              aria-hidden
              className={buttonClass('over-picture', 'icon', 'pointer-events-none absolute top-4 end-4')}
            >
              <span className="icon icon-enlarge" />
            </span>
          )}
          {total > 1 && (
            <>
              <button
                type="button"
                tabIndex={-1}
                onClick={() => show(current - 1)}
                className={buttonClass('over-picture', 'icon', `${step} start-4`)}
              >
                <span className="icon icon-chevron-left" />
                <span className="sr-only">Previous</span>
              </button>
              <button
                type="button"
                tabIndex={-1}
                onClick={() => show(current + 1)}
                className={buttonClass('over-picture', 'icon', `${step} end-4`)}
              >
                <span className="icon icon-chevron-right" />
                <span className="sr-only">Next</span>
              </button>
              <p
                aria-hidden
                className="pointer-events-none absolute bottom-4 start-4 rounded-sm bg-over-picture px-3 py-1 text-sm text-white"
              >
                {current + 1} / {total}
              </p>
              <p role="status" className="sr-only">
                {chosen !== undefined &&
                  [`${chosen + 1} of ${total}`, media[chosen]?.description].filter(Boolean).join(': ')}
              </p>
            </>
          )}
        </div>
      </div>
      {total > 1 && (
        <ul
          ref={thumbs}
          className="-mx-4 mt-2 flex gap-2 overflow-x-auto px-4 py-2 md:-mx-2 md:px-2 print:mx-0 print:px-0"
        >
          {media.map((item, index) => (
            <li key={item.id} className="w-20 shrink-0 md:w-auto md:max-w-36 md:min-w-24 md:flex-1 md:shrink">
              <a
                href={`#media-${index + 1}`}
                tabIndex={tabIndex(index)}
                aria-current={index === current ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  show(index);
                }}
                className="relative block rounded-md aria-[current]:ring-3 aria-[current]:ring-accent aria-[current]:ring-offset-2 aria-[current]:ring-offset-bg"
              >
                <Thumbnail item={item} title={title} index={index} total={total} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {full !== undefined && (
        <SolutionLightbox media={media} title={title} start={full} onClose={() => setFull(undefined)} />
      )}
    </section>
  );
}
