import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReactNode } from 'react';
import type { RouterContextProvider } from 'react-router';
import type { Font } from 'satori';
import { readLogo, readSiteSettings } from '#app/frame/page/site-settings.ts';
import type { SiteSettings } from '#app/site.ts';
import { themesIn } from '#app/ui/accent.ts';
import { logoPath } from './logo.tsx';

interface OgImage {
  title: string;
  /** Above all else, what readers are warned of. */
  warning?: string | undefined;
  /** Above the title, for example the kind of page. */
  heading?: string;
  /** Below the title, for example the author. */
  note: string;
  /** A drawing for the panel at the side, in its current colour, and its name; else the logo is there. */
  sign?: { name: string; drawing: ReactNode };
}

/** What a card shows of the site. */
interface Brand {
  site: SiteSettings;
  /** The address of its logo, which holds the image itself; undefined without one. */
  logo: string | undefined;
}

const size = { width: 1200, height: 630 };

/** Cards are expensive to draw and the same for all; as many as are cached here take about ten megabytes. */
const MAX_CACHED_IMAGES = 250;
const cachedImages = new Map<string, Promise<Buffer<ArrayBuffer>>>();

let fonts: Promise<Font[]> | undefined;

/** The site's own fonts; a glyph missing from the first file is looked up in the second. */
async function loadFonts(): Promise<Font[]> {
  const { resolve } = createRequire(import.meta.url);
  const load = async (name: string, subset: string, weight: 400 | 700): Promise<Font> => ({
    name,
    weight,
    data: await readFile(
      resolve(
        `@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-${subset}-${weight}-normal.woff`,
      ),
    ),
  });
  return Promise.all(
    ([400, 700] as const).flatMap((weight) => [
      load('Latin', 'latin', weight),
      load('Extended', 'latin-ext', weight),
    ]),
  );
}

/** The longer a title, the smaller its letters; a title that is still too long ends in dots. */
const titleSize = (title: string) => (title.length <= 60 ? 64 : title.length <= 95 ? 54 : 46);

/** Characters that the fonts at hand lack, for example emoji, which would show as empty boxes. */
const UNSUPPORTED = /[^\u0020-\u02ff\u1e00-\u1eff\u2000-\u206f\u20a0-\u20c0\u2122\u2212]/gu;

const supportedCharacters = (text: string) =>
  text.normalize('NFC').replace(UNSUPPORTED, '').replace(/\s+/g, ' ').trim();

const lettersIn = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

/** Whether a text loses most of its letters with those characters, as one in another script does. */
const isCut = (text: string) => lettersIn(text) > 2 * lettersIn(supportedCharacters(text));

/** An image in an address of its own, as the drawing takes it; it knows no WebP. */
async function asPng(bytes: ArrayBuffer): Promise<string> {
  const { default: sharp } = await import('sharp');
  return `data:image/png;base64,${(await sharp(bytes).png().toBuffer()).toString('base64')}`;
}

async function renderOgImage(
  { title, warning, heading, note, sign }: OgImage,
  { site, logo }: Brand,
): Promise<Buffer<ArrayBuffer>> {
  const { light } = themesIn(site.accent_colour);
  // The drawing knows neither the fonts nor the directions of other scripts, whose titles would be empty or in pieces.
  const isTitled = !heading || !isCut(title);
  const shownTitle = supportedCharacters(isTitled ? title : heading);
  fonts ??= loadFonts();
  // Two megabytes of code, which most starts of the site never need.
  const { default: satori } = await import('satori');
  const fontSize = titleSize(shownTitle);
  const svg = await satori(
    <div
      style={{
        ...size,
        display: 'flex',
        backgroundColor: light.bg,
        color: light.ink,
        fontFamily: 'Latin, Extended',
      }}
    >
      <div style={{ display: 'flex', width: 20, backgroundColor: light.accent }} />
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          flexShrink: 0,
          width: 740,
          padding: '60px 48px 56px 68px',
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 32, fontWeight: 700 }}>
          {logo ? (
            <img src={logo} width={54} height={54} alt="" />
          ) : (
            <svg viewBox="0 0 26 26" width={54} height={54} aria-hidden="true">
              <rect width="26" height="26" rx="6" fill={light.accent} />
              <path d={logoPath} fill="none" stroke="#fff" strokeWidth="2.3" strokeLinecap="round" />
            </svg>
          )}
          {supportedCharacters(site.site_name)}
        </div>
        <div
          style={{
            display: 'flex',
            flexDirection: 'column',
            flexGrow: 1,
            justifyContent: 'center',
            paddingTop: 24,
          }}
        >
          {warning && (
            <div style={{ marginBottom: 14, fontSize: 44, fontWeight: 700, color: light['red-ink'] }}>
              {warning}
            </div>
          )}
          {heading && isTitled && (
            <div style={{ fontSize: 28, fontWeight: 700, color: light.accent }}>{heading}</div>
          )}
          <div
            style={{
              display: 'block',
              lineClamp: fontSize > 50 ? 4 : 5,
              marginTop: 14,
              fontSize,
              fontWeight: 700,
              lineHeight: 1.12,
              letterSpacing: '-0.02em',
              wordBreak: 'break-word',
            }}
          >
            {shownTitle}
          </div>
        </div>
        <div style={{ display: 'block', lineClamp: 1, fontSize: 28, color: light['ink-2'] }}>
          {supportedCharacters(note).replace(/^, /, '')}
        </div>
      </div>
      <div
        style={{
          display: 'flex',
          flexGrow: 1,
          alignItems: 'center',
          justifyContent: 'center',
          backgroundColor: light['accent-soft'],
          color: light.accent,
        }}
      >
        {sign ? (
          sign.drawing
        ) : logo ? (
          <img src={logo} width={240} height={240} alt="" />
        ) : (
          <svg viewBox="4 4 18 18" width={210} height={210} aria-hidden="true">
            <path d={logoPath} fill="none" stroke={light.accent} strokeWidth="2.3" strokeLinecap="round" />
          </svg>
        )}
      </div>
    </div>,
    { ...size, fonts: await fonts },
  );
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer();
}

/** The preview of a link to a page on other sites: a picture of its title of 1200 by 630. */
export async function ogImageResponse(
  context: Readonly<RouterContextProvider>,
  card: OgImage,
): Promise<Response> {
  const site = await readSiteSettings(context);
  const bytes = await readLogo(context, site);
  const { title, warning, heading, note, sign } = card;
  const shown = [
    site.site_name,
    site.accent_colour,
    bytes && site.logo_url,
    title,
    warning,
    heading,
    note,
    sign?.name,
  ];
  const key = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  const render = async () => renderOgImage(card, { site, logo: bytes && (await asPng(bytes)) });
  const image = cachedImages.get(key) ?? render();
  cachedImages.delete(key);
  cachedImages.set(key, image);
  image.catch(() => cachedImages.delete(key));
  for (const [oldest] of cachedImages) {
    if (cachedImages.size <= MAX_CACHED_IMAGES) break;
    cachedImages.delete(oldest);
  }
  return new Response(await image, {
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600', etag: `"${key}"` },
  });
}
