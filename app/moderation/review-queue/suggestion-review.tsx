import { useQuery } from '@tanstack/react-query';
import { Check, ExternalLink, X } from 'lucide-react';
import { useState } from 'react';
import { decideSuggestion, suggestionsQuery } from '#app/community/resources/suggestion-data.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { authorName } from '#app/people/members/names.ts';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/** One suggested resource of the queue, and the two decisions on it. */
export function SuggestionReview({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(suggestionsQuery(browserClient));
  const claim = useClaim('resource', id);
  const [isRejecting, setRejecting] = useState(false);
  const suggestion = data?.find((one) => one.id === id);
  const decision = useAction({
    act: async (status: 'approved' | 'rejected') => decideSuggestion(await browserClient(), id, status),
    done: (_nothing, status) =>
      status === 'approved'
        ? { title: 'Resource Approved', text: 'It is now listed on the resources page.' }
        : { title: 'Resource Rejected', text: 'It is not listed on the resources page.' },
    failed: (_error, status) =>
      `Failed to ${status === 'approved' ? 'approve' : 'reject'} resource suggestion`,
    refresh: [['moderation'], ['resources']],
  });
  if (isError && !data)
    return <LoadFailed isTold title="Failed to load resource suggestions" onRetry={() => void refetch()} />;
  if (!suggestion) return <LoadingRows label="Loading the suggestion" />;
  const deciding = decision.isPending && decision.variables;
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
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
        className="link inline-flex items-center gap-1.5 wrap-anywhere"
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
      <DecisionBar>
        <Button className="text-red-ink" onClick={() => setRejecting(true)}>
          <X className="size-5" strokeWidth={1.75} aria-hidden />
          Reject<span className="sr-only"> {suggestion.resource_name}</span>
        </Button>
        <Button
          variant="primary"
          busy={deciding === 'approved' && 'Approving'}
          onClick={() => deciding || decision.mutate('approved')}
        >
          <Check className="size-5" strokeWidth={1.75} aria-hidden />
          Approve<span className="sr-only"> {suggestion.resource_name}</span>
        </Button>
      </DecisionBar>
      {isRejecting && (
        <ConfirmDialog
          title="Reject suggestion"
          question="The member who made it is notified. This can’t be undone."
          verb="Reject"
          busy={deciding === 'rejected' && 'Rejecting'}
          onConfirm={() => decision.mutate('rejected')}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  );
}
