/**
 * The systems of the specification. In every run a browser opens each of them: a test that does so has its name as a tag, and a
 * run in which one was opened by none has failed.
 */
const SYSTEMS = [
  'header',
  'home',
  'card',
  'browse',
  'submit',
  'media-rules',
  'detail-and-gallery',
  'review',
  'comments',
  'likes',
  'delete',
  'page-views',
  'theme',
  'sign-up',
  'sign-in',
  'recovery',
  'google',
  'complete-profile',
  'profile',
  'settings',
  'email-change',
  'messages',
  'notifications',
  'forum-list',
  'topic',
  'lock',
  'report',
  'resources',
  'suggestions',
  'about',
  'contact',
  'legal-pages',
  'not-found',
  'admin-storage',
  'admin-solutions',
  'admin-resources',
  'admin-reports',
  'admin-users',
  'share-and-message-dialogs',
  'points-and-badges',
  'sessions',
  'roles',
] as const;

type System = `system/${(typeof SYSTEMS)[number]}`;

declare module 'vitest' {
  interface TestTags {
    tag: 'whole' | System;
  }
}

const SYSTEM_TAGS = SYSTEMS.map((system): System => `system/${system}`);

/** Every tag that a test may have; another one is an error. */
export const TAGS = ([...SYSTEM_TAGS, 'whole'] as const).map((name) => ({ name }));

/** The tests of `npm test`; `npm test -- --all` runs all. */
export const ESSENTIAL = ['!whole || system/*'];

/** A file whose head says so has no other tests in the essential tier than those that open a system. */
export const isWholeFile = (source: string): boolean => /^\/\/ @module-tag whole$/m.test(source);

/** The systems that no passed test of the run has opened. */
export const unopened = (tagsOfPassedTests: Iterable<readonly string[]>): string[] => {
  const opened = new Set([...tagsOfPassedTests].flat());
  return SYSTEM_TAGS.filter((tag) => !opened.has(tag));
};
