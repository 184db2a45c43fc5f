import { useQuery } from '@tanstack/react-query';
import { Building2, KeyRound } from 'lucide-react';
import { signInWaysQuery, signInWith } from '#app/account/credentials/provider-data.ts';
import type { ProviderButton } from '#app/account/credentials/providers.ts';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';

/** The operator chooses the names, which may need two lines. */
const LONG_LABEL = 'px-2 py-2 whitespace-normal';

/** Signing in with the providers and organisations that the operator has configured. */
export function OtherWays({
  className = '',
  onOrganisation,
}: {
  className?: string;
  onOrganisation: () => void;
}) {
  const ways = useQuery(signInWaysQuery).data;
  const opening = useAction({
    act: async (provider: ProviderButton) => {
      keepReturnPath();
      await signInWith(await browserClient(), provider);
    },
    failed: reasonOr('You weren’t signed in. Please try again.'),
  });
  if (!ways || (ways.providers.length === 0 && !ways.byOrganisation)) return null;
  return (
    <div className={`flex flex-col gap-3 border-t pt-6 ${className}`}>
      {ways.providers.map((provider) => (
        <Button key={provider.id} className={LONG_LABEL} onClick={() => opening.mutate(provider)}>
          <ProviderMark icon={provider.icon} />
          Continue with {provider.name}
        </Button>
      ))}
      {ways.byOrganisation && (
        <Button className={LONG_LABEL} onClick={onOrganisation}>
          <Building2 className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
          Continue with your organisation
        </Button>
      )}
    </div>
  );
}

function ProviderMark({ icon }: Pick<ProviderButton, 'icon'>) {
  if (!icon) return <KeyRound className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />;
  return <img src={icon} alt="" width={20} height={20} className="size-5 shrink-0 object-contain" />;
}
