import { siteName, siteSettings } from '#app/site.ts';
import type { Route } from './+types/privacy-policy-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SubHeading, Table, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/privacy-policy',
    'Privacy Policy',
    `What ${siteName()} knows about you and why, who can see it, how long we keep it, and your rights under UK data protection law.`,
  );

/** Words that depend on whether the site shows points and badges. */
const WherePoints = ({ shown, hidden }: { shown: string; hidden: string }) =>
  siteSettings().show_points ? shown : hidden;

const sections: Section[] = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    body: (
      <>
        <p>
          <OperatorName first /> decides how personal data on this site is used, and is its controller under
          the UK GDPR and the Data Protection Act 2018.
        </p>
        <OperatorDetails />
      </>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect',
    body: (
      <>
        <SubHeading>When you read the site</SubHeading>
        <p>
          We use your IP address to respond to your device and to prevent abuse. We record page views only if
          you agree; the <PageLink to="/cookie-policy">Cookie Policy</PageLink> explains what they contain. We
          keep nothing else about your visit.
        </p>
        <SubHeading>When you are a member</SubHeading>
        <List>
          <li>
            <strong>Account:</strong> your email address, a hash of your password, two-step sign-in if you set
            it up, the identity that Google, another service or your organisation gives us if you sign in with
            it, and when and where you signed in (browser and IP address).
          </li>
          <li>
            <strong>Declaration:</strong> that you are 18 or over and a healthcare professional, with its date
            and wording.
          </li>
          <li>
            <strong>Profile:</strong> your username, name, profession, workplace, location, biography,
            interests and photo, if you provide them, and your settings.
          </li>
          <li>
            <strong>Registration:</strong> the register and number, if you give them, and when a moderator
            checked them. Only you and the moderators see the number.
          </li>
          <li>
            <strong>What you do:</strong> solutions with their files, drafts and consent statements, comments,
            likes, collections with your notes, what you follow, topics, replies, reports, suggestions,
            messages, notifications, points and badges
            <WherePoints shown="." hidden=" (this site doesn’t show them)." />
          </li>
          <li>
            <strong>Moderation records:</strong> decisions about your content, moderators’ notes about you and
            what you sent, which are in the download of your data, and what moderators and administrators did.
          </li>
        </List>
        <SubHeading>When you request removal of an image</SubHeading>
        <p>
          We keep which images you mean, whether you appear in them or act for someone who does, what you
          write, and your email address if you give one. You don’t need an account or to give your name. To
          prevent abuse, we keep a hash of your IP address for a day.
        </p>
      </>
    ),
  },
  {
    id: 'patients',
    title: 'Patients',
    body: (
      <>
        <p>
          The site is not meant to hold data about identifiable patients. Members must leave out such details
          and declare consent. Images and videos are re-encoded, which removes the place, time and device they
          were taken with. Every solution is reviewed before it becomes public.
        </p>
        <p>
          If you are a patient and recognise yourself, choose “Are you in an image? Request its removal” next
          to the solution. You don’t need an account. Moderators are alerted immediately, can hide the image
          in one click, and decide within 24 hours.{' '}
        </p>
        <p>
          {' '}
          A hidden image is gone from every cache within an hour, and within a day from devices that keep
          pages for reading offline. You can follow your request on its own page. For anything else, such as
          text that could identify you, write to us. We will take it down first and ask questions afterwards.
        </p>
      </>
    ),
  },
  {
    id: 'why-we-use-it',
    title: 'Why we use it, and our lawful basis',
    body: (
      <Table
        caption="Purposes and lawful bases under Article 6 of the UK GDPR"
        head={['Purpose', 'Lawful basis']}
        rows={[
          ['To run your account and show what you share', 'Contract: the Terms of Service'],
          [
            'To review and moderate content and keep the site secure',
            'Legitimate interests: a safe site for patients and members',
          ],
          ['To send emails about signing in and your account', 'Contract'],
          ['To send emails about activity on the site', 'Consent: off until you turn them on in Settings'],
          ['To count page views', 'Consent, which you can withdraw at any time'],
          ['To act on and answer a request to remove an image', 'Legal obligation: the right to erasure'],
          [
            'To keep declarations, consents and decisions',
            'Legal obligation, and the defence of legal claims',
          ],
        ]}
      />
    ),
  },
  {
    id: 'who-sees-it',
    title: 'Who sees it',
    body: (
      <List>
        <li>
          <strong>Everyone:</strong> your username, name, photo, profession and workplace,{' '}
          <WherePoints shown="your points and badges, " hidden="" />
          and what you have published. Your ORCID iD, only if you signed in with ORCID and choose to show it.
        </li>
        <li>
          <strong>Members who are signed in:</strong> the rest of your profile, such as your biography and
          interests. Never your email address.
        </li>
        <li>
          <strong>The person you write to:</strong> your message. Moderators can read it only if the recipient
          reports it, and only while that report is open.
        </li>
        <li>
          <strong>Moderators and administrators:</strong> solutions waiting for review, consent statements,
          reports, image removal requests and page views.
        </li>
        <li>
          <strong>Our processors:</strong> the company that runs our servers and the one that delivers our
          email, both bound by contract. Ask the legal contact for a list.
        </li>
        <li>
          <strong>Authorities,</strong> where the law requires it.
        </li>
      </List>
    ),
  },
  {
    id: 'transfers',
    title: 'Where we keep it',
    body: (
      <p>
        We don’t sell data or show advertising. If a processor handles data outside the United Kingdom, it
        does so only under UK adequacy regulations or the International Data Transfer Agreement.
      </p>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    body: (
      <>
        <Table
          caption="What we keep, and for how long"
          head={['What', 'How long']}
          rows={[
            ['Account, profile, messages you received', 'Until you delete them or your account'],
            ['Messages you sent', 'Until you and the recipient have both deleted them'],
            ['What you have published', 'Until you delete it, or as you choose when you leave'],
            ['Sessions', 'Until you sign out, or 90 days without a visit'],
            ['Page views', '2 years'],
            ['Email address and text of an image removal request', '30 days after it is closed'],
            ['Email address of someone we have invited', '30 days'],
            ['Declarations, consent statements and decisions', '7 years after account deletion'],
          ]}
        />
        <p>
          When you delete your account, your personal data is erased immediately. You choose whether your
          published content is kept under the name “Former member” or removed. Messages you sent stay with the
          people you sent them to, also under the name “Former member”.{' '}
        </p>
        <p>
          {' '}
          We archive the records that law and professional rules require, separately from the site. They are
          your account’s ID and email address, your declarations and consent statements, and decisions on your
          solutions.{' '}
        </p>
        <p>
          {' '}
          Records of this kind are typically kept for 7 years at the minimum. We keep them for 7 years after
          account deletion and then delete them. Copies in backups disappear when the backups are replaced.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How we protect it',
    body: (
      <p>
        The database controls access to every single row. Passwords are stored only as hashes, everyone can
        use two-step sign-in, files are checked and re-encoded, and moderators’ actions are logged.{' '}
        <PageLink to="/compliance">NHS Compliance</PageLink> has more detail, including what we do when
        something goes wrong.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights',
    body: (
      <>
        <p>Under UK data protection law you can, free of charge:</p>
        <List>
          <li>get a copy of your data: in Settings, choose “Download my data”;</li>
          <li>correct it: in your profile and in Settings;</li>
          <li>have it erased: delete individual items where they are, or your account in Settings;</li>
          <li>have its use restricted, or object to it: write to the legal contact;</li>
          <li>withdraw consent at any time: in Cookie settings, or under Notifications in Settings.</li>
        </List>
        <p>
          We make no decisions about you by automated means alone. We answer requests within one month. If
          you’re not satisfied, you can complain to the Information Commissioner’s Office at{' '}
          <a href="https://ico.org.uk/" rel="noopener noreferrer" className="link">
            ico.org.uk
          </a>
          .
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        The minimum age for an account is 18. If we learn that a member is younger, we close the account and
        delete its data.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        The <PageLink to="/cookie-policy">Cookie Policy</PageLink> explains what is stored on your device and
        how to refuse it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        We give 30 days’ notice of material changes to this policy, by email or on the site, and ask again
        where consent is needed. The date above shows when it last changed.
      </p>
    ),
  },
];

export default function PrivacyPolicyPage() {
  return (
    <ArticlePage
      legal
      title="Privacy Policy"
      updated="21 November 2026"
      lead={`What ${siteName()} knows about you and why, who can see it, how long we keep it, and what you can do about it.`}
      sections={sections}
      numbered
    />
  );
}
