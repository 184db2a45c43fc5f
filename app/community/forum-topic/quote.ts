import type { Post } from '#app/community/forum/data.ts';
import { authorName } from '#app/frame/members/names.ts';

const attribution = /^.{1,80} wrote:$/;

/**
 * A reply as a quote in another one, after a mention of its author, which notifies them. Quotes within it are
 * left out.
 */
export function quoteOf({ user_id, author, content }: Pick<Post, 'user_id' | 'author' | 'content'>): string {
  const lines = content.split('\n');
  const own = lines.filter(
    (line, index) => !line.startsWith('>') && !(attribution.test(line) && lines[index + 1]?.startsWith('>')),
  );
  const name = author?.username ? `@${author.username}` : authorName(user_id, author);
  const text = own
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const quoted = text.split('\n').map((line) => `> ${line}`.trimEnd());
  return `${name} wrote:\n${quoted.join('\n')}\n\n`;
}
