import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { describeMedia, type ViewedMedia } from './media-description.ts';

interface ThumbnailProps {
  item: ViewedMedia;
  /** The title of the solution or report, which names an image without a description. */
  title: string;
  index: number;
  total: number;
}

/** A small image in the link that shows it large; a video's has the sign of a player. */
export function Thumbnail({ item, title, index, total }: ThumbnailProps) {
  const fileUrl = useFileUrl();
  return (
    <>
      <Picture
        src={fileUrl(item.thumbnail_url)}
        alt={`Show ${describeMedia(item, title, index, total)}`}
        width={160}
        height={120}
        loading="lazy"
        className="aspect-[4/3] w-full rounded-md object-cover"
      />
      {item.media_type === 'video' && (
        <span className="absolute inset-0 m-auto flex size-9 items-center justify-center rounded-full bg-over-picture text-white print:hidden">
          <span className="icon icon-play size-4" />
        </span>
      )}
    </>
  );
}
