import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, ExternalLink, Inbox, X } from 'lucide-react';
import { messageOf } from '#app/errors.ts';
import { authorName } from '#app/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadFailed, LoadingRows } from '#app/ui/loading-rows.tsx';
import { useRelativeTime } from '#app/ui/relative-time.ts';
import { toast } from '#app/ui/toast.tsx';
import { decideSuggestion, type Suggestion, suggestionsQuery } from './suggestion-data.ts';

/** Links that members suggested, longest waiting first. */
export function ResourceSuggestions() {
  const { data, isError, refetch } = useQuery(suggestionsQuery(browserClient));
  if (!data)
    return isError ? (
      <LoadFailed title="Failed to load resource suggestions" onRetry={() => void refetch()} />
    ) : (
      <LoadingRows label="Loading resource suggestions" />
    );
  if (data.length === 0) return <EmptyState icon={Inbox}>No resource suggestions are waiting</EmptyState>;
  return (
    <ul aria-label="Resource suggestions" className="divide-y overflow-clip rounded-md border bg-surface">
      {data.map((suggestion) => (
        <SuggestionItem key={suggestion.id} suggestion={suggestion} />
      ))}
    </ul>
  );
}

export function SuggestionItem({ suggestion }: { suggestion: Suggestion }) {
  const cache = useQueryClient();
  const ago = useRelativeTime(suggestion.created_at);
  const decision = useMutation({
    mutationFn: async (status: 'approved' | 'rejected') =>
      decideSuggestion(await browserClient(), suggestion.id, status),
    networkMode: 'always',
    onSuccess: (_nothing, status) =>
      toast({
        tone: 'success',
        title: status === 'approved' ? 'Resource Approved' : 'Resource Rejected',
        text:
          status === 'approved'
            ? 'It is now listed on the resources page.'
            : 'It is not listed on the resources page.',
      }),
    onError: (error, status) =>
      toast({
        tone: 'error',
        title:
          status === 'approved'
            ? 'Failed to approve resource suggestion'
            : 'Failed to reject resource suggestion',
        text: messageOf(error, ''),
      }),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['moderation', 'suggestions'] }),
        cache.invalidateQueries({ queryKey: ['moderation', 'queue'] }),
        cache.invalidateQueries({ queryKey: ['resources'] }),
      ]),
  });
  const deciding = decision.isPending && decision.variables;
  return (
    <li className="flex flex-wrap items-start gap-x-8 gap-y-4 px-4 py-5 md:px-6">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="text-lg font-title wrap-anywhere">{suggestion.resource_name}</h2>
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
        <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">{suggestion.description}</p>
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-3">
          <Badge>{suggestion.category}</Badge>
          {authorName(suggestion.user_id, suggestion.author)}, {ago}
        </p>
      </div>
      <div className="flex gap-3">
        <Button
          size="bar"
          className="text-red-ink"
          busy={deciding === 'rejected' && 'Rejecting'}
          onClick={() => !deciding && decision.mutate('rejected')}
        >
          <X className="size-5" strokeWidth={1.75} aria-hidden />
          Reject<span className="sr-only"> {suggestion.resource_name}</span>
        </Button>
        <Button
          size="bar"
          busy={deciding === 'approved' && 'Approving'}
          onClick={() => !deciding && decision.mutate('approved')}
        >
          <Check className="size-5 text-ok" strokeWidth={1.75} aria-hidden />
          Approve<span className="sr-only"> {suggestion.resource_name}</span>
        </Button>
      </div>
    </li>
  );
}
