import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { Missing } from '#app/frame/layout/not-found.tsx';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { usePageTitle } from '#app/frame/page/page-title.ts';
import { useMember, useViewer } from '#app/session.ts';
import { CiteButton } from '#app/solution/citing/cite-button.tsx';
import { FabricationSection } from '#app/solution/fabrication/fabrication-view.tsx';
import { Gallery } from '#app/solution/media-viewer/gallery.tsx';
import { SafetyNotices } from '#app/solution/safety-notices/safety-notices.tsx';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { Fact } from '#app/solution/solutions/fact.tsx';
import { SolutionSkeleton } from '#app/solution/solutions/solution-skeleton.tsx';
import { SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { factsOf } from '#app/solution/solutions/value-lists.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { WithdrawnNotice } from '#app/solution/withdrawals/withdrawn-notice.tsx';
import { browserClient } from '#app/supabase.ts';
import { Select } from '#app/ui/controls/input.tsx';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { Comparison } from './comparison.tsx';
import { shownMedia, versionQuery } from './content.ts';
import type { Content } from './content-schema.ts';
import { fileLines, outcomeLines } from './diff.ts';
import { RemoveVersion } from './remove-version.tsx';
import { VersionList } from './version-list.tsx';

/** The versions that one can be compared with. */
const othersOf = ({ versions }: Solution, version: number) =>
  versions.filter((one) => one.version !== version && !one.removed_at);

/** The version to compare with: the one that the address names, or else the one before. */
export function comparedWith(solution: Solution, version: number, asked: string | null): number | undefined {
  const others = othersOf(solution, version);
  return (others.find((one) => one.version === Number(asked)) ?? others.find((one) => one.version < version))
    ?.version;
}

/** The title of the page of a version. */
export const versionTitle = (title: string, version: number) => `${title}, version ${version}`;

/** A version of a published solution: its text, and what it changed. */
export function VersionView({ solutionId, version }: { solutionId: string; version: number }) {
  const [params, setParams] = useSearchParams();
  const member = useMember();
  const viewer = useViewer();
  const { data: solution, isFetching } = useQuery(solutionQuery(browserClient, solutionId));
  const withdrawn = useQuery({
    ...withdrawnQuery(browserClient, solutionId),
    enabled: solution === null,
  }).data;
  const { data: shown, isFetching: isFetchingVersion } = useQuery(
    versionQuery(browserClient, solutionId, version),
  );
  const other = solution && shown ? comparedWith(solution, version, params.get('compare')) : undefined;
  const compared = useQuery({
    ...versionQuery(browserClient, solutionId, other ?? 0),
    enabled: other !== undefined,
  }).data;

  usePageTitle(
    solution && shown
      ? warnedTitle(solution.safety_kind, versionTitle(shown.content?.title ?? solution.title, version))
      : undefined,
  );

  if (withdrawn) return <WithdrawnNotice withdrawn={withdrawn} />;
  if (!solution || !shown)
    return (
      <Missing isAsking={isFetching || isFetchingVersion} waiting={<SolutionSkeleton />}>
        <ErrorScreen title="Version not found" way={{ to: '/browse', label: 'Browse Solutions' }}>
          It may have been removed, or the address may be mistyped.
        </ErrorScreen>
      </Missing>
    );
  const { content, change_note: note, published_at: publishedAt } = shown;
  const title = content?.title ?? solution.title;
  const isCurrent = version === solution.version;
  const name = authorName(solution.user_id, solution.author);
  const mayRemove = viewer?.isModerator || (member != null && member.id === solution.user_id);
  const [earlier, later] = other !== undefined && other < version ? [compared, shown] : [shown, compared];
  return (
    <div className="page pt-5 pb-16 md:pt-7">
      <SafetyNotices solution={solution} />
      {!isCurrent && (
        <Banner tone="amber" icon={History} title="This is an earlier version." className="mb-6 print:hidden">
          <Link to={`/solutions/${solution.id}`} className="reach underline underline-offset-4">
            See version {solution.version}
          </Link>
        </Banner>
      )}
      <p className="text-sm">
        <Link to={`/solutions/${solution.id}`} className="reach link">
          Back to the solution
        </Link>
      </p>
      <h1
        {...textLanguage(content?.language ?? solution.language)}
        className="text-left mt-3 max-w-[24em] text-2xl wrap-anywhere md:text-3xl"
      >
        {title}
      </h1>
      <p className="mt-2 text-ink-2">
        <AuthorName author={solution.author} name={name} className="text-ink" /> · Version {version},{' '}
        {formatDay(publishedAt)}
      </p>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          {content ? (
            <>
              <VersionMedia content={content} media={solution.media} title={title} />
              {other !== undefined && earlier?.content && later?.content && (
                <Comparison
                  title={`Changed from version ${earlier.version} to version ${later.version}`}
                  before={earlier.content}
                  after={later.content}
                  media={solution.media}
                  heading="h2"
                  note={other === version - 1 ? note : null}
                />
              )}
              <SolutionText solution={content} />
              <VersionFacts content={content} media={solution.media} />
            </>
          ) : (
            <p className="text-prose text-ink-2">The text of this version was removed.</p>
          )}
        </div>
        <aside
          aria-label="Versions"
          className="self-start rounded-md border bg-surface px-5 py-4 md:px-6 print:hidden"
        >
          <h2 className="text-xl">Versions</h2>
          <VersionList solution={solution} except={version} />
          {solution.versions.length > 2 && content && (
            <div className="mt-2">
              <label htmlFor="compare" className="block text-sm text-ink-2">
                Compare with
              </label>
              <Select
                id="compare"
                className="mt-1"
                value={other ?? ''}
                onChange={({ target }) =>
                  setParams({ compare: target.value }, { replace: true, preventScrollReset: true })
                }
              >
                {othersOf(solution, version).map((one) => (
                  <option key={one.version} value={one.version}>
                    Version {one.version}
                  </option>
                ))}
              </Select>
            </div>
          )}
          <div className="mt-3 flex flex-col items-start gap-2 border-t pt-3">
            <CiteButton
              cited={{
                id: solution.id,
                title,
                author: name,
                version,
                publishedAt,
                safetyKind: solution.safety_kind,
              }}
            >
              Cite this
            </CiteButton>
            {mayRemove && !isCurrent && content && (
              <RemoveVersion solutionId={solution.id} version={version} />
            )}
          </div>
        </aside>
      </div>
    </div>
  );
}

interface VersionMediaProps {
  content: Content;
  /** Those of the solution; what was removed is not among them. */
  media: Solution['media'];
  title: string;
}

/** The images and videos of a version as it described them, with how many of them are gone. */
function VersionMedia({ content, media, title }: VersionMediaProps) {
  const shown = content.media.flatMap(({ id, description }) => {
    const one = shownMedia(media, id);
    return one ? [{ ...one, description: description ?? null }] : [];
  });
  const removed = content.media.length - shown.length;
  return (
    <div className="mb-6 empty:hidden md:mb-8">
      {shown.length > 0 && <Gallery media={shown} title={title} language={content.language} />}
      {removed > 0 && (
        <p className="mt-3 text-ink-2">
          {removed === 1
            ? '1 image or video of this version was removed.'
            : `${removed} images or videos of this version were removed.`}
        </p>
      )}
    </div>
  );
}

/** What a version says beside its text: the choices, outcomes, building and files. */
function VersionFacts({ content, media }: { content: Content; media: Solution['media'] }) {
  return (
    <>
      <dl className="mt-8 max-w-[66ch] rounded-md border bg-surface px-5 py-2 *:first:border-t-0 md:px-6">
        {factsOf(content).map(({ column, label, text }) => (
          <Fact key={column} name={label}>
            <bdi>{text}</bdi>
          </Fact>
        ))}
        {content.licence && <Fact name="Licence">{content.licence}</Fact>}
      </dl>
      {content.outcomes.length > 0 && (
        <section className="mt-8">
          <h2 className="text-xl">Measured outcomes</h2>
          <ul className="mt-2 flex max-w-[66ch] list-disc flex-col gap-1 ps-5">
            {content.outcomes.map((outcome, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the outcomes of a version never move
              <li key={index} className="wrap-anywhere">
                {outcomeLines([outcome])}
              </li>
            ))}
          </ul>
        </section>
      )}
      <FabricationSection
        language={content.language}
        fabrication={content.fabrication}
        media={media.map((one) => ({ ...one, id: one.copy_of ?? one.id }))}
      />
      {content.files.length > 0 && (
        <section className="mt-8">
          <h2 className="text-xl">Build files</h2>
          <ul className="mt-2 flex max-w-[66ch] list-disc flex-col gap-1 ps-5">
            {content.files.map((file) => (
              <li key={file.id} className="wrap-anywhere">
                {fileLines([file])}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
