import { useQuery } from '@tanstack/react-query';
import { imagesIn } from '#app/community/post-images/data.ts';
import { PostImages } from '#app/community/post-images/post-images.tsx';
import { decideHeldPost, heldPostQuery } from '#app/frame/held-posts/data.ts';
import { HeldText } from '#app/frame/held-posts/held-text.tsx';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { consentText } from '#app/solution/review/data.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

/** A new member’s comment, topic or reply, and the two decisions on it. */
export function HeldPostReview({ id }: ReviewProps) {
  const query = useQuery(heldPostQuery(browserClient, id));
  const post = query.data;
  if (!post) return <NotLoaded loading="Loading the post" failed="Failed to load the post" query={query} />;
  const { solution, topic } = post;
  return (
    <ReviewCase
      kind="post"
      id={id}
      hint="Approve publishes the post. Decline deletes it."
      act={(db, { status }) => decideHeldPost(db, post, status === 'approved')}
      done={{ approved: 'Post published', rejected: 'Post declined' }}
      // The text as well, which its author may have changed.
      refresh={[['forum', 'topics']]}
      decline={{
        title: 'Decline post',
        verb: 'Decline',
        question: 'The post is deleted, and the member who wrote it is notified. This can’t be undone.',
      }}
    >
      <h2
        {...(post.title ? textLanguage(post.language) : {})}
        className="text-left text-xl wrap-anywhere md:text-2xl"
      >
        {post.title ?? (solution ? 'Comment' : 'Reply')}
      </h2>
      <p className="mt-1 text-sm text-ink-3">
        {post.title ? (
          'New topic'
        ) : solution ? (
          <>
            On <TitleLink to={`/solutions/${post.solution_id}`} {...solution} />
          </>
        ) : (
          topic && (
            <>
              In <TitleLink to={`/forum/${post.topic_id}`} {...topic} />
            </>
          )
        )}{' '}
        · by <AuthorName author={post.author} name={authorName(post.user_id, post.author)} />,{' '}
        {formatDay(post.created_at)}
      </p>
      {post.answered && (
        <blockquote
          {...textLanguage(post.answered.language)}
          className="mt-4 border-s-2 ps-3 whitespace-pre-line text-ink-2 wrap-anywhere"
        >
          {post.answered.content}
        </blockquote>
      )}
      <div className="mt-4">
        <HeldText post={post} />
        {post.image_consent && (
          <>
            <PostImages
              images={imagesIn(post.images)}
              title={post.title ?? topic?.title ?? ''}
              language={post.language}
            />
            <p className="mt-3 text-ink-2">
              Consent: {consentText({ basis: post.image_consent, audience: 'public' })}
            </p>
          </>
        )}
      </div>
    </ReviewCase>
  );
}
