import { ExternalLink } from 'lucide-react';
import { useId } from 'react';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';

export interface Resource {
  name: string;
  url: string;
  text: string;
  language?: string | null;
  /** Suggested by a member, not chosen for the site. */
  suggested?: boolean;
}

/** The host of a link, as readers recognise it. */
function hostOf(url: string): string {
  try {
    return new URL(url).host.replace(/^www\./, '');
  } catch {
    return url;
  }
}

/** The links of one category, with a mark on those that members have suggested. */
export function ResourceList({ title, resources }: { title: string; resources: readonly Resource[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <ul className="mt-2 grid gap-x-12 md:grid-cols-2 xl:grid-cols-3">
        {resources.map(({ name, url, text, language, suggested }) => (
          <li key={url} className="border-b py-4 break-inside-avoid">
            <a
              href={url}
              rel="noopener noreferrer nofollow"
              target="_blank"
              className="link inline-flex min-h-11 items-center font-bold wrap-anywhere md:min-h-0"
            >
              {/* The icon takes no room of its own, so that it never stands alone in a line. */}
              <span className="pe-6">
                <bdi {...asWritten(name, language)}>{name}</bdi>
                <ExternalLink className="-me-6 ms-2 inline size-4 align-[-2px]" strokeWidth={2} aria-hidden />
                <span className="sr-only"> (opens in a new tab)</span>
              </span>
            </a>
            <p {...asWritten(text, language)} className="text-ink-2 wrap-anywhere">
              {text}
            </p>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-3">
              <span className="wrap-anywhere">{hostOf(url)}</span>
              {suggested && <Badge>Suggested by a member</Badge>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
