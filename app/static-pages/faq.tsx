import type { ReactNode } from 'react';
import { SITE_NAME } from '#app/site.ts';
import { List, PageLink } from './prose.tsx';

/** The most frequent questions. */
export const faq: readonly { question: string; answer: ReactNode }[] = [
  {
    question: `What is ${SITE_NAME}?`,
    answer: (
      <p>
        A community site where prosthetics professionals share solutions from practice, discuss them in a
        forum and collect resources. <PageLink to="/about">About</PageLink> says more.
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
        doctors, therapists and colleagues who work with them. You confirm both when you sign up. Reading
        needs no account.
      </p>
    ),
  },
  {
    question: 'How do I share a solution?',
    answer: (
      <p>
        Sign in and choose <PageLink to="/upload">Share Solution</PageLink>. Describe what was needed and what
        you did, add pictures or films, and say what the patient consented to. A draft is kept while you
        write, on every device you sign in on.
      </p>
    ),
  },
  {
    question: 'Are submissions reviewed?',
    answer: (
      <p>
        Yes, all submissions are reviewed by moderators before going public. If one is rejected you are told
        why, and can change it and send it again.
      </p>
    ),
  },
  {
    question: 'Which files can I upload?',
    answer: (
      <List>
        <li>Images: JPEG (JPG), PNG and WebP</li>
        <li>Videos: MP4 and WebM</li>
      </List>
    ),
  },
  {
    question: 'How do I protect my patients?',
    answer: (
      <p>
        Leave out everything by which a person could be recognised, cover faces, labels and tattoos with the
        tool beside each picture, and have written consent where somebody could be recognised all the same.
        Hidden data such as the place of a photograph is removed for you. The duties are on{' '}
        <PageLink to="/compliance">NHS Compliance</PageLink>.
      </p>
    ),
  },
  {
    question: 'How can I reach the author of a solution?',
    answer: (
      <p>
        Comment under the solution, or choose Message on the solution or the author’s page. Members can switch
        messages off, and you can block and report whoever writes to you.
      </p>
    ),
  },
  {
    question: 'I have seen something that should not be here. What do I do?',
    answer: (
      <p>
        Use Report beside the solution, comment, topic, reply, message or member; moderators look at every
        report. Whoever is shown in a picture can ask for its removal beside the solution, without an account:
        choose “Are you in a picture? Ask for it to be removed”.
      </p>
    ),
  },
  {
    question: 'How do I get my data, or leave?',
    answer: (
      <p>
        In <PageLink to="/settings">Settings</PageLink> you can download everything we hold about you as a ZIP
        file, and delete your account. You choose whether what you have shared stays as that of a former
        member or goes with you.
      </p>
    ),
  },
];
