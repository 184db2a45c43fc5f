import { useQueryClient } from '@tanstack/react-query';
import { linkGoogle, unlinkIdentity } from '#app/account/account/data.ts';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import type { identitiesQuery } from './data.ts';

type Identities = Awaited<ReturnType<NonNullable<ReturnType<typeof identitiesQuery>['queryFn']>>>;

/** The member's sign-in methods, to add and remove. */
export function SignInMethods({ identities }: { identities: Identities }) {
  const cache = useQueryClient();
  const google = identities.find(({ provider }) => provider === 'google');
  const runAction = async (work: () => Promise<void>) => {
    try {
      await work();
      await cache.invalidateQueries({ queryKey: ['account', 'identities'] });
    } catch (error) {
      toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Please try again') });
    }
  };
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
          <Button onClick={() => void runAction(async () => unlinkIdentity(await browserClient(), google))}>
            Disconnect
          </Button>
        )
      ) : (
        <Button onClick={() => void runAction(async () => linkGoogle(await browserClient()))}>Connect</Button>
      )}
    </div>
  );
}
