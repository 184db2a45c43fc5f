import { useEffect, useRef } from 'react';

export interface Problem {
  /** The control's id; without one the message stands alone. */
  id?: string;
  message: string;
}

/** The errors of a form, above it; takes the focus each time `attempt` grows, so that it is read out. */
export function ErrorSummary({ problems, attempt }: { problems: Problem[]; attempt: number }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (problems.length === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="rounded-md border-[3px] border-red bg-surface px-6 py-5"
    >
      <h2 className="text-xl">There is a problem</h2>
      <ul className="mt-2 flex flex-col gap-1">
        {problems.map(({ id, message }) => (
          <li key={id ?? message} className="font-bold text-red-ink">
            {id ? (
              <a
                href={`#${id}`}
                className="underline decoration-1 underline-offset-4 hover:decoration-2"
                onClick={(event) => {
                  event.preventDefault();
                  const control = document.getElementById(id);
                  control?.scrollIntoView({ block: 'center' });
                  control?.focus();
                }}
              >
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
