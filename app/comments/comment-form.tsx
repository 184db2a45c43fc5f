import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Textarea } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Comment, postComment } from './data.ts';
import { MAX_COMMENT_LENGTH } from './limits.ts';

interface CommentFormProps {
  solutionId: string;
  /** The comment being replied to. */
  parent?: { id: string; name: string };
  onPosted: (comment: Comment) => void;
  onDone?: () => void;
}

export function CommentForm({ solutionId, parent, onPosted, onDone }: CommentFormProps) {
  const id = useId();
  const member = useMember();
  const [text, setText] = useState('');
  const posting = useMutation({
    mutationFn: async (userId: string) =>
      postComment(await browserClient(), {
        solution_id: solutionId,
        user_id: userId,
        content: text.trim(),
        parent_comment_id: parent?.id ?? null,
      }),
    // Without a connection sending fails at once, and the typed text stays.
    networkMode: 'always',
    onSuccess: (comment) => {
      toast({ tone: 'success', title: parent ? 'Reply posted successfully' : 'Comment posted successfully' });
      setText('');
      onPosted(comment);
      onDone?.();
    },
    onError: (error) => toast({ tone: 'error', title: messageOf(error, 'Failed to post comment') }),
  });
  const label = parent ? `Reply to ${parent.name}` : 'Comment';
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (!member) toast({ tone: 'error', title: 'Sign in required', text: 'Please sign in to comment' });
        else if (text.trim() && !posting.isPending) posting.mutate(member.id);
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Textarea
        id={id}
        rows={parent ? 2 : 3}
        maxLength={MAX_COMMENT_LENGTH}
        placeholder={parent ? undefined : 'Ask a question or add your experience'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoFocus={parent !== undefined}
      />
      <div className="mt-2.5 flex justify-end gap-2">
        {parent && <Button onClick={onDone}>Cancel</Button>}
        <Button type="submit" variant="primary" busy={posting.isPending && 'Sending'}>
          {parent ? 'Reply' : 'Post comment'}
        </Button>
      </div>
    </form>
  );
}
