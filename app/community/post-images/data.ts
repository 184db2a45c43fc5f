import { queryOptions } from '@tanstack/react-query';
import type { Json } from '#app/database.types.ts';
import { type AnswerOf, dataOf, readAnswer, type Schemas } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { RENEW_SIGNED_MS, withSignedUrls } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** What is sent with a post that has images. */
export interface SentImages {
  images: { media_url: string; description: string }[];
  image_consent: string;
}

export const MAX_IMAGES = 4;

/** The shape of images as a function of the database gives them. */
export const imagesSchema = (z: Schemas) =>
  z.array(
    z.object({
      media_url: z.string(),
      compressed_url: z.string(),
      thumbnail_url: z.string(),
      width: z.number(),
      height: z.number(),
      description: z.nullable(z.string()),
    }),
  );

/** An image of a topic or a reply, with the addresses by which the database names its files. */
export type PostImage = AnswerOf<typeof imagesSchema>[number];

/** The images in a row that was read without a function. */
export const imagesIn = (column: Json): PostImage[] => column as unknown as PostImage[];

/** Images with the addresses by which a browser opens their files, for some minutes. */
export const openImagesQuery = (client: ClientSource, images: readonly PostImage[]) =>
  queryOptions({
    queryKey: ['post-images', ...images.map(({ media_url }) => media_url)],
    queryFn: async () => withSignedUrls(await client(), [...images]),
    staleTime: RENEW_SIGNED_MS,
    refetchInterval: RENEW_SIGNED_MS,
  });

/**
 * Takes the images of the member’s own post away; as a moderator also those of others, or keeps them.
 *
 * @param hiddenAt since when they were hidden as the moderator who keeps them saw them
 * @throws Error saying so, when they were removed already, or hidden since
 */
export async function decideImages(
  db: Client,
  post: string,
  keep: boolean,
  hiddenAt?: string | null,
): Promise<void> {
  dataOf(await db.rpc('decide_images', { post, keep, ...(hiddenAt && { hidden_at: hiddenAt }) }));
}

/** A topic or reply whose images a moderator looks at; null once they are gone. */
export const postWithImagesQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'images', id],
    queryFn: async () => {
      const db = await client();
      const stored = await readAnswer(db.rpc('images_of_post', { post: id }), (z) =>
        z.nullable(
          z.object({
            images: imagesSchema(z),
            image_consent: z.nullable(z.string()),
            images_hidden_at: z.nullable(z.string()),
          }),
        ),
      );
      if (!stored) return null;
      const columns = 'id,user_id,language,created_at';
      const reply = dataOf(
        await db
          .from('forum_posts')
          .select(
            `${columns},content,author:profiles!forum_posts_user_id_fkey(${authorColumns}),topic:forum_topics(id,title,language)`,
          )
          .eq('id', id)
          .maybeSingle(),
      );
      if (reply) return { ...reply, ...stored };
      const topic = dataOf(
        await db
          .from('forum_topics')
          .select(
            `${columns},title,content:description,author:profiles!forum_topics_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id)
          .maybeSingle(),
      );
      if (!topic) return null;
      const { title, language } = topic;
      return { ...topic, ...stored, topic: { id, title, language } };
    },
  });
