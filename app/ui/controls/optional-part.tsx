import { type ReactNode, useState } from 'react';
import { Optional } from './field.tsx';

interface OptionalPartProps {
  /** The id of the summary, when another element must link to it. */
  id?: string;
  title: ReactNode;
  /** What is chosen already; without it the part is called optional. */
  value?: string;
  /** Whether it is unfolded at first, since something is in it. */
  isFilled: boolean;
  /** A problem in it is shown. */
  hasProblem?: boolean;
  children: ReactNode;
}

/** A part of a form that stays folded until it is wanted. */
export function OptionalPart({
  id,
  title,
  value,
  isFilled,
  hasProblem = false,
  children,
}: OptionalPartProps) {
  const [isOpen, setOpen] = useState(isFilled);
  return (
    <details
      open={isOpen || hasProblem}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border bg-surface px-4 md:px-5"
    >
      <summary id={id} className="disclosure">
        <span>
          {title}
          {value === undefined ? <Optional /> : `: ${value}`}
        </span>
      </summary>
      <div className="pb-5">{children}</div>
    </details>
  );
}
