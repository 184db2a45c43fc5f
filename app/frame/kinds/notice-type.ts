import type { Target } from './paths.ts';

/*
 * The function process-mail-jobs reads the types of notices too, so this file and they import nothing that needs a browser,
 * React or the client.
 */

/** Where a headline names who acted, and what it is about. */
export const [ACTOR, ABOUT] = ['{actor}', '{about}'];

/** The order in which several of one thing on one day are said: decisions, what was done with a case, then what was said about it. */
export const WEIGHTS = ['decision', 'case', 'topic', 'text', 'like'] as const;

export type NoticeIcon =
  | 'alert'
  | 'award'
  | 'check'
  | 'clock'
  | 'delete'
  | 'hidden'
  | 'licence'
  | 'link-off'
  | 'rejected'
  | 'shield'
  | 'shown';

/** An email's own words, beside or in the place of those of the notification on the site. */
export interface EmailWords {
  /** Also the email's subject line. */
  heading?: string;
  text?: string;
  button?: string;
  /** The reason for sending it, where the settings offer no choice. */
  why?: string;
}

/** The event that an email reports. */
export interface MailedNotice extends Target {
  type: string;
  actor: string;
  /** Title of the solution, topic or badge it is about. */
  title: string;
  /** The safety notice on the solution, if any. */
  safety_kind: string | null;
  /** Its language; null where none is said. */
  language: string | null;
  /** Subject of the message it is about. */
  subject: string;
  /** For the sender of a removal request: the address to follow it, and the answer. */
  tracking_id: string | null;
  answer: string | null;
  /** What “Still in use?” asks about, with the tokens that answer it and that stop its questions without signing in. */
  use_question: { id: string; months: number; token: string; stop: string } | null;
}

/**
 * What notifications of one type say, on the page and by email. When they are mailed, and whether a moderator stands behind them, is
 * in `private.notice_types`.
 */
export interface NoticeType {
  /** A whole sentence, so that a translation can put who acted and what it is about wherever its grammar wants them. */
  headline: string;
  /** The headline where the site knows the title of what was reported. */
  titled?: string;
  explanation?: string;
  /** What stands for who acted where no one is named: “Someone” when left out. */
  unnamed?: string;
  /** The path it leads to: `contentPath` when left out. */
  path?: (target: Target) => string;
  /** In the place of a picture; who acted when left out. */
  icon?: NoticeIcon;
  /** It stands first until it is read, and "Mark all read" leaves it. */
  warning?: {
    about: 'safety' | 'moderation';
    /** The link that leads to it, on the page and by email. */
    open: string;
  };
  /** One that is mailed at once says at least what its button does, unless it warns. */
  email?: EmailWords | ((notice: MailedNotice) => EmailWords);
  /** What several about one thing on one day come to. All else stands alone, since it asks for something or leads elsewhere. */
  together?: {
    weight: (typeof WEIGHTS)[number];
    /** @param results how the trials went that are counted */
    say: (count: number, results: string) => string;
  };
  /** The filter of the list that shows it. */
  filter?: 'comments' | 'likes' | 'messages';
}

/** Whether the site itself reports it, and not a member. */
export const isFromSite = (headline: string): boolean => !headline.includes(ACTOR);

/**
 * A headline with who acted and what it is about at their places. What the site itself reports is a sentence without
 * either, and what it is about follows it where there is something to name.
 */
export function partsOf<Part>(
  headline: string,
  actor: Part | string,
  about: Part | string | undefined,
): (Part | string)[] {
  const sentence = about && isFromSite(headline) ? `${headline}: ${ABOUT}` : headline;
  return sentence
    .split(/(\{\w+\})/)
    .map((part) => (part === ACTOR ? actor : part === ABOUT ? (about ?? '') : part));
}
