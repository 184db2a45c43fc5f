import { useRouteLoaderData } from 'react-router';
import type { loader } from './root.tsx';

/**
 * Turns what the database says of a file into an address for the browser. The database names files by their
 * path on the API, so that rows survive a change of its address.
 */
export function useFileUrl(): (path: string) => string {
  const base = useRouteLoaderData<typeof loader>('root')?.supabase.url ?? '';
  return (path) => (path.startsWith('/storage/') ? base + path : path);
}
