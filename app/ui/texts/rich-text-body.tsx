import type { ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { EmbeddedMedia } from '#app/ui/surfaces/embedded-media.tsx';
import { classes } from './classes.ts';
import { formattingProblem } from './formatting.ts';
import { EXTERNAL_REL, hiddenHost, safeLink } from './links.ts';
import { embedLinks, linkMentions, proseOnly } from './rich-text-plugins.ts';
import { type RichTextProps, TextAsTyped } from './text-as-typed.tsx';

const elements = [
  'p',
  'br',
  'a',
  'ul',
  'ol',
  'li',
  'em',
  'strong',
  'del',
  'code',
  'pre',
  'blockquote',
  'figure',
];

const textOf = (children: ReactNode): string =>
  Array.isArray(children) ? children.map(textOf).join('') : typeof children === 'string' ? children : '';

const components: Components = {
  a({ href, children }) {
    if (!href) return children;
    if (href.startsWith('/'))
      return (
        <Link to={href} className="link">
          {children}
        </Link>
      );
    const host = hiddenHost(textOf(children), href);
    return (
      <>
        <a href={href} rel={EXTERNAL_REL} className="link">
          {children}
        </a>
        {host && ` (${host})`}
      </>
    );
  },
  figure({ node }) {
    const href = node?.properties.dataEmbed;
    return typeof href === 'string' ? <EmbeddedMedia href={href} /> : null;
  },
  ul: ({ children }) => <ul className="list-disc ps-6">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal ps-6">
      {children}
    </ol>
  ),
  em: ({ children }) => <em className="font-medium not-italic">{children}</em>,
  strong: ({ children }) => <strong className="font-bold">{children}</strong>,
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 border-s-2 border-line-2 ps-4 text-ink-2">
      {children}
    </blockquote>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled sideways, by keyboard too
    <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken px-4 py-3 text-sm">
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded-sm bg-sunken px-1 font-mono text-[max(0.9em,0.875rem)] in-[pre]:p-0">
      {children}
    </code>
  ),
};

/**
 * A member's text: links, line breaks, lists, emphasis, code and quotes. Everything else stays plain text;
 * links to videos and posts are followed by a player or card. A text with more formatting than is allowed now
 * is shown as it was typed.
 */
export function RichTextBody({ text, language, mentions = [], className }: RichTextProps) {
  if (formattingProblem(text)) return <TextAsTyped text={text} language={language} className={className} />;
  return (
    <div
      {...textLanguage(language)}
      className={classes('flex max-w-[66ch] flex-col gap-3 wrap-anywhere', className)}
    >
      <Markdown
        remarkPlugins={[
          [remarkGfm, { singleTilde: false }],
          proseOnly,
          remarkBreaks,
          [linkMentions, mentions],
          embedLinks,
        ]}
        allowedElements={elements}
        unwrapDisallowed
        urlTransform={(url) => safeLink(url)}
        components={components}
      >
        {text}
      </Markdown>
    </div>
  );
}
