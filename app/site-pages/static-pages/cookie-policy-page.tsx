import { CookieControl } from '#app/frame/cookies/cookie-control.tsx';
import { siteName } from '#app/site.ts';
import type { Route } from './+types/cookie-policy-page.ts';
import { OperatorDetails } from './operator-details.tsx';
import {
  ArticlePage,
  List,
  PageLink,
  type Section,
  SiteName,
  SubHeading,
  Table,
  textMeta,
} from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/cookie-policy',
    'Cookie Policy',
    `What ${siteName()} stores on your device, why, for how long, and how to refuse it.`,
  );

const columns = ['Name', 'What for', 'How long'];
const name = (text: string) => <code className="text-sm wrap-anywhere">{text}</code>;

const sections: Section[] = [
  {
    id: 'what-cookies-are',
    title: 'What cookies are',
    body: (
      <>
        <p>
          Cookies are small pieces of text that a website stores in your browser and reads again later.
          Browsers have similar places to store text, mainly local storage and session storage. The law treats
          them alike, and so does this page: “cookie” means all of them.
        </p>
        <p>
          <SiteName /> sets one cookie as such, for 10 minutes and only when you sign in through another
          service. Everything else below is kept in your browser’s own storage: local and session storage, a
          database (IndexedDB) for files, and a cache for pages. Only this site can read it, and it isn’t sent
          with every request.
        </p>
      </>
    ),
  },
  {
    id: 'why-we-use-them',
    title: 'Why we use them',
    body: (
      <List>
        <li>to keep you signed in, and to take you back to where you were;</li>
        <li>to remember your choices, and what you have typed but not yet sent;</li>
        <li>if you agree, to count which pages are visited, so that we know what to improve.</li>
      </List>
    ),
  },
  {
    id: 'types',
    title: 'Types of cookies we use',
    body: (
      <>
        <SubHeading>Strictly necessary</SubHeading>
        <p>The site can’t work without these, so they cannot be disabled here. They don’t need consent.</p>
        <Table
          caption="Strictly necessary"
          captionHidden
          head={columns}
          rows={[
            [
              name('sb-…-auth-token'),
              'Keeps you signed in',
              'Until you sign out, or 90 days without a visit',
            ],
            [
              name('account'),
              'Your name, photo and role, so that your menu is there without a connection',
              'Until you sign out',
            ],
            [
              name('sign-in'),
              'That the answer of another service belongs to a sign-in that you began in this browser',
              '10 minutes',
            ],
            [name('cookie-choice'), 'Your choice about statistics (the cookie consent cookie)', '1 year'],
            [
              <span key="back">
                {name('return-to')}, {name('came-from-provider')}
              </span>,
              'Which page to return to after you sign in, and that you came from another service',
              'Until the tab is closed',
            ],
          ]}
        />
        <SubHeading>Functional</SubHeading>
        <p>
          Only stored when you use the feature: when you open a page, choose a theme, or start to write
          something.
        </p>
        <Table
          caption="Functional"
          captionHidden
          head={columns}
          rows={[
            [
              <span key="theme">
                {name('theme')}, {name('theme-chosen-at')}
              </span>,
              'Light or dark',
              '2 years',
            ],
            [
              <span key="drafts">Keys with {name('draft')} in their name</span>,
              'Text you have started to write, so that nothing is lost',
              'Until you send or discard it',
            ],
            [
              name('solution-draft-files'),
              'Images and videos you have chosen for a draft, in IndexedDB, so that they survive a reload',
              '20 hours, and until the share form is opened again; less if you submit or remove them, or another member opens the form in this browser',
            ],
            [
              <span key="outbox">Keys that begin with {name('submitted-')}</span>,
              'Which drafts you submitted without a connection, so that this device sends them with their files',
              'Until they are sent or you edit them; their files 7 days',
            ],
            [
              'Offline copies',
              'Public pages you have opened and their images, and the empty share form, so that you can use them without a connection',
              'Pages 30 days, images 1 day',
            ],
          ]}
        />
        <SubHeading>Analytics</SubHeading>
        <p>
          Only stored if you agree. We then record each page you open with its path (never what you searched
          for), the time, the random ID below and, if you are signed in, your account.
        </p>
        <Table
          caption="Analytics"
          captionHidden
          head={columns}
          rows={[
            [name('page-view-session'), 'A random ID that distinguishes visits on the same day', '24 hours'],
          ]}
        />
        <SubHeading>Performance</SubHeading>
        <p>
          We don’t use any. If we ever measure how fast pages load on your device, we’ll list it here first
          and ask for the same consent as for analytics.
        </p>
      </>
    ),
  },
  {
    id: 'third-party-services',
    title: 'Third-party services',
    body: (
      <>
        <p>
          No page loads anything from another company unless you ask for it. There is no advertising, and
          fonts are our own.
        </p>
        <List>
          <li>
            <strong>YouTube.</strong> A video in the forum loads from youtube-nocookie.com when you press
            play. Google may then store data under its own policy.
          </li>
          <li>
            <strong>Sign-in with other services.</strong> If you continue with Google, another service or your
            organisation, its own page sets its own cookies.
          </li>
          <li>
            <strong>Links.</strong> Other sites that you visit from here have their own policies.
          </li>
        </List>
      </>
    ),
  },
  {
    id: 'how-to-manage',
    title: 'How to manage cookies',
    body: (
      <>
        <CookieControl />
        <p>
          “Cookie settings” at the bottom of every page shows the same choice again. Refusing is as easy as
          agreeing, and everything works either way. Without JavaScript, nothing is counted at all.
        </p>
        <p>
          You can also delete or block what sites store in your browser’s settings, usually under Privacy.
          This signs you out, and you lose any drafts, files and unsent solutions that are only on your
          device.
        </p>
      </>
    ),
  },
  {
    id: 'duration',
    title: 'How long cookies last',
    body: (
      <>
        <p>
          Cookies with a fixed duration last from 24 hours (the ID for statistics) to 2 years (the theme you
          chose), but for the 10 minutes of a sign-in through another service. Your consent lasts 1 year, and
          then we ask again. Cookies for one visit end when you close the tab, and drafts end when you send or
          discard them. Files of a draft are used for 20 hours, or for 7 days if they are waiting to be sent.
          They are deleted from your device the next time the share form is opened after that, or with your
          account.
        </p>
        <p>The recorded page views themselves are deleted from our server after 2 years.</p>
      </>
    ),
  },
  {
    id: 'do-not-track',
    title: 'Do Not Track',
    body: (
      <p>
        If your browser sends Do Not Track or Global Privacy Control, we treat it as a refusal. We don’t ask,
        and nothing is counted, even if you agreed before.
      </p>
    ),
  },
  {
    id: 'updates',
    title: 'Updates to this policy',
    body: (
      <p>
        Before we store anything new, or store it for longer, we update this page and its date. If something
        needs consent, we ask again. We give members 30 days’ notice of material changes.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <>
        <p>If you have questions about this policy, contact us:</p>
        <OperatorDetails />
        <aside
          aria-labelledby="your-rights"
          className="rounded-md border border-accent bg-accent-soft px-5 py-4 text-base text-accent-ink"
        >
          <h3 id="your-rights" className="text-lg">
            Your rights
          </h3>
          <p className="mt-1">
            You can withdraw consent at any time, and see, correct, download and delete your data. The{' '}
            <PageLink to="/privacy-policy">Privacy Policy</PageLink> explains how.{' '}
          </p>
        </aside>
      </>
    ),
  },
];

export default function CookiePolicyPage() {
  return (
    <ArticlePage
      legal
      title="Cookie Policy"
      updated="21 November 2026"
      lead="What this site stores on your device, what it is for, how long it lasts, and how to refuse it."
      sections={sections}
      numbered
    />
  );
}
