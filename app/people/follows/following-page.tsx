import { useQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { Link } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { NEWS_DAYS, newsQuery } from './data.ts';
import { Feed } from './feed.tsx';
import { ManageFollows } from './manage-follows.tsx';
import { feedOf } from './news.ts';

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Following') }, { name: 'robots', content: 'noindex' }];

/** What is new of all that the member follows, by date, and the list of what they follow. */
export default function FollowingPage() {
  const member = useRequiredMember();
  const { data, isError, refetch } = useQuery({
    ...newsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  const entries = feedOf(data ?? []);
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        <h1 className="text-2xl md:text-3xl">Following</h1>
        <p className="mt-2 max-w-[66ch] text-ink-2">
          What is new from the members, solutions, tags, topics and searches that you follow, in the last{' '}
          {NEWS_DAYS} days. To keep a solution, save it. You’ll find it under{' '}
          <Link to="/saved" className="link">
            Saved
          </Link>
          . Only you can see both pages.
        </p>
        {member && data ? (
          <>
            <ManageFollows memberId={member.id} subjects={data} />
            <div className="mt-6">
              {entries.length > 0 ? (
                <Feed entries={entries} />
              ) : (
                <EmptyState
                  icon={Rss}
                  action={
                    <Link to="/browse" className={buttonClass('primary')}>
                      Browse Solutions
                    </Link>
                  }
                >
                  {data.length > 0
                    ? 'Nothing new from what you follow.'
                    : 'Press “Follow” on a solution, a member or a topic, or save a search in Browse.'}
                </EmptyState>
              )}
            </div>
          </>
        ) : (
          <div className="mt-8">
            <NotLoaded
              loading="Loading what you follow"
              failed="Failed to load what you follow"
              query={{ isError, refetch }}
            />
          </div>
        )}
      </div>
    </div>
  );
}
