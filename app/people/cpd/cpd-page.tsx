import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClipboardList, Download, Plus, Printer } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useViewer } from '#app/session.ts';
import { CLOSED, pageTitle, siteName } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { downloadCsv } from '#app/ui/texts/csv.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { AuditOutline } from './audit-outline.tsx';
import {
  type CpdEntry,
  type CpdSubject,
  deleteEntry,
  type Gap,
  inDetailQuery,
  outlineQuery,
  recordQuery,
  suggestionsQuery,
  titleQuery,
  yearsQuery,
} from './data.ts';
import { EntryItem } from './entry-item.tsx';
import { LAST_TWO_YEARS, today } from './period.ts';
import { PrintedRecord } from './printed-record.tsx';
import { countText, durationText, recordCsv } from './record.ts';
import { Suggestions } from './suggestions.tsx';

const EntryDialog = lazyDialog(() => import('./entry-dialog.tsx'), 'EntryDialog');
const GapDialog = lazyDialog(() => import('./gap-dialog.tsx'), 'GapDialog');

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('CPD record') }, { name: 'robots', content: 'noindex' }];

/** What the member learned, with time and reflection, to hand in; `?solution=` opens a new entry about a solution. */
export default function CpdPage() {
  const member = useRequiredMember();
  const viewer = useViewer();
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [period, setPeriod] = useState('');
  const [dialog, setDialog] = useState<{ entry?: CpdEntry | CpdSubject } | null>(null);
  const [gap, setGap] = useState<Gap | null>(null);
  const years = useQuery({
    ...yearsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  // The last entry of a year can be deleted while the year is chosen.
  const chosen = period === LAST_TWO_YEARS || years.data?.some((one) => one.year === period) ? period : '';
  const pagesOfRecord = recordQuery(browserClient, member?.id ?? '', chosen);
  const record = useInfiniteQuery({
    ...pagesOfRecord,
    enabled: member !== undefined,
    placeholderData: keepPreviousData,
  });
  const outline = useQuery({
    ...outlineQuery(browserClient, member?.id ?? '', chosen),
    enabled: member !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data: inDetail } = useQuery({
    ...inDetailQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  const suggestions = useQuery({
    ...suggestionsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  // The suggestions stand above the record, which must not move when they come.
  const isReady =
    record.data !== undefined &&
    years.data !== undefined &&
    outline.data !== undefined &&
    !suggestions.isPending;
  const solutionId = params.get('solution') ?? '';
  const { data: solutionTitle } = useQuery({
    ...titleQuery(browserClient, solutionId),
    enabled: member !== undefined && isUuid(solutionId),
  });
  const ofSolution: CpdSubject | null = solutionTitle
    ? { activity: 'read', subject: solutionTitle, solution_id: solutionId, topic_id: null, day: today() }
    : null;
  const opened = dialog ?? (ofSolution && { entry: ofSolution });
  const close = () => {
    setDialog(null);
    if (solutionId) setParams({}, { replace: true });
  };
  const removal = useConfirmedAction({
    title: 'Delete entry',
    question: ({ subject, gap_reason }) =>
      `We delete the entry about “${subject}” from your record${
        gap_reason ? ', and your explanation of the gap after it' : ''
      }.`,
    verb: 'Delete entry',
    busy: 'Deleting',
    act: async ({ id }: CpdEntry) => deleteEntry(await browserClient(), id),
    failed: 'Failed to delete the entry',
    fallback: 'Please try again',
    refresh: [['cpd']],
  });

  // What is printed or downloaded is the whole record, and shown before.
  const handOver = useAction({
    act: async (pass: (entries: CpdEntry[]) => void) => {
      const whole = await cache.fetchInfiniteQuery({
        ...pagesOfRecord,
        pages: Number.POSITIVE_INFINITY,
        staleTime: 0,
      });
      pass(whole.pages.flat());
    },
    failed: 'Failed to load your CPD record',
    fallback: 'Please try again',
  });

  const shown = record.data?.pages.flat() ?? [];
  const kinds = outline.data?.kinds ?? [];
  const total = `${countText(kinds.reduce((sum, { entries }) => sum + entries, 0))}, ${durationText(
    kinds.reduce((sum, { minutes }) => sum + minutes, 0),
  )}`;
  const periods = [
    { value: LAST_TWO_YEARS, label: 'Last two years' },
    ...(years.data ?? []).map(({ year }) => ({ value: year, label: year })),
  ];
  const profile = viewer?.profile;
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div>
            <h1 className="text-2xl md:text-3xl">CPD record</h1>
            <p className="mt-2 max-w-[66ch] text-ink-2 print:hidden">
              What you read, tried, reviewed and discussed, with the time it took and what you learned. Only
              you can read it.
            </p>
            <p className="mt-2 hidden print:block">
              <bdi>{profile?.full_name ?? profile?.username ?? member?.email}</bdi>
              {profile?.profession && (
                <>
                  , <bdi>{profile.profession}</bdi>
                </>
              )}
              . {periods.find(({ value }) => value === chosen)?.label ?? 'All years'}. As recorded by the
              member on {siteName()}.
            </p>
          </div>
          <Button variant="primary" className="print:hidden" onClick={() => setDialog({})}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            Add entry
          </Button>
        </div>
        <div className="mt-8">
          {isReady && (
            <Suggestions suggestions={suggestions.data ?? []} onChoose={(entry) => setDialog({ entry })} />
          )}
          {isReady && years.data.length > 0 ? (
            <>
              <div className="flex flex-wrap items-end gap-x-4 gap-y-3 print:hidden">
                <Field label="Period" className="w-full sm:w-44">
                  <Select value={chosen} onChange={(event) => setPeriod(event.target.value)}>
                    <Options of={periods} none="All years" />
                  </Select>
                </Field>
                <div className="flex flex-wrap gap-3 sm:ms-auto">
                  <Button onClick={() => handOver.mutate(() => setTimeout(() => window.print()))}>
                    <Printer className="size-5" strokeWidth={1.75} aria-hidden />
                    Print or save as PDF
                  </Button>
                  <Button
                    onClick={() =>
                      handOver.mutate((whole) =>
                        downloadCsv(
                          `cpd-record${chosen && `-${chosen}`}.csv`,
                          recordCsv(whole, location.origin),
                        ),
                      )
                    }
                  >
                    <Download className="size-5" strokeWidth={1.75} aria-hidden />
                    Download CSV
                  </Button>
                </div>
              </div>
              <p role="status" className="mt-6 font-bold">
                {total}
              </p>
              <AuditOutline
                outline={outline.data}
                inDetail={inDetail ?? []}
                onExplain={setGap}
                onEdit={(entry) => setDialog({ entry })}
              />
              <ul className="mt-3 divide-y rounded-md border bg-surface empty:hidden print:hidden">
                {shown.map((entry) => (
                  <EntryItem
                    key={entry.id}
                    entry={entry}
                    onEdit={() => setDialog({ entry })}
                    onDelete={() => removal.ask(entry)}
                  />
                ))}
              </ul>
              <PrintedRecord entries={shown} outline={outline.data} />
              <MoreButton query={record} className="mt-6 print:hidden">
                Load more
              </MoreButton>
            </>
          ) : isReady ? (
            <EmptyState icon={ClipboardList}>
              Your record is empty. Add an entry here, or choose “Add to CPD record” on a solution.
            </EmptyState>
          ) : (
            <NotLoaded
              loading="Loading your CPD record"
              failed="Failed to load your CPD record"
              query={[record, years, outline].find((query) => query.isError) ?? record}
            />
          )}
        </div>
      </div>
      {member && opened && (
        <EntryDialog
          memberId={member.id}
          entry={opened.entry}
          inDetail={inDetail?.length ?? 0}
          onClose={close}
        />
      )}
      {gap && <GapDialog gap={gap} onClose={() => setGap(null)} />}
      {removal.dialog}
    </div>
  );
}
