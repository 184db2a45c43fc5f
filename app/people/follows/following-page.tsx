import { useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { Link } from 'react-router';
import { preferencesQuery } from '#app/account/settings/data.ts';
import { PreferenceSwitches } from '#app/account/settings/preferences.tsx';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { NEWS_DAYS, newsQuery, unfollow } from './data.ts';
import { type FollowedNews, newsPath, newsText, subjectPath, subjectTitle } from './news.ts';
import { useChangeFollow } from './use-change-follow.ts';

export const meta = () => [{ title: pageTitle('Following') }, { name: 'robots', content: 'noindex' }];

const digest = [
  {
    name: 'weekly_digest',
    label: 'Weekly digest',
    hint: 'One email each Monday with what is new here. If there is nothing new, we don’t send it.',
  },
] as const;

/** What the member follows, with what is new. */
export default function FollowingPage() {
  const member = useRequiredMember();
  const { data, isError, refetch } = useQuery({
    ...newsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  const preferences = useQuery({
    ...preferencesQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  }).data;
  return (
    <div className="page py-8 md:py-10">
      <div className="mx-auto max-w-[896px]">
        <h1 className="text-2xl md:text-3xl">Following</h1>
        <p className="mt-2 max-w-[66ch] text-ink-2">
          News from the last {NEWS_DAYS} days about the members, solutions, tags, topics and searches that you
          follow. Only you can see this list.
        </p>
        <div className="mt-6 min-h-[86px] rounded-md border bg-surface px-5 py-4">
          {member && preferences && (
            <PreferenceSwitches userId={member.id} stored={preferences} rows={digest} />
          )}
        </div>
        <div className="mt-8">
          {member && data && data.length > 0 ? (
            <ul className="flex flex-col gap-4">
              {data.map((subject) => (
                <Followed key={subject.id} subject={subject} />
              ))}
            </ul>
          ) : data ? (
            <EmptyState
              icon={Rss}
              action={
                <Link to="/browse" className={buttonClass('primary')}>
                  Browse Solutions
                </Link>
              }
            >
              Press “Follow” on a solution, a member or a topic, or save a search in Browse.
            </EmptyState>
          ) : (
            <NotLoaded what="what you follow" query={{ isError, refetch }} />
          )}
        </div>
      </div>
    </div>
  );
}

function Followed({ subject }: { subject: FollowedNews }) {
  const title = subjectTitle(subject);
  const change = useChangeFollow();
  const end = () =>
    change.mutate(async (db) => {
      await unfollow(db, subject.id);
      toast({ tone: 'success', title: 'You no longer follow this' });
    });
  return (
    <li className="rounded-md border bg-surface px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <h2 className="min-w-0 text-lg">
          <Link to={subjectPath(subject)} className="wrap-anywhere hover:underline">
            <bdi dir="auto">{title}</bdi>
          </Link>
        </h2>
        <Button size="small" busy={change.isPending && 'Unfollowing'} onClick={end}>
          Unfollow<span className="sr-only"> {title}</span>
        </Button>
      </div>
      {!subject.is_known ? (
        <p className="mt-1 text-ink-2">
          This search has a filter that Browse no longer offers. Open it, choose its filters again, and save
          it.
        </p>
      ) : subject.items.length === 0 ? (
        <p className="mt-1 text-sm text-ink-3">Nothing new</p>
      ) : (
        <ul className="mt-2 flex flex-col gap-1.5">
          {subject.items.map((item) => {
            const { text, link } = newsText(subject, item);
            return (
              <li key={`${item.kind} ${item.solution_id ?? item.topic_id} ${item.at}`}>
                <bdi>{text}</bdi>{' '}
                <Link to={newsPath(item)} className="link wrap-anywhere">
                  <bdi dir="auto">{link}</bdi>
                </Link>{' '}
                <span className="text-sm whitespace-nowrap text-ink-3">{formatDay(item.at)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}
