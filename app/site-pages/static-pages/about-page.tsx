import { Link } from 'react-router';
import { PointsGuide } from '#app/people/profiles/achievements.tsx';
import { siteName, siteSettings } from '#app/site.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { Drawing } from '#app/ui/surfaces/page-header.tsx';
import type { Route } from './+types/about-page.ts';
import bowAdapter from './bow-adapter.svg';
import { OperatorDetails } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SiteName, textMeta } from './prose.tsx';
import violin from './violin.svg';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/about',
    'About',
    `Who ${siteName()} is for, how solutions are reviewed, and how patients are protected.`,
  );

const story = [
  {
    title: 'At the bench',
    text: 'A violinist with a transradial amputation wants to play again. Her prosthetist tries three joints before the bow follows the string, and measures each of them.',
  },
  {
    title: 'Written down',
    text: 'He shares the one that worked: photos from the side and close up, a short video, materials, cost, what failed first, and her written consent.',
  },
  {
    title: 'Reviewed',
    text: 'A moderator asks for one change, because the name on a music stand can be read. He covers it, resubmits, and the solution is published the same day.',
  },
  {
    title: 'Found and used',
    text: 'A therapist abroad searches for “violin”, fits the joint to a cello bow, and adds in a comment which spring it needed. The next reader starts from there.',
  },
];

const sections: Section[] = [
  {
    id: 'who-it-is-for',
    title: 'Who it is for',
    body: (
      <>
        <p>
          <SiteName /> is for people who make and fit prostheses or teach their use: prosthetists,
          rehabilitation doctors and therapists, and the technicians and engineers who work with them. Members
          are qualified healthcare professionals aged 18 or over. Anyone can read.
        </p>
        <p>
          A good answer to an unusual problem often stays in the workshop where it was found. Here it is
          recorded with its measurements, materials and images, so the next person with the same problem can
          start where you left off.
        </p>
        <List>
          <li>
            <PageLink to="/browse">Solutions</PageLink>: what worked in practice, with images and videos,
            searchable by level, occupation, material, type, age group and cost.
          </li>
          <li>
            <PageLink to="/forum">Forum</PageLink>: questions that don’t have a solution yet, and discussion
            of those that do.
          </li>
          <li>
            <PageLink to="/resources">Resources</PageLink>: organisations, training, journals, tools and
            standards.
          </li>
        </List>
      </>
    ),
  },
  {
    id: 'from-bench-to-reader',
    title: 'From bench to reader',
    body: (
      <>
        <p>Here is how one solution could travel, from the first sketch to a colleague in another country.</p>
        <ol className="flex flex-col gap-6">
          {story.map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-4">
              <span
                aria-hidden
                className="flex size-8 items-center justify-center rounded-full bg-accent-soft text-base font-bold text-accent-ink"
              >
                {index + 1}
              </span>
              <div>
                <h3 className="text-lg">{title}</h3>
                <p className="mt-1">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <Drawing
          src={bowAdapter}
          part="250 130 560 315"
          alt="A bow adapter: a short terminal device with a free joint that clamps a violin bow"
        />
      </>
    ),
  },
  {
    id: 'how-review-works',
    title: 'How review works',
    body: (
      <>
        <p>No solution or resource becomes public until a moderator has reviewed it.</p>
        <ol className="flex list-decimal flex-col gap-2 ps-6">
          <li>You share a solution. Only you and the moderators can see its text and files.</li>
          <li>
            A moderator checks that no patient is identifiable, that consent is declared, and that a colleague
            could follow what you did.
          </li>
          <li>
            It is approved and published, or rejected with a reason. You can revise and resubmit a rejected
            solution. Every decision is kept in its history.
          </li>
        </ol>
        <p>
          Review is a check for safety and clarity. It is not clinical approval: the professional who treats a
          patient decides what suits them.
        </p>
      </>
    ),
  },
  {
    id: 'registration-checks',
    title: 'What “Checked” means',
    body: (
      <>
        <p>
          Members can name the public register that lists them, for example the HCPC. This is optional.
          Members who do so can have one of two badges next to their name.
        </p>
        <List>
          <li>
            <strong>Self-declared</strong>: the member has stated a registration, and no moderator has
            confirmed it.
          </li>
          <li>
            <strong>Checked</strong>, with the profession, the register and the month: a moderator opened the
            public register in that month. Name, profession and number matched, and the registration was
            current.
          </li>
        </List>
        <p>
          We do not ask for identity documents, so “Checked” does not prove who is using the account. It says
          nothing about skills or specialities, and nothing about what has happened since that month. Open the
          register yourself when it matters. No badge makes advice right for your patient.
        </p>
        <p>
          A check ends after a year, and when members change their name, profession or number. Moderators
          never check their own registration. The number is never public.
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
          With every solution, the author declares that the patient or a guardian has consented in writing, or
          that no one is identifiable. We keep the declaration with its date, but never a patient’s name.
        </li>
        <li>
          You can cover details in images before they leave your device, and the form warns you about text
          that looks like a date of birth, an NHS number or contact details.
        </li>
        <li>
          Every image and video is re-encoded on upload. Place, time, device and other hidden data are not
          kept.
        </li>
        <li>
          Files of unreviewed and rejected solutions are private, and files of deleted solutions are removed.
        </li>
        <li>
          Anyone who sees something that shouldn’t be here can report it; see also{' '}
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
        <p>Points recognise contributions. They don’t unlock anything.</p>
        <div className="text-base">
          <PointsGuide />
        </div>
        <p>
          Your <PageLink to="/profile">profile</PageLink> shows your badges, and how each of them is earned.
        </p>
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
          Find answers to common questions on <PageLink to="/contact">Contact</PageLink>. The rules are in the{' '}
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

export default function AboutPage() {
  return (
    <ArticlePage
      title={`About ${siteName()}`}
      lead="A free site where prosthetics professionals show each other what worked, in enough detail to build on."
      picture={
        <Drawing src={violin} alt="A violin bow held by a prosthetic adapter, lying across the strings" />
      }
      sections={sections.filter(({ id }) => id !== 'points-and-badges' || siteSettings().show_points)}
    />
  );
}
