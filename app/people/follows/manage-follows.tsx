import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { preferencesQuery } from '#app/account/settings/data.ts';
import { PreferenceSwitches } from '#app/account/settings/preferences.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { unfollow } from './data.ts';
import { type FollowedNews, subjectPath, subjectTitle } from './news.ts';
import { useChangeFollow } from './use-change-follow.ts';

const digest = [
  {
    name: 'weekly_digest',
    label: 'Weekly digest',
    hint: 'One email each Monday with what is new here. If there is nothing new, we don’t send it.',
  },
] as const;

/** All that the member follows, each to be ended, and whether they get it by email. It is open where one needs their attention. */
export function ManageFollows({ memberId, subjects }: { memberId: string; subjects: FollowedNews[] }) {
  const preferences = useQuery(preferencesQuery(browserClient, memberId)).data;
  return (
    <details
      open={subjects.some((subject) => !subject.is_known) || undefined}
      className="mt-6 rounded-md border bg-surface px-5"
    >
      <summary className="disclosure">
        <span>
          Manage <span className="font-normal text-ink-3">{subjects.length} followed</span>
        </span>
      </summary>
      <div className="border-t py-4">
        {preferences && <PreferenceSwitches userId={memberId} stored={preferences} rows={digest} />}
      </div>
      <ul aria-label="What you follow" className="divide-y border-t pb-2">
        {subjects.map((subject) => (
          <Followed key={subject.id} subject={subject} />
        ))}
      </ul>
    </details>
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
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <Link to={subjectPath(subject)} className="reach wrap-anywhere hover:underline">
          <bdi {...asWritten(title)}>{title}</bdi>
        </Link>
        {!subject.is_known && (
          <p className="text-sm text-ink-2">
            This search has a filter that Browse no longer offers. Open it, choose its filters again, and save
            it.
          </p>
        )}
      </div>
      <Button size="small" busy={change.isPending && 'Unfollowing'} onClick={end}>
        Unfollow<span className="sr-only"> {title}</span>
      </Button>
    </li>
  );
}
