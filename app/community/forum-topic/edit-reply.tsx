import { useState } from 'react';
import { MAX_TEXT_LENGTH } from '#app/community/forum/categories.ts';
import type { Post } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';

interface EditReplyProps {
  post: Pick<Post, 'id' | 'content' | 'language'>;
  save: (text: { content: string; language: string }) => Promise<void>;
  onDone: (saved: boolean) => void;
}

/** An author's own reply as a form, in the place of its text, whether it is public or waits for review. */
export function EditReply({ post, save, onDone }: EditReplyProps) {
  const [isTried, setIsTried] = useState(false);
  const { fields, change, clearDraft } = useLocalDraft(`edit-${post.id}`, {
    content: post.content,
    language: post.language,
  });
  const saving = useAction({
    act: () => save({ content: fields.content.trim(), language: fields.language }),
    done: { title: 'Success', text: 'Reply saved successfully' },
    failed: 'Failed to save reply',
    onDone: () => {
      clearDraft();
      onDone(true);
    },
  });
  const problem = formattingProblem(fields.content);
  return (
    <form
      method="dialog"
      className="mt-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fields.content.trim() || saving.isPending) return;
        setIsTried(true);
        if (!problem) saving.mutate();
      }}
    >
      <Field label={<span className="sr-only">Your reply</span>} error={isTried ? problem : undefined}>
        <RichTextField
          rows={6}
          maxLength={MAX_TEXT_LENGTH}
          value={fields.content}
          language={fields.language}
          onChange={(content) => change({ content })}
          autoFocus
        />
      </Field>
      <LanguageChoice
        text={fields.content}
        chosen={fields.language}
        onChange={(language) => change({ language })}
        className="mt-2"
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button
          onClick={() => {
            clearDraft();
            onDone(false);
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={saving.isPending && 'Saving'}>
          Save
        </Button>
      </div>
    </form>
  );
}
