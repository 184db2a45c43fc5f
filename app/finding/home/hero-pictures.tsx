import { Link } from 'react-router';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import type { SolutionCardData } from '#app/solution/solutions/data.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import blade from './blade.svg';
import knee from './knee.svg';
import myo from './myo.svg';

/** All are as wide as they are on cards, so that no device is cut off: one across, or beside the others where it is alone. */
const frames = ['col-span-2 max-lg:md:row-span-2', 'max-lg:md:col-start-3', 'max-lg:md:col-start-3'];

/**
 * Three pictures beside the headline: of real solutions that the grid below does not show, else the site's
 * drawings.
 */
export function HeroPictures({ solutions }: { solutions: SolutionCardData[] }) {
  const fileUrl = useFileUrl();
  const pictured = solutions.filter(({ thumbnail_url }) => thumbnail_url);
  const drawings = [knee, blade, myo];
  return (
    <div className="grid grid-cols-2 content-center gap-2 md:gap-3 max-lg:md:grid-cols-3">
      {frames.map((frame, index) => {
        const solution = pictured.length >= frames.length ? pictured[index] : undefined;
        return (
          <div
            key={frame + drawings[index]}
            className={classes('group relative aspect-video overflow-hidden rounded-md bg-chip', frame)}
          >
            <Picture
              src={solution?.thumbnail_url ? fileUrl(solution.thumbnail_url) : drawings[index]}
              alt=""
              className="absolute inset-0 size-full object-cover"
              width={960}
              height={540}
              loading={index === 0 ? 'eager' : 'lazy'}
              fetchPriority={index === 0 ? 'high' : undefined}
            />
            {solution && (
              <Link
                to={`/solutions/${solution.id}`}
                prefetch="intent"
                data-over-picture
                className="absolute inset-0 flex items-end rounded-md -outline-offset-4 text-white"
              >
                {/* The ground is as high as the words, however narrow the picture and large the letters are. */}
                <span
                  className={
                    index === 0
                      ? 'block w-full bg-linear-to-t from-[rgb(10_24_22/.8)] from-70% to-transparent p-4 pt-10 md:p-5 md:pt-12'
                      : 'sr-only'
                  }
                >
                  <SafetyMark kind={solution.safety_kind} />
                  <span className="block group-hover:underline">{solution.title}</span>
                  <span className="block text-sm">
                    {solution.author} · {solution.profession}
                  </span>
                </span>
              </Link>
            )}
          </div>
        );
      })}
    </div>
  );
}
