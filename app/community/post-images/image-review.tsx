import { useQuery } from '@tanstack/react-query';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { consentText } from '#app/solution/review/data.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { browserClient } from '#app/supabase.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { decideImages, postWithImagesQuery } from './data.ts';
import { PostImages } from './post-images.tsx';

/** The images of a topic or a reply, which readers see already, and the two decisions on them. */
export function ImageReview({ id }: ReviewProps) {
  const query = useQuery(postWithImagesQuery(browserClient, id));
  const post = query.data;
  if (post === undefined)
    return <NotLoaded loading="Loading the images" failed="Failed to load the images" query={query} />;
  if (post === null) return <p className="text-ink-2">This content has been deleted</p>;
  const { topic, content, language, images, image_consent, images_hidden_at } = post;
  return (
    <ReviewCase
      kind="image"
      id={id}
      hint={
        images_hidden_at
          ? 'Approve shows the images again. Decline removes them; the text stays.'
          : 'Approve keeps the images. Decline removes them; the text stays.'
      }
      act={(db, { status }) => decideImages(db, id, status === 'approved', images_hidden_at)}
      done={{ approved: 'Images kept', rejected: 'Images removed' }}
      refresh={[['forum']]}
      decline={{
        title: 'Remove images',
        verb: 'Remove',
        busy: 'Removing',
        question: 'The text stays. The member who wrote it is notified. This can’t be undone.',
      }}
    >
      <h2 className="text-xl md:text-2xl">
        Images in <TitleLink to={`/forum/${topic.id}`} title={topic.title} language={topic.language} />
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
    </ReviewCase>
  );
}
