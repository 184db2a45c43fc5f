import { Download } from 'lucide-react';
import { reportContext } from '#app/frame/page/request-id.ts';
import { siteName } from '#app/site.ts';
import { ArticlePage, List, PageLink, type Section, textMeta } from '#app/site-pages/static-pages/prose.tsx';
import { formatBytes } from '#app/solution/build-files/kinds.ts';
import { configContext, fetchContext } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { Route } from './+types/take-with-you-page.ts';
// Only the loader asks for it, so that the library that checks it stays on the server.
import { fetchOffer, type Offer } from './offer.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url);
  const api = context.get(configContext).url || origin;
  const offer = await fetchOffer(context.get(fetchContext), api).catch((error: unknown) => {
    context.get(reportContext).report(error, 'field pack');
    return null;
  });
  return { origin, offer, since: searchParams.get('since') };
}

const lead =
  'All public solutions in one folder that a browser opens without a network, from a laptop or a USB stick.';

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(loaderData?.origin, '/take-with-you', 'Take with you', `${siteName()}: ${lead}`);

export default function TakeWithYouPage({ loaderData: { offer, since } }: Route.ComponentProps) {
  return <ArticlePage title="Take with you" lead={lead} sections={sectionsFor(offer, since)} />;
}

const sectionsFor = (offer: Offer | null, since: string | null): Section[] => [
  {
    id: 'pack',
    title: 'Field pack',
    body: offer ? (
      <Whole offer={offer} isMain={since === null} />
    ) : (
      <p>There is no field pack here yet. Try again in an hour.</p>
    ),
  },
  ...(offer
    ? [
        { id: 'update', title: 'Bring a pack up to date', body: <Update offer={offer} since={since} /> },
        { id: 'key', title: 'Check who made it', body: <Key offer={offer} /> },
      ]
    : []),
  {
    id: 'contents',
    title: 'What is in it',
    body: (
      <>
        <List>
          <li>Search with abbreviations, filters, workshop sheets to print, and the reported outcomes.</li>
          <li>
            Texts, translations, parts, steps and small images of each solution whose licence allows copying.
            Of the others you see title, details and safety notices.
          </li>
          <li>
            Videos, build files, comments and trial reports are only on {siteName()}. “Download all” on a
            solution gets its videos and build files.
          </li>
        </List>
        <p>
          Solutions that only members can see aren’t in it. See also the{' '}
          <PageLink to="/terms-of-service">Terms of Service</PageLink>.
        </p>
      </>
    ),
  },
];

/** @param isMain whether the reader is here for it, and not for an update */
function Whole({ offer: { whole, solutions, madeAt }, isMain }: { offer: Offer; isMain: boolean }) {
  return (
    <>
      <p>
        {solutions.toLocaleString('en-GB')} {solutions === 1 ? 'solution' : 'solutions'}, as of{' '}
        <Day of={madeAt} />
      </p>
      <DownloadLink archive={whole} isMain={isMain}>
        Download field pack
      </DownloadLink>
      <ol className="flex list-decimal flex-col gap-2 ps-6 marker:text-ink-3">
        <li>Unpack the ZIP file where you want to keep the pack.</li>
        <li>
          Open <b>index.html</b> in the folder <b>field-pack</b> in a browser from 2025 or later.
        </li>
        <li>Update it every month, and check this site for safety notices before you build.</li>
      </ol>
    </>
  );
}

/** @param since the moment of the reader's pack, which that names in its link to this page */
function Update({ offer, since }: { offer: Offer; since: string | null }) {
  if (since === null)
    return (
      <p>
        Where you have a network, open your pack, choose “About this pack” and then “Bring it up to date”. You
        get only what has changed.
      </p>
    );
  const update = offer.updates.find((each) => each.since.includes(since));
  if (update)
    return (
      <>
        <p>
          What has changed since your pack of <Day of={since} />:
        </p>
        <DownloadLink archive={update} isMain>
          Download update
        </DownloadLink>
        <p>
          Unpack it in the place where the folder <b>field-pack</b> lies, and let it replace files of the same
          name. If your computer makes a second folder instead, as a Mac does, download the whole pack.
        </p>
      </>
    );
  return since === offer.madeAt ? (
    <p>
      Your pack of <Day of={since} /> is up to date.
    </p>
  ) : (
    <p>There is no update for your pack. Delete its folder, and download the whole pack.</p>
  );
}

const Key = ({ offer: { key } }: { offer: Offer }) => (
  <>
    <p>Each pack is signed with the key of this site. Your pack shows its key under “About this pack”:</p>
    <p>
      <code className="font-mono text-sm wrap-anywhere">{key}</code>
    </p>
    <p>If it shows another one, don’t use the pack.</p>
  </>
);

const Day = ({ of }: { of: string }) => (
  <time dateTime={of} className="whitespace-nowrap">
    {formatDay(of)}
  </time>
);

function DownloadLink({
  archive,
  isMain,
  children,
}: {
  archive: Offer['whole'];
  isMain: boolean;
  children: string;
}) {
  return (
    <p>
      <a href={`/field-pack/${archive.name}`} className={buttonClass(isMain ? 'primary' : 'default')}>
        <Download className="size-5" strokeWidth={1.75} aria-hidden />
        {children} ({formatBytes(archive.size)})
      </a>
    </p>
  );
}
