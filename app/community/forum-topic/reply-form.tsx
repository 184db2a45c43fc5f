import { type FormEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { MAX_TEXT_LENGTH } from '#app/community/forum/categories.ts';
import { type Post, postReply, type Topic } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { AddImages } from '#app/community/post-images/add-images.tsx';
import type { ChosenImages } from '#app/community/post-images/image-fields.tsx';
import { messageOf } from '#app/errors.ts';
import { useFields } from '#app/frame/act/use-fields.ts';
import { HELD } from '#app/frame/held-posts/data.ts';
import { useSanction } from '#app/frame/members/use-sanction.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';
import { quoteOf } from './quote.ts';

/** What the list of replies asks of the form. */
export interface Quoting {
  /** Adds a post to what is typed, and goes on after it. */
  quote(post: Post): void;
}

interface ReplyFormProps {
  topic: Topic;
  ref: Ref<Quoting>;
  onPosted: (id: string) => Promise<void>;
}

const lockedMessage = 'This topic is locked';

/** The field of a reply, or why there can be none; what was typed before a topic was locked stays in view. */
export function ReplyForm({ topic, ref, onPosted }: ReplyFormProps) {
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const sanction = useSanction();
  const isClosed = topic.is_locked || sanction != null;
  const box = useRef<HTMLTextAreaElement>(null);
  const images = useRef<ChosenImages>(null);
  // The next reply begins without images.
  const [sent, setSent] = useState(0);
  const form = useFields(
    { content: '', language: '' },
    {
      draft: `reply-${topic.id}`,
      problems: ({ content }) => ({
        content: content.trim() ? formattingProblem(content) : 'A reply cannot be empty',
      }),
      mayAct: () => {
        if (images.current?.check() === false) return false;
        if (topic.is_locked) toast({ tone: 'error', title: lockedMessage });
        else if (!member) signInFirst('Please sign in to reply', 'Authentication required');
        return !topic.is_locked && member !== undefined;
      },
      act: async ({ content, language }) => {
        const db = await browserClient();
        return postReply(db, {
          topic_id: topic.id,
          content: content.trim(),
          language: chosenLanguage(language, content),
          user_id: member?.id ?? '',
          ...(await images.current?.send(db)),
        });
      },
      done: (id) => (id ? { title: 'Success', text: 'Reply posted successfully' } : HELD),
      failed: (error) =>
        messageOf(error, '') === lockedMessage
          ? { title: lockedMessage, text: undefined }
          : 'Failed to post reply',
      onDone: async (id) => {
        setSent((before) => before + 1);
        // The button that was pressed has nothing more to send; the next reply is typed here.
        box.current?.focus({ preventScroll: true });
        if (id) await onPosted(id);
      },
      refresh: [['held-posts']],
    },
  );
  const { content, language } = form.fields;
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    // What the images need is said along with what the text needs.
    images.current?.check();
    form.submit(event);
  };
  useImperativeHandle(ref, () => ({
    quote(post) {
      form.change({ content: `${content.trim() ? `${content.trimEnd()}\n\n` : ''}${quoteOf(post)}` });
      // After the text has come into the box, where the caret then stands at its end.
      requestAnimationFrame(() => {
        const end = box.current?.value.length ?? 0;
        box.current?.focus();
        box.current?.setSelectionRange(end, end);
        box.current?.scrollIntoView({ block: 'center' });
      });
    },
  }));

  return (
    <div className="mt-8 print:hidden">
      {topic.is_locked && (
        <Banner tone="amber" icon="icon-lock" title={`${lockedMessage}.`}>
          You can read it, but it’s closed to new replies.
        </Banner>
      )}
      {sanction && !topic.is_locked && (
        <Banner tone="amber" icon="icon-ban" title={sanction.sentence}>
          You can’t reply.
        </Banner>
      )}
      {(!isClosed || content.trim()) && (
        <form method="dialog" className={isClosed ? 'mt-5' : undefined} onSubmit={submit}>
          <LanguageField
            form={form}
            text={content}
            label={isClosed ? 'Your unsent reply' : 'Your reply'}
            error={form.errors.content}
          >
            <RichTextField
              {...form.register('content')}
              box={box}
              maxLength={MAX_TEXT_LENGTH}
              language={content ? chosenLanguage(language, content) : 'en'}
              onKeyDown={({ key, ctrlKey, metaKey }) => {
                if (key === 'Enter' && (ctrlKey || metaKey)) submit();
              }}
            />
          </LanguageField>
          {member && !isClosed && (
            <AddImages key={sent} userId={member.id} chosen={images} className="mt-2" />
          )}
          <div className="mt-2 flex justify-end">
            <Button type="submit" variant="primary" busy={form.isPending && 'Sending'}>
              Post reply
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
