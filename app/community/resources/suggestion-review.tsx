import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { authorName } from '#app/frame/members/names.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { browserClient } from '#app/supabase.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { decideSuggestion, suggestionsQuery } from './suggestion-data.ts';

/** One suggested resource of the queue, and the two decisions on it. */
export function SuggestionReview({ id }: ReviewProps) {
  const query = useQuery(suggestionsQuery(browserClient));
  const suggestion = query.data?.find((one) => one.id === id);
  if (!suggestion)
    return (
      <NotLoaded
        loading="Loading the suggestion"
        failed="Failed to load resource suggestions"
        query={query}
      />
    );
  const author = authorName(suggestion.user_id, suggestion.author);
  return (
    <ReviewCase
      kind="resource"
      id={id}
      hint="Approve lists it on the resources page."
      act={(db, made) => decideSuggestion(db, id, made)}
      done={{
        approved: { title: 'Resource Approved', text: 'It is now listed on the resources page.' },
        rejected: { title: 'Resource Rejected', text: 'The member who suggested it has been notified.' },
      }}
      failed={(_error, { status }) =>
        `Failed to ${status === 'approved' ? 'approve' : 'reject'} resource suggestion`
      }
      refresh={[['resources']]}
      decline={{
        label: 'Reject',
        title: 'Reject resource',
        verb: 'Reject',
        busy: 'Rejecting',
        description: `${author} sees your reason.`,
        hint: 'Say why it does not fit, for example that the link needs an account',
      }}
    >
      <h2
        {...asWritten(suggestion.resource_name, suggestion.language)}
        className="text-left text-xl wrap-anywhere md:text-2xl"
      >
        {suggestion.resource_name}
      </h2>
      <a
        href={suggestion.resource_url}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="link inline-flex items-center gap-2 wrap-anywhere"
      >
        {suggestion.resource_url}
        <ExternalLink className="size-4 shrink-0" strokeWidth={2} aria-hidden />
        <span className="sr-only"> opens in a new tab</span>
      </a>
      <p
        {...asWritten(suggestion.description, suggestion.language)}
        className="mt-3 max-w-prose whitespace-pre-line wrap-anywhere"
      >
        {suggestion.description}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-3">
        <Badge>{knownText(suggestion.category)}</Badge>
        <span>
          Suggested by <bdi dir="auto">{author}</bdi>, {formatDay(suggestion.created_at)}
        </span>
      </p>
    </ReviewCase>
  );
}
