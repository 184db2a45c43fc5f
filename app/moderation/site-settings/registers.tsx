import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { allRegistersQuery, type Register, retireRegister } from './data.ts';

const RegisterDialog = lazyDialog(() => import('./register-dialog.tsx'), 'RegisterDialog');

/** The registers, to add, change and retire. */
export function Registers() {
  const registers = useQuery(allRegistersQuery(browserClient));
  const [edited, setEdited] = useState<Register | 'new'>();
  const retiring = useConfirmedAction({
    title: ({ code }) => `Retire ${code}`,
    question:
      'No one can name this register any more. Who has named it keeps their registration and badge. You can offer it again.',
    verb: 'Retire',
    busy: 'Saving',
    act: async ({ code, is_retired }: Register) => retireRegister(await browserClient(), code, !is_retired),
    done: (_, { is_retired }) => (is_retired ? 'Register offered again' : 'Register retired'),
    failed: 'Failed to change the register',
    refresh: [['registers']],
  });
  if (!registers.data)
    return (
      <NotLoaded loading="Loading the registers" failed="Failed to load the registers" query={registers} />
    );
  return (
    <>
      <ul aria-label="Registers" className="mt-2 divide-y">
        {registers.data.map((register) => (
          <li key={register.code} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-bold wrap-anywhere">
                <a href={register.search_url} target="_blank" rel="noreferrer" className="link">
                  {register.code}: {register.name}
                </a>{' '}
                {register.is_retired && <Badge>Retired</Badge>}
              </p>
              <p className="text-sm text-ink-3 wrap-anywhere">
                {register.country} · {register.professions}
              </p>
            </div>
            <div className="flex gap-2">
              <Button size="small" onClick={() => setEdited(register)}>
                Edit<span className="sr-only"> {register.code}</span>
              </Button>
              <Button
                size="small"
                busy={retiring.isPending && retiring.variables.code === register.code && 'Saving'}
                onClick={() => (register.is_retired ? retiring.mutate : retiring.ask)(register)}
              >
                {register.is_retired ? 'Offer again' : 'Retire'}
                <span className="sr-only"> {register.code}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Button className="mt-4" onClick={() => setEdited('new')}>
        Add a register
      </Button>
      {retiring.dialog}
      {edited && (
        <RegisterDialog
          register={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
