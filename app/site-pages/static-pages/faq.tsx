import type { ReactNode } from 'react';
import { siteName } from '#app/site.ts';
import { List, PageLink } from './prose.tsx';

/** The most frequent questions. */
export const faq = (): readonly { question: string; answer: ReactNode }[] => [
  {
    question: `What is ${siteName()}?`,
    answer: (
      <p>
        A community site where prosthetics professionals share solutions from practice, discuss them in a
        forum and collect resources. Read more on <PageLink to="/about">About</PageLink>.
      </p>
    ),
  },
  {
    question: 'Is it free?',
    answer: <p>Yes. Reading, sharing, the forum and messages are free, and there is no paid membership.</p>,
  },
  {
    question: 'Who can become a member?',
    answer: (
      <p>
        Qualified healthcare and prosthetics professionals aged 18 or over: prosthetists, rehabilitation
        doctors, therapists and colleagues who work with them. You confirm both when you sign up. You don’t
        need an account to read.
      </p>
    ),
  },
  {
    question: 'How do I share a solution?',
    answer: (
      <p>
        Sign in and choose <PageLink to="/upload">Share Solution</PageLink>. Describe what was needed and what
        you did, add images or videos, and declare consent. Your draft is saved automatically, and once you’re
        online its text is available on all your devices.
      </p>
    ),
  },
  {
    question: 'Are submissions reviewed?',
    answer: (
      <p>
        Yes, all submissions are reviewed by moderators before going public. If yours is rejected, you’ll see
        the reason, and you can revise and resubmit it.
      </p>
    ),
  },
  {
    question: 'Which files can I upload?',
    answer: (
      <List>
        <li>Images: JPEG (JPG), PNG and WebP</li>
        <li>Videos: MP4 and WebM</li>
        <li>Build files: PDF documents, STL, 3MF and STEP models, SVG and DXF drawings</li>
      </List>
    ),
  },
  {
    question: 'How do I protect my patients?',
    answer: (
      <p>
        Leave out anything that could identify a person. Cover faces, labels and tattoos with the tool next to
        each image, and get written consent if someone could still be recognised. We remove hidden data, such
        as where a photo was taken. Your duties are listed on{' '}
        <PageLink to="/compliance">NHS Compliance</PageLink>.
      </p>
    ),
  },
  {
    question: 'How can I reach the author of a solution?',
    answer: (
      <p>
        Comment on the solution, or choose Message on the solution or the author’s page. Members can turn
        messages off, and you can block and report anyone who writes to you.
      </p>
    ),
  },
  {
    question: 'I have seen something that should not be here. What do I do?',
    answer: (
      <p>
        Use Report next to the solution, comment, topic, reply, message or member. Moderators review every
        report. Anyone who appears in an image can ask for its removal without an account: choose “Are you in
        an image? Request its removal” next to the solution.
      </p>
    ),
  },
  {
    question: 'How do I get my data, or leave?',
    answer: (
      <p>
        In <PageLink to="/settings">Settings</PageLink> you can download your data as a ZIP file and delete
        your account. You choose whether your published content is kept under the name “Former member” or
        removed.
      </p>
    ),
  },
];
