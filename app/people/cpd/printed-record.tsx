import { formatDay } from '#app/ui/texts/dates.ts';
import { activities, type CpdEntry, kinds as kindNames, type Outline } from './data.ts';
import { EntryText } from './entry-text.tsx';
import { countText, durationText, gapText, kindText } from './record.ts';

interface PrintedRecordProps {
  /** The latest day first. */
  entries: CpdEntry[];
  outline: Outline;
}

/**
 * The record on paper, in the order that an audit asks for: all activities by date, the gaps that were explained, and those told in
 * detail. Where none is to be told in detail, each activity has its texts in the list.
 */
export function PrintedRecord({ entries, outline }: PrintedRecordProps) {
  const kinds = outline.kinds.filter(({ kind }) => kind);
  const byDate = entries.toReversed();
  const inDetail = byDate.filter((entry) => entry.in_detail);
  const explained = outline.gaps.filter((gap) => gap.reason).toReversed();
  return (
    <div className="hidden print:block">
      {kinds.length > 0 && (
        <p className="mt-1">
          {kinds.map((one) => `${kindText(one.kind)}: ${countText(one.entries)}`).join('. ')}.
        </p>
      )}
      <h2 className="mt-6 text-lg">Activities</h2>
      <table className="mt-2 w-full text-start align-top">
        <thead>
          <tr className="border-b">
            <th className="py-2 pe-4 whitespace-nowrap">Date</th>
            <th className="py-2 pe-4">Activity</th>
            <th className="py-2 pe-4">Type of learning</th>
            <th className="py-2">Time</th>
          </tr>
        </thead>
        <tbody>
          {byDate.map((entry) => (
            <tr key={entry.id} className="break-inside-avoid border-b align-top">
              <td className="py-2 pe-4 whitespace-nowrap">{formatDay(entry.day)}</td>
              <td className="py-2 pe-4">
                {activities[entry.activity]}:{' '}
                <bdi dir="auto" className="wrap-anywhere">
                  {entry.subject}
                </bdi>
                {inDetail.length === 0 && entry.reflection && <EntryText>{entry.reflection}</EntryText>}
                {inDetail.length === 0 && entry.benefit && <EntryText>{entry.benefit}</EntryText>}
              </td>
              <td className="py-2 pe-4">{entry.kind && kindNames[entry.kind]}</td>
              <td className="py-2">{durationText(entry.minutes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {explained.length > 0 && (
        <>
          <h2 className="mt-6 text-lg">Gaps of three months or more</h2>
          <ul>
            {explained.map((gap) => (
              <li key={gap.id} className="mt-2 break-inside-avoid">
                <h3 className="text-base">{gapText(gap)}</h3>
                <EntryText>{gap.reason ?? ''}</EntryText>
              </li>
            ))}
          </ul>
        </>
      )}
      {inDetail.length > 0 && (
        <>
          <h2 className="mt-6 text-lg">In detail</h2>
          {inDetail.map((entry) => (
            <section key={entry.id} className="mt-4 break-inside-avoid">
              <h3 className="text-base">
                <bdi dir="auto" className="wrap-anywhere">
                  {entry.subject}
                </bdi>
              </h3>
              <p>
                {activities[entry.activity]} on {formatDay(entry.day)}, {durationText(entry.minutes)}
                {entry.kind && `. ${kindNames[entry.kind]}`}
              </p>
              {entry.reflection && (
                <>
                  <h4 className="mt-2 font-bold text-sm">
                    What I learned, and what it contributed to my practice
                  </h4>
                  <EntryText>{entry.reflection}</EntryText>
                </>
              )}
              {entry.benefit && (
                <>
                  <h4 className="mt-2 font-bold text-sm">Benefit to service users</h4>
                  <EntryText>{entry.benefit}</EntryText>
                </>
              )}
            </section>
          ))}
        </>
      )}
    </div>
  );
}
