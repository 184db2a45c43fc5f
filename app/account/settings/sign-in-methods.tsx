import type { UserIdentity } from '@supabase/supabase-js';
import { linkProvider, unlinkIdentity } from '#app/account/credentials/provider-data.ts';
import type { ProviderButton } from '#app/account/credentials/providers.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Switch } from '#app/ui/controls/switch.tsx';
import { showOrcid } from './data.ts';
import { Passkeys } from './passkeys.tsx';

interface SignInMethodsProps {
  userId: string;
  identities: UserIdentity[];
  /** Those that can be connected. */
  providers: ProviderButton[];
  byPasskey: boolean;
  /** The iD that the member shows to others. */
  orcid: string | null;
}

const ORCID = ['orcid', 'custom:orcid'];
const isOrganisation = (provider: string) => provider.startsWith('sso:');

/** Whether it is an account at ORCID itself, whose iD can be shown; its sandbox has the same name. */
export const isOrcid = ({ provider, identity_data }: UserIdentity) =>
  ORCID.includes(provider) && identity_data?.iss === 'https://orcid.org';

/** The member's sign-in methods, to add and remove. */
export function SignInMethods({ userId, identities, providers, byPasskey, orcid }: SignInMethodsProps) {
  const acting = useAction({
    act: (work: () => Promise<void>) => work(),
    failed: 'Error',
    fallback: 'Please try again',
    refresh: [
      ['account', 'identities'],
      ['account', 'orcid'],
      ['account', 'profile'],
    ],
  });
  const isOfOrganisation = identities.some(({ provider }) => isOrganisation(provider));
  // An organisation decides itself how its people sign in; they connect only what is shown.
  const offered = providers.filter(({ id }) => !isOfOrganisation || ORCID.includes(id));
  // An organisation is joined by signing in with it, and a provider that is no longer offered can still be left.
  const others = identities
    .filter(({ provider }) => provider !== 'email' && !offered.some(({ id }) => id === provider))
    .map(({ provider }) => ({
      id: provider,
      name: isOrganisation(provider) ? 'Your organisation' : provider,
      icon: null,
    }));
  const all = [...offered, ...others];
  const list = all.length > 0 && (
    <ul className="divide-y [&>li:first-child]:pt-0 [&>li:last-child]:pb-0">
      {all.map((provider) => {
        const identity = identities.find((each) => each.provider === provider.id);
        const email = identity?.identity_data?.email;
        return (
          <li key={provider.id} className="flex flex-wrap items-center justify-between gap-4 py-4">
            <div className="min-w-0">
              <p className="font-bold">{provider.name}</p>
              <p className="text-sm text-ink-2 wrap-anywhere">
                {identity ? `Connected${email ? ` as ${email}` : ''}` : 'Not connected'}
              </p>
            </div>
            {!identity ? (
              <Button
                onClick={() => acting.mutate(async () => linkProvider(await browserClient(), provider))}
              >
                Connect<span className="sr-only"> {provider.name}</span>
              </Button>
            ) : (
              identities.length > 1 &&
              !isOrganisation(provider.id) && (
                <Button
                  onClick={() => acting.mutate(async () => unlinkIdentity(await browserClient(), identity))}
                >
                  Disconnect<span className="sr-only"> {provider.name}</span>
                </Button>
              )
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {list}
      {identities.some(isOrcid) && (
        <div className={list ? 'mt-5 border-t pt-4' : ''}>
          <Switch
            checked={orcid !== null}
            onChange={(shown) => acting.mutate(async () => showOrcid(await browserClient(), shown))}
            hint="On your profile, and with your name where your solutions are cited. Anyone can see it."
            className="flex w-full justify-between"
          >
            Show my ORCID iD
          </Switch>
        </div>
      )}
      {byPasskey && !isOfOrganisation && (
        <div className={list ? 'mt-5 border-t pt-5' : ''}>
          <Passkeys userId={userId} />
        </div>
      )}
    </>
  );
}
