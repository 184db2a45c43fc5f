import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { consentText } from '#app/solution/review/data.ts';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { decideImages, postWithImagesQuery } from './data.ts';
import { PostImages } from './post-images.tsx';

/** The images of a topic or a reply, which readers see already, and the two decisions on them. */
export function ImageReview({ id }: { id: string }) {
  const { data: post, isError, refetch } = useQuery(postWithImagesQuery(browserClient, id));
  const [isRemoving, setRemoving] = useState(false);
  const decision = useAction({
    act: async (keep: boolean) => decideImages(await browserClient(), id, keep, post?.images_hidden_at),
    done: (_nothing, keep) => (keep ? 'Images kept' : 'Images removed'),
    failed: reasonOr('Failed to save the decision'),
    onDone: () => setRemoving(false),
    refresh: [['moderation'], ['forum']],
  });
  if (isError && !post)
    return <LoadFailed isTold title="Failed to load the images" onRetry={() => void refetch()} />;
  if (post === undefined) return <LoadingRows label="Loading the images" />;
  if (post === null) return <p className="text-ink-2">This content has been deleted</p>;
  const { topic, content, language, images, image_consent, images_hidden_at } = post;
  const deciding = decision.isPending ? decision.variables : undefined;
  return (
    <>
      <h2 className="text-xl md:text-2xl">
        Images in{' '}
        <Link to={`/forum/${topic.id}`} {...textLanguage(topic.language)} className="link wrap-anywhere">
          {topic.title}
        </Link>
      </h2>
      <p className="mt-1 text-sm text-ink-3">
        {topic.id === id ? 'Topic' : 'Reply'} by{' '}
        <AuthorName author={post.author} name={authorName(post.user_id, post.author)} />,{' '}
        {formatDay(post.created_at)}
      </p>
      {images_hidden_at && (
        <Banner tone="amber" icon="icon-hidden" title="Hidden from readers." className="mt-4">
          Two members with a checked registration reported that a patient can be recognised.
        </Banner>
      )}
      <PostImages images={images} title={topic.title} language={language} />
      <p className="mt-3 text-ink-2">
        Consent: {consentText({ basis: image_consent ?? '', audience: 'public' })}
      </p>
      {content && (
        <div className="mt-4">
          <RichText text={content} language={language} />
        </div>
      )}
      <DecisionBar
        kind="image"
        id={id}
        hint={
          images_hidden_at
            ? 'Approve shows the images again. Decline removes them; the text stays.'
            : 'Approve keeps the images. Decline removes them; the text stays.'
        }
        primary={{
          label: 'Approve',
          icon: Check,
          busy: deciding === true && 'Approving',
          onPress: () => decision.isPending || decision.mutate(true),
        }}
        second={{ label: 'Decline', icon: X, isRed: true, onPress: () => setRemoving(true) }}
      />
      {isRemoving && (
        <ConfirmDialog
          title="Remove images"
          question="The text stays. The member who wrote it is notified. This can’t be undone."
          verb="Remove"
          busy={deciding === false && 'Removing'}
          onConfirm={() => decision.mutate(false)}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}
