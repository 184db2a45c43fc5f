import { useQuery } from '@tanstack/react-query';
import { providersQuery, signInWithGoogle } from '#app/account/credentials/data.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';

/** Signing in with Google, where the operator has configured it. */
export function GoogleButton({ className = '' }: { className?: string }) {
  const isOffered = useQuery(providersQuery).data?.google === true;
  const opening = useAction({
    act: async () => {
      keepReturnPath();
      await signInWithGoogle(await browserClient());
    },
    failed: 'Error',
    fallback: 'Sign-in with Google is not available',
  });
  if (!isOffered) return null;
  return (
    <div className={`border-t pt-6 ${className}`}>
      <Button className="w-full" onClick={() => opening.mutate()}>
        <GoogleMark />
        Continue with Google
      </Button>
    </div>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.4h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.5z"
      />
      <path
        fill="#34a853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.4 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3A11.5 11.5 0 0 0 12 23.500z"
      />
      <path
        fill="#fbbc04"
        d="M5.600 14.200a6.900 6.900 0 0 1 0-4.400v-3H1.800a11.500 11.500 0 0 0 0 10.400z"
      />
      <path
        fill="#ea4335"
        d="M12 5.100c1.700 0 3.200.6 4.400 1.700l3.300-3.300A11 11 0 0 0 12 .500 11.500 11.500 0 0 0 1.800 6.800l3.800 3C6.500 7.100 9 5.100 12 5.100z"
      />
    </svg>
  );
}
