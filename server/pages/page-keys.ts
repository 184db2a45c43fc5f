/**
 * A path without a page, at which the "not found" page is rendered; and the address at which the router
 * requests its data.
 */
const NO_PAGE = '/-';

/** Before the address in the key of a page for a client that asks for little data. */
const SPARING = 'sparing:';

/**
 * What stands before the key of a page for a client: it is a sparing page when its reader has asked to save data, or its
 * connection is very slow (Client Hints Infrastructure; Network Information API).
 */
export const kindFor = (saveData: unknown, connection: unknown): string =>
  saveData === 'on' || connection === '2g' || connection === 'slow-2g' ? SPARING : '';

/** The most pairs of a query that are looked at: no page has as many parameters, and each takes a while to read. */
const MAX_PAIRS = 200;

/** The request by which a page is made for its key. */
export const requestFor = (key: string, origin: string): Request =>
  key.startsWith(SPARING)
    ? new Request(origin + key.slice(SPARING.length), { headers: { 'save-data': 'on' } })
    : new Request(origin + key);

const isData = ({ pathname }: URL): boolean => pathname.endsWith('.data');

/**
 * Decides which addresses are answered with the same page.
 *
 * @param routeAt the name of the page that the site has at an address, the same for all pages of a kind
 */
export function createPageKeys(routeAt: (url: URL) => string | undefined) {
  /** The names of the parameters that pages were seen to look for, by their kind. */
  const parameters = new Map<string, Set<string>>();

  /** @returns undefined for an address without a page; page and data look for different parameters */
  function parametersAt(url: URL): Set<string> | undefined {
    const route = routeAt(url);
    if (route === undefined) return undefined;
    const kind = isData(url) ? `${route}.data` : route;
    const names = parameters.get(kind) ?? new Set();
    parameters.set(kind, names);
    return names;
  }

  return {
    /**
     * The path and query at which the page for an address is made and kept. It lacks the parameters that no page of its
     * kind has looked for; it has the others as they came. The page is never given what is left out, which therefore
     * makes no difference to it.
     */
    keyOf(url: URL): string {
      const names = parametersAt(url);
      if (!names) return isData(url) ? `${NO_PAGE}.data` : NO_PAGE;
      const query = url.search
        .slice(1)
        .split('&', MAX_PAIRS)
        .filter((pair) => [...new URLSearchParams(`?${pair}`).keys()].some((name) => names.has(name)));
      return url.pathname + (query.length > 0 ? `?${query.join('&')}` : '');
    },
    /**
     * @param names of the parameters that the page at the address has looked for, whether they were there or not; they
     *   count from now on, and the keys of addresses that have them are others than before
     */
    learn(url: URL, names: readonly string[]): void {
      const known = parametersAt(url);
      for (const name of names) known?.add(name);
    },
  };
}
