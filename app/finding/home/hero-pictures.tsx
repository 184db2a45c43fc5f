import { Link } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import type { SolutionCardData } from '#app/solution/solutions/data.ts';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import blade from './blade.svg';
import knee from './knee.svg';
import myo from './myo.svg';

const frames = [
  'col-span-2 aspect-[3/2] md:aspect-auto md:row-span-2',
  'aspect-[16/9] md:col-start-3 md:aspect-auto',
  'aspect-[16/9] md:col-start-3 md:aspect-auto',
];

/**
 * Three pictures beside the headline: of real solutions that the grid below does not show, else the site's
 * drawings.
 */
export function HeroPictures({ solutions }: { solutions: SolutionCardData[] }) {
  const fileUrl = useFileUrl();
  const pictured = solutions.filter(({ thumbnail_url }) => thumbnail_url);
  const drawings = [
    `${knee}#svgView(viewBox(330,0,393,398))`,
    `${blade}#svgView(viewBox(360,60,200,197))`,
    `${myo}#svgView(viewBox(480,110,320,315))`,
  ];
  return (
    <div className="grid grid-cols-2 gap-2.5 md:grid-cols-3 md:grid-rows-2 md:gap-3 lg:h-[392px] max-lg:md:h-[420px]">
      {frames.map((frame, index) => {
        const solution = pictured.length >= frames.length ? pictured[index] : undefined;
        return (
          <div
            key={frame + drawings[index]}
            className={classes('group relative overflow-hidden rounded-md bg-chip', frame)}
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
                className={classes(
                  'absolute inset-0 flex items-end rounded-md -outline-offset-4 text-white',
                  index === 0 && 'bg-linear-to-t from-[rgb(10_24_22/.9)] from-10% to-transparent to-60% p-5',
                )}
              >
                <span className={index === 0 ? 'block' : 'sr-only'}>
                  <span className="block group-hover:underline">{solution.title}</span>
                  <span className="mt-0.5 block text-sm">
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
