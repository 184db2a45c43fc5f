import { useRouteLoaderData } from 'react-router';

/** The part of the root loader's data that is read here; see app/root.tsx. */
type RootLoader = () => { supabase: { url: string } };

/**
 * Turns a file's path in the database into a URL for the browser. The database names files by their path on
 * the API, so that rows survive a change of its address.
 */
export function useFileUrl(): (path: string) => string {
  const base = useRouteLoaderData<RootLoader>('root')?.supabase.url ?? '';
  return (path) => (path.startsWith('/storage/') ? base + path : path);
}
