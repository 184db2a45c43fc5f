import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Topic, updateTopic } from '#app/community/forum/data.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { DeleteContent } from './delete-content.tsx';

/** Pin, lock and delete. */
export function ModeratorControls({ topic, moderatorId }: { topic: Topic; moderatorId: string }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const changing = useAction({
    act: async (change: { is_pinned: boolean } | { is_locked: boolean }) =>
      updateTopic(await browserClient(), topic.id, change),
    done: (_nothing, change) => {
      if ('is_pinned' in change) return change.is_pinned ? 'Topic pinned' : 'Topic unpinned';
      return change.is_locked ? 'Topic locked' : 'Topic unlocked';
    },
    failed: 'Failed to update topic',
    refresh: [
      ['forum', 'topic', topic.id],
      ['forum', 'topics'],
    ],
  });
  const { is_pinned: pinned, is_locked: locked } = topic;
  const change = (part: Parameters<typeof changing.mutate>[0]) => changing.isPending || changing.mutate(part);
  return (
    // They come after the page: on phones they are as wide as their icons, so that they stay in the line of the others.
    <div data-compact className="contents">
      <button
        type="button"
        className="reach text-action max-sm:px-2"
        onClick={() => change({ is_pinned: !pinned })}
      >
        <span className={pinned ? 'icon icon-unpin size-4' : 'icon icon-pin size-4'} />
        <span className="max-sm:sr-only">{pinned ? 'Unpin' : 'Pin'}</span>
      </button>
      <button
        type="button"
        className="reach text-action max-sm:px-2"
        onClick={() => change({ is_locked: !locked })}
      >
        <span className={locked ? 'icon icon-unlock size-4' : 'icon icon-lock size-4'} />
        <span className="max-sm:sr-only">{locked ? 'Unlock' : 'Lock'}</span>
      </button>
      <DeleteContent
        what={{ topic: topic.id, authorId: topic.user_id, moderatorId }}
        onDeleted={async () => {
          await navigate('/forum', { replace: true });
          void cache.invalidateQueries({ queryKey: ['forum', 'topics'] });
        }}
      />
    </div>
  );
}
