import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CircleAlert, Clock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import {
  type OwnRegistration,
  ownRegistrationQuery,
  removeRegistration,
  submitRegistration,
} from './data.ts';

const RegistrationForm = lazyPart(
  () => import('./registration-form.tsx'),
  'RegistrationForm',
  <Skeleton className="h-56" />,
);
interface RegistrationSettingsProps {
  userId: string;
  onDirtyChange: (isDirty: boolean) => void;
}

/** The registration that a member states, the state of its check, and the form to give or correct it. */
export function RegistrationSettings({ userId, onDirtyChange }: RegistrationSettingsProps) {
  const stored = useQuery(ownRegistrationQuery(browserClient, userId));
  const [isEditing, setIsEditing] = useState(false);
  if (stored.isError)
    return <LoadFailed title="Failed to load your registration" onRetry={() => void stored.refetch()} />;
  if (stored.isPending) return <Skeleton className="h-56" />;
  const registration = stored.data;
  const close = () => {
    onDirtyChange(false);
    setIsEditing(false);
  };
  return (
    <>
      <p className="mb-5 max-w-[66ch] text-ink-2">
        Optional. Add your registration so that readers can see that you are registered. A moderator will look
        it up in the public register. Only you and the moderators see the number.{' '}
        <Link to="/about#registration-checks" className="link">
          What is checked
        </Link>
      </p>
      {registration && (
        <Stated
          registration={registration}
          userId={userId}
          isEditing={isEditing}
          onChange={() => setIsEditing(true)}
        />
      )}
      {(!registration || isEditing) && (
        <RegistrationForm
          userId={userId}
          stored={registration}
          onDirtyChange={onDirtyChange}
          onClose={registration ? close : undefined}
          onSaved={close}
        />
      )}
    </>
  );
}

interface StatedProps {
  registration: OwnRegistration;
  userId: string;
  isEditing: boolean;
  onChange: () => void;
}

/** The state of a registration, and what its owner can do next. */
function Stated({ registration, userId, isEditing, onChange }: StatedProps) {
  const { register, number, state } = registration;
  const settle = {
    failed: 'Failed to update your registration',
    fallback: 'Please try again',
    refresh: [['viewer']],
  };
  const confirming = useAction({
    act: async () => submitRegistration(await browserClient(), userId, { register, number }),
    done: 'Thank you. A moderator will check it again.',
    ...settle,
  });
  const removal = useConfirmedAction({
    title: 'Remove registration',
    question: 'We delete the register and the number, and your badge disappears. You can add it again later.',
    verb: 'Remove registration',
    busy: 'Removing',
    act: async () => removeRegistration(await browserClient(), userId),
    done: 'Registration removed',
    ...settle,
  });
  return (
    <>
      <State registration={registration} />
      {!isEditing && (
        <>
          <dl className="mt-5 grid gap-x-8 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)]">
            <div>
              <dt className="text-sm text-ink-3">Register</dt>
              <dd className="font-bold">{register}</dd>
            </div>
            <div>
              <dt className="text-sm text-ink-3">Number, for you and moderators only</dt>
              <dd className="font-bold wrap-anywhere">{number}</dd>
            </div>
          </dl>
          <div className="mt-5 flex flex-wrap gap-3">
            {state === 'lapsed' && (
              <Button
                variant="primary"
                busy={confirming.isPending && 'Confirming'}
                onClick={() => confirming.mutate()}
              >
                Confirm registration
              </Button>
            )}
            <Button onClick={onChange}>
              {state === 'declined' ? 'Correct registration' : 'Change registration'}
            </Button>
            <Button className="text-red-ink" onClick={() => removal.ask()}>
              Remove registration
            </Button>
          </div>
        </>
      )}
      {removal.dialog}
    </>
  );
}

function State({ registration }: { registration: OwnRegistration }) {
  const { state, submitted_at, decided_at, decline_reason } = registration;
  const decidedOn = formatDay(decided_at ?? submitted_at);
  if (state === 'checked')
    return (
      <Banner tone="ok" icon="icon-checked" title={<>Checked on {decidedOn}.</>}>
        Your badge shows it. We’ll ask you to confirm it after a year. Changing your name or this registration
        starts a new check.
      </Banner>
    );
  if (state === 'declined')
    return (
      <Banner tone="amber" icon={CircleAlert} title="A moderator couldn’t check this.">
        <span dir="auto" className="block whitespace-pre-line wrap-anywhere">
          {decline_reason}
        </span>
        No badge is shown until you correct it.
      </Banner>
    );
  if (state === 'lapsed')
    return (
      <Banner tone="amber" icon={CalendarClock} title={<>Last checked on {decidedOn}.</>}>
        That is over a year ago, so your badge says “Self-declared”. Confirm that you are still registered,
        and a moderator will check it again.
      </Banner>
    );
  return (
    <Banner tone="accent" icon={Clock} title={`Waiting for a moderator since ${formatDay(submitted_at)}.`}>
      Until it is checked, your badge says “Self-declared”.
    </Banner>
  );
}
