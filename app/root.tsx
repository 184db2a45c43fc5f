import font from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url';
import { type ReactNode, useEffect } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import { interfaceDirection, interfaceLanguage } from '#app/ui/languages/interface-language.ts';
import type { Route } from './+types/root.ts';
import './app.css';
import { captchaContext } from '#app/frame/captcha/settings.ts';
import { CookieBanner } from '#app/frame/cookies/cookie-banner.tsx';
import { askBeforeFirstPaint } from '#app/frame/cookies/cookie-choice.ts';
import { captureEarlyInput, replayEarlyInput } from '#app/frame/layout/input-before-hydration.ts';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { RouteAnnouncer } from '#app/frame/layout/route-announcer.tsx';
import { useNonce } from '#app/frame/page/nonce.ts';
import { operatorContext } from '#app/frame/page/operator.ts';
import { ReaderProvider } from '#app/frame/page/page-data.tsx';
import { asksToSaveData } from '#app/frame/page/saves-data.ts';
import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { accentRules, barColours } from '#app/ui/accent.ts';
import { SavesDataProvider, useSavesData } from '#app/ui/surfaces/picture.tsx';
import { Toasts } from '#app/ui/surfaces/toast.tsx';
import { useLinkAnswer } from './account/sign-in/link-answer.ts';
import { Footer } from './frame/layout/footer.tsx';
import { Header } from './frame/layout/header.tsx';
import { firstPaintScript } from './frame/layout/theme.ts';
import { OfflineNotice } from './frame/offline/offline-notice.tsx';
import { useMember, useSession } from './session.ts';
import { applySiteSettings, pageTitle } from './site.ts';
import { configContext } from './supabase.ts';
import { CoverHistory } from './ui/states/back-closes.ts';
import { keepFocus } from './ui/states/focus.ts';
import { lazyPart, Region, useFreshData } from './ui/states/region.tsx';
import { surface } from './ui/tokens.ts';

const loadUserMenu = () => import('./account/user-menu/user-menu.tsx').then((module) => module.UserMenu);
const LinkNotice = lazyPart(() => import('./account/sign-in/link-notice.tsx'), 'LinkNotice');
// Without a connection the page does without them; they are tried again at the next page.
const MemberNotices = lazyPart(
  () => import('./community/notifications/member-notices.tsx'),
  'MemberNotices',
  null,
  () => null,
);

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = await readSiteSettings(context);
  return {
    site,
    accent: accentRules(site.accent_colour),
    bar: barColours(site.accent_colour),
    supabase: context.get(configContext),
    operator: context.get(operatorContext),
    captcha: context.get(captchaContext),
    savesData: asksToSaveData(request) && !new URL(request.url).searchParams.has(IMAGES),
  };
}

/** In the address of a page whose images were asked for. */
const IMAGES = 'images';

/** The title of a page that could not be shown; every other page has a title of its own. */
export const meta = ({ error }: Route.MetaArgs) =>
  error
    ? [
        {
          title: pageTitle(
            isRouteErrorResponse(error) && error.status === 404 ? 'Page not found' : 'Something went wrong',
          ),
        },
        { name: 'robots', content: 'noindex' },
      ]
    : [];

/** The configuration does not change while a page is open. */
export const shouldRevalidate = () => false;

/**
 * An address that cannot be read, by the server's own rule, is answered with the page of what does not exist. The router
 * could not read it either, and would draw nothing in its place.
 */
const leaveUnreadableAddress = `try{if(decodeURIComponent(location.pathname).includes("\\0")||location.search.includes("%00"))throw 0}catch(e){history.replaceState(null,"","/-")}`;

/**
 * Until the first paint what lies below the screen waits (`data-opening` in app/ui/components.css), unless the reader is led
 * down the page or returns to where they were.
 */
const paintWhatIsInSight = `{const root=document.documentElement;if(!location.hash&&performance.getEntriesByType("navigation")[0]?.type==="navigate"){root.dataset.opening="";addEventListener("DOMContentLoaded",()=>requestAnimationFrame(()=>setTimeout(()=>delete root.dataset.opening)))}}`;

/** Only the server's document runs it; the browser's scripts do without its text. */
const beforeFirstPaint = import.meta.env.SSR
  ? leaveUnreadableAddress + captureEarlyInput + firstPaintScript + askBeforeFirstPaint + paintWhatIsInSight
  : '';

