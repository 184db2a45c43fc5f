import { reasonOr } from '#app/frame/act/use-action.ts';
import { type FieldsForm, useFields } from '#app/frame/act/use-fields.ts';
import { HELD } from '#app/frame/held-posts/data.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { type Comment, postComment } from './data.ts';
import { MAX_COMMENT_LENGTH } from './limits.ts';

interface CommentFormProps {
  solutionId: string;
  /** The comment being replied to. */
  parent?: { id: string; name: string };
  onPosted: (comment: Comment) => void;
  onDone?: () => void;
}

interface Typed {
  content: string;
  language: string;
}

const problems = ({ content }: Typed) => ({
  content: content.trim() ? undefined : 'A comment cannot be empty',
});

/** Writes a comment or a reply. What is typed is kept on this device until it has been posted. */
export function CommentForm({ solutionId, parent, onPosted, onDone }: CommentFormProps) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const form = useFields(
    { content: '', language: '' },
    {
      draft: parent ? `reply:${parent.id}` : `comment:${solutionId}`,
      problems,
      mayAct: () => {
        if (!member) signInFirst('Please sign in to comment');
        return member !== undefined;
      },
      act: async ({ content, language }) =>
        postComment(await browserClient(), {
          solution_id: solutionId,
          user_id: member?.id ?? '',
          content: content.trim(),
          language: chosenLanguage(language, content),
          parent_comment_id: parent?.id ?? null,
        }),
      done: (comment) => (comment ? `${parent ? 'Reply' : 'Comment'} posted successfully` : HELD),
      failed: reasonOr('Failed to post comment'),
      onDone: (comment) => {
        if (comment) onPosted(comment);
        onDone?.();
      },
      refresh: [['held-posts']],
    },
  );
  return (
    <CommentFields
      form={form}
      label={parent ? `Reply to ${parent.name}` : 'Comment'}
      placeholder={parent ? undefined : 'Ask a question or add your experience'}
      rows={parent ? 2 : 3}
      autoFocus={parent !== undefined}
      verb={parent ? 'Reply' : 'Post comment'}
      busy="Posting"
      onCancel={parent && onDone}
    />
  );
}

interface CommentEditorProps {
  comment: Pick<Comment, 'id' | 'content' | 'language'>;
  save: (text: Typed) => Promise<unknown>;
  onDone: () => void;
}

/** Changes a comment in its place, whether it is public or waits for review. */
export function CommentEditor({ comment, save, onDone }: CommentEditorProps) {
  const form = useFields(
    { content: comment.content, language: comment.language },
    {
      draft: `edit-comment:${comment.id}`,
      problems,
      act: ({ content, language }) => save({ content: content.trim(), language }),
      done: 'Comment updated',
      failed: reasonOr('Failed to update comment'),
      onDone,
    },
  );
  return (
    <CommentFields
      form={form}
      label="Edit comment"
      rows={3}
      autoFocus
      verb="Save changes"
      busy="Saving"
      onCancel={onDone}
    />
  );
}

interface CommentFieldsProps {
  form: FieldsForm<Typed>;
  label: string;
  placeholder?: string | undefined;
  rows: number;
  autoFocus?: boolean;
  verb: string;
  busy: string;
  onCancel?: (() => void) | undefined;
}

function CommentFields({ form, label, verb, busy, onCancel, ...rest }: CommentFieldsProps) {
  const { content } = form.fields;
  const left = MAX_COMMENT_LENGTH - content.length;
  return (
    <form method="dialog" onSubmit={form.submit}>
      <LanguageField
        form={form}
        text={content}
        label={<span className="sr-only">{label}</span>}
        error={form.errors.content}
      >
        <Textarea {...rest} {...form.register('content')} maxLength={MAX_COMMENT_LENGTH} />
      </LanguageField>
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {left <= 500 && (
          <p className="me-auto text-sm text-ink-3 tabular-nums">
            {left === 1 ? '1 character left' : `${left.toLocaleString('en-GB')} characters left`}
          </p>
        )}
        {onCancel && (
          <Button
            onClick={() => {
              form.clear();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
        <Button type="submit" variant="primary" busy={form.isPending && busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
