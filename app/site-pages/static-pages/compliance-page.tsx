import { siteName } from '#app/site.ts';
import type { Route } from './+types/compliance-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SiteName, SubHeading, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/compliance',
    'NHS Compliance',
    `How ${siteName()} meets UK GDPR and NHS information governance expectations, and what members owe their patients.`,
  );

const sections: Section[] = [
  {
    id: 'commitment',
    title: 'Our commitment',
    body: (
      <>
        <p>
          NHS staff and their partners use this site. <OperatorName first /> runs it so that they can meet
          their duties: it complies with UK data protection law and follows NHS information governance
          principles.
        </p>
        <p>
          <SiteName /> is not an NHS service, and this page is not NHS certification. Your organisation’s own
          rules come first. If in doubt, ask your information governance team.
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
          <strong>Lawful, fair and transparent:</strong> every purpose has a lawful basis, listed in the{' '}
          <PageLink to="/privacy-policy">Privacy Policy</PageLink>.
        </li>
        <li>
          <strong>Data minimisation:</strong> a profile needs only a username and a name, statistics are off
          unless you agree, and hidden data in images is removed.
        </li>
        <li>
          <strong>Rights:</strong> you can download, correct and delete your data in Settings, with immediate
          effect.
        </li>
        <li>
          <strong>Storage limitation:</strong> records that must outlast an account are archived for 7 years,
          separately from the site, and then deleted.
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
          The database itself decides who can read or change each row, regardless of how a request arrives. We
          test these rules for every role.
        </li>
        <li>Passwords are stored as salted hashes, and two-step sign-in keys are encrypted.</li>
        <li>
          All members can use two-step sign-in. Moderators and administrators who have set it up can act only
          after the second step, and we strongly encourage all of them to set it up.
        </li>
        <li>
          Uploads are checked by content and re-encoded in an isolated process. Original files are never
          published, and unreviewed files are private.
        </li>
        <li>
          Pages run only the site’s own scripts. Sign-in, messages, reports and uploads are rate-limited.
          Connections must be encrypted (HTTPS).
        </li>
        <li>
          Moderators’ and administrators’ actions are recorded, and passwords and addresses are kept out of
          logs.
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
          We follow the Caldicott Principles. Every use has a purpose, personal data is used only where needed
          and kept to a minimum, access is limited to those who need it, and everyone knows their duties.
        </p>
        <List>
          <li>The site holds no patient records and isn’t connected to any clinical system.</li>
          <li>Every solution is checked for patient details before it becomes public.</li>
          <li>Administrators assign roles individually, and every change is recorded.</li>
        </List>
      </>
    ),
  },
  {
    id: 'patient-confidentiality',
    title: 'Patient confidentiality: your duties',
    body: (
      <>
        <p>Anyone who shares something here has four duties.</p>
        <SubHeading>Anonymise</SubHeading>
        <p>
          Leave out names, dates, numbers and places, and rare circumstances that could identify someone.
          Cover faces, tattoos, labels and screens in images and videos.
        </p>
        <SubHeading>Obtain consent</SubHeading>
        <p>
          If a person could still be recognised, get written consent for publication on the web from them or
          their guardian. Keep it in the records where you work, not here. If consent is withdrawn, respect
          that.
        </p>
        <SubHeading>Keep your professional standards</SubHeading>
        <p>
          Follow your regulator, such as the HCPC’s standards of conduct, performance and ethics, your
          professional body, and your employer’s rules on images and publication.
        </p>
        <SubHeading>Report breaches</SubHeading>
        <p>
          If you see patient details here, or have shared some by mistake, use Report or write to the support
          contact below immediately. Tell your own organisation too.
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
          <strong>Within 1 hour:</strong> we respond to critical incidents, such as an identifiable patient or
          unauthorised access. We take down affected content first.
        </li>
        <li>
          <strong>Within 72 hours:</strong> we notify the regulator (the Information Commissioner’s Office)
          and affected users of any notifiable breach.
        </li>
        <li>
          <strong>Afterwards:</strong> we find and fix the cause, record what we learned, and tell the people
          affected.
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
        review of clinical images before they start, and every year after that. Members find the essentials
        where they need them: in the form they use to share.
      </p>
    ),
  },
  {
    id: 'suppliers',
    title: 'Suppliers',
    body: (
      <p>
        We choose suppliers who may handle personal data, such as hosting and email providers, for their
        security. They are bound by a contract under Article 28 of the UK GDPR and reviewed every year. There
        are few of them: the site has its own database, file storage and sign-in, and loads nothing from other
        companies unless a visitor asks for it.
      </p>
    ),
  },
  {
    id: 'continuous-improvement',
    title: 'Continuous improvement',
    body: (
      <>
        <p>
          Access rules, limits and forms are tested automatically with every change to the software. We
          regularly review incidents, reports and suggestions, and we review this page at least once a year.
        </p>
        <p>
          <strong>Availability:</strong> we run the service to an uptime of 99.9%, measured each month and
          excluding announced maintenance. The <PageLink to="/status">Status</PageLink> page shows measured
          uptime, including maintenance.
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
          Report incidents to the support contact. For questions about data protection, use the legal contact.
        </p>
        <OperatorDetails />
      </>
    ),
  },
];

export default function CompliancePage() {
  return (
    <ArticlePage
      legal
      title="NHS Compliance"
      updated="21 November 2026"
      lead="How this site handles data with the care that NHS staff owe their patients, and what it asks of its members."
      sections={sections}
    />
  );
}
