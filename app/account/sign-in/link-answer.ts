import { useSyncExternalStore } from 'react';

/** What the sign-in service says at the address to which a link or a provider leads back. */
export interface LinkAnswer {
  /** A code of the service for an error, or `null`. */
  error: string | null;
  /** The kind of link that worked, for example `signup`, or `null`. */
  done: string | null;
}

let answer: LinkAnswer | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The service gives its general codes when a provider's or an organisation's statement does not hold. */
const FORGED = /^(?:Unable to exchange external code|SAML Assertion is not valid|SAMLResponse is)/;

const parametersOf = (text: string) => new URLSearchParams(text.slice(1));

/**
 * Reads the answer from the page's address, whichever page that is, and takes it out of there; called once, before the
 * client library reads the tokens that may stand beside it.
 */
export function captureLinkAnswer(): void {
  const [hash, query] = [parametersOf(location.hash), parametersOf(location.search)];
  if (hash.has('access_token')) {
    const done = hash.get('type');
    if (done) answer = { error: null, done };
    return;
  }
  // An app asked for this code, and it alone can use it; the site itself gets tokens.
  if (location.pathname === '/auth' && query.has('code')) answer = { error: 'code_of_another', done: null };
  const found = [hash, query].find((part) => part.has('error_code') || part.has('error'));
  if (found) {
    const code = found.get('error_code') ?? found.get('error');
    const isForged = FORGED.test(found.get('error_description') ?? '');
    answer = { error: isForged ? 'not_trusted' : code, done: null };
  }
  // The first of two links that confirm a change of email.
  else if (hash.has('message') && hash.has('sb')) answer = { error: null, done: 'first_of_two' };
  if (!answer) return;
  // Links and providers lead to a page for members, and organisations home; neither has anything for those who were not
  // signed in.
  if (
    found &&
    ['/complete-profile', '/'].includes(location.pathname) &&
    !document.documentElement.hasAttribute('data-member')
  ) {
    location.replace(`/auth${location.search}${location.hash}`);
    return;
  }
  for (const name of ['code', 'error', 'error_code', 'error_description', 'message', 'sb'])
    query.delete(name);
  const search = query.size > 0 ? `?${query}` : '';
  history.replaceState(history.state, '', location.pathname + search);
}

/** Ends the notice that `useLinkAnswer` shows, for as long as this page is open. */
export function dismissLinkAnswer(): void {
  answer = null;
  for (const listener of listeners) listener();
}

/** The answer that has not been dismissed yet. */
export const useLinkAnswer = (): LinkAnswer | null =>
  useSyncExternalStore(
    subscribe,
    () => answer,
    () => null,
  );
