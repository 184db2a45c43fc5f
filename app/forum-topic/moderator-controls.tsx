import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Lock, LockOpen, Pin, PinOff } from 'lucide-react';
import { useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { type Topic, updateTopic } from '#app/forum/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { DeleteContent } from './delete-content.tsx';

/** Pin, lock and delete. */
export function ModeratorControls({ topic, moderatorId }: { topic: Topic; moderatorId: string }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const changing = useMutation({
    mutationFn: async (change: { is_pinned: boolean } | { is_locked: boolean }) =>
      updateTopic(await browserClient(), topic.id, change),
    networkMode: 'always',
    onSuccess: async (_nothing, change) => {
      const done =
        'is_pinned' in change
          ? change.is_pinned
            ? 'Topic pinned'
            : 'Topic unpinned'
          : change.is_locked
            ? 'Topic locked'
            : 'Topic unlocked';
      toast({ tone: 'success', title: done });
      void cache.invalidateQueries({ queryKey: ['forum', 'topics'] });
      await cache.invalidateQueries({ queryKey: ['forum', 'topic', topic.id] });
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'Failed to update topic', text: messageOf(error, '') || undefined }),
  });
  const { is_pinned: pinned, is_locked: locked } = topic;
  const PinIcon = pinned ? PinOff : Pin;
  const LockIcon = locked ? LockOpen : Lock;
  const change = (part: Parameters<typeof changing.mutate>[0]) => changing.isPending || changing.mutate(part);
  return (
    <>
      <Button size="small" onClick={() => change({ is_pinned: !pinned })}>
        <PinIcon className="size-4" strokeWidth={2} aria-hidden />
        {pinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button size="small" onClick={() => change({ is_locked: !locked })}>
        <LockIcon className="size-4" strokeWidth={2} aria-hidden />
        {locked ? 'Unlock' : 'Lock'}
      </Button>
      <DeleteContent
        what={{ topic: topic.id, authorId: topic.user_id, moderatorId }}
        name="topic"
        onDeleted={() => {
          void navigate('/forum', { replace: true });
          void cache.invalidateQueries({ queryKey: ['forum', 'topics'] });
        }}
      />
    </>
  );
}
