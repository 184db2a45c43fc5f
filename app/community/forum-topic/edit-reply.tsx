import { MAX_TEXT_LENGTH } from '#app/community/forum/categories.ts';
import type { Post } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { useFields } from '#app/frame/act/use-fields.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';

interface EditReplyProps {
  post: Pick<Post, 'id' | 'content' | 'language'>;
  save: (text: { content: string; language: string }) => Promise<void>;
  onDone: (saved: boolean) => void;
}

/** An author's own reply as a form, in the place of its text, whether it is public or waits for review. */
export function EditReply({ post, save, onDone }: EditReplyProps) {
  const form = useFields(
    { content: post.content, language: post.language },
    {
      draft: `edit-${post.id}`,
      isEmpty: ({ content }) => !content.trim(),
      problems: ({ content }) => ({ content: formattingProblem(content) }),
      act: ({ content, language }) => save({ content: content.trim(), language }),
      done: { title: 'Success', text: 'Reply saved successfully' },
      failed: 'Failed to save reply',
      onDone: () => onDone(true),
    },
  );
  const { content, language } = form.fields;
  return (
    <form method="dialog" className="mt-2" onSubmit={form.submit}>
      <LanguageField
        form={form}
        text={content}
        label={<span className="sr-only">Your reply</span>}
        error={form.errors.content}
      >
        <RichTextField
          {...form.register('content')}
          rows={6}
          maxLength={MAX_TEXT_LENGTH}
          language={language}
          autoFocus
        />
      </LanguageField>
      <div className="mt-2 flex justify-end gap-2">
        <Button
          onClick={() => {
            form.clear();
            onDone(false);
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={form.isPending && 'Saving'}>
          Save
        </Button>
      </div>
    </form>
  );
}
