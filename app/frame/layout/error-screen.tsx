import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '#app/ui/controls/button.tsx';

interface ErrorScreenProps {
  title: string;
  children?: ReactNode;
  /** Where to continue. */
  way?: { to: string; label: string };
  /** Other ways to continue. */
  action?: ReactNode;
}

/** A page that names the problem and the ways to continue. */
export function ErrorScreen({
  title,
  children,
  way,
  action = way && (
    <Link to={way.to} className={buttonClass('primary')}>
      {way.label}
    </Link>
  ),
}: ErrorScreenProps) {
  return (
    <div className="page grid items-center gap-x-16 gap-y-8 py-12 md:grid-cols-[minmax(0,1fr)_minmax(0,400px)] md:py-20">
      <div>
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        {children && <div className="mt-3 max-w-[66ch] text-prose text-ink-2">{children}</div>}
        {action && <div className="mt-8 flex flex-wrap gap-3">{action}</div>}
      </div>
      <img
        src="/empty-stand.svg"
        alt=""
        width={960}
        height={540}
        className="picture aspect-video w-full rounded-md object-cover"
      />
    </div>
  );
}
