import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { acts } from '#app/kinds.ts';
import { useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Options, Select } from '#app/ui/controls/input.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { downloadCsv } from '#app/ui/texts/csv.ts';
import { auditCsv } from './audit-csv.ts';
import { AuditItem } from './audit-item.tsx';
import { type AuditFilter, auditQuery, readWholeLog } from './data.ts';

/** The log of acts that used the powers of a moderator or admin; it grows live. */
export function AuditLog() {
  const cache = useQueryClient();
  const [filter, setFilter] = useState<AuditFilter>({ action: '', from: '', to: '' });
  const log = useInfiniteQuery({
    ...auditQuery(browserClient, filter),
    placeholderData: keepPreviousData,
  });
  useRealtime(
    'moderation:audit',
    [{ table: 'audit_events', event: 'INSERT' }],
    () => void cache.invalidateQueries({ queryKey: ['moderation', 'audit'] }),
  );
  const download = useAction({
    act: async () => readWholeLog(await browserClient(), filter),
    failed: 'Failed to download the audit log',
    onDone: (entries) =>
      downloadCsv(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, auditCsv(entries)),
  });
  const entries = log.data?.pages.flat();
  const set = (name: keyof AuditFilter) => (event: { target: { value: string } }) =>
    setFilter((before) => ({ ...before, [name]: event.target.value }));
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end gap-x-4 gap-y-3">
        <Field label="Action" className="w-full sm:w-64">
          <Select value={filter.action} onChange={set('action')}>
            <Options of={acts} none="All actions" />
          </Select>
        </Field>
        <Field label="From" className="flex-1 sm:flex-none">
          <Input type="date" aria-required={false} value={filter.from} onChange={set('from')} />
        </Field>
        <Field label="To" className="flex-1 sm:flex-none">
          <Input type="date" aria-required={false} value={filter.to} onChange={set('to')} />
        </Field>
        {entries && entries.length > 0 && (
          <Button
            className="md:ms-auto"
            busy={download.isPending && 'Preparing'}
            onClick={() => download.mutate()}
          >
            <Download className="size-5" strokeWidth={1.75} aria-hidden />
            Download CSV
          </Button>
        )}
      </div>
      {!entries ? (
        <NotLoaded loading="Loading the audit log" failed="Failed to load the audit log" query={log} />
      ) : entries.length === 0 ? (
        <EmptyState icon={ScrollText}>No entries match these filters</EmptyState>
      ) : (
        <ol
          aria-label="Audit log"
          className={`divide-y overflow-clip rounded-md border bg-surface transition-opacity ${log.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {entries.map((entry) => (
            <AuditItem key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <MoreButton query={log} className="mt-6">
        Load more
      </MoreButton>
    </>
  );
}
