import { siteName, siteSettings } from '#app/site.ts';
import { configContext } from '#app/supabase.ts';
import type { Route } from './+types/developers-page.ts';
import { apiExamples, curlOf } from './api-examples.ts';
import { ArticlePage, List, PageLink, type Section, Table, textMeta } from './prose.tsx';

export function loader({ context, request }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const { url, anonKey } = context.get(configContext);
  return { origin, base: url || origin, key: anonKey };
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/developers',
    'Read API and feeds',
    `What programs may read on ${siteName()}: feeds, tables and functions, with examples that you can run.`,
  );

const tables = [
  ['solutions', 'Approved solutions: texts, choices, tags, counts and dates'],
  ['solution_outcomes, outcome_measures', 'Measured outcomes, and the measures that they use'],
  ['solution_fabrication, solution_parts, solution_steps', 'How solutions are built'],
  ['solution_files', 'Build files: name, licence, size and address'],
  ['solution_trials', 'Approved reports of members who tried a solution: result, patient group and changes'],
  ['comments', 'Comments on approved solutions'],
  ['safety_notices', 'Cautions and recalls of solutions'],
  ['part_notices', 'Cautions and recalls of parts, by maker and number'],
  [
    'public_profiles',
    'What visitors see of members: name, profession, workplace, photo and registration level',
  ],
  ['forum_topics, forum_posts', 'The forum'],
  ['resource_suggestions', 'Approved resources'],
  ['registers', 'The registers of health professionals that members can name'],
] as const;

/** Answer with rows only where the site shows points and badges. */
const points = ['badges, user_badges, user_points', 'Badges and points earned by contributions'] as const;

const Tables = () => (
  <Table
    caption="Read with GET"
    head={['Table', 'What it holds']}
    rows={named(siteSettings().show_points ? [...tables, points] : tables)}
  />
);

const functions = [
  ['browse_solutions', 'One page of Browse with counts: search, filters, match, sort, cursor, page_size'],
  ['suggest_searches', 'Completions of a typed search'],
  ['related_solutions', 'Solutions similar to one'],
  ['browse_forum, forum_topic, forum_replies', 'One page of topics, a topic, and its replies'],
  ['comment_threads, comment_replies', 'A discussion, one page at a time'],
  ['site_counts', 'Numbers of members, public solutions and success stories'],
] as const;

const code = (text: string) => <code className="font-mono text-sm wrap-anywhere">{text}</code>;

const sectionsFor = (base: string, key: string): Section[] => [
  {
    id: 'rules',
    title: 'Rules of use',
    body: (
      <List>
        <li>You can read what a visitor can read, without an account. The database checks every request.</li>
        <li>
          Authors own what they share. Link to the solution and name its author. Texts and images may be
          copied as the licence of the solution says, and not without one; see the{' '}
          <PageLink to="/terms-of-service">Terms of Service</PageLink>.
        </li>
        <li>
          Don’t copy images or videos. People shown in them can ask us to remove them, and your copy would
          remain.
        </li>
        <li>Don’t collect members’ names for advertising or recruitment.</li>
        <li>Cases are single reports. Don’t present them as proof that a treatment works.</li>
      </List>
    ),
  },
  {
    id: 'feeds',
    title: 'Feeds',
    body: (
      <>
        <p>Atom feeds have titles and texts of the newest 50 entries, without images.</p>
        <List>
          <li>
            <a href="/browse.atom" className="link">
              New solutions
            </a>
            : {code(`${base}/browse.atom`)}
          </li>
          <li>
            Any search: put {code('.atom')} after {code('/browse')} in its address, for example{' '}
            {code(`${base}/browse.atom?q=violin&filter=Adults`)}
          </li>
          <li>
            <a href="/forum.atom" className="link">
              New topics
            </a>
            , or those of one category: {code(`${base}/forum.atom?category=technical`)}
          </li>
        </List>
        <p>
          Feed readers send the tag of their last copy (If-None-Match), and we answer 304 when nothing has
          changed. Please don’t ask more often than every five minutes.
        </p>
      </>
    ),
  },
  {
    id: 'citing',
    title: 'Citing',
    body: (
      <>
        <p>
          Each version of a solution has a permanent address, and a page says in its headers how to cite it:
        </p>
        <List>
          <li>
            The links of {code(`${base}/solutions/{solution}`)} name with {code('rel="cite-as"')} the version
            that it shows, and with {code('rel="describedby"')} its record, as{' '}
            <a href="https://signposting.org/FAIR/" rel="noopener noreferrer" className="link">
              Signposting
            </a>{' '}
            asks for.
          </li>
          <li>
            The record is in DataCite’s JSON, without a DOI:{' '}
            {code(`${base}/solutions/{solution}/versions/{version}/datacite.json`)}
          </li>
          <li>Reference managers read author, title and day from the page itself.</li>
        </List>
      </>
    ),
  },
  {
    id: 'address-and-key',
    title: 'Address and key',
    body: (
      <>
        <p>
          Tables and functions answer in JSON below {code(`${base}/rest/v1/`)}, as{' '}
          <a href="https://postgrest.org/" rel="noopener noreferrer" className="link">
            PostgREST
          </a>{' '}
          does: choose columns with {code('select')}, filter with {code('column=eq.value')}, sort with{' '}
          {code('order')}. Send this key as the header {code('apikey')}. It is public and gives a visitor’s
          rights.
        </p>
        <Code label="The public key" text={`KEY='${key}'`} />
      </>
    ),
  },
  {
    id: 'tables',
    title: 'Tables',
    body: <Tables />,
  },
  {
    id: 'functions',
    title: 'Functions',
    body: (
      <Table
        caption="Call with POST below /rest/v1/rpc/, with the arguments as a JSON object"
        head={['Function', 'What it returns']}
        rows={named(functions)}
      />
    ),
  },
  {
    id: 'examples',
    title: 'Examples',
    body: (
      <>
        <p>
          Run them in a shell in which you have set the key above. {code('{solution}')} and {code('{topic}')}{' '}
          stand for an id from another answer.
        </p>
        {apiExamples.map((example) => (
          <div key={example.title}>
            <h3 className="mb-2 text-lg">{example.title}</h3>
            <Code label={example.title} text={curlOf(example, base)} />
          </div>
        ))}
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Limits',
    body: (
      <List>
        <li>
          An answer has at most 1,000 rows. Read the next ones with {code('limit')} and {code('offset')}.
        </li>
        <li>A request that takes longer than 3 seconds ends with status 500 and code 57014.</li>
        <li>
          We limit how many requests one network can have at the same time. With status 429 or 503, wait as
          long as the header {code('Retry-After')} says.
        </li>
        <li>
          Columns can be added at any time, so choose the columns that you need. The changelog says which
          columns were removed.
        </li>
      </List>
    ),
  },
];

const named = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, text]) => [code(name), text]);

/** A text to copy, which keeps its lines; a reader with keys can scroll it. */
const Code = ({ label, text }: { label: string; text: string }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    tabIndex={0}
    aria-label={label}
    className="overflow-x-auto rounded-md border bg-sunken px-4 py-3"
  >
    <pre className="font-mono text-sm/6">
      <code>{text}</code>
    </pre>
  </section>
);

export default function DevelopersPage({ loaderData: { base, key } }: Route.ComponentProps) {
  return (
    <ArticlePage
      title="Read API and feeds"
      lead="What a visitor can read here, programs can read too: for a reading list, a search tool or research."
      sections={sectionsFor(base, key)}
    />
  );
}