/** What went wrong before its reader signed in, again or for the first time, is over then. */
function ReadersToasts() {
  const session = useSession();
  return <Toasts reader={session?.ended ? undefined : session?.member?.id} />;
}

export function Layout({ children }: { children: ReactNode }) {
  const settings = useRouteLoaderData<typeof loader>('root');
  const config = settings?.supabase;
  const logo = settings?.site.logo_url && settings.supabase.url + settings.site.logo_url;
  // Before anything of the page, which is drawn in one go.
  if (settings?.site) applySiteSettings(settings.site);
  const nonce = useNonce();
  useEffect(keepFocus, []);
  useEffect(() => void replayEarlyInput(), []);
  return (
    <html lang={interfaceLanguage} dir={interfaceDirection} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
        <Links />
        {settings?.accent && <style>{settings.accent}</style>}
        <meta name="color-scheme" content="light dark" />
        {config && <meta name="supabase-url" content={config.url} />}
        {config && <meta name="supabase-anon-key" content={config.anonKey} />}
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, let through by its nonce
          dangerouslySetInnerHTML={{ __html: beforeFirstPaint }}
        />
        {logo ? (
          <link rel="icon" href={logo} type="image/webp" />
        ) : (
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        )}
        <link rel="apple-touch-icon" href={logo || '/icons/maskable-192.png'} />
        <link rel="manifest" href="/manifest.webmanifest" />
        <meta
          name="theme-color"
          media="(prefers-color-scheme: light)"
          content={(settings?.bar ?? surface).light}
        />
        <meta
          name="theme-color"
          media="(prefers-color-scheme: dark)"
          content={(settings?.bar ?? surface).dark}
        />
        <Meta />
      </head>
      <body>
        <a
          href="#main"
          className="fixed top-2 start-2 z-50 -translate-y-24 rounded-md bg-accent px-4 py-3 font-medium text-on-accent focus:translate-y-0 print:hidden"
        >
          Skip to main content
        </a>
        <RouteAnnouncer />
        <SavesDataProvider value={settings?.savesData ?? false}>
          <ReaderProvider>
            <Region className="page my-3">
              <CookieBanner />
            </Region>
            <Region className="page my-3">
              <Header loadMenu={loadUserMenu} />
            </Region>
            <OfflineNotice />
            {/* As high as the window, so that what loads does not push the footer about. */}
            <main id="main" tabIndex={-1} className="min-h-[calc(100dvh-64px)] flex-1">
              <NeedsScripts />
              <ImagesOnRequest />
              <Notices />
              {children}
            </main>
            <Region className="page my-3">
              <Footer />
            </Region>
          </ReaderProvider>
        </SavesDataProvider>
        <ReadersToasts />
        <CoverHistory />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** Says on a page of which only the outline has come, as it is a member's own, why nothing follows. */
const NeedsScripts = () => (
  <noscript>
    <p className="page hidden pt-8 [main:has(.animate-pulse)_&]:block">
      This page needs JavaScript. Turn it on in your browser’s settings and reload the page, or{' '}
      <a href="/browse" className="link">
        browse the solutions
      </a>
      , which works without it.
    </p>
  </noscript>
);

/** Where images are left out, asks for the page with them; it needs none of the site's code, which is larger than they are. */
function ImagesOnRequest() {
  const { pathname, search } = useLocation();
  if (!useSavesData()) return null;
  return (
    <p className="page hidden pt-4 [main:has([data-spared])_&]:block print:hidden">
      To save data, images are left out.{' '}
      <a href={`${pathname}${search ? `${search}&` : '?'}${IMAGES}`} className="link">
        Show the images
      </a>
    </p>
  );
}

/** Above every page: what a link of an email did, and what is said to members. */
function Notices() {
  const answer = useLinkAnswer();
  const member = useMember();
  return (
    <>
      {answer && <LinkNotice answer={answer} />}
      {member && <MemberNotices />}
    </>
  );
}

export default function App() {
  return (
    <Region failed={(tryAgain) => <PageFailed tryAgain={tryAgain} />}>
      <Outlet />
    </Region>
  );
}

function PageFailed({ tryAgain }: { tryAgain: () => void }) {
  const refresh = useFreshData();
  return <PageError onRetry={() => void refresh().then(tryAgain)} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageError error={error} />;
}
