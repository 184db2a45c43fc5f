import { useRef, useState } from 'react';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { HELD } from '#app/frame/held-posts/data.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { type Comment, postComment } from './data.ts';
import { MAX_COMMENT_LENGTH } from './limits.ts';

interface CommentFormProps {
  solutionId: string;
  /** The comment being replied to. */
  parent?: { id: string; name: string };
  onPosted: (comment: Comment) => void;
  onDone?: () => void;
}

/** Writes a comment or a reply. What is typed is kept on this device until it has been posted. */
export function CommentForm({ solutionId, parent, onPosted, onDone }: CommentFormProps) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const place = parent ? `reply:${parent.id}` : `comment:${solutionId}`;
  const { fields, change, clearDraft } = useLocalDraft(place, { content: '', language: '' });
  const posting = useAction({
    act: async (userId: string) =>
      postComment(await browserClient(), {
        solution_id: solutionId,
        user_id: userId,
        content: fields.content.trim(),
        language: chosenLanguage(fields.language, fields.content),
        parent_comment_id: parent?.id ?? null,
      }),
    done: (comment) => (comment ? `${parent ? 'Reply' : 'Comment'} posted successfully` : HELD),
    failed: reasonOr('Failed to post comment'),
    onDone: (comment) => {
      clearDraft();
      if (comment) onPosted(comment);
      onDone?.();
    },
    refresh: [['held-posts']],
  });
  return (
    <CommentFields
      label={parent ? `Reply to ${parent.name}` : 'Comment'}
      placeholder={parent ? undefined : 'Ask a question or add your experience'}
      rows={parent ? 2 : 3}
      autoFocus={parent !== undefined}
      text={fields}
      onChange={change}
      verb={parent ? 'Reply' : 'Post comment'}
      busy={posting.isPending && 'Posting'}
      onCancel={
        parent &&
        (() => {
          clearDraft();
          onDone?.();
        })
      }
      onSubmit={() => {
        if (!member) {
          signInFirst('Please sign in to comment');
        } else if (!posting.isPending) posting.mutate(member.id);
      }}
    />
  );
}

interface CommentEditorProps {
  comment: Pick<Comment, 'id' | 'content' | 'language'>;
  save: (text: { content: string; language: string }) => Promise<unknown>;
  onDone: () => void;
}

/** Changes a comment in its place, whether it is public or waits for review. */
export function CommentEditor({ comment, save, onDone }: CommentEditorProps) {
  const { fields, change, clearDraft } = useLocalDraft(`edit-comment:${comment.id}`, {
    content: comment.content,
    language: comment.language,
  });
  const saving = useAction({
    act: () => save({ content: fields.content.trim(), language: fields.language }),
    done: 'Comment updated',
    failed: reasonOr('Failed to update comment'),
    onDone: () => {
      clearDraft();
      onDone();
    },
  });
  return (
    <CommentFields
      label="Edit comment"
      rows={3}
      autoFocus
      text={fields}
      onChange={change}
      verb="Save changes"
      busy={saving.isPending && 'Saving'}
      onCancel={() => {
        clearDraft();
        onDone();
      }}
      onSubmit={() => saving.isPending || saving.mutate()}
    />
  );
}

interface CommentFieldsProps {
  label: string;
  placeholder?: string | undefined;
  rows: number;
  autoFocus?: boolean;
  text: { content: string; language: string };
  onChange: (part: { content: string } | { language: string }) => void;
  verb: string;
  busy: string | false;
  onCancel?: (() => void) | undefined;
  /** Called with a text that is not empty. */
  onSubmit: () => void;
}

function CommentFields({
  label,
  text: { content, language },
  onChange,
  verb,
  busy,
  onCancel,
  onSubmit,
  ...rest
}: CommentFieldsProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [isTried, setTried] = useState(false);
  const isEmpty = !content.trim();
  const left = MAX_COMMENT_LENGTH - content.length;
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(isEmpty);
        if (isEmpty) box.current?.focus();
        else onSubmit();
      }}
    >
      <Field
        label={<span className="sr-only">{label}</span>}
        error={isTried && isEmpty ? 'A comment cannot be empty' : undefined}
      >
        <Textarea
          {...rest}
          ref={box}
          dir="auto"
          maxLength={MAX_COMMENT_LENGTH}
          value={content}
          onChange={(event) => onChange({ content: event.target.value })}
        />
      </Field>
      <LanguageChoice
        text={content}
        chosen={language}
        onChange={(chosen) => onChange({ language: chosen })}
        className="mt-2"
      />
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {left <= 500 && (
          <p className="me-auto text-sm text-ink-3 tabular-nums">
            {left === 1 ? '1 character left' : `${left.toLocaleString('en-GB')} characters left`}
          </p>
        )}
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" busy={busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
