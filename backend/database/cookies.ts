/** The cookies of a request as a JSON object, their values as they were sent. */
export function cookiesOf(header: string | undefined): string {
  if (header === undefined) return '{}';
  const pairs = header.split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()] as const;
  });
  return JSON.stringify(Object.fromEntries(pairs));
}
