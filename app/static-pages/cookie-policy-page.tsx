import { CookieControl } from '#app/cookies/cookie-control.tsx';
import { SITE_NAME } from '#app/site.ts';
import type { Route } from './+types/cookie-policy-page.ts';
import { OperatorDetails } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SubHeading, Table, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/cookie-policy',
    'Cookie Policy',
    `What ${SITE_NAME} stores on your device, what for and for how long, and how to refuse it.`,
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
          Cookies are small texts that a site stores in your browser and reads again later. Browsers have
          other places of the same kind, above all local storage and session storage. The law treats them
          alike, and so does this page: “cookie” means all of them.
        </p>
        <p>
          {SITE_NAME} itself sets no cookies in the narrow sense; everything below lies in your browser’s
          local or session storage, is read by this site alone and is not sent along with every request.
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
        <li>to remember what you have chosen, and what you have typed and not yet sent;</li>
        <li>if you agree, to count which pages are opened, so that we know what to improve.</li>
      </List>
    ),
  },
  {
    id: 'types',
    title: 'Types of cookies we use',
    body: (
      <>
        <SubHeading>Strictly necessary</SubHeading>
        <p>The site cannot work without these, so they cannot be disabled here. They need no consent.</p>
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
            [name('cookie-choice'), 'Your choice about statistics: the cookie consent cookie', '1 year'],
            [
              <span key="back">
                {name('return-to')}, {name('came-from-provider')}
              </span>,
              'Where you wanted to go before signing in, and that you come from Google’s page',
              'Until the tab is closed',
            ],
          ]}
        />
        <SubHeading>Functional</SubHeading>
        <p>
          Written only when you do what they are for: choose a theme, or begin to write. Without that, none of
          them exists.
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
              'Text you have begun to write, so that nothing is lost',
              'Until you send or discard it',
            ],
          ]}
        />
        <SubHeading>Analytics</SubHeading>
        <p>
          Only after you have agreed. Each page you open is then recorded with its path (never with what you
          searched for), the time, the random number below and, if you are signed in, your account.
        </p>
        <Table
          caption="Analytics"
          captionHidden
          head={columns}
          rows={[[name('page-view-session'), 'A random number that tells visits of a day apart', '24 hours']]}
        />
        <SubHeading>Performance</SubHeading>
        <p>
          We use none today. Should we ever measure how fast pages are on your device, it would need the same
          consent as analytics, and this page would name it first.
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
          No page loads anything from another company before you ask for it: no advertising, no shared fonts.
        </p>
        <List>
          <li>
            <strong>YouTube.</strong> A film in the forum is loaded from youtube-nocookie.com when you press
            play, and Google may then store data under its own policy.
          </li>
          <li>
            <strong>Google sign-in.</strong> If you choose Continue with Google, Google’s own page sets its
            own cookies.
          </li>
          <li>
            <strong>Links.</strong> Other sites you go to from here have policies of their own.
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
          “Cookie settings” at the foot of every page opens the same choice again. Refusing is as easy as
          agreeing, and everything works without. Without JavaScript nothing is counted at all.
        </p>
        <p>
          Your browser can also delete or block what sites store, usually under Privacy. That signs you out,
          and drafts that lie on your device only are lost.
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
          What has a fixed time lasts from 24 hours (the number for statistics) to 2 years (the theme you
          chose). Your consent lasts 1 year; then we ask again. What belongs to one visit ends when the tab is
          closed, and a draft when you send or discard it.
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
        If your browser sends Do Not Track or Global Privacy Control, we take that as a refusal: we do not
        ask, and nothing is counted, whatever was chosen before.
      </p>
    ),
  },
  {
    id: 'updates',
    title: 'Updates to this policy',
    body: (
      <p>
        When we store something new or for longer, this page and its date change first. For anything that
        needs consent we ask again. Members are told of material changes 30 days ahead.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <>
        <p>Questions about this policy reach us here:</p>
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
            <PageLink to="/privacy-policy">Privacy Policy</PageLink> says how.
          </p>
        </aside>
      </>
    ),
  },
];

export default function CookiePolicyPage() {
  return (
    <ArticlePage
      title="Cookie Policy"
      updated="21 November 2026"
      lead="What this site stores on your device, what it is for, how long it stays, and how to say no."
      sections={sections}
      numbered
    />
  );
}
