import { data } from 'react-router';
import { categoryLabel } from '#app/community/forum/categories.ts';
import { postsQuery, topicQuery } from '#app/community/forum/data.ts';
import { stripMarkdown } from '#app/community/forum/strip-markdown.ts';
import { replyUrl } from '#app/frame/kinds/paths.ts';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { authorName } from '#app/frame/members/names.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { cutText } from '../../../texts/cut-text.ts';
import type { Route } from './+types/topic-page.ts';
import { TopicView } from './topic-view.tsx';

/** The reply that the address names. */
function postAddress(search: string): string | null {
  const post = new URLSearchParams(search).get('post');
  return post === 'latest' || isUuid(post) ? post : null;
}

export async function loader({ params, context, request }: Route.LoaderArgs) {
  const { origin, search } = new URL(request.url);
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const [topic] = await Promise.all([
    cache.fetchQuery({ ...topicQuery(client, params.id), retry: false }),
    isUuid(params.id) &&
      cache.prefetchInfiniteQuery({ ...postsQuery(client, params.id, postAddress(search)), retry: false }),
  ]);
  const summary = topic && {
    origin,
    id: topic.id,
    title: topic.title,
    text: cutText(stripMarkdown(topic.description ?? topic.title), 200),
    author: authorName(topic.user_id, topic.author),
    category: topic.category,
    published: topic.created_at,
    replies: topic.posts_count,
    views: topic.views_count,
    abstract: topic.summary && stripMarkdown(topic.summary),
    language: topic.language,
    answer: topic.answer && {
      language: topic.answer.language,
      id: topic.answer.id,
      text: stripMarkdown(topic.answer.excerpt),
      author: authorName(topic.answer.user_id, topic.answer.author),
      published: topic.answer.created_at,
    },
  };
  return data({ state: pageData(cache), summary }, { status: topic ? 200 : 404 });
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const summary = loaderData?.summary;
  if (!summary) return [{ title: pageTitle('Topic Not Found') }, { name: 'robots', content: 'noindex' }];
  const { origin, id, title, text, author, category, published, replies, views, abstract, answer, language } =
    summary;
  const path = `/forum/${id}`;
  const interactionCounter = (action: string, count: number) => ({
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${action}`,
    userInteractionCount: count,
  });
  return [
    { title: pageTitle(title) },
    { name: 'description', content: text },
    ...socialMeta({ origin, path, title, text, type: 'article', language }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        // Which of its answers helped, only who asked a question can say.
        '@type': answer ? ['DiscussionForumPosting', 'Question'] : 'DiscussionForumPosting',
        inLanguage: language,
        headline: title,
        text,
        ...(abstract && { abstract }),
        ...(answer && {
          acceptedAnswer: {
            '@type': 'Answer',
            inLanguage: answer.language,
            text: answer.text,
            url: `${origin}${replyUrl(id, answer.id)}`,
            datePublished: answer.published,
            author: { '@type': 'Person', name: answer.author },
          },
        }),
        url: origin + path,
        mainEntityOfPage: origin + path,
        articleSection: categoryLabel(category),
        datePublished: published,
        author: { '@type': 'Person', name: author },
        commentCount: replies,
        interactionStatistic: [
          interactionCounter('CommentAction', replies),
          interactionCounter('ViewAction', views),
        ],
      },
    },
  ];
};

export default function TopicPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <TopicView key={params.id} id={params.id} />
    </PageDataBoundary>
  );
}
