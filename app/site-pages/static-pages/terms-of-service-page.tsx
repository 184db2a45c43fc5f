import { siteName } from '#app/site.ts';
import type { Route } from './+types/terms-of-service-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, SiteName, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/terms-of-service',
    'Terms of Service',
    `The agreement between you and the operator of ${siteName()}: who can use it, what you can share, and what we promise each other.`,
  );

const sections: Section[] = [
  {
    id: 'about-these-terms',
    title: 'About these terms',
    body: (
      <>
        <p>
          These terms are an agreement between you and <OperatorName /> (“we”) about your use of <SiteName />.
          By using the site you accept these terms. If you don’t accept them, please don’t use the site.
        </p>
        <p>
          The <PageLink to="/privacy-policy">Privacy Policy</PageLink>, the{' '}
          <PageLink to="/cookie-policy">Cookie Policy</PageLink> and{' '}
          <PageLink to="/compliance">NHS Compliance</PageLink> are part of these terms.{' '}
        </p>
      </>
    ),
  },
  {
    id: 'who-may-use-the-site',
    title: 'Who can use the site',
    body: (
      <>
        <p>
          The site is for qualified healthcare professionals aged 18 or over. The minimum age is 18. When you
          become a member you declare that both apply to you, and we keep that declaration with its date.
        </p>
        <p>
          Anyone can read the public pages. They are written for professionals and are not guidance for
          patients. We may ask for evidence of your qualification, and we may close an account if its
          declaration was false.
        </p>
      </>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    body: (
      <List>
        <li>Use your own name and a working email address, and keep them up to date.</li>
        <li>
          An account is for one person. Keep your password to yourself. You can turn on two-step sign-in in
          Settings.
        </li>
        <li>Tell us immediately if you think someone else has used your account.</li>
        <li>Membership is free.</li>
      </List>
    ),
  },
  {
    id: 'what-you-share',
    title: 'What you share',
    body: (
      <>
        <p>
          You own what you share. So that the site can work, you give us a free, worldwide licence to store
          it, convert it, show it to others and make smaller or redacted versions of it. The licence lasts for
          as long as the content is on the site.
        </p>
        <p>
          Measured outcomes that you add to a solution (measure, scores, number of people, follow-up and the
          device before) are also published as open data under the licence{' '}
          <a href="https://creativecommons.org/licenses/by/4.0/" className="link">
            CC BY 4.0
          </a>
          . Anyone may use them and must name their source.
        </p>
        <p>
          Other members may use the methods you describe when caring for their own patients. Any other use of
          your text, images and videos needs your permission.
        </p>
        <p>
          By sharing content you confirm that it is your own work or that you have permission, and that your
          employer’s rules allow you to share it.
        </p>
      </>
    ),
  },
  {
    id: 'patients',
    title: 'Patients and confidentiality',
    body: (
      <List>
        <li>
          Don’t share anything that could identify a patient, whether in text, images, videos, file names or
          messages.
        </li>
        <li>
          If someone could still be recognised, you need written consent from the patient or their guardian,
          and you must keep the evidence. Declare it truthfully with each solution.
        </li>
        <li>If consent is withdrawn, delete the solution or ask us to. We will do so without delay.</li>
        <li>
          The duties set by your profession and your regulator still apply.{' '}
          <PageLink to="/compliance">NHS Compliance</PageLink> lists them.
        </li>
      </List>
    ),
  },
  {
    id: 'conduct',
    title: 'Conduct',
    body: (
      <>
        <p>Please be professional when you disagree. You must not use the site to:</p>
        <List>
          <li>break the law, infringe the rights of others, or give advice that is clearly unsafe;</li>
          <li>harass, threaten, discriminate or deceive;</li>
          <li>advertise or send unsolicited messages;</li>
          <li>
            collect other people’s data, or copy the site by automated means beyond what its robots.txt
            allows;
          </li>
          <li>disrupt the service, bypass its limits, or upload harmful files.</li>{' '}
        </List>{' '}
        <p>If you have an interest in a product you write about, declare it.</p>
      </>
    ),
  },
  {
    id: 'review-and-moderation',
    title: 'Review and moderation',
    body: (
      <>
        <p>
          Solutions and suggested resources are reviewed before they become public. Comments, topics and
          replies appear straight away and can be reported. Moderators may reject, remove or lock content, and
          they give the author the reason.
        </p>
        <p>
          If you think a decision is wrong, write to the legal contact in section 15. Someone who wasn’t
          involved in the decision will review it.
        </p>
      </>
    ),
  },
  {
    id: 'no-medical-advice',
    title: 'No medical advice',
    body: (
      <p>
        The site contains experience shared between professionals. It is not medical advice, instructions for
        use or approval of a device, and review by moderators does not change that. The professional who
        treats a patient decides what suits that patient and is responsible for the decision. They must follow
        the law on medical devices, including for devices they make or modify themselves.
      </p>
    ),
  },
  {
    id: 'our-rights',
    title: 'Our rights in the site',
    body: (
      <p>
        The site’s own text, drawings and trade marks belong to us or our licensors. Open-source components
        are licensed under their own terms. You may link to any public page.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Our responsibility to you',
    body: (
      <>
        <p>
          Nothing in these terms limits liability for death or personal injury caused by negligence, for
          fraud, or where the law does not allow it to be limited.
        </p>
        <p>
          Otherwise, the site is provided free of charge and “as is”. We run it with reasonable care, but we
          can’t promise that what others share is correct or that the site will always be available. We are
          not liable for business losses or for losses that could not have been foreseen. Our service aims are
          on <PageLink to="/compliance">NHS Compliance</PageLink>.
        </p>
      </>
    ),
  },
  {
    id: 'ending',
    title: 'Ending this agreement',
    body: (
      <>
        <p>
          You can delete your account in Settings at any time. You choose whether your published content is
          kept under the name “Former member” or removed. The{' '}
          <PageLink to="/privacy-policy">Privacy Policy</PageLink> explains what the law requires us to keep,
          and for how long.
        </p>
        <p>
          We may suspend or close an account that seriously or repeatedly breaks these terms, and we will give
          the reason. Where patients or others need immediate protection, we may do so without notice.
          Sections that by their nature should outlast the agreement continue to apply.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to the site and these terms',
    body: (
      <p>
        We give 30 days’ notice of material changes to these terms, by email or on the site. If you don’t
        agree, you can leave before they take effect. Using the site after that date means that you accept
        them. Changes required by law, or that only benefit you, may take effect sooner.
      </p>
    ),
  },
  {
    id: 'assignment',
    title: 'Assignment to successors',
    body: (
      <p>
        We may assign this agreement, with all rights and duties, to a successor who takes over the site, for
        example through a merger, a sale or a move to another organisation. The successor is bound by these
        terms. We will tell you beforehand, and you may leave. You may not transfer your account to anyone
        else.
      </p>
    ),
  },
  {
    id: 'entire-agreement',
    title: 'Entire agreement and law',
    body: (
      <>
        <p>
          These terms and the policies they refer to are the entire agreement between you and us about the
          site, and they replace earlier agreements. If any part of them is invalid, the rest still applies.
          If we don’t enforce a right straight away, we may still do so later.
        </p>
        <p>
          The law of England and Wales applies, and its courts have jurisdiction, unless the law where you
          live gives you the right to use your own courts.
        </p>
      </>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <>
        <p>
          For questions about these terms, use the legal contact. For everything else, use the support
          contact.
        </p>
        <OperatorDetails />
      </>
    ),
  },
];

export default function TermsOfServicePage() {
  return (
    <ArticlePage
      legal
      title="Terms of Service"
      updated="21 November 2026"
      lead={`What you and the operator of ${siteName()} can expect of each other, in plain English.`}
      sections={sections}
      numbered
    />
  );
}
