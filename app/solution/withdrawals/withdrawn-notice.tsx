import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { type Withdrawn, withdrawalText } from './data.ts';

/** Stands at the address of a solution that was public once, and at those of its versions. */
export function WithdrawnNotice({ withdrawn }: { withdrawn: Withdrawn }) {
  return (
    <ErrorScreen title="Solution withdrawn" way={{ to: '/browse', label: 'Browse Solutions' }}>
      {withdrawn.title && (
        <p {...asWritten(withdrawn.title)} className="font-bold text-ink wrap-anywhere">
          {withdrawn.title}
        </p>
      )}
      <p className="mt-1">{withdrawalText(withdrawn)}</p>
    </ErrorScreen>
  );
}
