/** Common names of the browser and device of a User-Agent header; in order, since some claim to be others. */
const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone/, 'iPhone', true],
  [/iPad/, 'iPad', true],
  [/Android/, 'Android', true],
  [/Windows/, 'Windows', false],
  [/Mac OS X|Macintosh/, 'Mac', false],
  [/CrOS/, 'Chromebook', false],
  [/Linux/, 'Linux', false],
] as const;

/** What a member recognises a session by, for example “Firefox on Windows”, from its `User-Agent` header. */
export function deviceOf(userAgent: string | null): { name: string; isMobile: boolean } {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent ?? ''));
  const name = [browser, system?.[1]].filter(Boolean).join(' on ');
  return { name: name || 'Unknown device', isMobile: system?.[2] ?? false };
}
