import { orcidUrl } from '#app/frame/members/names.ts';
import { classes } from '#app/ui/texts/classes.ts';

/** A member's ORCID iD in the form that ORCID asks for: its sign and the whole address, which is a link. */
export function OrcidId({ orcid, className }: { orcid: string | null | undefined; className?: string }) {
  if (!orcid) return null;
  const url = orcidUrl(orcid);
  return (
    <p className={classes('flex flex-wrap items-center gap-x-2 text-sm', className)}>
      <a href={url} rel="me noopener" className="link reach inline-flex max-w-full items-center gap-2">
        <svg viewBox="0 0 24 24" className="size-4 shrink-0" aria-hidden="true">
          <circle cx="12" cy="12" r="12" fill="#a6ce39" />
          <circle cx="7.4" cy="5.9" r="1" fill="#fff" />
          <path d="M6.65 7.9h1.5v9.6h-1.5z" fill="#fff" />
          <path
            d="M10.2 7.9h3.9c3.7 0 5.35 2.6 5.35 4.8s-1.95 4.8-5.3 4.8h-3.95zm1.45 1.35v6.9h2.3c3.2 0 4-2.3 4-3.45 0-1.9-1.25-3.45-4.05-3.45z"
            fill="#fff"
          />
        </svg>
        <span className="sr-only">ORCID iD </span>
        <span className="wrap-anywhere">{url}</span>
      </a>
      <span className="text-ink-3">authenticated</span>
    </p>
  );
}
