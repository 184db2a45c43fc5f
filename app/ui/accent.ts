import { dark, light, surface } from './tokens.ts';

/** The tokens that have the hue of the accent colour. */
const TOKENS = [
  'accent',
  'accent-hover',
  'on-accent',
  'accent-soft',
  'accent-ink',
  'focus',
  'chart-1',
  'chart-2',
] as const;

type Triple = [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toEncoded = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

const linearOf = (hex: string): Triple => {
  const parts = [1, 3, 5].map((at) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
};

/** Relative luminance, by which WCAG 2.2 defines contrast. */
export const luminanceOf = (hex: string): number => brightness(linearOf(hex));
const brightness = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The hue in radians and the chroma of a colour in Oklab (https://bottosson.github.io/posts/oklab/). */
function hueAndChroma(hex: string): [hue: number, chroma: number] {
  const [r, g, b] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [Math.atan2(c, a), Math.hypot(a, c)];
}

function linearFrom(lightness: number, hue: number, chroma: number): Triple {
  const [a, b] = [Math.cos(hue) * chroma, Math.sin(hue) * chroma];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isShowable = (colour: Triple) => colour.every((part) => part >= -0.0005 && part <= 1.0005);

/** A colour of this hue as bright as a token, and so of the same contrast with every other; as colourful as screens can show. */
function recoloured(token: string, hue: number, share: number): string {
  const target = luminanceOf(token);
  for (let chroma = hueAndChroma(token)[1] * share; ; chroma *= 0.9) {
    let [low, high] = [0, 1];
    for (let step = 0; step < 24; step++) {
      const middle = (low + high) / 2;
      if (brightness(linearFrom(middle, hue, chroma)) < target) low = middle;
      else high = middle;
    }
    const colour = linearFrom(low, hue, chroma);
    if (isShowable(colour) || chroma < 0.001)
      return `#${colour
        .map((part) =>
          Math.round(toEncoded(Math.min(Math.max(part, 0), 1)) * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`;
  }
}

/** The accent colours of both themes in the hue of one that was chosen. Their brightness is that of the tokens, so texts stay readable. */
export function accentTokens(chosen: string): Record<'light' | 'dark', Record<string, string>> {
  const [hue, chroma] = hueAndChroma(chosen);
  // A grey stays one; beyond the strength of our own accent the hue alone counts.
  const share = Math.min(chroma / hueAndChroma(light.accent)[1], 1.5);
  const of = (theme: Record<(typeof TOKENS)[number], string>) =>
    Object.fromEntries(TOKENS.map((name) => [name, recoloured(theme[name], hue, share)]));
  return { light: of(light), dark: of(dark) };
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/.test(text);

let latest = { chosen: '', themes: { light, dark } };

/** All tokens of both themes with an accent colour, for what has no style sheet; the product's own where none was chosen. */
export function themesIn(chosen: string): { light: typeof light; dark: typeof dark } {
  if (!isColour(chosen)) return { light, dark };
  if (latest.chosen !== chosen) {
    const tokens = accentTokens(chosen);
    latest = { chosen, themes: { light: { ...light, ...tokens.light }, dark: { ...dark, ...tokens.dark } } };
  }
  return latest.themes;
}

/** What the browser's own bar has in each theme: the accent colour that was chosen, else the colour of the header below it. */
export function barColours(chosen: string): { light: string; dark: string } {
  if (!isColour(chosen)) return surface;
  const themes = themesIn(chosen);
  return { light: themes.light.accent, dark: themes.dark['accent-soft'] };
}

/** The style rules that put the chosen accent colour in the place of the site's own; none without one. */
export function accentRules(chosen: string): string {
  if (!isColour(chosen)) return '';
  const { light: day, dark: night } = accentTokens(chosen);
  const rule = (selector: string, tokens: Record<string, string>) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')}}`;
  // Above the site's own rules, wherever those are loaded; paper is light.
  return `${rule('html:root', day)}@media screen{${rule('html.dark', night)}}`;
}
