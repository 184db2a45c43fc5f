import { SITE_NAME } from '#app/site.ts';
import type { Route } from './+types/terms-of-service-page.ts';
import { OperatorDetails, OperatorName } from './operator-details.tsx';
import { ArticlePage, List, PageLink, type Section, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/terms-of-service',
    'Terms of Service',
    `The agreement between you and the operator of ${SITE_NAME}: who may use it, what you may share, and what both sides can rely on.`,
  );

const sections: Section[] = [
  {
    id: 'about-these-terms',
    title: 'About these terms',
    body: (
      <>
        <p>
          These terms are an agreement between you and <OperatorName /> (“we”) about the use of {SITE_NAME}.
          By using the site you accept them; if you do not, please do not use it.
        </p>
        <p>
          The <PageLink to="/privacy-policy">Privacy Policy</PageLink>, the{' '}
          <PageLink to="/cookie-policy">Cookie Policy</PageLink> and{' '}
          <PageLink to="/compliance">NHS Compliance</PageLink> belong to them.
        </p>
      </>
    ),
  },
  {
    id: 'who-may-use-the-site',
    title: 'Who may use the site',
    body: (
      <>
        <p>
          The site is for qualified healthcare professionals aged 18 or over. The minimum age is 18. To become
          a member you declare that both are true of you; we keep that declaration with its date.
        </p>
        <p>
          Public pages may be read by anybody. They are written for professionals and are no guidance for
          patients. We may ask for evidence of a qualification, and close an account whose declaration was
          false.
        </p>
      </>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    body: (
      <List>
        <li>Give your own name and a working e-mail address, and keep them up to date.</li>
        <li>
          An account belongs to one person. Keep your password to yourself; two-step sign-in is offered in
          Settings.
        </li>
        <li>Tell us at once if you think somebody else has used it.</li>
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
          What you share stays yours. You allow us, free of charge, worldwide and for as long as it is on the
          site, to store it, convert it, show it to others and make smaller or covered versions of it, so that
          the site can work.
        </p>
        <p>
          Other members may use the methods you describe in the care of their own patients. Other uses of your
          words, pictures and films need your permission.
        </p>
        <p>
          You confirm that you may share it: it is your own work or you have permission, and your employer’s
          rules allow it.
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
          Share nothing by which a patient can be recognised, in text, picture, film, file name or message.
        </li>
        <li>
          Where somebody could be recognised all the same, you need consent in writing of the patient or their
          guardian, and you keep the evidence. Declare it truthfully with each solution.
        </li>
        <li>If consent is withdrawn, delete the solution or ask us to; we do so without delay.</li>
        <li>
          You remain bound by the duties of your profession and your regulator.{' '}
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
        <p>Please disagree like colleagues. You may not use the site to:</p>
        <List>
          <li>break the law or the rights of others, or give advice that is plainly unsafe;</li>
          <li>harass, threaten, discriminate or deceive;</li>
          <li>advertise, or send messages nobody asked for; name an interest you have in a product;</li>
          <li>collect other people’s data, or copy the site by machine beyond what its robots.txt allows;</li>
          <li>disturb its working, get around its limits, or upload harmful files.</li>
        </List>
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
          replies appear at once and can be reported. Moderators may reject, remove or lock content and give
          the reason to its author.
        </p>
        <p>
          If you think a decision is wrong, write to the legal contact in section 15; somebody who did not
          take it looks at it again.
        </p>
      </>
    ),
  },
  {
    id: 'no-medical-advice',
    title: 'No medical advice',
    body: (
      <p>
        What is on the site is shared experience between professionals. It is no medical advice, no
        instruction for use and no approval of a device. Review by moderators does not change that. Whoever
        treats a patient decides, and answers for, what suits that patient, and follows the law on medical
        devices, also for devices made or changed by themselves.
      </p>
    ),
  },
  {
    id: 'our-rights',
    title: 'Our rights in the site',
    body: (
      <p>
        The site’s own texts, drawings and marks belong to us or to those we have them from. Open-source parts
        stand under their own licences. You may link to any public page.
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
          Beyond that, the site is provided free of charge and as it is. We run it with reasonable care, but
          cannot promise that what others share is right or that the site is never interrupted, and are not
          liable for business losses or for what could not have been foreseen. The aims we work to are on{' '}
          <PageLink to="/compliance">NHS Compliance</PageLink>.
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
          You can delete your account in Settings at any time. You choose whether what you have shared stays
          as that of a former member or is removed; the{' '}
          <PageLink to="/privacy-policy">Privacy Policy</PageLink> says what the law obliges us to keep, and
          for how long.
        </p>
        <p>
          We may suspend or close an account that seriously or repeatedly breaks these terms, with the reason,
          and without notice where patients or others need protection at once. Sections that by their nature
          outlast the agreement do so.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to the site and these terms',
    body: (
      <p>
        We give 30 days’ notice of material changes to these terms, by e-mail or on the site. If you do not
        agree, you can leave before they take effect; using the site afterwards means that you accept them.
        Changes that the law demands at once, and such as only help you, may come sooner.
      </p>
    ),
  },
  {
    id: 'assignment',
    title: 'Assignment to successors',
    body: (
      <p>
        We may assign this agreement, with all rights and duties, to a successor who takes over the site, for
        instance by a merger, a sale or a move to another body. The successor is bound by it, we tell you
        beforehand, and you may leave. You may not assign your account to anybody else.
      </p>
    ),
  },
  {
    id: 'entire-agreement',
    title: 'Entire agreement and law',
    body: (
      <>
        <p>
          These terms, with the policies they name, are the entire agreement between you and us about the site
          and replace earlier ones. If a part of them is not valid, the rest stands. That we do not use a
          right at once does not mean that we give it up.
        </p>
        <p>
          The law of England and Wales applies, and its courts decide, unless the law where you live gives you
          the right to turn to your own.
        </p>
      </>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <>
        <p>For questions about these terms use the legal contact, for everything else the support contact:</p>
        <OperatorDetails />
      </>
    ),
  },
];

export default function TermsOfServicePage() {
  return (
    <ArticlePage
      title="Terms of Service"
      updated="21 November 2026"
      lead={`What you and the operator of ${SITE_NAME} can rely on, in words meant to be read.`}
      sections={sections}
      numbered
    />
  );
}
