import { type RefObject, useRef, useState } from 'react';
import { MAX_TEXT_LENGTH } from '#app/community/forum/categories.ts';
import { postReply, type Topic } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { AddImages } from '#app/community/post-images/add-images.tsx';
import type { ChosenImages } from '#app/community/post-images/image-fields.tsx';
import { messageOf } from '#app/errors.ts';
import { useAction } from '#app/frame/act/use-action.ts';
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

interface ReplyFormProps {
  topic: Topic;
  draft: {
    fields: { content: string; language: string };
    change: (part: { content: string } | { language: string }) => void;
    clearDraft: () => void;
  };
  box: RefObject<HTMLTextAreaElement | null>;
  onPosted: (id: string) => Promise<void>;
}

const lockedMessage = 'This topic is locked';

/** The field of a reply, or why there can be none; what was typed before a topic was locked stays in view. */
export function ReplyForm({ topic, draft, box, onPosted }: ReplyFormProps) {
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const { content, language: chosen } = draft.fields;
  const sanction = useSanction();
  const isClosed = topic.is_locked || sanction != null;
  const [isTried, setIsTried] = useState(false);
  const images = useRef<ChosenImages>(null);
  // The next reply begins without images.
  const [sent, setSent] = useState(0);
  const posting = useAction({
    act: async (userId: string) => {
      const db = await browserClient();
      return postReply(db, {
        topic_id: topic.id,
        content: content.trim(),
        language: chosenLanguage(chosen, content),
        user_id: userId,
        ...(await images.current?.send(db)),
      });
    },
    done: (id) => (id ? { title: 'Success', text: 'Reply posted successfully' } : HELD),
    failed: (error) =>
      messageOf(error, '') === lockedMessage
        ? { title: lockedMessage, text: undefined }
        : 'Failed to post reply',
    onDone: async (id) => {
      draft.clearDraft();
      setIsTried(false);
      setSent((before) => before + 1);
      // The button that was pressed has nothing more to send; the next reply is typed here.
      box.current?.focus({ preventScroll: true });
      if (id) await onPosted(id);
    },
    refresh: [['held-posts']],
  });
  const problem = content.trim() ? formattingProblem(content) : 'A reply cannot be empty';
  const send = () => {
    if (posting.isPending) return;
    setIsTried(true);
    const isComplete = images.current?.check() ?? true;
    if (problem) box.current?.focus();
    else if (!isComplete) return;
    else if (topic.is_locked) toast({ tone: 'error', title: lockedMessage });
    else if (member) posting.mutate(member.id);
    else {
      signInFirst('Please sign in to reply', 'Authentication required');
    }
  };

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
        <form
          method="dialog"
          className={isClosed ? 'mt-5' : undefined}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <LanguageField
            form={draft}
            text={content}
            label={isClosed ? 'Your unsent reply' : 'Your reply'}
            error={isTried ? problem : undefined}
          >
            <RichTextField
              box={box}
              maxLength={MAX_TEXT_LENGTH}
              value={content}
              language={content ? chosenLanguage(chosen, content) : 'en'}
              onChange={({ target }) => draft.change({ content: target.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
              }}
            />
          </LanguageField>
          {member && !isClosed && (
            <AddImages key={sent} userId={member.id} chosen={images} className="mt-2" />
          )}
          <div className="mt-2 flex justify-end">
            <Button type="submit" variant="primary" busy={posting.isPending && 'Sending'}>
              Post reply
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
