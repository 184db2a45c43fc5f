import { Check, ExternalLink, X } from 'lucide-react';
import { useAction } from '#app/frame/context/use-action.ts';
import { authorName } from '#app/people/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { decideSuggestion, type Suggestion } from './suggestion-data.ts';

/** A suggested link, and the two decisions on it. */
export function SuggestionItem({ suggestion }: { suggestion: Suggestion }) {
  const ago = useRelativeTime(suggestion.created_at);
  const decision = useAction({
    act: async (status: 'approved' | 'rejected') =>
      decideSuggestion(await browserClient(), suggestion.id, status),
    done: (_nothing, status) =>
      status === 'approved'
        ? { title: 'Resource Approved', text: 'It is now listed on the resources page.' }
        : { title: 'Resource Rejected', text: 'It is not listed on the resources page.' },
    failed: (_error, status) =>
      `Failed to ${status === 'approved' ? 'approve' : 'reject'} resource suggestion`,
    refresh: [['moderation'], ['resources']],
  });
  const deciding = decision.isPending && decision.variables;
  return (
    <div className="rounded-md border bg-surface px-4 py-5 md:px-6">
      <h2 dir="auto" className="text-xl wrap-anywhere">
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
      <p dir="auto" className="mt-3 max-w-prose whitespace-pre-line wrap-anywhere">
        {suggestion.description}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-3">
        <Badge>{suggestion.category}</Badge>
        <span>
          Suggested by <bdi dir="auto">{authorName(suggestion.user_id, suggestion.author)}</bdi>, {ago}
        </span>
      </p>
      <div className="mt-5 flex flex-wrap gap-3" data-decision>
        <Button
          className="text-red-ink"
          busy={deciding === 'rejected' && 'Rejecting'}
          decides
          onClick={() => deciding || decision.mutate('rejected')}
        >
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
      </div>
    </div>
  );
}
