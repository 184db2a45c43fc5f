import { useState } from 'react';
import { Link } from 'react-router';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { SaveButton } from '#app/people/collections/save-button.tsx';
import { AudienceLine } from '#app/solution/audience/audience-line.tsx';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import type { Translation } from '#app/solution/translations/data.ts';
import { LanguageSwitch } from '#app/solution/translations/language-switch.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { NotYetTranslated, useWritten } from '#app/ui/languages/untranslated.tsx';
import { lazyDialog, lazyPart } from '#app/ui/states/region.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { LikeButton } from './like-button.tsx';

const ShareDialog = lazyDialog(() => import('./share-dialog.tsx'), 'ShareDialog');
const loadMenu = () => import('./more-menu.tsx');
const MoreMenu = lazyPart(
  loadMenu,
  'MoreMenu',
  ({ trigger }) => trigger,
  (tryAgain) => (
    <Button className="max-md:flex-1 max-md:px-2" onClick={tryAgain}>
      More<span className="sr-only"> couldn’t be loaded. Try again</span>
      <span className="icon icon-again size-4" />
    </Button>
  ),
);

interface SolutionHeaderProps {
  /** In the language in which it is read. */
  solution: Solution;
  original: Solution;
  /** The one by which it is read, if any. */
  translation: Translation | undefined;
  /** Its address in that language. */
  path: string;
  /** Reads the counts again. */
  refresh: () => Promise<void>;
}

/** The title of a solution, who shared which version of it and when, its languages, and what a reader can do with it. */
export function SolutionHeader({ solution, original, translation, path, refresh }: SolutionHeaderProps) {
  const { title, author, user_id: authorId, status, version, versions, amputation_level } = solution;
  const written = useWritten(solution.language);
  const [sharing, setSharing] = useState(false);
  const name = authorName(authorId, author, 'Anonymous');
  const published = status === 'approved' && versions.find((one) => one.version === version)?.published_at;
  return (
    <>
      <nav aria-label="Breadcrumb" className="max-md:hidden print:hidden">
        <ol className="flex items-center gap-3 text-sm">
          <li>
            <Link to="/browse" className="reach text-ink-2 underline underline-offset-4 hover:text-ink">
              Browse
            </Link>
          </li>
          <li className="flex min-w-0 items-center gap-3">
            <span className="icon icon-chevron-right size-4 text-ink-3 rtl:-scale-x-100" />
            <Link
              to={browseUrl({ values: [amputation_level] })}
              className="reach text-ink-2 underline underline-offset-4 hover:text-ink"
            >
              {knownText(amputation_level)}
            </Link>
          </li>
        </ol>
      </nav>
      <div className="flex flex-col gap-x-8 gap-y-3 md:mt-4 md:gap-y-4 lg:flex-row lg:items-end lg:justify-between">
        <div className="min-w-0">
          <h1 {...written(title)} className="text-left max-w-[24em] text-2xl wrap-anywhere md:text-3xl">
            {title}
          </h1>
          <NotYetTranslated text={title} />
          <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
            <AuthorName author={author} name={name} className="text-ink" />
            <RegistrationBadge member={author} />
            {/* A checked registration names the profession itself. */}
            {authorId && author?.registration_level !== 'checked' && <bdi>{professionOf(author)}</bdi>}
            {translation && (
              <span>
                Translated by{' '}
                <AuthorName
                  author={translation.writer}
                  name={authorName(translation.user_id, translation.writer)}
                  className="text-ink"
                />
              </span>
            )}
            <span>
              {published
                ? `Version ${version}, ${formatDay(published)}`
                : `Submitted ${formatDay(solution.created_at)}`}
            </span>
            <AudienceLine audience={solution.audience} />
          </p>
          <LanguageSwitch solution={original} current={solution.language} />
        </div>
        <div className="flex flex-wrap gap-2 md:gap-3 lg:shrink-0 print:hidden">
          {status === 'approved' && (
            <>
              <LikeButton solution={solution} refresh={refresh} />
              <SaveButton solution={solution} />
              <Button className="max-md:flex-1 max-md:px-2" onClick={() => setSharing(true)}>
                <span className="icon icon-share max-sm:hidden" />
                Share
              </Button>
            </>
          )}
          <MoreButton solution={original} />
        </div>
      </div>
      {sharing && <ShareDialog path={path} title={title} onClose={() => setSharing(false)} />}
    </>
  );
}

/** The button behind which everything else is; the menu is loaded when it is about to be pressed. */
function MoreButton({ solution }: { solution: Solution }) {
  const [isPressed, setIsPressed] = useState(false);
  // A load that fails here is tried again by the press.
  const prepare = () => void loadMenu().catch(() => undefined);
  const closed = isPressed ? {} : ({ 'aria-haspopup': 'menu', 'aria-expanded': false } as const);
  const trigger = (
    <Button
      className="max-md:flex-1 max-md:px-2"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setIsPressed(true)}
      {...closed}
    >
      More
      <span className="icon icon-chevron-down size-4" />
    </Button>
  );
  return isPressed ? <MoreMenu solution={solution} trigger={trigger} /> : trigger;
}
