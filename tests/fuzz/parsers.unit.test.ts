// @module-tag whole

import { expect, it } from 'vitest';
import { deviceOf } from '#app/account/credentials/device.ts';
import { signUpSchema } from '#app/account/credentials/form-schema.ts';
import { profileSchema } from '#app/account/own-profile/form-schema.ts';
import { readChoice } from '#app/community/forum/categories.ts';
import { stripMarkdown } from '#app/community/forum/strip-markdown.ts';
import { quoteOf } from '#app/community/forum-topic/quote.ts';
import { suggestionSchema } from '#app/community/resources/form-schema.ts';
import { findPatientIdentifiers } from '#app/frame/patient-identifiers/patient-identifiers.ts';
import { readRemovalRequest } from '#app/moderation/removal-requests/data.ts';
import { highlightPattern } from '#app/solution/cards/highlight.tsx';
import { addTags } from '#app/solution/solutions/form-schema.ts';
import { words } from '#app/solution/versions/diff.ts';
import { formattingProblem } from '#app/ui/texts/formatting.ts';
import { withoutSentenceEnd } from '#app/ui/texts/linked-text.tsx';
import { embedOf, hiddenHost, safeLink } from '#app/ui/texts/links.ts';
import { readSignInMessage } from '#backend/auth/web3/message.ts';
import { peerAddress } from '#backend/http/client-address.ts';
import { namesTag } from '#backend/http/entity-tags.ts';
import { errorFields as loggedError } from '#backend/log.ts';
import { parseBody } from '#backend/rest/body.ts';
import { negotiate } from '#backend/rest/media-type.ts';
import { parseLogic } from '#backend/rest/parse/filter.ts';
import { parseQuery } from '#backend/rest/parse/query.ts';
import { parseSelect } from '#backend/rest/parse/select.ts';
import { parsePreferences } from '#backend/rest/preferences.ts';
import { contentEncoding, mediaType, userMetadata } from '#backend/storage/media-types.ts';
import { objectNameFromPath } from '#backend/storage/object-key.ts';
import { encodingFor } from '#server/pages/page-cache.ts';
import { hostileTexts } from '../hostile-texts.ts';

/** CPU time, many times that of the slowest of them. */
const MOST_MS = 150;

/** Functions that parse another person's text, in the server or in a reader's browser. */
const readers: Record<string, (text: string) => unknown> = {
  'a text’s formatting': formattingProblem,
  'a text on one line': stripMarkdown,
  'a quote': (text) => quoteOf({ user_id: '1', author: null, content: text }),
  'personal details': findPatientIdentifiers,
  tags: (text) => addTags([], text),
  'a link': (text) => safeLink(text) ?? safeLink(`https://a.b/${text}`),
  'a video': (text) => embedOf(`https://www.youtube.com/${text}`),
  'the name of a link': (text) => hiddenHost(text, 'https://a.b/'),
  'marks of a search': (text) => [
    ...'a b c'.matchAll(highlightPattern(text, text.split(' ').slice(0, 8)) ?? /x/g),
  ],
  'a removal request': (text) => {
    const form = new FormData();
    for (const name of ['email', 'reason', 'asker', 'tracking']) form.append(name, `a@${text}`);
    return readRemovalRequest('1', form);
  },
  'a profile': (text) => profileSchema.safeParse({ username: text, full_name: `a@${text}`, bio: text }),
  'a sign-up': (text) => signUpSchema.safeParse({ email: `a@${text}`, password: text }),
  'a suggestion': (text) =>
    suggestionSchema.safeParse({ resource_url: `https://${text}`, resource_name: text }),
  'the forum’s address': (text) => readChoice(new URLSearchParams({ q: text, after: `t~${text}` })),
  'the end of an address in a text': (text) => withoutSentenceEnd(`https://a.b/${text}`),
  'the changes of a version': (text) =>
    words(text.slice(0, 10_000), [...text.slice(0, 10_000)].reverse().join('')),
  'a browser’s name': deviceOf,
  'the versions of a page that a browser has': (text) => namesTag(`"a"${text}"b"`, '"c"'),
  'the encodings that a browser takes': (text) => encodingFor(true, `br${text}`),
  'an address of the network': (text) => peerAddress(text, undefined),
  'an error for the log': (text) => loggedError(new Error(text)),
  'a wallet’s message': (text) => readSignInMessage(`a.b wants you to sign in\n${text}`, 'ethereum'),
  'a table of values': (text) => parseBody(Buffer.from(`a,b\n${text}`), 'text/csv', undefined, 'anon'),
  'a quoted table of values': (text) =>
    parseBody(Buffer.from(`a,b\n"${text}`), 'text/csv', undefined, 'anon'),
  'the types a client takes': negotiate,
  preferences: parsePreferences,
  'columns to select': (text) => parseSelect(text, false),
  'relations to select': (text) => parseSelect(`a(${text}`, true),
  'conditions that nest': (text) => parseLogic('and', `(${text}`),
  'a filter': (text) => parseQuery(new URLSearchParams({ a: `eq.${text}` }), false, false),
  'a list to filter by': (text) => parseQuery(new URLSearchParams({ a: `in.(${text}` }), false, false),
  'a filter’s place': (text) => parseQuery(new URLSearchParams({ [text]: 'eq.1' }), false, false),
  'an order': (text) => parseQuery(new URLSearchParams({ order: text }), false, false),
  'a type of file': mediaType,
  'an encoding': contentEncoding,
  'what is told of a file': userMetadata,
  'a file’s name': (text) => objectNameFromPath(`/object/${text}`, '/object/'),
};

it.each(Object.entries(readers))('reading %s takes work in proportion to the text', (_, read) => {
  const cpu = (text: string) => {
    const before = process.cpuUsage();
    try {
      read(text);
    } catch (error) {
      // A refusal has a message; a stack overflow is no refusal.
      if (error instanceof RangeError || error instanceof TypeError) throw error;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // Several times the longest text any of them receives, so that quadratic growth stands out.
  const slow = hostileTexts(20_000).filter(([, text]) => [1, 2, 3].every(() => cpu(text) > MOST_MS));
  expect(slow.map(([name]) => name)).toEqual([]);
});
