import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { pageTitle, siteName } from '#app/site.ts';
import { interfaceLanguage } from '#app/ui/languages/interface-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { PageHeader } from '#app/ui/surfaces/page-header.tsx';

export interface Section {
  /** The section's anchor in the address. */
  id: string;
  title: string;
  body: ReactNode;
}

/** The site’s name in a text that is made before the name is known. */
export const SiteName = () => siteName();

/** Title, description, canonical address and preview of a page of text. */
export function textMeta(origin: string | undefined, path: string, title: string, text: string) {
  return [
    { title: pageTitle(title) },
    { name: 'description', content: text },
    ...socialMeta({ origin: origin ?? '', path, title: pageTitle(title), text, type: 'website' }),
  ];
}

interface ArticlePageProps {
  title: string;
  /** Under the title, in a sentence or two. */
  lead: ReactNode;
  /** Beside the title where there is room. */
  picture?: ReactNode;
  /** A date in words; the page then shows when it was last updated. */
  updated?: string;
  sections: readonly Section[];
  /** What it says has legal force as it is written, in English, and is not translated. */
  legal?: boolean;
  /** Sections have numbers by which other texts refer to them. */
  numbered?: boolean;
}

/** A page of text: its contents beside it where there is room, one column of text, and a clean printout. */
export function ArticlePage({ title, lead, picture, updated, sections, numbered, legal }: ArticlePageProps) {
  const isForeign = legal && interfaceLanguage !== 'en-GB';
  const heading = (index: number, text: string) => (numbered ? `${index + 1}. ${text}` : text);
  return (
    <div {...(isForeign && textLanguage('en'))} className="page pt-6 pb-16 lg:pt-12 lg:pb-24">
      {isForeign && (
        <p {...textLanguage(interfaceLanguage)} className="mb-6 text-ink-2">
          This page applies as it is written in English.
        </p>
      )}
      <PageHeader title={title} lead={lead} picture={picture}>
        {updated && <p className="mt-2 text-ink-3">Last updated: {updated}</p>}
      </PageHeader>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:mt-12 lg:grid-cols-[264px_minmax(0,1fr)] print:block">
        <nav
          aria-labelledby="contents"
          className="lg:sticky lg:top-(--below-header) lg:max-h-[calc(100dvh-var(--below-header)-24px)] lg:self-start lg:overflow-y-auto print:hidden"
        >
          <h2 id="contents" className="text-base font-bold">
            On this page
          </h2>
          <ol className="mt-2">
            {sections.map((section, index) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="flex min-h-11 items-center py-1 text-ink-2 hover:text-ink hover:underline lg:min-h-9"
                >
                  {heading(index, section.title)}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="flex max-w-[66ch] flex-col gap-10 text-prose">
          {sections.map((section, index) => (
            <section key={section.id} aria-labelledby={section.id} className="print:break-inside-auto">
              <h2 id={section.id} className="scroll-mt-24 break-after-avoid text-xl">
                {heading(index, section.title)}
              </h2>
              <div className="mt-3 flex flex-col gap-4">{section.body}</div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

/** A list with bullets among paragraphs. */
export function List({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-2 ps-6 marker:text-ink-3">{children}</ul>;
}

/** A heading within a section. */
export function SubHeading({ children }: { children: ReactNode }) {
  return <h3 className="mt-2 text-lg">{children}</h3>;
}

/** A link in running text, within the site. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="link">
      {children}
    </Link>
  );
}

/** An address of the operator, which opens the reader’s own email program. */
export function EmailLink({ address }: { address: string }) {
  return (
    <a href={`mailto:${address}`} className="link wrap-anywhere">
      {address}
    </a>
  );
}

/** Rows of facts; on phones each row is a separate block. */
export function Table({
  caption,
  captionHidden,
  head,
  rows,
}: {
  caption: string;
  /** The heading above says the same already. */
  captionHidden?: boolean;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  return (
    <table className="w-full text-start text-base max-md:block">
      <caption className={captionHidden ? 'sr-only' : 'pb-2 text-start text-sm text-ink-3 max-md:block'}>
        {caption}
      </caption>
      <thead className="text-sm text-ink-3 max-md:sr-only">
        <tr>
          {head.map((title) => (
            <th key={title} scope="col" className="border-b py-2 pe-6 font-normal">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are constants and never change places
          <tr key={row} className="break-inside-avoid border-b max-md:block max-md:py-2">
            {cells.map((cell, column) => (
              <td
                key={head[column]}
                className="py-2 pe-6 align-top in-[tr:has(.badge-disc)]:align-middle max-md:block max-md:py-1"
              >
                <span className="text-sm text-ink-3 md:hidden">{head[column]}: </span>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
