import { useQuery } from '@tanstack/react-query';
import { browserClient } from '#app/supabase.ts';
import { postWithImagesQuery } from './data.ts';
import { ShownImages } from './post-images.tsx';

/** The images of a reported topic or reply, for the moderator who decides on the report. */
export function ReportedImages({ id }: { id: string }) {
  const { data: post, refetch } = useQuery(postWithImagesQuery(browserClient, id));
  if (!post) return null;
  return (
    <ShownImages
      postId={id}
      images={post.images}
      hiddenAt={post.images_hidden_at}
      title={post.topic.title}
      language={post.language}
      isOwn={false}
      isModerator
      onRemoved={() => void refetch()}
    />
  );
}
