import { Fragment } from 'react';
import { EXTERNAL_REL, safeLink } from './links.ts';

const SENTENCE_END = '.,;:!?\'"’”»';

/** Punctuation after an address belongs to the sentence, and so does a bracket that the address does not open. */
export function withoutSentenceEnd(address: string): string {
  const signs = address.includes('(') ? SENTENCE_END : `${SENTENCE_END})`;
  let end = address.length;
  while (end > 0 && signs.includes(address.charAt(end - 1))) end--;
  return address.slice(0, end);
}

/** A member's plain text, in which web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>]+)/i).map((part, index) => {
    const address = index % 2 === 1 ? withoutSentenceEnd(part) : '';
    const href = address && safeLink(address);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <Fragment key={index}>
        {href ? (
          <>
            <a href={href} rel={EXTERNAL_REL} className="link">
              {address}
            </a>
            {part.slice(address.length)}
          </>
        ) : (
          part
        )}
      </Fragment>
    );
  });
}
