import { Button } from '#app/ui/controls/button.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { CpdEntry, Gap, Outline } from './data.ts';
import { EntryText } from './entry-text.tsx';
import { countText, gapText, kindText } from './record.ts';

interface AuditOutlineProps {
  outline: Outline;
  /** Those told in detail, of the whole record. */
  inDetail: CpdEntry[];
  onExplain: (gap: Gap) => void;
  onEdit: (entry: CpdEntry) => void;
}

/** What an audit of CPD asks for, and what of it the record has. */
export function AuditOutline({ outline, inDetail, onExplain, onEdit }: AuditOutlineProps) {
  const { kinds, gaps } = outline;
  return (
    <details className="mt-3 rounded-md border bg-surface px-4 md:px-5 print:hidden">
      <summary className="disclosure">For an audit</summary>
      <div className="grid gap-6 border-t py-5">
        <p className="max-w-[66ch] text-ink-2">
          The Health and Care Professions Council asks for a list of your activities by date, of at least two
          types of learning, an explanation of each gap of three months or more, and four to six activities
          told in detail. You write the summary of your practice history yourself.
        </p>
        <section>
          <h2 className="text-base">Types of learning</h2>
          <ul className="mt-1">
            {kinds.map(({ kind, entries }) => (
              <li key={kind ?? ''} className={kind ? undefined : 'text-ink-3'}>
                {kindText(kind)}: {countText(entries)}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2 className="text-base">Gaps of three months or more</h2>
          {gaps.length === 0 && <p className="mt-1">None</p>}
          <ul>
            {gaps.map((gap) => (
              <li key={gap.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 pt-2">
                <div className="min-w-0">
                  <p>{gapText(gap)}</p>
                  {gap.reason && <EntryText>{gap.reason}</EntryText>}
                </div>
                <Button size="small" onClick={() => onExplain(gap)}>
                  {gap.reason ? 'Edit explanation' : 'Explain'}
                  <span className="sr-only">
                    {gap.reason ? ' of the gap: ' : ' the gap: '}
                    {gapText(gap)}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2 className="text-base">Described in detail: {inDetail.length} of four to six</h2>
          <ul>
            {inDetail.map((entry) => (
              <li key={entry.id} className="flex items-start justify-between gap-4 pt-2">
                <p className="min-w-0">
                  <bdi dir="auto" className="wrap-anywhere">
                    {entry.subject}
                  </bdi>
                  <span className="block text-sm text-ink-3">{formatDay(entry.day)}</span>
                </p>
                <Button size="small" onClick={() => onEdit(entry)}>
                  Edit<span className="sr-only"> the details of {entry.subject}</span>
                </Button>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-ink-3">Choose them where you add or edit an entry, under “For an audit”.</p>
        </section>
      </div>
    </details>
  );
}
