import { useQuery } from '@tanstack/react-query';
import { Check, ExternalLink, X } from 'lucide-react';
import { useState } from 'react';
import {
  decideSuggestion,
  type SuggestionDecision,
  suggestionsQuery,
} from '#app/community/resources/suggestion-data.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { authorName } from '#app/frame/members/names.ts';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { browserClient } from '#app/supabase.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

const TextDialog = lazyDialog(() => import('#app/ui/surfaces/text-dialog.tsx'), 'TextDialog');

/** One suggested resource of the queue, and the two decisions on it. */
export function SuggestionReview({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(suggestionsQuery(browserClient));
  const [isRejecting, setRejecting] = useState(false);
  const suggestion = data?.find((one) => one.id === id);
  const decision = useAction({
    act: async (made: SuggestionDecision) => decideSuggestion(await browserClient(), id, made),
    done: (_nothing, { status }) =>
      status === 'approved'
        ? { title: 'Resource Approved', text: 'It is now listed on the resources page.' }
        : { title: 'Resource Rejected', text: 'The member who suggested it has been notified.' },
    failed: (_error, { status }) =>
      `Failed to ${status === 'approved' ? 'approve' : 'reject'} resource suggestion`,
    refresh: [['moderation'], ['resources']],
  });
  if (isError && !data)
    return <LoadFailed isTold title="Failed to load resource suggestions" onRetry={() => void refetch()} />;
  if (!suggestion) return <LoadingRows label="Loading the suggestion" />;
  const deciding = decision.isPending && decision.variables;
  return (
    <>
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
          Suggested by <bdi dir="auto">{authorName(suggestion.user_id, suggestion.author)}</bdi>,{' '}
          {formatDay(suggestion.created_at)}
        </span>
      </p>
      <DecisionBar
        kind="resource"
        id={id}
        hint="Approve lists it on the resources page."
        primary={{
          label: 'Approve',
          icon: Check,
          busy: deciding && deciding.status === 'approved' && 'Approving',
          onPress: () => deciding || decision.mutate({ status: 'approved' }),
        }}
        second={{ label: 'Reject', icon: X, isRed: true, onPress: () => setRejecting(true) }}
      />
      {isRejecting && (
        <TextDialog
          title="Reject resource"
          description={`${authorName(suggestion.user_id, suggestion.author)} sees your reason.`}
          label="Reason"
          hint="Say why it does not fit, for example that the link needs an account"
          maxLength={2000}
          missing="Please provide a reason"
          action={{ label: 'Reject', variant: 'danger', busy: deciding && 'Rejecting' }}
          onSend={(reason) => decision.mutate({ status: 'rejected', rejection_reason: reason })}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  );
}
