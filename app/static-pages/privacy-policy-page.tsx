import { SITE_NAME } from '#app/site.ts';
import type { Route } from './+types/privacy-policy-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SubHeading, Table, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/privacy-policy',
    'Privacy Policy',
    `What ${SITE_NAME} knows about you and why, who sees it, how long it is kept, and your rights under UK data-protection law.`,
  );

const sections: Section[] = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    body: (
      <>
        <p>
          <OperatorName first /> decides what happens with personal data on this site and is its controller
          under the UK GDPR and the Data Protection Act 2018.
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
        <SubHeading>When you only read</SubHeading>
        <p>
          Your device’s network address is used to answer it and to hold off misuse. Page views are recorded
          only if you agree; the <PageLink to="/cookie-policy">Cookie Policy</PageLink> says what is in them.
          Otherwise nothing about your visit is kept.
        </p>
        <SubHeading>When you are a member</SubHeading>
        <List>
          <li>
            <strong>Account:</strong> e-mail address, a scrambled form of your password, two-step sign-in if
            you set it up, the identity Google gives us if you use it, and where and when you signed in
            (browser and network address).
          </li>
          <li>
            <strong>Declaration:</strong> that you are 18 or over and a healthcare professional, with date and
            wording.
          </li>
          <li>
            <strong>Profile:</strong> username, name, profession, workplace, location, biography, interests
            and picture, as far as you give them, and your settings.
          </li>
          <li>
            <strong>What you do:</strong> solutions with their files, drafts and consent statements, comments,
            likes, topics, replies, reports, suggestions, messages, notifications, points and badges.
          </li>
          <li>
            <strong>Records of moderation:</strong> decisions about your content, and what moderators and
            administrators did.
          </li>
        </List>
        <SubHeading>When you ask for a picture to be removed</SubHeading>
        <p>
          Which pictures it is about, whether you are shown in them or speak for somebody who is, and what you
          write and which e-mail address you give, if any. You need neither an account nor a name. To hold off
          misuse, a scrambled form of your device’s network address is kept for a day.
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
          The site is not meant to hold data about patients who can be recognised. Members must leave out such
          details and declare consent; pictures and films are made anew so that place, time and device are
          gone; and every solution is looked at before it is public.
        </p>
        <p>
          If you are a patient and recognise yourself, choose “Are you in a picture? Ask for it to be removed”
          beside the solution. It needs no account. Moderators are alerted at once, can hide the picture with
          one click and decide within 24 hours; a hidden picture is out of every cache within an hour, and a
          page of its own tells you how your request stands. About anything else, such as words by which you
          could be recognised, write to us: we take it down first and ask afterwards.
        </p>
      </>
    ),
  },
  {
    id: 'why-we-use-it',
    title: 'Why we use it, and on which basis',
    body: (
      <Table
        caption="Purposes and lawful bases under Article 6 of the UK GDPR"
        head={['Purpose', 'Lawful basis']}
        rows={[
          ['To run your account and show what you share', 'Contract: the Terms of Service'],
          [
            'To review, moderate, and keep the site secure',
            'Legitimate interests: a safe site for patients and members',
          ],
          ['To send mails about signing in and your account', 'Contract'],
          [
            'To send mails about what happens on the site',
            'Consent: off until you switch them on in Settings',
          ],
          ['To count page views', 'Consent, which you can withdraw at any time'],
          [
            'To act on a request to remove a picture, and to answer it',
            'Legal obligation: the right to erasure',
          ],
          [
            'To keep declarations, consents and decisions',
            'Legal obligation and the defence of legal claims',
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
          <strong>Everybody:</strong> your username, name, picture, profession and workplace, your points and
          badges, and what you have published.
        </li>
        <li>
          <strong>Other members who are signed in:</strong> the rest of your profile, such as biography and
          interests. Never your e-mail address.
        </li>
        <li>
          <strong>The person you write to:</strong> your message. Moderators can read it only if its recipient
          reports it, and while that report is open.
        </li>
        <li>
          <strong>Moderators and administrators:</strong> solutions that wait for review, consent statements,
          reports, requests to remove a picture and page views.
        </li>
        <li>
          <strong>Those who work for us:</strong> the company that runs our server and the one that delivers
          our mail, bound by contract. A list is to be had from the legal contact.
        </li>
        <li>
          <strong>Authorities,</strong> where the law obliges us.
        </li>
      </List>
    ),
  },
  {
    id: 'transfers',
    title: 'Where it is',
    body: (
      <p>
        We do not sell data and use no advertising. If one of those who work for us handles data outside the
        United Kingdom, this happens only under UK adequacy regulations or the International Data Transfer
        Agreement.
      </p>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    body: (
      <>
        <Table
          caption="What is kept, and for how long"
          head={['What', 'How long']}
          rows={[
            ['Account, profile, messages', 'Until you delete them or your account'],
            ['What you have published', 'Until you delete it; when you leave, as you choose then'],
            ['Sessions', 'Until you sign out, or 90 days without a visit'],
            ['Page views', '2 years'],
            ['Address and words of a request to remove a picture', '30 days after its outcome'],
            ['Declarations, consent statements and decisions', '7 years after account deletion'],
          ]}
        />
        <p>
          When you delete your account, your personal data is erased at once. What you have published stays as
          that of a “Former member” or is removed, as you choose. What law and professional rules require of
          us is archived out of reach of the site: your account’s number and e-mail address, your declarations
          and consent statements, and decisions on your solutions. Records of this kind are typically kept for
          7 years at the minimum; we keep them for 7 years after the deletion and then delete them. Copies in
          backups go when the backups are replaced.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How we protect it',
    body: (
      <p>
        Access is decided by the database for every single row, passwords are stored only in scrambled form,
        two-step sign-in is offered to all, files are examined and made anew, and what moderators do is
        logged. <PageLink to="/compliance">NHS Compliance</PageLink> says more, also about what we do when
        something goes wrong.
      </p>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights',
    body: (
      <>
        <p>Under UK data-protection law you may, free of charge:</p>
        <List>
          <li>see what we hold about you and take it with you: Settings, Download my data;</li>
          <li>correct it: Profile and Settings;</li>
          <li>have it erased: delete single things where they are, or your account in Settings;</li>
          <li>have its use restricted, or object to it: write to the legal contact;</li>
          <li>withdraw consent at any time: Cookie settings, or Notifications in Settings.</li>
        </List>
        <p>
          We decide nothing about you by machine alone. We answer requests within one month. If we do not
          satisfy you, you can complain to the Information Commissioner’s Office, at{' '}
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
        The minimum age for an account is 18. An account of somebody younger is closed and its data deleted as
        soon as we learn of it.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        What is stored on your device, and how you refuse it, is in the{' '}
        <PageLink to="/cookie-policy">Cookie Policy</PageLink>.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        We give 30 days’ notice of material changes to this policy, by e-mail or on the site, and ask again
        where consent is needed. The date above says when it last changed.
      </p>
    ),
  },
];

export default function PrivacyPolicyPage() {
  return (
    <ArticlePage
      title="Privacy Policy"
      updated="21 November 2026"
      lead={`What ${SITE_NAME} knows about you and why, who sees it, how long it is kept, and what you can do about it.`}
      sections={sections}
      numbered
    />
  );
}
