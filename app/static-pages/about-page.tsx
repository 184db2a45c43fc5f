import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { cacheContext, PageDataBoundary, pageData } from '#app/context/page-data.tsx';
import { reportContext } from '#app/context/request-id.ts';
import { PointsGuide } from '#app/profiles/achievements.tsx';
import { SITE_NAME } from '#app/site.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/button.tsx';
import type { Route } from './+types/about-page.ts';
import { badgesQuery } from './data.ts';
import { OperatorDetails } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, Table, textMeta } from './prose.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  // The page stands without the table.
  await cache
    .fetchQuery({ ...badgesQuery(serverClient(context)), retry: false })
    .catch((error: unknown) => context.get(reportContext).report(error, 'about page'));
  return { state: pageData(cache), origin: new URL(request.url).origin };
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/about',
    'About',
    `Whom ${SITE_NAME} is for, how solutions are reviewed, how patients are protected, and how points and badges are earned.`,
  );

const sections: Section[] = [
  {
    id: 'who-it-is-for',
    title: 'Who it is for',
    body: (
      <>
        <p>
          {SITE_NAME} is for people who make, fit and teach the use of prostheses: prosthetists,
          rehabilitation doctors, therapists and the technicians and engineers who work with them. Members are
          qualified healthcare professionals aged 18 or over. Anybody may read.
        </p>
        <p>
          A good answer to an unusual problem often stays in the workshop where it was found. Here it is
          written down with its numbers, materials and pictures, so that the next person who meets the problem
          starts where you stopped.
        </p>
        <List>
          <li>
            <PageLink to="/browse">Solutions</PageLink>: described cases with photos and films, searchable by
            level, occupation, material, type, age group and cost.
          </li>
          <li>
            <PageLink to="/forum">Forum</PageLink>: questions before there is a solution, and discussion
            afterwards.
          </li>
          <li>
            <PageLink to="/resources">Resources</PageLink>: organisations, teaching, journals, tools and
            standards.
          </li>
        </List>
      </>
    ),
  },
  {
    id: 'how-review-works',
    title: 'How review works',
    body: (
      <>
        <p>
          Nothing that is submitted as a solution or a resource is public before a moderator has looked at it.
        </p>
        <ol className="flex list-decimal flex-col gap-2 pl-6">
          <li>You share a solution. Its text and files can be seen by you and the moderators only.</li>
          <li>
            A moderator checks that no patient can be recognised, that consent is declared, and that a
            colleague could follow what you did.
          </li>
          <li>
            It is approved and appears for everybody, or it is rejected with a reason. You can improve a
            rejected solution and send it again; every decision is kept in its history.
          </li>
        </ol>
        <p>
          Review is a check for safety and clarity. It is no clinical approval: whether something suits a
          patient remains the decision of the professional who treats them.
        </p>
      </>
    ),
  },
  {
    id: 'how-patients-are-protected',
    title: 'How patients are protected',
    body: (
      <List>
        <li>
          With each solution its author declares that the patient, or a guardian, has consented in writing, or
          that nobody can be recognised. The declaration is kept with its date, and never with a patient’s
          name.
        </li>
        <li>
          Details in pictures can be covered before they leave your device, and the form warns about texts
          that look like names, dates of birth or hospital numbers.
        </li>
        <li>
          Every picture and film is made anew on arrival. Place, time, device and other hidden data are not
          kept.
        </li>
        <li>
          Files of unreviewed, rejected and deleted solutions are not public, and deleted ones are removed.
        </li>
        <li>
          Anybody who sees something that should not be here can report it; see also{' '}
          <PageLink to="/compliance">NHS Compliance</PageLink>.
        </li>
      </List>
    ),
  },
  {
    id: 'points-and-badges',
    title: 'Points and badges',
    body: (
      <>
        <p>Points say thank you for contributions. They give no rights and open no doors.</p>
        <div className="text-base">
          <PointsGuide />
        </div>
        <BadgeTable />
      </>
    ),
  },
  {
    id: 'who-runs-it',
    title: 'Who runs it',
    body: (
      <>
        <OperatorDetails />
        <p>
          Questions are answered on <PageLink to="/contact">Contact</PageLink>. The rules are in the{' '}
          <PageLink to="/terms-of-service">Terms of Service</PageLink> and the{' '}
          <PageLink to="/privacy-policy">Privacy Policy</PageLink>.
        </p>
        <p className="mt-2 flex flex-wrap gap-3 text-base print:hidden">
          <Link to="/upload" className={buttonClass('primary')}>
            Share Your Solution
          </Link>
          <Link to="/browse" className={buttonClass()}>
            Browse Solutions
          </Link>
        </p>
      </>
    ),
  },
];

function BadgeTable() {
  const badges = useQuery(badgesQuery(browserClient)).data;
  if (!badges) return null;
  return (
    <Table
      caption="Badges, and what earns them. Tier 3 is the highest; cards show the highest of a member’s latest."
      head={['Badge', 'What earns it', 'Tier']}
      rows={badges.map(({ id, name, description, icon_url, tier }) => [
        <span key={id} className="inline-flex items-center gap-3 font-title">
          <img src={icon_url} alt="" width={32} height={32} className="size-8 shrink-0" />
          {name}
        </span>,
        description,
        tier,
      ])}
    />
  );
}

export default function AboutPage({ loaderData }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <ArticlePage
        title={`About ${SITE_NAME}`}
        lead="A place where prosthetics professionals show each other what worked, with enough detail to build on it. It is free."
        sections={sections}
      />
    </PageDataBoundary>
  );
}
