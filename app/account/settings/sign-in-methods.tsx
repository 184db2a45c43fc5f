import { linkGoogle, unlinkIdentity } from '#app/account/credentials/data.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import type { identitiesQuery } from './data.ts';

type Identities = Awaited<ReturnType<NonNullable<ReturnType<typeof identitiesQuery>['queryFn']>>>;

/** The member's sign-in methods, to add and remove. */
export function SignInMethods({ identities }: { identities: Identities }) {
  const google = identities.find(({ provider }) => provider === 'google');
  const acting = useAction({
    act: (work: () => Promise<void>) => work(),
    failed: 'Error',
    fallback: 'Please try again',
    refresh: [['account', 'identities']],
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className="font-title">Google</p>
        <p className="text-sm text-ink-2">
          {google
            ? `Connected${google.identity_data?.email ? ` as ${google.identity_data.email}` : ''}`
            : 'Not connected'}
        </p>
      </div>
      {google ? (
        identities.length > 1 && (
          <Button onClick={() => acting.mutate(async () => unlinkIdentity(await browserClient(), google))}>
            Disconnect
          </Button>
        )
      ) : (
        <Button onClick={() => acting.mutate(async () => linkGoogle(await browserClient()))}>Connect</Button>
      )}
    </div>
  );
}
