import { SITE_NAME } from '#app/site.ts';
import type { Route } from './+types/compliance-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SubHeading, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/compliance',
    'NHS Compliance',
    `How ${SITE_NAME} meets UK GDPR and the expectations of NHS information governance, and what members owe their patients.`,
  );

const sections: Section[] = [
  {
    id: 'commitment',
    title: 'Our commitment',
    body: (
      <>
        <p>
          People who work for the NHS and beside it use this site. <OperatorName first /> runs it so that they
          can do so within their duties: it follows UK data-protection law and takes the principles of NHS
          information governance as its measure.
        </p>
        <p>
          {SITE_NAME} is no NHS service, and this page is no certificate by the NHS. Your organisation’s own
          rules come first; ask your information governance team if in doubt.
        </p>
      </>
    ),
  },
  {
    id: 'uk-gdpr',
    title: 'UK GDPR',
    body: (
      <List>
        <li>
          <strong>Lawful, fair, open:</strong> each purpose has its lawful basis, named in the{' '}
          <PageLink to="/privacy-policy">Privacy Policy</PageLink>.
        </li>
        <li>
          <strong>As little as possible:</strong> a profile needs a username and a name; statistics are off
          until somebody agrees; hidden data in pictures is removed.
        </li>
        <li>
          <strong>Rights:</strong> download, correction and deletion are in Settings and take effect at once.
        </li>
        <li>
          <strong>Storage limits:</strong> what must outlast an account is archived for 7 years, out of reach
          of the site, and then deleted.
        </li>
        <li>
          <strong>Accountability:</strong> declarations, consents and decisions are kept with their dates.
        </li>
      </List>
    ),
  },
  {
    id: 'security-measures',
    title: 'Security measures',
    body: (
      <List>
        <li>
          The database itself decides for each row who may read or change it, whichever way a request comes.
          The rules are tested as every kind of visitor.
        </li>
        <li>Passwords are stored as salted hashes; keys of two-step sign-in are encrypted.</li>
        <li>
          Two-step sign-in is offered to all members. Moderators and administrators who have set it up can act
          only after it, and all are urged to.
        </li>
        <li>
          Uploads are examined by their content and made anew in a process of their own; nothing is published
          as it came, and unreviewed files are private.
        </li>
        <li>
          Pages run only scripts of the site itself. Sign-in, messages, reports and uploads are limited in
          number. Connections are to be encrypted (HTTPS).
        </li>
        <li>
          What moderators and administrators do is recorded, and passwords and addresses are kept out of logs.
        </li>
      </List>
    ),
  },
  {
    id: 'information-governance',
    title: 'Information governance',
    body: (
      <>
        <p>
          We follow the Caldicott Principles: a purpose for every use, personal data only where it is needed
          and as little as will do, access for those who need it, and everyone aware of their duties.
        </p>
        <List>
          <li>The site holds no patient records and is connected to no clinical system.</li>
          <li>Every solution is checked for details of patients before it is public.</li>
          <li>Roles are given by administrators, one by one, and every change is recorded.</li>
        </List>
      </>
    ),
  },
  {
    id: 'patient-confidentiality',
    title: 'Patient confidentiality: your duties',
    body: (
      <>
        <p>Whoever shares something here has four duties.</p>
        <SubHeading>Anonymise</SubHeading>
        <p>
          Leave out names, dates, numbers and places, and rare circumstances by which somebody could be
          recognised. Cover faces, tattoos, labels and screens in pictures and films.
        </p>
        <SubHeading>Obtain consent</SubHeading>
        <p>
          Where a person could be recognised all the same, have their consent in writing, or their guardian’s,
          for publication on the web. Keep it in the records where you work, not here. Respect its withdrawal.
        </p>
        <SubHeading>Keep your professional standards</SubHeading>
        <p>
          Follow your regulator, such as the HCPC’s standards of conduct, performance and ethics, your
          professional body, and the rules of your employer on pictures and publication.
        </p>
        <SubHeading>Report breaches</SubHeading>
        <p>
          If you see details of a patient here, or have shared some by mistake, report it at once with Report,
          or write to the support contact below. Tell your own organisation too.
        </p>
      </>
    ),
  },
  {
    id: 'incident-response',
    title: 'Incident response',
    body: (
      <List>
        <li>
          <strong>Within 1 hour:</strong> we respond to critical incidents, such as a patient who can be
          recognised or access by somebody who should not have it. What is affected is taken down first.
        </li>
        <li>
          <strong>Within 72 hours:</strong> we notify the regulator, the Information Commissioner’s Office,
          and the users concerned, of a breach that must be notified.
        </li>
        <li>
          <strong>Afterwards:</strong> we find the cause, mend it, write down what was learnt, and tell those
          concerned.
        </li>
      </List>
    ),
  },
  {
    id: 'training',
    title: 'Training',
    body: (
      <p>
        Everyone who moderates or administers the site is trained in data protection, confidentiality and the
        review of clinical pictures before they begin, and every year after that. Members find the essentials
        where they need them: in the form by which they share.
      </p>
    ),
  },
  {
    id: 'suppliers',
    title: 'Suppliers',
    body: (
      <p>
        Suppliers who could come into contact with personal data, such as those who run servers or deliver
        mail, are chosen for their security, bound by a contract under Article 28 of the UK GDPR, and looked
        at again every year. There are few: the site brings its own database, files and sign-in, and loads
        nothing from other companies before a visitor asks for it.
      </p>
    ),
  },
  {
    id: 'continuous-improvement',
    title: 'Continuous improvement',
    body: (
      <>
        <p>
          Rules of access, limits and forms are tested automatically with each change of the software.
          Incidents, reports and suggestions are gone through regularly, and this page is reviewed at least
          once a year.
        </p>
        <p>
          <strong>Availability:</strong> the service is run to an uptime of 99.9%, measured over each month
          without announced maintenance. What it has been is on the <PageLink to="/status">Status</PageLink>{' '}
          page, which leaves no maintenance out.
        </p>
      </>
    ),
  },
  {
    id: 'contacts',
    title: 'Contacts',
    body: (
      <>
        <p>
          Report incidents to the support contact; for questions about data protection use the legal contact:
        </p>
        <OperatorDetails />
      </>
    ),
  },
];

export default function CompliancePage() {
  return (
    <ArticlePage
      title="NHS Compliance"
      updated="21 November 2026"
      lead="How this site handles data with the care that those who work for the NHS owe their patients, and what it asks of its members."
      sections={sections}
    />
  );
}
