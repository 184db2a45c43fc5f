import { textLanguage } from '#app/ui/languages/languages.ts';
import { LinkedText } from '#app/ui/texts/linked-text.tsx';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import type { HeldPost } from './data.ts';

/** The text of a waiting post as it will be shown: a comment as it was typed, what is for the forum with its formatting. */
export function HeldText({ post }: { post: Pick<HeldPost, 'solution_id' | 'content' | 'language'> }) {
  if (!post.content) return null;
  return post.solution_id ? (
    <p {...textLanguage(post.language)} className="mt-1 max-w-[66ch] whitespace-pre-line wrap-anywhere">
      <LinkedText text={post.content} />
    </p>
  ) : (
    <RichText text={post.content} language={post.language} mentions={[]} className="mt-1" />
  );
}
