import { useQueryClient } from '@tanstack/react-query';
import type { HeldPost } from '#app/frame/held-posts/data.ts';
import { imagesIn } from './data.ts';
import { ShownImages } from './post-images.tsx';

/** The images of a member’s own post that waits for a moderator. */
export function HeldImages({ post, title }: { post: HeldPost; title: string }) {
  const cache = useQueryClient();
  return (
    <ShownImages
      postId={post.id}
      images={imagesIn(post.images)}
      hiddenAt={null}
      title={title}
      language={post.language}
      isOwn
      isModerator={false}
      onRemoved={() => void cache.invalidateQueries({ queryKey: ['held-posts'] })}
    />
  );
}
