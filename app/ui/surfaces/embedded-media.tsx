import { ExternalLink, Play } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { type Embed, EXTERNAL_REL, embedOf } from '#app/ui/texts/links.ts';

/**
 * A video that is loaded when a reader plays it, or a card for a post: nothing is loaded from other hosts
 * before a click.
 */
export function EmbeddedMedia({ href }: { href: string }) {
  const embed = embedOf(href);
  if (embed?.kind === 'video') return <Player {...embed} href={href} />;
  if (!embed) return null;
  return (
    <a
      href={href}
      rel={EXTERNAL_REL}
      className="flex items-center gap-4 rounded-md border bg-surface px-4 py-3 hover:bg-chip md:max-w-[480px]"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-bold">{embed.what === 'reel' ? 'Instagram reel' : 'Instagram post'}</span>
        <span className="block truncate text-sm text-ink-2">{href.replace(/^https?:\/\/(www\.)?/i, '')}</span>
      </span>
      <ExternalLink className="size-5 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
    </a>
  );
}

const neverChanges = () => () => undefined;

function Player({ id, start, href }: Extract<Embed, { kind: 'video' }> & { href: string }) {
  const [playing, setPlaying] = useState(false);
  const isWaiting = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const options = new URLSearchParams({ autoplay: '1', rel: '0', ...(start && { start: String(start) }) });
  return (
    <div className="max-w-[640px]">
      {playing ? (
        <iframe
          src={`https://www.youtube-nocookie.com/embed/${id}?${options}`}
          title="Video player"
          className="aspect-video w-full rounded-md border bg-sunken"
          sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          allowFullScreen
          referrerPolicy="strict-origin-when-cross-origin"
        />
      ) : (
        <button
          type="button"
          onClick={() => setPlaying(true)}
          data-waiting={isWaiting || undefined}
          className="group flex aspect-video w-full flex-col items-center justify-center gap-3 rounded-md border bg-sunken px-4 hover:bg-chip"
        >
          <span className="flex size-14 items-center justify-center rounded-full bg-accent text-on-accent group-hover:bg-accent-hover">
            <Play className="size-6 fill-current" strokeWidth={1.75} aria-hidden />
          </span>
          <span className="font-bold">Play video</span>
          <span className="text-center text-sm text-ink-2">
            From YouTube, without cookies. Nothing is loaded from there before you play it.
          </span>
        </button>
      )}
      <a href={href} rel={EXTERNAL_REL} className="link reach mt-2 inline-block text-sm wrap-anywhere">
        {href.replace(/^https?:\/\/(www\.)?/i, '')}
      </a>
    </div>
  );
}
