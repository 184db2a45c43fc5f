import { createContext } from 'react-router';
import type { Route } from './+types/providers.ts';

/** An outside service that vouches for people, and how its button looks. */
export interface ProviderButton {
  /** What the sign-in service calls it. */
  id: string;
  name: string;
  /** A data URL; null for a mark that all without one share. */
  icon: string | null;
}

/** The providers of the site's settings. */
export const providersContext = createContext<ProviderButton[]>([]);

/** Their names and icons, which the sign-in service does not know. */
export function loader({ context }: Route.LoaderArgs) {
  return Response.json(context.get(providersContext), { headers: { 'cache-control': 'no-cache' } });
}

/** The methods that `external` of the sign-in service's settings names beside the providers. */
const NO_PROVIDERS = /^(?:email|phone|anonymous_users|web3.*)$/;

/**
 * The providers with which people can sign in.
 *
 * @param external which methods the sign-in service has enabled, by name; it lists no custom providers of a hosted project
 * @param configured the providers of the site's settings, whose order, names and icons are kept
 */
export function offeredProviders(
  external: Record<string, boolean>,
  configured: ProviderButton[],
): ProviderButton[] {
  const isOn = ({ id }: ProviderButton) => external[id] ?? id.startsWith('custom:');
  const others = Object.keys(external).filter(
    (id) => external[id] && !NO_PROVIDERS.test(id) && !configured.some((known) => known.id === id),
  );
  return [
    ...configured.filter(isOn),
    ...others.map((id) => ({
      id,
      name: id.replace(/^./, (letter) => letter.toUpperCase()),
      icon: null,
    })),
  ];
}
