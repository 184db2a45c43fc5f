/**
 * The path and the query string of the address of a `Request`, which is in its normal form already: to parse
 * each again would cost as much as a small answer.
 */
export function addressParts(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const fragment = url.indexOf('#', start);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', start);
  return mark < 0 || mark > end
    ? { path: url.slice(start, end), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}
